"""What memory costs in a graph, beside the same graph without it and beside langmem's tools, in one run.

usage: python benchmarks/graph.py [--json FILE] [--memories N] [--runs N] [--langmem FOLDER]

A run is a request, a step of three tool calls (two read, one changes something), and an answer. The graphs
take turns; memory is a folder with that many facts in scopes of 1,000. With `attach` and `MemoryMiddleware`
every step recalls, every call passes the guard, every result is published (the call leaves it, and it is
written together with the others' a moment later, which is a row of its own); with langmem the agent itself
calls its search and its save tool once a run, on a `HybridStore` with as many items. langmem is measured
where it can be imported (`--langmem` names a site-packages folder that holds it). Times are milliseconds.
"""

from __future__ import annotations

import argparse
import contextlib
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from langchain.agents import create_agent
from langchain_core.messages import AIMessage
from langchain_core.tools import tool
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode, tools_condition
from measuring import keep, summary, times
from memory import AGENT, POLICY, TEAM, fill

from langgraph_memory import HybridStore, Memory, MemoryContext, MemoryMiddleware, attach
from langgraph_memory.runtime.desk import Desk
from langgraph_memory.runtime.steps import Steps
from langgraph_memory.testing import ScriptedChatModel

SCOPE_SIZE = 1_000
CONTEXT = MemoryContext(principal=AGENT, scope=TEAM)


def main() -> None:
    """Measure, print a table, and write it as JSON where a file is named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--memories", type=int, default=20_000)
    parser.add_argument("--runs", type=int, default=100)
    parser.add_argument("--langmem", type=Path)
    given = parser.parse_args()
    if given.langmem:
        sys.path.append(str(given.langmem))
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(Path(folder), given.memories, given.runs)
    print(times(rows, digits=3))
    keep(rows, given.json)


def measured(folder: Path, memories: int, runs: int) -> dict[str, dict[str, float]]:
    """Whole runs of each graph in turn, and what memory's parts took in them."""
    memory = Memory.open(folder / "memory", policy=POLICY)
    fill(memory, memories, SCOPE_SIZE)
    graphs: dict[str, Callable[[int], object]] = {
        "graph alone": played(looped(), None),
        "attach": played(looped(memory), CONTEXT),
        "agent alone": played(agent(), None),
        "MemoryMiddleware": played(agent(memory), CONTEXT),
    }
    with contextlib.suppress(ImportError):
        graphs["langmem's tools"] = played(with_langmem(folder, memories), None)
    parts: dict[str, list[float]] = {}
    runs_of: dict[str, list[float]] = {name: [] for name in graphs}
    for number in range(runs + 5):
        for name, play in graphs.items():
            with watching(parts, name) if number >= 5 else contextlib.nullcontext():
                started = time.perf_counter()
                play(number)
                runs_of[name].append(1000 * (time.perf_counter() - started))
    memory.close()
    return {
        name: summary(values[5:] if name in graphs else values)
        for name, values in {**runs_of, **parts}.items()
    }


@tool
def get_metrics(host: str) -> dict[str, Any]:
    """The load of a host."""
    return {"id": host, "avg_cpu_pct": 0.2, "state": "running"}


@tool
def restart_host(host: str) -> dict[str, Any]:
    """Restart a host."""
    return {"id": host, "state": "running"}


def script(number: int, extra: list[tuple[str, dict[str, Any]]]) -> list[Any]:
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
    namespace = ("memories",)
    for number in range(memories):
        if number % SCOPE_SIZE == 0:
            namespace = ("memories", f"team-{number // SCOPE_SIZE}")
        store.put(
            namespace, str(number), {"content": f"host-{number % SCOPE_SIZE} waits for ticket {number * 13}"}
        )
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


@contextlib.contextmanager
def watching(parts: dict[str, list[float]], graph: str) -> Iterator[None]:
    """Times of memory's parts as the graphs call them, and of the writing that follows a publish."""
    write, owed = Desk._together, [0]  # noqa: SLF001 - where the writing is done

    def written(self: Desk, batch: Any) -> None:
        started = time.perf_counter()
        write(self, batch)
        took, calls, owed[0] = 1000 * (time.perf_counter() - started), max(1, owed[0]), 0
        parts.setdefault(f"{graph}: publish, written (a call)", []).append(took / calls)

    Desk._together = written  # type: ignore[method-assign]  # noqa: SLF001
    plain = {name: getattr(Steps, name) for name in ("recall", "rule", "publish")}
    names = {"recall": "recall (a step)", "rule": "guard (a call)", "publish": "publish (a call)"}

    def timed(name: str) -> Callable[..., Any]:
        def run(self: Steps, *args: Any, **options: Any) -> Any:
            started = time.perf_counter()
            try:
                return plain[name](self, *args, **options)
            finally:
                took, calls = 1000 * (time.perf_counter() - started), 1
                if name == "rule":
                    calls = len(args[0])
                elif name == "publish":
                    owed[0] += args[1]
                    calls = args[1] if args[0][-1].type == "tool" else 0
                if calls:
                    parts.setdefault(f"{graph}: {names[name]}", []).append(took / calls)

        return run

    for name in plain:
        setattr(Steps, name, timed(name))
    try:
        yield
    finally:
        Desk._together = write  # type: ignore[method-assign]  # noqa: SLF001
        for name, method in plain.items():
            setattr(Steps, name, method)


if __name__ == "__main__":
    main()
