"""Keys and values: what is put is what is got."""

from __future__ import annotations

import copy
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from langgraph.store.base import (
    BaseStore,
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    PutOp,
    SearchOp,
)

from langgraph_memory.testing.store_conformance.kit import OpenStore, expect, expect_error, expect_true, keys

NS = ("docs",)

_REFUSED: dict[str, Any] = {
    "a set": {"tags": {1, 2}},
    "bytes": {"raw": b"x"},
    "a date": {"at": datetime(2026, 1, 1, tzinfo=UTC)},
    "an object": {"thing": object()},
    "not a number": {"n": float("nan")},
    "infinity": {"n": float("inf")},
    "a number as key": {1: "one"},
    "a list for a value": ["a"],
}
_ROUND_TRIPS: dict[str, Any] = {
    "empty": {},
    "text": {"t": "naïve 東京 🙂 \u0000 \t \" \\ ' %s {x} \u2028"},
    "lone surrogate": {"t": "\ud800"},
    "numbers": {"a": 2**53 + 1, "b": 10**30, "c": -0.5, "d": 1e-300, "e": 0},
    "nested": {"a": [{"b": [[], {}, None, True, False]}, "c"]},
    "odd keys": {"": 1, "a.b": 2, "$x": 3, "ключ": 4},
}
_ODD_KEYS = ["k", "K", "a.b", "a/b", "%", "_", "*", "?", "[a]", "'", '"', ";--", "ключ", " ", "x" * 2000]
_INVALID: list[Any] = [(), ("a.b",), ("a", ""), ("",), ("a", 1), ("a", "\x00")]


def get_returns_what_was_put(open_store: OpenStore) -> None:
    """`get` returns value, key, namespace and aware UTC times; None where nothing is."""
    with open_store() as store:
        before = datetime.now(UTC) - timedelta(seconds=1)
        store.put(NS, "k", {"text": "hello"})
        item = store.get(NS, "k")
        expect_true(item is not None, "the item is there")
        assert item is not None  # noqa: S101 - for the type checker
        expect((item.value, item.key, item.namespace), ({"text": "hello"}, "k", NS), "the item")
        expect(item.created_at.utcoffset(), timedelta(0), "the zone of created_at")
        expect_true(before <= item.created_at <= datetime.now(UTC), "created_at is the time of the put")
        expect(store.get(NS, "other"), None, "an unknown key")
        expect(store.get(("other",), "k"), None, "an unknown namespace")


def created_at_survives_updates(open_store: OpenStore) -> None:
    """An update keeps `created_at` and moves `updated_at`."""
    with open_store() as store:
        store.put(NS, "k", {"n": 1})
        first = _item(store, "k")
        store.put(NS, "k", {"n": 2})
        second = _item(store, "k")
        expect(second.created_at, first.created_at, "created_at after an update")
        expect_true(second.updated_at > first.updated_at, "updated_at moves")


def a_deleted_item_begins_anew(open_store: OpenStore) -> None:
    """Deleting works, deleting again is no error, and what is put afterwards is a new item."""
    with open_store() as store:
        store.put(NS, "k", {"n": 1})
        first = _item(store, "k")
        store.delete(NS, "k")
        store.delete(NS, "k")
        expect(store.get(NS, "k"), None, "a deleted item")
        expect(store.search(NS), [], "a search after the deletion")
        store.put(NS, "k", {"n": 2})
        expect_true(_item(store, "k").created_at > first.created_at, "created_at is new")


def values_are_copied(open_store: OpenStore) -> None:
    """Changing a value after the put, or one that was read, changes nothing in the store."""
    with open_store() as store:
        value = {"tags": ["a"], "n": {"m": 1}}
        store.put(NS, "k", value)
        value["tags"].append("b")  # type: ignore[attr-defined]
        _item(store, "k").value["n"]["m"] = 2
        store.search(NS)[0].value["n"]["m"] = 3
        expect(_item(store, "k").value, {"tags": ["a"], "n": {"m": 1}}, "the value")


