"""What HybridStore offers beyond the contract of a store."""

import asyncio
import threading
from contextlib import suppress
from datetime import UTC, datetime, timedelta

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
from langgraph_memory.errors import (
    ClosedError,
    ConfigurationError,
    ForeignFolderError,
    IndexMismatchError,
    ReservedNamespaceError,
)
from langgraph_memory.store import RESERVED_ROOT, HybridStore
from langgraph_memory.testing.store_conformance import HashEmbeddings

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
        await store.aput(NS, "k", {"text": "words"})
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


def test_background_threads_end_with_the_store(tmp_path):
    before = set(threading.enumerate())
    with HybridStore(tmp_path, ttl={"default_ttl": 1}):
        assert set(threading.enumerate()) - before
    assert not [t for t in set(threading.enumerate()) - before if t.name.startswith("store-")]


# Index configurations


def test_the_whole_value_is_searched_by_default():
    with HybridStore(":memory:") as store:
        store.put(NS, "food", {"diet": {"avoids": ["peanuts"]}, "age": 41})
        store.put(NS, "car", {"drives": "an old van"})
        assert keys(store.search(NS, query="peanuts"))[0] == "food"
        assert keys(store.search(NS, query="what is the diet"))[0] == "food"


def test_without_an_index_words_are_searched():
    with HybridStore(":memory:", index=None) as store:
        store.put(NS, "a", {"text": "gpu-bench-07 failed"})
        store.put(NS, "b", {"text": "gpu-bench-08 failed"})
        found = store.search(NS, query="gpu-bench-08")
        assert keys(found) == ["b", "a"]
        assert found[0].score > found[1].score


def test_the_store_and_its_vectors_must_match(tmp_path):
    with HybridStore(tmp_path, index={"embed": HashEmbeddings(32), "dims": 32}) as store:
        store.put(NS, "k", {"text": "words"})
    with HybridStore(tmp_path, index={"embed": HashEmbeddings(64), "dims": 64}) as store:
        with pytest.raises(IndexMismatchError, match="rebuild"):
            store.put(NS, "new", {"text": "more"})
        with pytest.raises(IndexMismatchError, match="32 dimensions"):
            store.search(NS, query="words")
        assert store.get(NS, "new") is None
        assert store.get(NS, "k").value == {"text": "words"}
        assert [finding.name for finding in store.doctor()] == ["model"]
        assert store.rebuild().embedded == 1
        assert store.doctor() == ()
        assert keys(store.search(NS, query="words")) == ["k"]


def test_another_process_that_changes_the_model_is_noticed(tmp_path):
    with HybridStore(tmp_path, index={"embed": HashEmbeddings(32), "dims": 32}) as old:
        old.put(NS, "k", {"text": "words"})
        with HybridStore(tmp_path, index={"embed": HashEmbeddings(64), "dims": 64}) as new:
            new.rebuild()
        with pytest.raises(IndexMismatchError):
            old.search(NS, query="words")
        with pytest.raises(IndexMismatchError):
            old.put(NS, "k", {"text": "other"})


def test_what_was_put_without_a_model_is_embedded_by_a_rebuild(tmp_path):
    with HybridStore(tmp_path, index=None) as store:
        store.put(NS, "k", {"text": "words"})
        assert store.doctor() == ()
    with HybridStore(tmp_path, index=TEXT) as store:
        assert [finding.name for finding in store.doctor()] == ["vectors"]
        assert keys(store.search(NS, query="words")) == ["k"]
        assert store.rebuild().embedded == 1
        assert store.doctor() == ()


def test_a_rebuild_embeds_nothing_twice(tmp_path):
    embed = HashEmbeddings()
    with HybridStore(tmp_path, index={"embed": embed, "dims": 64}) as store:
        store.batch([PutOp(NS, str(n), {"text": f"number {n}"}) for n in range(300)])
        done = len(embed.documents)
        assert (store.rebuild().items, store.rebuild().embedded) == (300, 0)
        assert len(embed.documents) == done
        assert len(store.search(NS, query="number", limit=1000)) == 300


