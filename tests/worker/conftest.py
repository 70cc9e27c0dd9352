"""Places that several processes share: a folder, a PostgreSQL schema."""

import itertools
import multiprocessing
from urllib.parse import quote

import psycopg
import pytest
from processes import starting
from store.servers import postgres

_numbers = itertools.count()


@pytest.fixture(scope="session")
def postgres_url():
    with postgres() as url:
        yield url


@pytest.fixture(params=["folder", "postgres"])
def place(request, tmp_path):
    if request.param == "folder":
        return str(tmp_path / "memory")
    server = request.getfixturevalue("postgres_url")
    name = f"w{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return (
        f"{server.replace('postgresql://', 'postgresql+psycopg://')}?options={quote(f'-csearch_path={name}')}"
    )


@pytest.fixture
def start():
    """Starts a function in a process of its own; gives the process and a connection to it."""
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["langgraph_memory.worker"])
    with starting(context) as start:
        yield start