def values_round_trip(open_store: OpenStore) -> None:
    """Every JSON value comes back as it was: any text, large numbers, any nesting, any key."""
    with open_store() as store:
        for name, value in _ROUND_TRIPS.items():
            store.put(NS, name, copy.deepcopy(value))
            expect(_item(store, name).value, value, name)


def other_values_are_refused(open_store: OpenStore) -> None:
    """What JSON has no form for is refused at the put, and nothing of it is kept."""
    with open_store() as store:
        for name, value in _REFUSED.items():
            call = partial(store.put, NS, "k", value)
            expect_error((TypeError, ValueError), call, name)
            expect(store.get(NS, "k"), None, f"after {name}")


def keys_are_exact(open_store: OpenStore) -> None:
    """Keys may be any text and match as they are: case counts, and no character is special."""
    with open_store() as store:
        for key in _ODD_KEYS:
            store.put(NS, key, {"key": key})
        for key in _ODD_KEYS:
            expect(_item(store, key).value, {"key": key}, f"the key {key[:20]!r}")
        store.delete(NS, "%")
        expect(
            sorted(keys(store.search(NS, limit=100))), sorted(k for k in _ODD_KEYS if k != "%"), "the rest"
        )


def namespaces_match_whole_labels(open_store: OpenStore) -> None:
    """A prefix matches whole labels, by case, and no character in it is special."""
    with open_store() as store:
        for label in ("user_1", "userX1", "USER_1", "user_1%", "user_", "*", "user_1-x", "[u]ser_1"):
            store.put((label, "n"), "k", {"label": label})
        for label in ("user_1", "user_", "*", "USER_1", "user_1%", "[u]ser_1"):
            found = [item.value["label"] for item in store.search((label,))]
            expect(found, [label], f"below {label!r}")
        expect(store.search(("user",)), [], "below a part of a label")


def invalid_namespaces_are_refused(open_store: OpenStore) -> None:
    """Empty, dotted, NUL or non-text labels, the empty namespace and the root `langgraph` can't be put to."""
    with open_store() as store:
        for namespace in [*_INVALID, ("langgraph", "x")]:
            call = partial(store.put, namespace, "k", {})
            expect_error(InvalidNamespaceError, call, f"put to {namespace!r}")


def invalid_labels_are_refused_everywhere(open_store: OpenStore) -> None:
    """A label with a dot is refused everywhere, so that it can't reach another namespace."""
    bad = ("users.bob",)
    with open_store() as store:
        store.put(("users", "bob"), "k", {"n": 1})
        calls: list[Callable[[], object]] = [
            lambda: store.get(bad, "k"),
            lambda: store.delete(bad, "k"),
            lambda: store.search(bad),
            lambda: store.list_namespaces(prefix=bad),
            lambda: store.list_namespaces(suffix=bad),
            lambda: store.batch([GetOp(bad, "k")]),
            lambda: store.batch([PutOp(bad, "k", {})]),
            lambda: store.batch([PutOp(bad, "k", None)]),
            lambda: store.batch([SearchOp(bad)]),
            lambda: store.batch([ListNamespacesOp((MatchCondition("prefix", bad),))]),
        ]
        for number, call in enumerate(calls):
            expect_error(InvalidNamespaceError, call, f"call {number} with {bad!r}")
        expect_true(store.get(("users", "bob"), "k"), "the other item is untouched")


def _item(store: BaseStore, key: str) -> Any:
    item = store.get(NS, key)
    expect_true(item is not None, f"{key!r} is there")
    return item


CHECKS = (
    get_returns_what_was_put,
    created_at_survives_updates,
    a_deleted_item_begins_anew,
    values_are_copied,
    values_round_trip,
    other_values_are_refused,
    keys_are_exact,
    namespaces_match_whole_labels,
    invalid_namespaces_are_refused,
    invalid_labels_are_refused_everywhere,
)
