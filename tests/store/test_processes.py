"""Several processes on one store, and processes that are killed in the middle of whatever they do."""

import multiprocessing
import random
import time

import pytest
from processes import starting

from .workers import (
    NS,
    open_at_once,
    opened,
    put,
    rebuild_until_killed,
    serve,
    write_many,
    write_until_killed,
)

WRITERS = 2
EACH = 60
ROUNDS = 4
_PATIENCE_SECONDS = 120


@pytest.fixture(scope="session")
def processes():
    context = multiprocessing.get_context("forkserver")
    context.set_forkserver_preload(["langgraph_memory.store"])
    return context


@pytest.fixture
def start(processes):
    """Starts a function in a process of its own; gives the process and a connection to it."""
    with starting(processes) as start:
        yield start


def received(connection):
    assert connection.poll(_PATIENCE_SECONDS), "the other process doesn't answer"
    return connection.recv()


@pytest.fixture(params=["folder", "postgres"])
def place(request, tmp_path):
    """A location that processes can share, and the port of the Chroma server that goes with it."""
    if request.param == "postgres":
        return request.getfixturevalue("new_postgres")(), request.getfixturevalue("chroma_port")
    return str(tmp_path), None


def test_a_process_sees_what_another_one_has_written(start, place):
    _, other = start(serve, *place)
    assert received(other) == "open"

    def there(method, *args, **options):
        other.send((method, args, options))
        return received(other)

    with opened(*place) as here:
        for n in range(10):
            here.put(NS, "k", {"text": f"apple {n}"})
            assert there("get", NS, "k").value == {"text": f"apple {n}"}
            assert there("search", NS, query=f"apple {n}")[0].value == {"text": f"apple {n}"}
            there("put", (*NS, "other"), "k", {"text": f"pear {n}"})
            assert here.search(NS, query=f"pear {n}")[0].value == {"text": f"pear {n}"}
            assert len(here.search(NS, query="apple")) == 2
            there("delete", (*NS, "other"), "k")
            assert [item.key for item in here.search((*NS, "other"), query="pear")] == []
            assert here.list_namespaces() == there("list_namespaces") == [NS]
        other.send(None)


def test_processes_that_make_the_store_at_once_share_it(start, place):
    openers = [start(open_at_once, *place, f"o{n}") for n in range(4)]
    for _, connection in openers:
        assert received(connection) == "ready"
    for _, connection in openers:
        connection.send("go")
    for _, connection in openers:
        assert received(connection) == "done"
    with opened(*place) as store:
        assert sorted(item.key for item in store.search(NS)) == ["o0", "o1", "o2", "o3"]


def test_processes_that_write_at_once_lose_nothing(start, place):
    writers = [start(write_many, *place, f"w{n}", EACH) for n in range(WRITERS)]
    for _, connection in writers:
        assert received(connection) == "open"
    for _, connection in writers:
        connection.send("go")
    for _, connection in writers:
        assert received(connection) == "done"
    with opened(*place) as store:
        wanted = {(*NS, f"w{w}", str(n)) for w in range(WRITERS) for n in range(EACH)} | {(*NS, "shared")}
        for query in (None, "final"):
            found = store.search(NS, query=query, limit=10_000)
            assert {(*item.namespace, item.key) for item in found} == wanted
            assert len(found) == len(wanted)
            assert not [item for item in found if item.value["text"].startswith("draft")]
    for _, connection in writers:
        connection.send("end")
    for process, _ in writers:
        process.join(_PATIENCE_SECONDS)
        assert process.exitcode == 0
    with opened(*place) as store:
        store.flush()
        assert store.doctor() == ()
        assert len(store.search(NS, query="final", limit=10_000)) == len(wanted)


def _kill_while_writing(start, folder, seed, state):
    """Let a process write for a moment, kill it, and follow what it said; what was in the air at the end."""
    process, connection = start(write_until_killed, folder, seed)
    kind, in_the_air = received(connection)
    assert kind == "begin"
    stop_at = time.monotonic() + random.Random(seed).uniform(0.05, 1.5)
    while True:
        if time.monotonic() > stop_at and process.is_alive():
            process.kill()
        try:
            kind, changes = received(connection)
        except EOFError:
            return in_the_air
        if kind == "done":
            state.update(changes)
        in_the_air = changes if kind == "begin" else {}


@pytest.mark.parametrize("seed", range(2))
def test_a_killed_writer_loses_nothing_and_brings_nothing_back(start, tmp_path, seed):
    state: dict[str, str | None] = {}
    for number in range(ROUNDS):
        in_the_air = _kill_while_writing(start, str(tmp_path), 100 * seed + number, state)
        with opened(tmp_path, background=False) as store:
            stored = {item.key: item.value["text"] for item in store.search(NS, limit=10_000)}
            present = {key: stored.get(key) for key in state | in_the_air}
            undone = {key: state.get(key) for key in in_the_air}
            assert {key: present[key] for key in in_the_air} in (in_the_air, undone), "half a batch"
            state |= {key: present[key] for key in in_the_air}
            assert stored == {key: text for key, text in state.items() if text is not None}
            _assert_found(store, stored)
            store.flush()
            assert store.doctor() == ()
            _assert_found(store, stored)


def _assert_found(store, stored):
    """By words and by meaning each item is found, and none that isn't there."""
    found = store.search(NS, query="common", limit=10_000)
    assert {item.key: item.value["text"] for item in found} == stored
    assert all(item.score is not None for item in found)
    for key, text in list(stored.items())[:5]:
        assert store.search(NS, query=text, limit=1)[0].key == key


def test_a_killed_rebuild_is_done_again(start, tmp_path):
    with opened(tmp_path, background=False) as store:
        store.batch([put(str(n), f"x{n} common") for n in range(150)])
        store.flush()
    stored = {str(n): f"x{n} common" for n in range(150)}
    for number in range(ROUNDS):
        process, connection = start(rebuild_until_killed, str(tmp_path))
        assert received(connection) == "begin"
        time.sleep(random.Random(number).uniform(0, 0.4))
        process.kill()
        process.join()
        with opened(tmp_path, background=False) as store:
            _assert_found(store, stored)
            store.flush()
            assert store.doctor() == ()
            assert store.rebuild().embedded == 0
            _assert_found(store, stored)
