"""What people build with: the store, nodes, agents' parts and the worker take only what they can use."""

import inspect
import threading

import pytest
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import MessagesState, StateGraph
from langgraph.store.base import GetOp, ListNamespacesOp, PutOp, SearchOp

from langgraph_memory import (
    CapturingSaver,
    HybridStore,
    Memory,
    MemoryFilesBackend,
    MemoryMiddleware,
    Worker,
    attach,
    consolidation_graph,
    guard_node,
    guard_tools,
    memory_tool,
    publish_node,
    recall_node,
    review_node,
    review_procedures_node,
)

from .values import HOSTILE, Call, offer

BUILT = {
    "recall_node": recall_node,
    "publish_node": publish_node,
    "guard_node": guard_node,
    "review_node": review_node,
    "review_procedures_node": review_procedures_node,
    "consolidation_graph": consolidation_graph,
    "memory_tool": memory_tool,
    "MemoryMiddleware": MemoryMiddleware,
    "MemoryFilesBackend": MemoryFilesBackend,
    "Worker": Worker,
}


@pytest.fixture(scope="module")
def memory():
    with Memory.open(":memory:", index=None) as opened:
        yield opened


def _troubles(call):
    call.work(**call.given)
    pairs = [(parameter, value) for parameter in call.parameters() for value in HOSTILE]
    found = [offer(call, parameter, call.given | {parameter: value})[1] for parameter, value in pairs]
    return [trouble for trouble in found if trouble]


@pytest.mark.parametrize("name", BUILT)
def test_what_is_built_over_a_memory_takes_only_what_it_can_use(memory, name):
    troubles = _troubles(Call(name, BUILT[name], {"memory": memory}))
    assert not troubles, "\n".join(troubles)


def test_tools_are_guarded_over_a_memory_alone(memory):
    def look(name: str) -> str:
        """Look."""
        return name

    troubles = _troubles(Call("guard_tools", guard_tools, {"tools": [look], "memory": memory}))
    assert not troubles, "\n".join(troubles)


def test_a_graph_is_given_memory_by_names_that_it_has(memory):
    def graph(**arguments):
        builder = StateGraph(MessagesState)
        for node in ("agent", "tools"):
            builder.add_node(node, lambda state: {"messages": []})
        builder.set_entry_point("agent")
        return attach(**({"builder": builder} | arguments))

    graph.__signature__ = inspect.signature(attach)
    troubles = _troubles(Call("attach", graph, {"memory": memory}))
    assert not troubles, "\n".join(troubles)


def test_a_saver_is_wrapped_over_a_saver_alone(memory):
    given = {"saver": InMemorySaver(), "memory": memory}
    troubles = _troubles(Call("CapturingSaver", CapturingSaver, given))
    opened = {"path": ":memory:", "memory": memory}
    troubles += _troubles(Call("CapturingSaver.open", CapturingSaver.open, opened))
    assert not troubles, "\n".join(troubles)


def test_a_memory_is_opened_at_a_place_and_what_could_not_be_opened_leaves_nothing_running(tmp_path):
    def opened(path=":memory:", **arguments):
        Memory.open(path, **({"index": None} | arguments)).close()
        return True

    opened.__signature__ = inspect.signature(Memory.open)
    running = threading.active_count()
    troubles = _troubles(Call("Memory.open", opened, {"path": ":memory:"}))
    with pytest.raises(TypeError, match="colour"):
        Memory.open(tmp_path / "memory", index=None, colour="red")
    assert not troubles, "\n".join(troubles)
    assert threading.active_count() <= running


def test_a_store_is_opened_with_what_it_can_use():
    def opened(location=":memory:", **arguments):
        HybridStore(location, **({"index": None} | arguments)).close()
        return True

    opened.__signature__ = inspect.signature(HybridStore)
    troubles = _troubles(Call("HybridStore", opened, {"location": ":memory:"}))
    assert not troubles, "\n".join(troubles)


OPERATIONS = {
    GetOp: {"namespace": ("docs",), "key": "a"},
    PutOp: {"namespace": ("docs",), "key": "a", "value": {"text": "x"}},
    SearchOp: {"namespace_prefix": ("docs",)},
    ListNamespacesOp: {},
}


@pytest.mark.parametrize("kind", OPERATIONS, ids=lambda kind: kind.__name__)
def test_a_store_refuses_an_operation_that_cannot_be_meant(kind):
    with HybridStore(":memory:") as store:

        def run(**fields):
            store.batch([kind(**fields)])
            return True

        run.__signature__ = inspect.signature(kind)
        troubles = _troubles(Call(kind.__name__, run, OPERATIONS[kind]))
        assert not troubles, "\n".join(troubles)
        assert {item.key for item in store.search(("docs",))} <= {"a", *filter(_is_text, HOSTILE)}


def _is_text(value):
    return isinstance(value, str)


def test_what_a_store_does_beyond_langgraphs_takes_only_what_it_can_use():
    with HybridStore(":memory:", index=None) as store:
        troubles = _troubles(Call("delete_namespace", store.delete_namespace, {"namespace": ("docs", "old")}))
        troubles += _troubles(Call("stop_ttl_sweeper", store.stop_ttl_sweeper, {}))
    assert not troubles, "\n".join(troubles)
