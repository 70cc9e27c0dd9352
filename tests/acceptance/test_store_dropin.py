"""`HybridStore` where LangGraph takes a store."""

import asyncio
from typing import TypedDict

import pytest
from langgraph.graph import END, START, StateGraph
from langgraph.runtime import Runtime
from langgraph.store.base import BaseStore

from langgraph_memory import HybridStore
from langgraph_memory.testing import HashEmbeddings

TEXTS = {
    "garage": "the parking garage closes at nine",
    "badge": "badges are issued on the second floor",
    "error": "the importer stops with ERR_RATE_LIMIT on Mondays",
}


class Question(TypedDict, total=False):
    query: str
    found: list[str]


@pytest.fixture
def store():
    with HybridStore(":memory:") as opened:
        for key, text in TEXTS.items():
            opened.put(("docs", "office"), key, {"text": text})
        yield opened


def look(state: Question, runtime: Runtime) -> Question:
    return {"found": [item.key for item in runtime.store.search(("docs",), query=state["query"], limit=3)]}


@pytest.mark.parametrize(
    ("query", "key"),
    [
        ("until when can I park my car in the garage?", "garage"),
        ("ERR_RATE_LIMIT", "error"),
        ("badges", "badge"),
    ],
)
def test_a_graph_finds_what_was_stored(store, query, key):
    graph = (
        StateGraph(Question)
        .add_node("look", look)
        .add_edge(START, "look")
        .add_edge("look", END)
        .compile(store=store)
    )
    assert graph.invoke({"query": query})["found"][0] == key
    assert asyncio.run(graph.ainvoke({"query": query}))["found"][0] == key


def test_it_is_a_store_with_the_contract_of_stores(store):
    assert isinstance(store, BaseStore)
    assert store.get(("docs", "office"), "garage").value == {"text": TEXTS["garage"]}
    assert store.get(("docs",), "garage") is None
    assert store.list_namespaces() == [("docs", "office")]
    store.delete(("docs", "office"), "garage")
    assert store.get(("docs", "office"), "garage") is None
    assert {item.key for item in store.search(("docs",), limit=10)} == {"badge", "error"}


def test_two_ephemeral_stores_share_nothing(store):
    with HybridStore(":memory:") as other:
        assert other.search((), limit=10) == []
        other.put(("docs",), "a", {"text": "ours"})
        assert [item.key for item in other.search((), query="parking garage", limit=10)] == ["a"]
    assert store.get(("docs",), "a") is None
    assert len(store.search((), limit=10)) == len(TEXTS)


def test_a_folder_keeps_what_was_put(tmp_path):
    with HybridStore(tmp_path / "store") as first:
        first.put(("docs",), "garage", {"text": TEXTS["garage"]})
    with HybridStore(tmp_path / "store") as second:
        assert second.get(("docs",), "garage").value == {"text": TEXTS["garage"]}
        assert [item.key for item in second.search(("docs",), query="parking garage")] == ["garage"]


def test_it_works_in_one_event_loop_after_another(store):
    async def visit(number):
        await store.aput(("loop",), str(number), {"text": f"visit {number}"})
        return sorted(item.key for item in await store.asearch(("loop",), limit=10))

    assert [asyncio.run(visit(number)) for number in range(3)] == [["0"], ["0", "1"], ["0", "1", "2"]]


@pytest.mark.parametrize(
    "index",
    [None, {"fields": ["text"]}, {"dims": 64, "embed": HashEmbeddings(64)}],
    ids=["words", "fields", "own"],
)
def test_every_form_of_index_finds_words(index):
    with HybridStore(":memory:", index=index) as store:
        for key, text in TEXTS.items():
            store.put(("docs",), key, {"text": text})
        assert store.search(("docs",), query="parking garage")[0].key == "garage"
        assert store.search(("docs",), query="ERR_RATE_LIMIT")[0].key == "error"


def test_what_is_stored_is_a_copy():
    with HybridStore(":memory:") as store:
        value = {"text": "fine", "tags": ["a"]}
        store.put(("docs",), "a", value)
        value["tags"].append("b")
        read = store.get(("docs",), "a").value
        read["tags"].append("c")
        assert store.get(("docs",), "a").value == {"text": "fine", "tags": ["a"]}