def test_an_unchanged_text_is_not_embedded_again(tmp_path):
    embed = HashEmbeddings()
    with HybridStore(tmp_path, index={"embed": embed, "dims": 64, "fields": ["text"]}) as store:
        for status in ("candidate", "current", "current"):
            store.put(NS, "k", {"text": "the same", "status": status})
        assert embed.documents == ["the same"]
        assert store.search(NS, query="the same", filter={"status": "current"})[0].score > 0


# Times


class Clock:
    def __init__(self):
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self):
        return self.now

    def advance(self, **spans):
        self.now += timedelta(**spans)


def test_times_come_from_the_clock(open_store):
    clock = Clock()
    with open_store(clock=clock) as store:
        store.put(NS, "k", {})
        clock.advance(days=1)
        store.put(NS, "k", {"n": 1})
        item = store.get(NS, "k")
        assert item.created_at == datetime(2026, 1, 1, tzinfo=UTC)
        assert item.updated_at == datetime(2026, 1, 2, tzinfo=UTC)


def test_a_clock_without_a_zone_is_refused(open_store):
    with open_store(clock=lambda: datetime(2026, 1, 1)) as store, pytest.raises(ConfigurationError):  # noqa: DTZ001
        store.put(NS, "k", {})


def test_ties_are_broken_by_the_order_of_puts(open_store):
    with open_store(clock=Clock()) as store:
        store.batch([PutOp(NS, str(n), {"text": "same"}) for n in range(5)])
        assert keys(store.search(NS)) == keys(store.search(NS, query="same")) == ["4", "3", "2", "1", "0"]


def test_the_sweeper_deletes_what_has_expired(open_store):
    clock = Clock()
    with open_store(clock=clock, ttl={"default_ttl": 10}) as store:
        store.put(NS, "short", {})
        store.put(NS, "long", {}, ttl=60)
        assert store.sweep_ttl() == 0
        clock.advance(minutes=11)
        assert store.get(NS, "short") is None
        assert store.sweep_ttl() == 1
        assert keys(store.search(NS)) == ["long"]


def test_the_sweeper_starts_by_itself(open_store):
    clock = Clock()
    with open_store(clock=clock, ttl={"sweep_interval_minutes": 0.0005}) as store:
        swept = threading.Event()
        store.put(NS, "k", {}, ttl=1)
        clock.advance(minutes=2)
        for _ in range(1000):
            with store.database.read() as connection:
                if not connection.exec_driver_sql("SELECT count(*) FROM store_items").scalar():
                    break
            swept.wait(0.01)
        else:
            pytest.fail("nothing was swept")
        assert store.stop_ttl_sweeper(10)
        store.start_ttl_sweeper()


def test_a_read_in_another_store_puts_an_expiry_off(tmp_path):
    clock = Clock()
    with HybridStore(tmp_path, clock=clock) as one, HybridStore(tmp_path, clock=clock) as other:
        one.put(NS, "k", {"text": "words"}, ttl=10)
        assert keys(one.search(NS, query="words", refresh_ttl=False)) == ["k"]
        clock.advance(minutes=8)
        other.get(NS, "k")
        clock.advance(minutes=8)
        assert keys(one.search(NS, query="words", refresh_ttl=False)) == ["k"]
        clock.advance(minutes=8)
        assert one.search(NS, query="words") == []


@pytest.mark.parametrize("ttl", [-1, float("nan"), float("inf")])
def test_impossible_times_to_live_are_refused(store, ttl):
    with pytest.raises(ValueError, match="ttl"):
        store.put(NS, "k", {}, ttl=ttl)


def test_a_ttl_is_a_number(store):
    with pytest.raises(TypeError, match="ttl"):
        store.put(NS, "k", {}, ttl="5")


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
    with pytest.raises(InvalidNamespaceError):
        store.put(namespace, "k", {})


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
