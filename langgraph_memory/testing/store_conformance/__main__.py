"""`python -m langgraph_memory.testing.store_conformance`: how HybridStore and LangGraph's own stores do.

    python -m langgraph_memory.testing.store_conformance [--postgres postgresql://user@host/database]

With a server, PostgresStore takes part, in schemas that are made for it and dropped again.
"""

from __future__ import annotations

import argparse
import secrets
import sqlite3
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from importlib.util import find_spec
from typing import Any, cast
from urllib.parse import quote

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


def postgres_store(server: str) -> OpenStore:
    """LangGraph's PostgresStore on this server; its vectors need the extension pgvector there."""

    @contextmanager
    def opened(*, index: IndexConfig | None = None, ttl: TTLConfig | None = None) -> Iterator[BaseStore]:
        from langgraph.store.postgres import PostgresStore  # noqa: PLC0415 - comes with an extra

        with (
            _schema(server, vectors=index is not None) as url,
            PostgresStore.from_conn_string(url, index=cast("Any", index), ttl=ttl) as store,
        ):
            store.setup()
            yield store

    return opened


@contextmanager
def _schema(server: str, *, vectors: bool) -> Iterator[str]:
    """The URL of a new schema."""
    import psycopg  # noqa: PLC0415 - comes with an extra

    name = f"conformance_{secrets.token_hex(8)}"
    with psycopg.connect(server, autocommit=True) as connection:
        has_vectors = "SELECT 1 FROM pg_available_extensions WHERE name = 'vector'"
        if vectors and not connection.execute(has_vectors).fetchone():
            raise NotImplementedError("this server has no pgvector")
        connection.execute(cast("Any", f"CREATE SCHEMA {name}"))
        try:
            yield f"{server}{'&' if '?' in server else '?'}options={quote(f'-csearch_path={name},public')}"
        finally:
            connection.execute(cast("Any", f"DROP SCHEMA {name} CASCADE"))


def main(arguments: Sequence[str] | None = None) -> None:
    """Print a table of all stores that are installed, and why each of them fails what it fails."""
    parser = argparse.ArgumentParser(prog="python -m langgraph_memory.testing.store_conformance")
    parser.add_argument("--postgres", metavar="URL", help="a server that PostgresStore may use")
    server = parser.parse_args(arguments).postgres
    stores: dict[str, OpenStore] = {"HybridStore": hybrid_store, "InMemoryStore": in_memory_store}
    if find_spec("langgraph.store.sqlite"):
        stores["SqliteStore"] = sqlite_store
    if server:
        stores["PostgresStore"] = postgres_store(server)
    reports = {name: conformance(opened) for name, opened in stores.items()}
    lines = [comparison(reports, CHECKS), ""]
    for name, report in reports.items():
        lines += [f"{name} · {check}: {reason[:200]}" for check, reason in report.failures.items()]
    sys.stdout.write("\n".join(lines) + "\n")


if __name__ == "__main__":
    main()
