"""Batches, event loops and threads."""

from __future__ import annotations

import asyncio
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from langgraph.store.base import BaseStore, GetOp, ListNamespacesOp, Op, PutOp, SearchOp

from langgraph_memory.testing.store_conformance.kit import (
    HashEmbeddings,
    OpenStore,
    expect,
    expect_error,
    expect_true,
    index,
    keys,
)

NS = ("docs",)
_THREADS = 8
_EACH = 25


def reads_come_before_writes(open_store: OpenStore) -> None:
    """The reads of a batch see what was there before it, wherever they stand in it."""
    with open_store() as store:
        store.put(NS, "k", {"n": 1})
        results = store.batch([PutOp(NS, "k", {"n": 2}), GetOp(NS, "k"), SearchOp(NS), PutOp(NS, "l", {})])
        expect(results[1].value, {"n": 1}, "the get")  # type: ignore[union-attr]
        expect(keys(results[2]), ["k"], "the search")  # type: ignore[arg-type]
        expect(store.get(NS, "k").value, {"n": 2}, "afterwards")  # type: ignore[union-attr]


def the_last_put_wins(open_store: OpenStore) -> None:
    """Of several puts and deletes of one key in a batch the last one counts."""
    with open_store(index=index("text")) as store:
        store.batch([PutOp(NS, "k", {"text": str(n)}) for n in range(3)])
        expect(store.get(NS, "k").value, {"text": "2"}, "the last put")  # type: ignore[union-attr]
        store.batch([PutOp(NS, "k", None), PutOp(NS, "k", {"text": "new"})])
        expect(store.get(NS, "k").value, {"text": "new"}, "put after delete")  # type: ignore[union-attr]
        store.batch([PutOp(NS, "k", {"text": "x"}), PutOp(NS, "k", None)])
        expect(store.get(NS, "k"), None, "delete after put")


def results_keep_their_order(open_store: OpenStore) -> None:
    """A batch gives one result an operation, in their order; it may be any iterable, or empty."""
    with open_store() as store:
        store.put(NS, "k", {"n": 1})
        ops: list[Op] = [
            ListNamespacesOp(),
            GetOp(NS, "none"),
            PutOp(NS, "l", {}),
            GetOp(NS, "k"),
            SearchOp(NS),
        ]
        results: list[Any] = store.batch(iter(ops))
        expect(results[:3], [[NS], None, None], "the first three")
        expect((results[3].key, keys(results[4])), ("k", ["k"]), "the last two")
        expect(store.batch([]), [], "an empty batch")


def a_failing_operation_undoes_its_batch(open_store: OpenStore) -> None:
    """If one operation of a batch is refused, none of them has happened."""
    bad_ops: list[Any] = [
        PutOp(NS, "bad", {"x": {1, 2}}),
        PutOp(("a.b",), "bad", {}),
        SearchOp(NS, limit=-1),
        "nothing",
    ]
    with open_store() as store:
        for bad in bad_ops:
            expect_error(
                (TypeError, ValueError),
                lambda b=bad: store.batch([PutOp(NS, "good", {}), b]),  # type: ignore[misc]
                f"a batch with {bad!r}",
            )
            expect(store.get(NS, "good"), None, f"the other put beside {bad!r}")


def a_failing_embedding_undoes_its_put(open_store: OpenStore) -> None:
    """If the embedding model fails, the put raises and nothing is stored."""

    class Broken(HashEmbeddings):
        def embed_documents(self, texts: list[str]) -> list[list[float]]:
            raise ConnectionError(f"no model for {texts!r}")

    with open_store(index=index("text", embed=Broken())) as store:
        expect_error(Exception, lambda: store.put(NS, "k", {"text": "a"}), "a put without a model")
        expect(store.get(NS, "k"), None, "after the failed put")


def the_same_text_twice(open_store: OpenStore) -> None:
    """Several items of a batch may have the same text."""
    with open_store(index=index("text")) as store:
        store.batch([PutOp(NS, str(n), {"text": "same words"}) for n in range(3)])
        expect(sorted(keys(store.search(NS, query="same words"))), ["0", "1", "2"], "all are found")


def async_methods_work(open_store: OpenStore) -> None:
    """The async methods do what the others do."""

    async def use(store: BaseStore) -> None:
        await store.aput(NS, "k", {"text": "hello world"})
        await asyncio.gather(*(store.aput(NS, str(n), {"text": f"number {n}"}) for n in range(10)))
        item = await store.aget(NS, "k")
        expect(item and item.value, {"text": "hello world"}, "aget")
        expect((await store.asearch(NS, query="hello world"))[0].key, "k", "asearch")
        expect(await store.alist_namespaces(), [NS], "alist_namespaces")
        await store.adelete(NS, "k")
        expect(await store.aget(NS, "k"), None, "adelete")

    with open_store(index=index("text")) as store:
        asyncio.run(use(store))


def any_event_loop_will_do(open_store: OpenStore) -> None:
    """One store works in one event loop after another, and its sync methods inside a running one."""

    async def use(store: BaseStore, key: str) -> None:
        await store.aput(NS, key, {"text": key})
        store.put(NS, f"sync {key}", {"text": key})
        expect_true(store.search(NS, query=key), "a sync search inside a loop")

    with open_store(index=index("text")) as store:
        for key in ("first", "second"):
            asyncio.run(asyncio.wait_for(use(store, key), 20))
        expect(len(store.search(NS)), 4, "items of both loops")


def eight_threads_at_once(open_store: OpenStore) -> None:
    """Eight threads may read, write and search at once; no write is lost."""

    def work(number: int) -> None:
        for i in range(_EACH):
            store.put((*NS, str(number)), str(i), {"text": f"thread {number} item {i}"})
            store.put(NS, "shared", {"text": f"shared {number} {i}"})
            expect_true(store.get((*NS, str(number)), str(i)), "its own write")
            expect_true(store.search(NS, query=f"thread {number}", limit=3), "a search")

    with open_store(index=index("text")) as store:
        with ThreadPoolExecutor(_THREADS) as pool:
            list(pool.map(work, range(_THREADS)))
        expect(len(store.search(NS, limit=1000)), _THREADS * _EACH + 1, "all items")
        found = store.search(NS, query="thread", limit=1000)
        expect(len(set(found)), _THREADS * _EACH + 1, "all items, by a query")


CHECKS = (
    reads_come_before_writes,
    the_last_put_wins,
    results_keep_their_order,
    a_failing_operation_undoes_its_batch,
    a_failing_embedding_undoes_its_put,
    the_same_text_twice,
    async_methods_work,
    any_event_loop_will_do,
    eight_threads_at_once,
)
