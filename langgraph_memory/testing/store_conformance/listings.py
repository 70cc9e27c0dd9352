"""Lists of namespaces."""

from __future__ import annotations

from typing import Any

from langgraph_memory.testing.store_conformance.kit import OpenStore, expect

_TREE = [
    ("a", "b", "c"),
    ("a", "b", "d", "e"),
    ("a", "b", "d", "i"),
    ("a", "b", "f"),
    ("a", "c", "f"),
    ("a-b", "f"),
    ("b", "a", "f"),
    ("B",),
]


def _expect_listings(
    open_store: OpenStore, cases: list[tuple[dict[str, Any], list[tuple[str, ...]]]]
) -> None:
    with open_store() as store:
        for number, namespace in enumerate(reversed(_TREE)):
            store.put(namespace, f"k{number}", {})
            store.put(namespace, "second", {})
        for options, wanted in cases:
            expect(store.list_namespaces(**options), wanted, f"list_namespaces({options!r})")


def namespaces_are_sorted(open_store: OpenStore) -> None:
    """Each namespace comes once, in the order of the labels."""
    _expect_listings(open_store, [({}, sorted(_TREE))])


def prefixes_and_suffixes_match(open_store: OpenStore) -> None:
    """Prefix and suffix match whole labels; `*` stands for one label."""
    cases: list[tuple[dict[str, Any], list[tuple[str, ...]]]] = [
        ({"prefix": ("a", "b")}, _TREE[:4]),
        ({"suffix": ("f",)}, [_TREE[3], _TREE[4], _TREE[5], _TREE[6]]),
        ({"prefix": ("a",), "suffix": ("f",)}, [_TREE[3], _TREE[4]]),
        ({"prefix": ("a", "*", "f")}, [_TREE[3], _TREE[4]]),
        ({"prefix": ("*", "a")}, [_TREE[6]]),
        ({"suffix": ("d", "*")}, [_TREE[1], _TREE[2]]),
        ({"prefix": ("a", "b", "c", "d")}, []),
        ({"prefix": ("none",)}, []),
    ]
    _expect_listings(open_store, cases)


def max_depth_cuts_before_the_page(open_store: OpenStore) -> None:
    """`max_depth` cuts, then each comes once, then they are sorted, then the page is cut."""
    cases: list[tuple[dict[str, Any], list[tuple[str, ...]]]] = [
        ({"max_depth": 1}, [("B",), ("a",), ("a-b",), ("b",)]),
        ({"max_depth": 3, "prefix": ("a", "b")}, [("a", "b", "c"), ("a", "b", "d"), ("a", "b", "f")]),
        ({"max_depth": 2, "limit": 2, "offset": 1}, [("a", "b"), ("a", "c")]),
        ({"limit": 3, "offset": 6}, sorted(_TREE)[6:]),
    ]
    _expect_listings(open_store, cases)


def an_emptied_namespace_is_not_listed(open_store: OpenStore) -> None:
    """A namespace is listed while it holds an item, and neither before nor after."""
    with open_store() as store:
        store.get(("read",), "k")
        store.search(("searched",))
        store.put(("kept",), "k", {})
        store.put(("emptied",), "k", {})
        store.delete(("emptied",), "k")
        expect(store.list_namespaces(), [("kept",)], "the namespaces")


CHECKS = (
    namespaces_are_sorted,
    prefixes_and_suffixes_match,
    max_depth_cuts_before_the_page,
    an_emptied_namespace_is_not_listed,
)
