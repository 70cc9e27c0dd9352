"""Filters: the same answer whatever the store is made of."""

from __future__ import annotations

from typing import Any

from langgraph_memory.testing.store_conformance.kit import OpenStore, expect, expect_error, keys

NS = ("docs",)
_BIG = 2**53

_Case = tuple[dict[str, Any], list[str]]


def _expect_cases(open_store: OpenStore, values: dict[str, dict[str, Any]], cases: list[_Case]) -> None:
    with open_store() as store:
        for key, value in values.items():
            store.put(NS, key, value)
        for condition, wanted in cases:
            expect(sorted(keys(store.search(NS, filter=condition))), sorted(wanted), f"{condition!r}")


def equality_is_by_type(open_store: OpenStore) -> None:
    """Texts, numbers, truth values and null equal only their own kind."""
    values: dict[str, dict[str, Any]] = {
        "one": {"v": 1},
        "text": {"v": "1"},
        "true": {"v": True},
        "null": {"v": None},
        "float": {"v": 1.5},
    }
    cases: list[_Case] = [
        ({"v": 1}, ["one"]),
        ({"v": 1.0}, ["one"]),
        ({"v": "1"}, ["text"]),
        ({"v": True}, ["true"]),
        ({"v": {"$eq": 1.5}}, ["float"]),
        ({"v": None}, ["null"]),
    ]
    _expect_cases(open_store, values, cases)


def every_part_must_match(open_store: OpenStore) -> None:
    """All keys of a filter and all operators of a key must match."""
    values = {f"{n}{c}": {"n": n, "c": c} for n in (1, 2, 3) for c in "ab"}
    cases: list[_Case] = [
        ({"n": 2, "c": "a"}, ["2a"]),
        ({"n": {"$gte": 2, "$lt": 3}}, ["2a", "2b"]),
        ({"n": {"$gt": 1}, "c": {"$ne": "a"}}, ["2b", "3b"]),
        ({}, list(values)),
    ]
    _expect_cases(open_store, values, cases)


def numbers_compare_as_numbers(open_store: OpenStore) -> None:
    """Orderings compare numbers as numbers, exactly, beyond 2**53 too."""
    values = {"nine": {"n": 9}, "ten": {"n": 10}, "big": {"n": _BIG}, "bigger": {"n": _BIG + 1}}
    cases: list[_Case] = [
        ({"n": {"$gt": 9}}, ["ten", "big", "bigger"]),
        ({"n": {"$lte": 9.5}}, ["nine"]),
        ({"n": {"$gt": _BIG}}, ["bigger"]),
        ({"n": _BIG + 1}, ["bigger"]),
        ({"n": {"$lte": _BIG, "$gte": _BIG}}, ["big"]),
    ]
    _expect_cases(open_store, values, cases)


def texts_compare_as_texts(open_store: OpenStore) -> None:
    """Orderings compare texts, and so ISO dates, as texts; kinds that differ don't compare."""
    values: dict[str, dict[str, Any]] = {
        "early": {"at": "2024-02-10T08:00:00Z"},
        "late": {"at": "2025-01-01T00:00:00Z"},
        "number": {"at": 2024},
    }
    cases: list[_Case] = [
        ({"at": {"$gte": "2024-06-01"}}, ["late"]),
        ({"at": {"$lt": "2024-06-01"}}, ["early"]),
        ({"at": {"$gt": 0}}, ["number"]),
    ]
    _expect_cases(open_store, values, cases)


def a_missing_key_is_never_in_order(open_store: OpenStore) -> None:
    """A missing key or null matches no ordering and is no error; `$ne` matches it."""
    values: dict[str, dict[str, Any]] = {"has": {"n": 5}, "null": {"n": None}, "misses": {"m": 1}}
    cases: list[_Case] = [
        ({"n": {"$gt": 0}}, ["has"]),
        ({"n": {"$lt": 9}}, ["has"]),
        ({"n": {"$gte": 5}}, ["has"]),
        ({"n": {"$ne": 5}}, ["null", "misses"]),
        ({"n": {"$ne": 4}}, ["has", "null", "misses"]),
    ]
    _expect_cases(open_store, values, cases)


def nested_values_compare_deeply(open_store: OpenStore) -> None:
    """Lists and dicts are compared deeply, and nested keys can be named as dicts or by dotted path."""
    values: dict[str, dict[str, Any]] = {
        "a": {"meta": {"lang": "en", "n": 1}, "tags": ["x", {"y": [1]}]},
        "b": {"meta": {"lang": "de", "n": 2}, "tags": ["x"]},
        "c": {"meta": "en", "tags": []},
    }
    cases: list[_Case] = [
        ({"meta": {"lang": "en", "n": 1}}, ["a"]),
        ({"meta": {"n": {"$gt": 1}}}, ["b"]),
        ({"meta.lang": "de"}, ["b"]),
        ({"meta.n": {"$gte": 1}}, ["a", "b"]),
        ({"tags": ["x", {"y": [1]}]}, ["a"]),
        ({"tags": {"$ne": ["x"]}}, ["a", "c"]),
        ({"tags": []}, ["c"]),
    ]
    _expect_cases(open_store, values, cases)


def filter_keys_are_plain_text(open_store: OpenStore) -> None:
    """No character of a filter's key or value is special."""
    values: dict[str, dict[str, Any]] = {
        "quote": {"it's": "x' OR '1'='1"},
        "other": {"access-level": "a%", "x": 1},
    }
    cases: list[_Case] = [
        ({"it's": "x' OR '1'='1"}, ["quote"]),
        ({"access-level": "a%"}, ["other"]),
        ({"access-level": "ab"}, []),
        ({"x') OR 1=1 --": 1}, []),
    ]
    _expect_cases(open_store, values, cases)


def an_unknown_operator_is_an_error(open_store: OpenStore) -> None:
    """An operator that doesn't exist is an error, even where there is nothing to compare."""
    with open_store() as store:
        expect_error(ValueError, lambda: store.search(NS, filter={"n": {"$near": 1}}), "on an empty store")
        store.put(NS, "k", {"n": 1})
        expect_error(ValueError, lambda: store.search(NS, filter={"n": {"$in": [1]}}), "with an item")


CHECKS = (
    equality_is_by_type,
    every_part_must_match,
    numbers_compare_as_numbers,
    texts_compare_as_texts,
    a_missing_key_is_never_in_order,
    nested_values_compare_deeply,
    filter_keys_are_plain_text,
    an_unknown_operator_is_an_error,
)
