"""What lies beyond what a store can count, read or write is refused with a remedy, or does no harm."""

import os
import sys
import tempfile
from contextlib import contextmanager
from pathlib import Path

import pytest
from langgraph.store.base import PutOp

from langgraph_memory.errors import ConfigurationError, FileAccessError, StorageError, StorageFullError
from langgraph_memory.store import HybridStore

NS = ("docs",)
NOBODY = 65534


@pytest.fixture
def folder():
    """A folder that other users reach, too."""
    with tempfile.TemporaryDirectory() as made:
        Path(made).chmod(0o755)
        yield Path(made) / "memory"


@contextmanager
def without_privileges():
    """As a user who may not write everywhere."""
    user = os.geteuid()
    if user == 0:
        os.seteuid(NOBODY)
    try:
        yield
    finally:
        os.seteuid(user)


@pytest.mark.parametrize("huge", [2**50, sys.maxsize], ids=str)
@pytest.mark.parametrize("query", [None, "word"])
@pytest.mark.parametrize("condition", [None, {"n": {"$gte": 1}}], ids=str)
def test_a_huge_page_is_all_there_is(store, huge, query, condition):
    store.batch([PutOp(NS, str(n), {"text": f"word {n}", "n": n}) for n in range(3)])
    wanted = {"1", "2"} if condition else {"0", "1", "2"}
    found = store.search(NS, query=query, filter=condition, limit=huge)
    assert {item.key for item in found} == wanted
    assert len(store.search(NS, query=query, filter=condition, limit=huge, offset=1)) == len(wanted) - 1
    assert store.search(NS, query=query, filter=condition, limit=huge, offset=huge) == []
    assert store.list_namespaces(limit=huge) == [NS]
    assert store.list_namespaces(limit=1, offset=huge) == []


@pytest.mark.parametrize("ttl", [-1, 10**10, 1e300, float("inf"), float("nan")], ids=str)
def test_a_time_to_live_is_one_that_can_be_counted(store, ttl):
    with pytest.raises(ValueError, match="number of minutes"):
        store.put(NS, "k", {"text": "word"}, ttl=ttl)
    assert store.get(NS, "k") is None
    store.put(NS, "k", {"text": "word"}, ttl=10**9)
    assert store.get(NS, "k") is not None


@pytest.mark.parametrize("number", [float("nan"), float("-inf"), 10**5000], ids=["nan", "inf", "long"])
def test_a_number_that_json_can_t_hold_is_named_with_its_place(store, number):
    with pytest.raises(ConfigurationError, match=r"value\['a'\]\[1\] is "):
        store.put(NS, "k", {"a": [1, number]})
    assert store.get(NS, "k") is None


@pytest.mark.parametrize("operator", ["$eq", "$gt", "$gte", "$lt", "$lte"])
def test_what_is_no_number_equals_nothing_and_compares_to_nothing(store, operator):
    nan = float("nan")
    store.put(NS, "k", {"n": 1.5, "a": [1.5], "b": {"c": 1.5}})
    for condition in ({"n": {operator: nan}}, {"a": {operator: [nan]}}, {"b": {"c": {operator: nan}}}):
        assert store.search(NS, filter=condition) == []
    assert len(store.search(NS, filter={"n": {"$ne": nan}})) == 1


def test_infinity_is_a_limit_beyond_every_number(store):
    store.put(NS, "k", {"n": 10**400})
    assert len(store.search(NS, filter={"n": {"$lt": float("inf")}})) == 1
    assert len(store.search(NS, filter={"n": {"$gt": float("-inf")}})) == 1


def test_a_folder_that_can_t_be_written_says_so(folder):
    with HybridStore(folder, index=None) as store:
        store.put(NS, "k", {"n": 1})
    folder.chmod(0o555)
    for file in folder.iterdir():
        file.chmod(0o444)
    with without_privileges(), pytest.raises(StorageError, match="right to"):
        HybridStore(folder, index=None)
    folder.chmod(0o755)
    for file in folder.iterdir():
        file.chmod(0o644)
    with HybridStore(folder, index=None) as store:
        assert store.get(NS, "k").value == {"n": 1}


def test_a_folder_that_can_t_be_made_says_so(folder):
    folder.parent.chmod(0o555)
    with without_privileges(), pytest.raises(FileAccessError, match="rights"):
        HybridStore(folder)
    folder.parent.chmod(0o755)
    (folder.parent / "file").touch()
    with pytest.raises(FileAccessError):
        HybridStore(folder.parent / "file" / "memory")


def test_a_close_on_a_full_disk_says_so_and_closes(tmp_path, monkeypatch):
    def full():
        raise StorageFullError("the disk is full")

    store = HybridStore(tmp_path, index=None)
    store.put(NS, "k", {"n": 1})
    with monkeypatch.context() as patched:
        patched.setattr(store.database, "expunge", full)
        with pytest.raises(StorageFullError):
            store.close()
    assert store.database.closed
    with HybridStore(tmp_path, index=None) as again:
        assert again.get(NS, "k").value == {"n": 1}


def test_a_damaged_database_says_so(tmp_path):
    with HybridStore(tmp_path, index=None) as store:
        store.batch([PutOp(NS, str(n), {"text": "word" * 50}) for n in range(200)])
    file = tmp_path / "memory.sqlite3"
    sound = file.read_bytes()
    file.write_bytes(sound[:4096] + b"\xff" * (len(sound) - 4096))
    with pytest.raises(StorageError, match="is damaged"):
        HybridStore(tmp_path, index=None)
    file.write_bytes(sound)
    with HybridStore(tmp_path, index=None) as store:
        assert store.get(NS, "7") is not None
