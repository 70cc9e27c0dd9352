"""Searches: order, pages, and what is found by meaning."""

from __future__ import annotations

from itertools import pairwise

from langgraph.store.base import BaseStore, PutOp, SearchOp

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


def the_latest_update_comes_first(open_store: OpenStore) -> None:
    """Without a query, items come by `updated_at`, the latest first."""
    with open_store() as store:
        for key in "abcd":
            store.put(NS, key, {"key": key})
        store.put(NS, "b", {"key": "b", "again": True})
        expect(keys(store.search(NS)), ["b", "d", "c", "a"], "the order")


def pages_of_a_listing_are_exact(open_store: OpenStore) -> None:
    """However deep, no page of a listing is short, repeated or in another order."""
    with open_store() as store:
        store.batch([PutOp((*NS, str(n % 3)), f"{n:02}", {"n": n}) for n in range(23)])
        _expect_exact_pages(store, None)


def pages_of_a_query_are_exact(open_store: OpenStore) -> None:
    """However deep, no page of a query's results is short, repeated or in another order."""
    with open_store(index=index("text")) as store:
        store.batch([PutOp((*NS, str(n % 3)), f"{n:02}", _document(n)) for n in range(23)])
        _expect_exact_pages(store, "word 4 common")


def _document(n: int) -> dict[str, str]:
    """One in four has no text, and so isn't indexed."""
    return {"other": str(n)} if n % 4 == 0 else {"text": f"word {n % 7} common {n}"}


def _expect_exact_pages(store: BaseStore, query: str | None) -> None:
    everything = keys(store.search(NS, query=query, limit=100))
    expect(sorted(everything), [f"{n:02}" for n in range(23)], "all items")
    for size in (1, 5, 10):
        pages = [
            keys(store.search(NS, query=query, limit=size, offset=start)) for start in range(0, 30, size)
        ]
        expect([key for page in pages for key in page], everything, f"pages of {size}")


def filtered_pages_are_exact(open_store: OpenStore) -> None:
    """The same with a filter, which is applied before the page is cut."""
    with open_store(index=index("text")) as store:
        store.batch([PutOp(NS, f"{n:03}", {"text": f"word {n}", "even": n % 2 == 0}) for n in range(120)])
        for query in (None, "word 7"):
            found = [
                key
                for start in range(0, 70, 20)
                for key in keys(store.search(NS, query=query, filter={"even": True}, limit=20, offset=start))
            ]
            expect(sorted(found), [f"{n:03}" for n in range(0, 120, 2)], f"with the query {query!r}")


def limits_are_checked(open_store: OpenStore) -> None:
    """A limit of 0 gives nothing, an offset past the end too; negative ones are errors."""
    with open_store() as store:
        store.put(NS, "k", {})
        expect(store.search(NS, limit=0), [], "limit 0")
        expect(store.search(NS, offset=5), [], "an offset past the end")
        expect(store.list_namespaces(limit=0), [], "list_namespaces with limit 0")
        expect_error(ValueError, lambda: store.search(NS, limit=-1), "a negative limit")
        expect_error(ValueError, lambda: store.search(NS, offset=-1), "a negative offset")
        expect_error(ValueError, lambda: store.list_namespaces(limit=-1), "a negative limit of namespaces")
        expect_error(ValueError, lambda: store.list_namespaces(offset=-1), "a negative offset of namespaces")


def a_prefix_reaches_everything_below(open_store: OpenStore) -> None:
    """A search reaches the namespace itself and all below it, and nothing else; `()` reaches everything."""
    with open_store(index=index("text")) as store:
        for namespace in [("a",), ("a", "b"), ("a", "b", "c"), ("ab",), ("b", "a")]:
            store.put(namespace, "/".join(namespace), {"text": "word"})
        for query in (None, "word"):
            expect(sorted(keys(store.search(("a", "b"), query=query))), ["a/b", "a/b/c"], f"query {query!r}")
            expect(len(store.search((), query=query)), 5, f"everything, query {query!r}")


def the_best_match_comes_first(open_store: OpenStore) -> None:
    """What says the words of the query comes first; scores lie in [0, 1] and descend."""
    with open_store(index=index("text")) as store:
        texts = {"cat": "the cat sleeps", "dog": "a dog barks", "sun": "bright sun today", "dogs": "dog dog"}
        store.batch([PutOp(NS, key, {"text": text}) for key, text in texts.items()])
        found = store.search(NS, query="the cat sleeps")
        expect(found[0].key, "cat", "the best match")
        scores = [item.score for item in found]
        expect_true(all(s is not None and 0 <= s <= 1 for s in scores), f"scores in [0, 1]: {scores!r}")
        expect_true(all(a >= b for a, b in pairwise(s or 0 for s in scores)), f"descending: {scores!r}")
        expect([item.score for item in store.search(NS)], [None] * 4, "scores without a query")


