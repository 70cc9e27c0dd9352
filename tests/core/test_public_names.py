"""The public surface: what `__all__` says is there, sorted, and nothing else is needed to find it."""

import subprocess
import sys

import pytest

import langgraph_memory
from langgraph_memory import errors


def test_every_public_name_is_there_and_the_list_is_sorted():
    names = langgraph_memory.__all__
    assert names == sorted(names)
    assert all(getattr(langgraph_memory, name).__name__ == name for name in names)
    assert set(names) <= set(dir(langgraph_memory))


def test_a_name_that_is_not_there_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'MemoryManager'"):
        langgraph_memory.MemoryManager  # noqa: B018


def test_importing_the_package_loads_neither_langgraph_nor_chroma():
    heavy = "('langgraph', 'langchain_core', 'chromadb')"
    script = f"import sys, langgraph_memory; print([m for m in {heavy} if m in sys.modules])"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    assert done.stdout == "[]\n"


def test_every_error_is_a_standard_error_too():
    tree = [
        e for e in vars(errors).values() if isinstance(e, type) and issubclass(e, errors.MemoryRuntimeError)
    ]
    standard = (ValueError, TypeError, LookupError, PermissionError, RuntimeError)
    assert len(tree) > 10
    assert all(issubclass(e, standard) for e in tree if e is not errors.MemoryRuntimeError)


def test_the_package_runs_as_a_module_like_its_command():
    script = [sys.executable, "-m", "langgraph_memory", "recall", "--help"]
    done = subprocess.run(script, capture_output=True, text=True, check=True)
    assert "Usage: langgraph-memory recall" in done.stdout
