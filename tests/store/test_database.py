"""One database for all: transactions, nesting, foreign files, forks."""

import os
import sqlite3
import threading
from contextlib import suppress

import pytest
from sqlalchemy import insert, select

from langgraph_memory.database import APPLICATION_ID, Database
from langgraph_memory.errors import ClosedError, ForeignFolderError, StorageError, StorageFullError
from langgraph_memory.store import HybridStore, state
from langgraph_memory.store.tables import marks


class UndoneError(Exception):
    pass


@pytest.fixture(params=["file", "memory", "postgres"])
def database(request, tmp_path):
    if request.param == "postgres":
        url = request.getfixturevalue("new_postgres")().replace("postgresql://", "postgresql+psycopg://")
        opened = Database(url)
    else:
        opened = Database(tmp_path / "memory.sqlite3" if request.param == "file" else ":memory:")
    opened.create(marks)
    yield opened
    opened.close()


def put(connection, name):
    connection.execute(insert(marks), {"name": name, "value": "x"})


def names(database):
    with database.read() as connection:
        return sorted(connection.execute(select(marks.c.name)).scalars())


def test_a_failed_transaction_is_undone(database):
    with suppress(UndoneError), database.write() as connection:
        put(connection, "a")
        raise UndoneError
    assert names(database) == []
    assert database.rollbacks == 1


def test_an_inner_transaction_joins_the_outer_one(database):
    with suppress(UndoneError), database.write():
        with database.write() as inner:
            put(inner, "a")
        raise UndoneError
    assert names(database) == []


def test_an_inner_transaction_is_undone_alone(database):
    with database.write() as outer:
        put(outer, "outer")
        with suppress(UndoneError), database.write() as inner:
            put(inner, "inner")
            raise UndoneError
        put(outer, "after")
    assert names(database) == ["after", "outer"]


@pytest.mark.parametrize("database", ["file", "postgres"], indirect=True)
def test_a_read_sees_one_state(database):
    with database.read() as connection:
        assert connection.execute(select(marks)).all() == []
        with database.write() as other:
            put(other, "a")
        assert connection.execute(select(marks)).all() == []
    assert names(database) == ["a"]


def test_writers_of_one_process_take_turns(database):
    def write(number):
        for n in range(20):
            with database.write() as connection:
                count = len(connection.execute(select(marks)).all())
                put(connection, f"{number}.{n}.{count}")

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(int(name.split(".")[2]) for name in names(database)) == list(range(80))


def test_a_broken_statement_is_a_storage_error(database):
    with pytest.raises(StorageError, match="failed"), database.read() as connection:
        connection.exec_driver_sql("SELECT nonsense FROM nowhere")


def test_a_driver_s_own_error_is_a_storage_error(database):
    with pytest.raises(StorageError), database.read() as connection:
        connection.connection.cursor().execute("SELECT nonsense FROM nowhere")


def test_a_full_disk_is_named(tmp_path):
    database = Database(tmp_path / "memory.sqlite3")
    database.create(marks)

    def fill():
        with database.write() as connection:
            connection.exec_driver_sql("PRAGMA max_page_count=1")
            for n in range(1000):
                connection.execute(insert(marks), {"name": f"{n}", "value": "x" * 1000})

    with pytest.raises(StorageFullError, match="free some space"):
        fill()
    assert names(database) == []
    database.close()


def test_a_closed_database_says_so(database):
    database.close()
    database.close()
    with pytest.raises(ClosedError, match="closed"), database.read():
        pass
    with pytest.raises(ClosedError), database.write():
        pass


def test_another_application_s_file_is_left_as_it_is(tmp_path):
    file = tmp_path / "memory.sqlite3"
    with sqlite3.connect(file) as connection:
        connection.execute("CREATE TABLE theirs (x)")
    connection.close()
    before = file.read_bytes()
    with pytest.raises(ForeignFolderError, match="another application"):
        Database(file)
    assert file.read_bytes() == before
    assert [path.name for path in tmp_path.iterdir()] == ["memory.sqlite3"]


def test_our_files_are_marked(tmp_path):
    Database(tmp_path / "memory.sqlite3").close()
    connection = sqlite3.connect(tmp_path / "memory.sqlite3")
    assert connection.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    connection.close()


