"""The reference is what the docstrings say now, and every example in a docstring runs."""

import doctest
import importlib
import importlib.util
import pkgutil
import re
from pathlib import Path

import pytest

import langgraph_memory

DOCS = Path(__file__).parents[2] / "docs"
MODULES = sorted(
    module.name for module in pkgutil.walk_packages(langgraph_memory.__path__, "langgraph_memory.")
)


def builder():
    spec = importlib.util.spec_from_file_location("build_reference", DOCS / "build_reference.py")
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


def test_the_page_is_made_from_the_docstrings_as_they_are():
    made = builder().page()
    assert (DOCS / "reference.md").read_text(encoding="utf-8") == made, "run: make docs"
    for name in langgraph_memory.__all__:
        assert f"### `{name}" in made
    assert "#### `Memory.forget(scope, entity, fact_id" in made


def test_the_page_of_the_house_names_every_room_with_what_it_says_of_itself():
    made = builder().house()
    assert (DOCS / "house.md").read_text(encoding="utf-8") == made, "run: make docs"
    top = {name.split(".")[1] for name in MODULES}
    rooms = set(re.findall(r"^- `(\w+)` – \S", made, re.MULTILINE))
    assert top - rooms == {"testing"}  # it stands beside the house
    assert rooms <= top


def test_every_public_name_and_method_is_described():
    build = builder()
    module = langgraph_memory
    assert [name for name in module.__all__ if not build._described(getattr(module, name))] == []


@pytest.mark.parametrize("name", MODULES)
def test_the_examples_in_docstrings_run(name):
    module = importlib.import_module(name)
    names = {**vars(langgraph_memory), **{n: getattr(langgraph_memory, n) for n in langgraph_memory.__all__}}
    finder = doctest.DocTestFinder(exclude_empty=True)
    runner = doctest.DocTestRunner(optionflags=doctest.NORMALIZE_WHITESPACE)
    for example in finder.find(module, name, globs={**names, **vars(module)}):
        runner.run(example)
    assert runner.summarize(verbose=False).failed == 0
