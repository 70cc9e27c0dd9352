"""The three set-ups that every store test can run on."""

import itertools
from contextlib import contextmanager
from urllib.parse import quote

import chromadb
import psycopg
import pytest
from chromadb.config import Settings

from langgraph_memory.store import HybridStore

from .servers import chroma, postgres


@pytest.fixture(scope="session")
def postgres_url():
    with postgres() as url:
        yield url


@pytest.fixture(scope="session")
def chroma_port():
    with chroma() as port:
        yield port


@pytest.fixture(scope="session")
def chroma_client(chroma_port):
    client = chromadb.HttpClient("127.0.0.1", chroma_port, settings=Settings(anonymized_telemetry=False))
    yield client
    for part in (client, client._admin_client):  # Chroma's own close leaves their connections open
        part._server._session.close()
    client.close()


_numbers = itertools.count()


@pytest.fixture(scope="session")
def new_postgres(request):
    """Gives the URL of an empty PostgreSQL schema."""

    def url():
        server = request.getfixturevalue("postgres_url")
        name = f"s{next(_numbers)}"
        with psycopg.connect(server, autocommit=True) as connection:
            connection.execute(f"CREATE SCHEMA {name}")
        return f"{server}?options={quote(f'-csearch_path={name}')}"

    return url


@pytest.fixture(params=["folder", "memory", "postgres"])
def new_location(request, tmp_path):
    """Gives the arguments of an empty store: its place, and what else it needs."""
    if request.param == "postgres":
        return lambda: (
            request.getfixturevalue("new_postgres")(),
            {"chroma": request.getfixturevalue("chroma_client")},
        )
    if request.param == "memory":
        return lambda: (":memory:", {})
    return lambda: (tmp_path / f"memory{next(_numbers)}", {})


@pytest.fixture
def open_store(new_location):
    """Opens an empty store; whatever `HybridStore` takes may be given."""

    @contextmanager
    def opened(**options):
        location, needed = new_location()
        with HybridStore(location, **{"index": None} | needed | options) as store:
            yield store

    return opened


@pytest.fixture
def store(open_store):
    """An empty store with the bundled model over the field `text`."""
    with open_store(index={"fields": ["text"]}) as opened:
        yield opened
