"""What HybridStore offers beyond the contract of a store."""

import asyncio
import threading
from contextlib import suppress

import pytest
from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)

from langgraph_memory.database import Database
from langgraph_memory.errors import ClosedError, ForeignFolderError, ReservedNamespaceError
from langgraph_memory.store import RESERVED_ROOT, HybridStore
from langgraph_memory.store.partition import Partition

NS = ("docs",)
OWN = (RESERVED_ROOT, "org=acme")
TEXT = {"fields": ["text"]}


def keys(items):
    return [item.key for item in items]


# The reserved root


@pytest.mark.parametrize(
    "op",
    [
        GetOp(OWN, "k"),
        PutOp(OWN, "k", {}),
        PutOp(OWN, "k", None),
        SearchOp(OWN),
        SearchOp((RESERVED_ROOT,), query="secret"),
        ListNamespacesOp((MatchCondition("prefix", OWN),)),
    ],
    ids=repr,
)
def test_the_public_store_refuses_memorys_root(store, op):
    store.private().put(OWN, "k", {"text": "secret"})
    with pytest.raises(ReservedNamespaceError):
        store.batch([op])
    assert store.private().get(OWN, "k").value == {"text": "secret"}


def test_the_public_store_hides_memorys_root(store):
    store.private().put(OWN, "k", {"text": "secret"})
    store.put((RESERVED_ROOT + "-x",), "near", {"text": "public"})
    store.put((RESERVED_ROOT[:-1],), "below", {"text": "public"})
    assert set(keys(store.search(()))) == {"near", "below"}
    assert set(keys(store.search((), query="secret"))) == {"near", "below"}
    assert RESERVED_ROOT not in {namespace[0] for namespace in store.list_namespaces()}
    assert store.list_namespaces(suffix=("org=acme",)) == []
    assert store.list_namespaces(prefix=("*", "org=acme")) == []
    with pytest.raises(ReservedNamespaceError):
        store.delete_namespace((RESERVED_ROOT,))


def test_the_private_view_reaches_nothing_else(store):
    private = store.private()
    private.put(OWN, "k", {"text": "secret"})
    store.put(NS, "public", {"text": "secret"})
    assert keys(private.search(())) == keys(private.search((), query="secret")) == ["k"]
    assert private.list_namespaces() == [OWN]
    for op in (GetOp(NS, "public"), PutOp(NS, "public", None), SearchOp(NS)):
        with pytest.raises(ReservedNamespaceError):
            private.batch([op])


# Opening and closing


def test_a_folder_keeps_its_items(tmp_path):
    with HybridStore(tmp_path / "new" / "memory") as store:
        store.put(NS, "k", {"text": "kept words"})
    with HybridStore(tmp_path / "new" / "memory") as store:
        assert keys(store.search(NS, query="kept")) == ["k"]


def test_memory_stores_share_nothing():
    with HybridStore(":memory:") as one, HybridStore(":memory:") as other:
        one.put(NS, "k", {"text": "mine"})
        assert other.search(()) == []


async def test_connection_strings_and_async_contexts(tmp_path):
    async with HybridStore.from_conn_string(str(tmp_path / "memory")) as store:
        store.setup()
        await store.setup()
        await store.start_ttl_sweeper()
        await store.aput(NS, "k", {"text": "words"})
        await store.aput(NS, "gone", {"text": "words"}, ttl=0)
        assert await store.stop_ttl_sweeper()
        assert await store.sweep_ttl() + store.sweep_ttl() in (0, 1)  # 0 where the sweeper was quicker
    with HybridStore.from_conn_string(str(tmp_path / "memory"), index=None) as store:
        assert store.get(NS, "k") is not None


def test_a_closed_store_says_so(open_store):
    with open_store() as store:
        store.close()
        store.close()
        for use in (lambda: store.get(NS, "k"), lambda: store.put(NS, "k", {}), store.list_namespaces):
            with pytest.raises(ClosedError, match="closed"):
                use()


def test_a_shared_database_stays_open(tmp_path):
    database = Database(tmp_path / "memory.sqlite3")
    with HybridStore(tmp_path, database=database) as store:
        store.put(NS, "k", {"n": 1})
    with HybridStore(tmp_path, database=database) as store:
        assert store.get(NS, "k").value == {"n": 1}
        assert store.database is database
    database.close()


def test_foreign_places_are_refused(tmp_path):
    file = tmp_path / "notes.txt"
    file.write_text("mine")
    with pytest.raises(ForeignFolderError, match="is a file"):
        HybridStore(file)
    (tmp_path / "memory.sqlite3").write_text("not a database at all, but long enough to look at" * 20)
    with pytest.raises(ForeignFolderError, match="not a SQLite database"):
        HybridStore(tmp_path)
    assert file.read_text() == "mine"
    (tmp_path / "project").mkdir()
    (tmp_path / "project" / "pyproject.toml").touch()
    with pytest.raises(ForeignFolderError, match="holds other files"):
        HybridStore(tmp_path / "project")


def test_background_threads_end_with_the_store(tmp_path):
    before = set(threading.enumerate())
    with HybridStore(tmp_path, ttl={"default_ttl": 1}):
        assert set(threading.enumerate()) - before
    assert not [t for t in set(threading.enumerate()) - before if t.name.startswith("store-")]


# Deleting, redacting, refusing