def items_without_an_index_come_last(open_store: OpenStore) -> None:
    """Items that aren't indexed follow the ranked ones, without a score, the latest updated first."""
    with open_store(index=index("text")) as store:
        store.put(NS, "old", {"text": "apple"}, index=False)
        store.put(NS, "ranked", {"text": "pear"})
        store.put(NS, "new", {"note": "no text"})
        found = store.search(NS, query="apple")
        expect(keys(found), ["ranked", "new", "old"], "the order")
        expect([item.score for item in found][1:], [None, None], "their scores")


def an_update_is_found_by_its_new_text_alone(open_store: OpenStore) -> None:
    """A re-put takes all that the old value was found by away, also if the new one isn't indexed."""
    embed = HashEmbeddings(512)
    with open_store(index=index("text", "notes[*]", embed=embed)) as store:
        store.put(NS, "k", {"text": "zebra", "notes": ["giraffe", "lion"]})
        store.put(NS, "other", {"text": "zebra crossing"})
        store.put(NS, "k", {"text": "submarine"})
        expect(store.search(NS, query="giraffe lion zebra")[0].key, "other", "by the old text")
        expect(store.search(NS, query="submarine")[0].key, "k", "by the new text")
        store.put(NS, "k", {"text": "submarine"}, index=False)
        expect(keys(store.search(NS, query="submarine")), ["other", "k"], "no longer indexed")


def a_deleted_item_is_not_found(open_store: OpenStore) -> None:
    """A deleted item is gone from every search."""
    with open_store(index=index("text")) as store:
        for key in "ab":
            store.put(NS, key, {"text": f"{key} zebra"})
        store.search(NS, query="zebra")
        store.delete(NS, "a")
        expect(keys(store.search(NS, query="a zebra")), ["b"], "after the deletion")


def fields_are_honoured(open_store: OpenStore) -> None:
    """Only the configured fields are searched, on nested paths and in lists too; a put may name others."""
    embed = HashEmbeddings(512)
    with open_store(index=index("title", "meta.tags[*]", "parts[-1].text", embed=embed)) as store:
        store.put(NS, "title", {"title": "apple", "body": "quince"})
        store.put(NS, "tags", {"meta": {"tags": ["banana", "cherry"]}})
        store.put(NS, "parts", {"parts": [{"text": "lemon"}, {"text": "melon"}]})
        store.put(NS, "own", {"title": "apple", "body": "papaya"}, index=["body"])
        for query, key in [("apple", "title"), ("cherry", "tags"), ("melon", "parts"), ("papaya", "own")]:
            expect(store.search(NS, query=query)[0].key, key, f"{query!r}")
        expect_true("lemon" not in embed.documents, "what no path leads to is not embedded")
        expect_true("quince" not in " ".join(embed.documents), "another field is not embedded")


def the_best_of_several_texts_counts(open_store: OpenStore) -> None:
    """An item with several texts is ranked by the best of them, and comes once."""
    with open_store(index=index("notes[*]", embed=HashEmbeddings(512))) as store:
        store.put(NS, "many", {"notes": ["red fox", "blue whale", "green frog", "grey seal"]})
        store.put(NS, "one", {"notes": ["blue bird sings long songs"]})
        found = store.search(NS, query="blue whale")
        expect(keys(found), ["many", "one"], "by its best text, once")


def queries_are_embedded_as_queries(open_store: OpenStore) -> None:
    """The model is asked for queries by `embed_query`, for what is stored by `embed_documents`."""
    embed = HashEmbeddings()
    with open_store(index=index("text", embed=embed)) as store:
        store.put(NS, "k", {"text": "stored"})
        store.batch([SearchOp(NS, query="asked"), SearchOp(NS, query="asked", limit=1)])
        expect(embed.documents, ["stored"], "documents")
        expect(set(embed.queries), {"asked"}, "queries")
        expect(len(embed.queries), 1, "how often the same query of a batch is embedded")


CHECKS = (
    the_latest_update_comes_first,
    pages_of_a_listing_are_exact,
    pages_of_a_query_are_exact,
    filtered_pages_are_exact,
    limits_are_checked,
    a_prefix_reaches_everything_below,
    the_best_match_comes_first,
    items_without_an_index_come_last,
    an_update_is_found_by_its_new_text_alone,
    a_deleted_item_is_not_found,
    fields_are_honoured,
    the_best_of_several_texts_counts,
    queries_are_embedded_as_queries,
)
