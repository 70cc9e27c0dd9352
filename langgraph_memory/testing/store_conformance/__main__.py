"""`python -m langgraph_memory.testing.store_conformance`: how HybridStore and LangGraph's own stores do."""

from __future__ import annotations

import sqlite3
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.util import find_spec

from langgraph.store.base import BaseStore, IndexConfig, TTLConfig
from langgraph.store.memory import InMemoryStore

from langgraph_memory.store import HybridStore
from langgraph_memory.testing.store_conformance import CHECKS, OpenStore, comparison, conformance


@contextmanager
def hybrid_store(*, index: IndexConfig | None = None, ttl: TTLConfig | None = None) -> Iterator[BaseStore]:
    """A HybridStore in a new folder."""
    with tempfile.TemporaryDirectory() as folder, HybridStore(folder, index=index, ttl=ttl) as store:
        yield store


@contextmanager
def in_memory_store(*, index: IndexConfig | None = None, ttl: TTLConfig | None = None) -> Iterator[BaseStore]:
    """LangGraph's InMemoryStore, which has no times to live."""
    if ttl is not None:
        raise NotImplementedError("InMemoryStore has no times to live")
    yield InMemoryStore(index=index)


@contextmanager
def sqlite_store(*, index: IndexConfig | None = None, ttl: TTLConfig | None = None) -> Iterator[BaseStore]:
    """LangGraph's SqliteStore; its vectors need a Python that loads SQLite extensions."""
    from langgraph.store.sqlite import SqliteStore  # noqa: PLC0415 - comes with an extra

    if index is not None and not hasattr(sqlite3.Connection, "enable_load_extension"):
        raise NotImplementedError("this Python's sqlite3 loads no extensions")
    with SqliteStore.from_conn_string(":memory:", index=index, ttl=ttl) as store:
        store.setup()
        yield store


def main() -> None:
    """Print a table of all stores that are installed, and why each of them fails what it fails."""
    stores: dict[str, OpenStore] = {"HybridStore": hybrid_store, "InMemoryStore": in_memory_store}
    if find_spec("langgraph.store.sqlite"):
        stores["SqliteStore"] = sqlite_store
    reports = {name: conformance(opened) for name, opened in stores.items()}
    lines = [comparison(reports, CHECKS), ""]
    for name, report in reports.items():
        lines += [f"{name} · {check}: {reason[:200]}" for check, reason in report.failures.items()]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