def test_a_store_of_a_later_version_is_refused(tmp_path):
    with HybridStore(tmp_path) as store, store.database.write() as connection:
        state.put(connection, "schema", state.SCHEMA + 1)
    with pytest.raises(ForeignFolderError, match="update the package"):
        HybridStore(tmp_path)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system doesn't fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_child_has_connections_of_its_own(database):
    with database.write() as connection:
        put(connection, "parent")
    child = os.fork()
    if not child:
        code = 1
        try:
            with database.write() as connection:
                put(connection, "child")
            code = 0 if names(database) == ["child", "parent"] else 2
        finally:
            os._exit(code)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert names(database) == (["parent"] if database.in_memory else ["child", "parent"])
    with database.write() as connection:
        put(connection, "after")
    assert "after" in names(database)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system doesn't fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_fork_in_the_middle_of_another_thread_s_work_blocks_nobody(tmp_path):
    with HybridStore(tmp_path) as store:
        store.put(("a",), "k", {"text": "words"})
        inside, done = threading.Event(), threading.Event()

        def hold():
            with store._engine._searching, store.database.write():
                inside.set()
                done.wait(30)

        thread = threading.Thread(target=hold)
        thread.start()
        inside.wait(30)
        child = os.fork()
        if not child:
            code = 1
            try:
                code = 0 if store.search(("a",), query="words") else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        done.set()
        thread.join()


@pytest.mark.parametrize("database", ["file", "memory"], indirect=True)
def test_a_connection_is_used_again_unless_something_failed(database):
    with database.write() as first:
        put(first, "a")
    with database.read() as again:
        assert again is first
        assert names(database) == ["a"]
    with suppress(UndoneError), database.write() as failing:
        assert failing is first
        put(failing, "b")
        raise UndoneError
    with database.write() as other:
        assert other is not first
    assert names(database) == ["a"]


def test_a_connection_comes_back_after_the_close_and_is_closed(tmp_path):
    database = Database(tmp_path / "memory.sqlite3")
    database.create(marks)
    with database.read() as connection:
        database.close()
    assert connection.closed
    assert not list(tmp_path.glob("*-wal"))


def test_a_file_that_was_removed_takes_no_more_writes_until_it_is_back(tmp_path):
    path, aside = tmp_path / "memory.sqlite3", tmp_path / "aside.sqlite3"
    opened = Database(path)
    opened.create(marks)
    with opened.write() as connection:
        put(connection, "a")
    path.rename(aside)
    with pytest.raises(StorageError, match="removed or replaced"), opened.write() as writing:
        put(writing, "b")
    aside.rename(path)
    with opened.write() as connection:
        put(connection, "c")
    opened.close()
    again = Database(path)
    assert names(again) == ["a", "c"]
    again.close()


def test_a_file_that_was_replaced_takes_no_more_writes(tmp_path):
    path, other = tmp_path / "memory.sqlite3", tmp_path / "other.sqlite3"
    for place in (path, other):
        made = Database(place)
        made.create(marks)
        made.close()
    opened = Database(path)
    other.replace(path)
    with pytest.raises(StorageError, match="removed or replaced"), opened.write() as writing:
        put(writing, "b")
    opened.close()
    again = Database(path)
    assert names(again) == []
    again.close()


def waits_for_the_disk(database, *, durable):
    """Whether a commit of this connection waits for the disk."""
    with database.write(durable=durable) as connection:
        put(connection, f"{durable} {len(names_in(connection))}")
        if database.is_sqlite:
            full = 2
            return connection.exec_driver_sql("PRAGMA synchronous").scalar() == full
        return connection.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


def names_in(connection):
    return connection.execute(select(marks.c.name)).scalars().all()


@pytest.mark.parametrize("database", ["file", "postgres"], indirect=True)
def test_only_a_commit_that_need_not_outlive_a_power_failure_does_not_wait_for_the_disk(database):
    assert [waits_for_the_disk(database, durable=each) for each in (True, False, False, True, False)] == [
        True,
        False,
        False,
        True,
        False,
    ]
    with suppress(UndoneError), database.write(durable=False):
        raise UndoneError
    assert waits_for_the_disk(database, durable=True)
    assert len(names(database)) == 6
