"""Times to live."""

from __future__ import annotations

import time

from langgraph.store.base import BaseStore, SearchOp, TTLConfig

from langgraph_memory.testing.store_conformance.kit import (
    OpenStore,
    expect,
    expect_true,
    index,
    keys,
    wait_until,
)

NS = ("docs",)
_SHORT = 0.005
"""Minutes: 0.3 seconds."""
_LONG = 60.0


def _short_lived(**more: bool) -> TTLConfig:
    refresh = more.get("refresh", False)
    return {"default_ttl": _SHORT, "refresh_on_read": refresh, "omit_expired": True}


def expired_items_are_hidden_at_once(open_store: OpenStore) -> None:
    """An expired item is gone from gets, searches, queries and lists, swept or not."""
    with open_store(index=index("text"), ttl=_short_lived()) as store:
        store.put(NS, "short", {"text": "short word"})
        store.put(("other",), "kept", {"text": "long word"}, ttl=_LONG)
        expect_true(store.get(NS, "short"), "before it expires")
        expect(len(store.search((), query="word")), 2, "a query before it expires")
        wait_until(lambda: store.get(NS, "short") is None, "the get")
        expect(keys(store.search(())), ["kept"], "the search")
        expect(keys(store.search((), query="short word")), ["kept"], "the query")
        expect(store.list_namespaces(), [("other",)], "the list")


def a_put_overrides_the_default(open_store: OpenStore) -> None:
    """A put may have a time to live of its own, or none; a re-put begins anew."""
    with open_store(ttl=_short_lived()) as store:
        store.put(NS, "default", {})
        store.put(NS, "none", {}, ttl=None)
        store.put(NS, "long", {}, ttl=_LONG)
        store.put(NS, "changed", {})
        store.put(NS, "changed", {"again": True}, ttl=None)
        wait_until(lambda: store.get(NS, "default") is None, "the default")
        expect(sorted(keys(store.search(NS))), ["changed", "long", "none"], "the others")


def an_expired_item_begins_anew(open_store: OpenStore) -> None:
    """What is put in the place of an expired item is a new item."""
    with open_store(ttl=_short_lived()) as store:
        store.put(NS, "k", {})
        first = store.get(NS, "k")
        wait_until(lambda: store.get(NS, "k") is None, "the first one")
        store.put(NS, "k", {}, ttl=None)
        second = store.get(NS, "k")
        expect_true(first and second and second.created_at > first.created_at, "created_at is new")


def reads_refresh(open_store: OpenStore) -> None:
    """A get or a search lets the time to live begin anew, unless it is told not to."""
    with open_store(index=index("text"), ttl=_short_lived(refresh=True)) as store:
        for key in ("got", "searched", "queried", "unread"):
            store.put((*NS, key), key, {"text": key})
        deadline = time.monotonic() + 3 * 60 * _SHORT
        while time.monotonic() < deadline:
            expect_true(store.get((*NS, "got"), "got"), "the one that is got")
            expect_true(store.search((*NS, "searched")), "the one that is searched")
            expect_true(store.batch([SearchOp((*NS, "queried"), query="queried")])[0], "the queried one")
            _look(store)
            time.sleep(0.02)
        expect(
            sorted(keys(store.search(NS, refresh_ttl=False))), ["got", "queried", "searched"], "what is left"
        )


def _look(store: BaseStore) -> None:
    """Reads that are told not to refresh."""
    store.get((*NS, "unread"), "unread", refresh_ttl=False)
    store.search((*NS, "unread"), refresh_ttl=False)


CHECKS = (
    expired_items_are_hidden_at_once,
    a_put_overrides_the_default,
    an_expired_item_begins_anew,
    reads_refresh,
)
