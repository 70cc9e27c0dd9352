"""What memory costs in a graph, beside the same graph without it and beside langmem's tools, in one run.

usage: python benchmarks/graph.py [--json FILE] [--plot FILE] [--memories N] [--runs N] [--langmem FOLDER]

A run is a request, a step of three tool calls (two read, one changes something), and an answer. The graphs
take turns; memory is a folder with that many facts in scopes of 1,000, consolidated after each run, as a
worker would. With `attach`, `MemoryMiddleware` and the nodes by hand every step recalls, every call passes
the guard (with `MemoryMiddleware` twice: with all of its step, and where the tool runs), every result is
published. With the first two a result is left to be written a moment later, together with others: what that
takes is a row of its own. With langmem the agent itself calls its search and its save tool once a run, on a
`HybridStore` with as many items; langmem is measured where it can be imported (`--langmem` names a
site-packages folder that holds it). At last messages wait that no consolidation has read. Times are
milliseconds.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage, SystemMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from measuring import interleaved, keep, summary, times
from memory import AGENT, DATA, POLICY, TEAM, ask, fill, question

from langgraph_memory import (
    Actor,
    HybridStore,
    Memory,
    MemoryContext,
    MemoryMiddleware,
    MemoryState,
    attach,
    guard_node,
    publish_node,
    recall_node,
)
from langgraph_memory.runtime.desk import Desk
from langgraph_memory.runtime.recalling import Recalling
from langgraph_memory.runtime.steps import Steps
from langgraph_memory.store.embedding import Embedder
from langgraph_memory.testing import ScriptedChatModel

SCOPE_SIZE = 1_000
CALLS = 3
CONTEXT = MemoryContext(principal=AGENT, scope=TEAM)
WAITING = (0, 100, 1_000, 5_000)
WARM_UP = 5

Rows = dict[str, dict[str, float]]
Times = dict[str, list[float]]


def main() -> None:
    """Measure, print a table, and write it as JSON and as a plot where files are named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--plot", type=Path)
    parser.add_argument("--memories", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--langmem", type=Path)
    given = parser.parse_args()
    if given.langmem:
        sys.path.append(str(given.langmem))
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(Path(folder), given.memories, given.runs)
    print(times(rows, digits=2))
    keep(rows, given.json)
    if given.plot:
        plot(rows, given.plot)


def measured(folder: Path, memories: int, runs: int) -> Rows:
    """Whole runs of each graph in turn, what memory's parts took in them, and what waiting messages add."""
    memory = Memory.open(folder / "memory", policy=POLICY)
    with memory.log.database.write():
        fill(memory, memories, SCOPE_SIZE)
    parts: Times = {}
    graphs: dict[str, Callable[[int], object]] = {
        "graph alone": played(looped(), None),
        "attach": played(looped(memory), CONTEXT),
        "by hand": played(by_hand(memory, parts), CONTEXT),
        "agent alone": played(agent(), None),
        "MemoryMiddleware": played(agent(memory), CONTEXT),
    }
    with contextlib.suppress(ImportError):
        graphs["langmem's tools"] = played(with_langmem(folder, memories), None)
    whole: Times = {name: [] for name in graphs}
    for number in range(runs + WARM_UP):
        for name, play in graphs.items():
            with watching(parts, name):
                whole[name].append(milliseconds(play, number))
        memory.consolidate()
        if number == WARM_UP - 1:
            parts.clear()
    rows = {name: summary(values[WARM_UP:]) for name, values in whole.items()}
    rows |= {name: summary(values) for name, values in sorted(parts.items())}
    rows |= waiting(memory, 2 * runs)
    memory.close()
    return rows


def waiting(memory: Memory, repeat: int) -> Rows:
    """Recall and guard among messages that no consolidation has read, and what the embedder takes of it."""
    embedder = Embedder.of(None)
    rows: Rows = {}
    said = 0
    for wanted in WAITING:
        with memory.log.database.write():
            for number in range(said, wanted):
                say(memory, number)
        said = wanted
        ask(memory, 0)
        check(memory, 0)
        works = {"recall": lambda n: ask(memory, n), "guard": lambda n: check(memory, n)}
        found = interleaved(works, repeat)
        rows |= {f"{name}, {wanted:,} messages waiting": row for name, row in found.items()}
    embedder.query("warm up")
    return {**interleaved({"embedding a query": lambda n: embedder.query(question(n))}, repeat), **rows}


def say(memory: Memory, number: int) -> None:
    """A message that waits, and what was done for it."""
    of = {"scope": TEAM, "activity_id": f"waiting-{number}", "thread_id": f"waiting-{number}"}
    text = f"Is host-{number % SCOPE_SIZE} well? See ticket {number * 13}."
    memory.publish(event_type="message.user", actor=Actor("user", "dan"), data={"text": text}, **of)
    memory.publish(event_type="tool.completed", actor=Actor("tool", "cloud"), data=DATA, **of)


def check(memory: Memory, number: int) -> None:
    args = {"host": f"host-{number % SCOPE_SIZE}"}
    memory.check("restart_host", args, principal=AGENT, scope=TEAM)


@tool
def get_metrics(host: str) -> dict[str, Any]:
    """The load of a host."""
    return {"id": host, "avg_cpu_pct": 0.2, "state": "running"}


@tool
def restart_host(host: str) -> dict[str, Any]:
    """Restart a host."""
    return {"id": host, "state": "running"}


def script(number: int, extra: Sequence[tuple[str, dict[str, Any]]]) -> list[Any]:
    first = number % SCOPE_SIZE
    named = [
        ("get_metrics", {"host": f"host-{first}"}),
        ("get_metrics", {"host": f"host-{(first + 1) % SCOPE_SIZE}"}),
        ("restart_host", {"host": f"host-{first}"}),
        *extra,
    ]
    calls = [{"name": n, "args": a, "id": f"call-{number}-{i}"} for i, (n, a) in enumerate(named)]
    return [AIMessage("", tool_calls=calls), "All is well."]


class Model(ScriptedChatModel):
    """Gets its script before each run."""

    def told(self, replies: list[Any]) -> None:
        """Take the replies of the next run."""
        self._script = iter(replies)


def looped(memory: Memory | None = None, store: Any = None, extra: Any = ()) -> tuple[Any, Model, Any]:
    """A graph of an agent and its tools."""
    model = Model()
    builder = StateGraph(MessagesState, context_schema=MemoryContext)
    builder.add_node("agent", lambda state: {"messages": [model.invoke(state["messages"])]})
    builder.add_node("tools", ToolNode([get_metrics, restart_host, *(each for each, _ in extra)]))
    builder.add_edge(START, "agent")
    builder.add_conditional_edges("agent", tools_condition)
    builder.add_edge("tools", "agent")
    if memory is not None:
        attach(builder, memory)
    graph = builder.compile(checkpointer=InMemorySaver(), store=store)
    return graph, model, [(each.name, args) for each, args in extra]


def by_hand(memory: Memory, parts: Times) -> tuple[Any, Model, Any]:
    """The same graph with memory's nodes between its own."""
    model = Model()

    def planner(state: Mapping[str, Any]) -> dict[str, Any]:
        memories = [SystemMessage(state["memory"])] if state.get("memory") else []
        return {"messages": [model.invoke([*memories, *state["messages"]])]}

    def timed(node: Callable[..., Any], part: str, calls: int) -> Callable[..., Any]:
        def run(state: MemoryState, config: Any, runtime: Any) -> Any:
            started = time.perf_counter()
            result = node(state, config, runtime)
            if part != "publish" or state["messages"][-1].type == "tool":
                took = 1000 * (time.perf_counter() - started) / calls
                parts.setdefault(f"by hand: {part} (a {'call' if calls > 1 else 'step'})", []).append(took)
            return result

        run.__annotations__ = node.__annotations__
        return run

    def after(state: Mapping[str, Any]) -> str:
        return "recall" if state["messages"][-1].type == "tool" else "__end__"

    builder = StateGraph(MemoryState, context_schema=MemoryContext)
    builder.add_node("recall", recall_node(memory))
    builder.add_node("planner", planner)
    builder.add_node("guard", timed(guard_node(memory), "guard", CALLS), destinations=("tools", "publish"))
    builder.add_node("tools", ToolNode([get_metrics, restart_host]))
    builder.add_node("publish", timed(publish_node(memory), "publish", CALLS))
    builder.add_edge(START, "recall")
    builder.add_edge("recall", "planner")
    builder.add_conditional_edges("planner", tools_condition, {"tools": "guard", "__end__": "publish"})
    builder.add_edge("tools", "publish")
    builder.add_conditional_edges("publish", after)
    return builder.compile(checkpointer=InMemorySaver()), model, []


def agent(memory: Memory | None = None) -> tuple[Any, Model, Any]:
    """An agent of LangChain."""
    model = Model()
    middleware = [MemoryMiddleware(memory)] if memory is not None else []
    graph = create_agent(
        model,
        [get_metrics, restart_host],
        middleware=middleware,
        context_schema=MemoryContext,
        checkpointer=InMemorySaver(),
    )
    return graph, model, []


def with_langmem(folder: Path, memories: int) -> tuple[Any, Model, Any]:
    """The graph, whose agent searches and saves by langmem's tools."""
    from langmem import create_manage_memory_tool, create_search_memory_tool  # noqa: PLC0415 - optional

    store = HybridStore(folder / "langmem")
    with store.database.write():
        for number in range(memories):
            text = f"host-{number % SCOPE_SIZE} waits for ticket {number * 13}"
            store.put(("memories", f"team-{number // SCOPE_SIZE}"), str(number), {"content": text})
    search = create_search_memory_tool(("memories", "team-0"))
    save = create_manage_memory_tool(("memories", "team-0"))
    asked = {"query": "What about host-1?", "limit": 10}
    saved = {"content": "host-1 was restarted", "action": "create"}
    return looped(store=store, extra=((search, asked), (save, saved)))


def played(made: tuple[Any, Model, Any], context: Any) -> Callable[[int], object]:
    graph, model, extra = made

    def play(number: int) -> object:
        model.told(script(number, extra))
        config = {"configurable": {"thread_id": f"{id(graph)}-{number}"}}
        given = {"messages": [("user", f"Is host-{number % SCOPE_SIZE} well? Restart it.")]}
        return graph.invoke(given, config, context=context)

    return play


def milliseconds(work: Callable[..., object], *given: Any) -> float:
    started = time.perf_counter()
    work(*given)
    return 1000 * (time.perf_counter() - started)


@contextlib.contextmanager
def watching(parts: Times, graph: str) -> Iterator[None]:
    """Times of memory's parts as the graph calls them, and of the writing that follows a publish."""
    written, owed = Desk._together, [0]  # noqa: SLF001 - where the writing is done

    def write(self: Desk, batch: Any) -> None:
        took, calls, owed[0] = milliseconds(written, self, batch), max(1, owed[0]), 0
        parts.setdefault(f"{graph}: publish, written (a call)", []).append(took / calls)

    def recall(self: Recalling, *args: Any, **options: Any) -> Any:
        return noted("recall (a step)", 1, Recalling_remember, self, *args, **options)

    def rule(self: Steps, calls: Any, *args: Any, **options: Any) -> Any:
        return noted("guard (a call)", len(calls), Steps_rule, self, calls, *args, **options)

    def publish(self: Steps, messages: Any, new: int, *args: Any, **options: Any) -> Any:
        if messages[-1].type != "tool":
            return Steps_publish(self, messages, new, *args, **options)
        owed[0] += new
        return noted("publish (a call)", new, Steps_publish, self, messages, new, *args, **options)

    def noted(part: str, calls: int, work: Callable[..., Any], *args: Any, **options: Any) -> Any:
        started = time.perf_counter()
        try:
            return work(*args, **options)
        finally:
            took = 1000 * (time.perf_counter() - started) / calls
            parts.setdefault(f"{graph}: {part}", []).append(took)

    Recalling_remember, Steps_rule, Steps_publish = Recalling.remember, Steps.rule, Steps.publish  # noqa: N806
    with contextlib.ExitStack() as stack:
        for owner, name, new in (
            (Desk, "_together", write),
            (Recalling, "remember", recall),
            (Steps, "rule", rule),
            (Steps, "publish", publish),
        ):
            stack.callback(setattr, owner, name, getattr(owner, name))
            setattr(owner, name, new)
        yield


def plot(rows: Rows, path: Path) -> None:
    """Whole runs, with and without memory, and memory's parts in them."""
    import matplotlib.pyplot as plt  # noqa: PLC0415 - only where a plot is wanted

    groups = {"a run": [n for n in rows if ":" not in n and "," not in n and n != "embedding a query"]}
    groups["a part"] = [name for name in rows if ":" in name]
    groups["among waiting messages"] = [name for name in rows if name.endswith("waiting")]
    figure, axes = plt.subplots(3, 1, figsize=(8, 9), height_ratios=[len(g) for g in groups.values()])
    for axis, (title, names) in zip(axes, groups.items(), strict=True):
        for at, name in enumerate(reversed(names)):
            axis.barh(at, rows[name]["p95"], color="#c6d4e8")
            axis.barh(at, rows[name]["p50"], color="#3b6ea5")
        axis.set_yticks(range(len(names)), list(reversed(names)), fontsize=8)
        axis.set_title(f"{title}: median and 95th percentile, ms", fontsize=9, loc="left")
    figure.tight_layout()
    figure.savefig(path, dpi=110)


if __name__ == "__main__":
    main()