def test_a_namespace_is_deleted_with_all_below(store):
    for namespace in [("a",), ("a", "b"), ("ab",)]:
        store.put(namespace, "k", {"text": "word"})
    store.search((), query="word")
    assert store.delete_namespace(("a",)) == 2
    assert store.list_namespaces() == [("ab",)]
    assert len(store.search((), query="word")) == 1
    assert store.delete_namespace(("a",)) == 0
    with pytest.raises(InvalidNamespaceError, match="whole store"):
        store.delete_namespace(())


def test_redaction_reaches_every_string(open_store):
    with open_store(index=TEXT, redact=lambda text: text.replace("hunter2", "[secret]")) as store:
        store.put(NS, "k", {"text": "hunter2", "deep": [{"hunter2": ("x hunter2",)}]})
        assert store.get(NS, "k").value == {"text": "[secret]", "deep": [{"[secret]": ["x [secret]"]}]}
        assert store.search(NS, query="hunter2")[0].score == 0


@pytest.mark.parametrize("namespace", ["docs", ("\ud800",)])
def test_odd_namespaces_are_refused(store, namespace):
    for use in (
        lambda: store.put(namespace, "k", {}),
        lambda: store.get(namespace, "k"),
        lambda: store.search(namespace),
        lambda: store.list_namespaces(prefix=namespace),
        lambda: store.list_namespaces(suffix=namespace),
    ):
        with pytest.raises(InvalidNamespaceError):
            use()


@pytest.mark.parametrize("key", ["a\x00b", "\ud800"])
def test_keys_that_no_database_stores_are_refused(store, key):
    with pytest.raises(ValueError, match="character"):
        store.put(NS, key, {})


def test_a_negative_depth_is_refused(store):
    with pytest.raises(ValueError, match="max_depth"):
        store.list_namespaces(max_depth=-1)


def test_a_value_that_holds_itself_is_refused(store):
    value = {}
    value["self"] = value
    with pytest.raises(ValueError, match="holds itself"):
        store.put(NS, "k", value)


def test_a_lone_surrogate_in_a_query_is_no_error(store):
    store.put(NS, "k", {"text": "words \ud800"})
    assert keys(store.search(NS, query="words \ud800")) == ["k"]


# Freshness


def test_each_store_sees_the_others_writes_at_once(tmp_path):
    with HybridStore(tmp_path, index=TEXT) as one, HybridStore(tmp_path, index=TEXT) as other:
        for n in range(20):
            one.put((*NS, "one"), str(n), {"text": f"apple {n}"})
            assert len(other.search((*NS, "one"), query="apple", limit=100)) == n + 1
            other.put((*NS, "other"), "same", {"text": f"pear {n}"})
            assert keys(one.search(NS, query=f"pear {n}", filter={"text": f"pear {n}"})) == ["same"]
            one.delete((*NS, "one"), str(n))
            assert len(other.search((*NS, "one"), query="apple", limit=100)) == n
            one.put((*NS, "one"), str(n), {"text": f"apple {n}"})


def test_scopes_that_were_not_searched_lately_make_room():
    with HybridStore(":memory:", index=TEXT, cache_bytes=200_000) as store:
        for n in range(40):
            store.put((f"user{n}",), "k", {"text": f"apple {n}"})
            assert keys(store.search((f"user{n}",), query="apple")) == ["k"]
        partitions = store._engine._scopes._partitions
        assert 1 < len(partitions._cached) < 20
        assert partitions._taken == sum(p.counted for p in partitions._cached.values()) <= 200_000
        for n in range(40):
            store.delete((f"user{n}",), "k")
        assert [store.search((f"user{n}",), query="apple") for n in range(40)] == [[]] * 40


def test_a_scope_that_is_far_behind_is_read_anew(monkeypatch):
    monkeypatch.setattr("langgraph_memory.store.partitions._REMOVALS_KEPT", 5)
    with HybridStore(":memory:", index=TEXT) as store:
        for n in range(20):
            store.put(NS, str(n), {"text": f"apple {n}"})
        store.search(NS, query="apple")
        for n in range(15):
            store.delete(NS, str(n))
            store.search(("other",), query="apple")
        assert sorted(keys(store.search(NS, query="apple"))) == ["15", "16", "17", "18", "19"]


def test_an_undone_transaction_leaves_no_trace_in_a_search(open_store):
    class UndoneError(Exception):
        pass

    with open_store(index=TEXT) as store:
        store.put(NS, "kept", {"text": "apple"})
        store.search(NS, query="apple")
        with suppress(UndoneError), store.database.write():
            store.put(NS, "undone", {"text": "apple"})
            store.search(NS, query="apple")
            raise UndoneError
        store.put(NS, "after", {"text": "apple"})
        assert sorted(keys(store.search(NS, query="apple"))) == ["after", "kept"]
        assert store.get(NS, "undone") is None


def test_a_store_works_from_many_loops_at_once(store):
    def work(number):
        async def puts():
            await asyncio.gather(*(store.aput(NS, f"{number}.{n}", {"text": "x"}) for n in range(5)))

        asyncio.run(puts())

    threads = [threading.Thread(target=work, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(store.search(NS, query="x", limit=100)) == 20


def test_a_search_that_is_interrupted_leaves_nothing_half_done(store, monkeypatch):
    store.put(NS, "a", {"text": "word a"})
    assert keys(store.search(NS, query="word")) == ["a"]
    store.put(NS, "b", {"text": "word b"})

    def interrupt(*_):
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(Partition, "_add_vectors", interrupt)
        with pytest.raises(KeyboardInterrupt):
            store.search(NS, query="word")
    found = store.search(NS, query="word b", limit=2)
    assert keys(found) == ["b", "a"]
    assert all(item.score for item in found)
