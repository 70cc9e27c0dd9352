"""What the capturing checkpointer costs beside the saver that it wraps, in one run.

usage: python benchmarks/saver.py [--json FILE] [--turns N] [--threads N]

A thread is a request and rounds of planner and tools, saved as LangGraph saves it: `put_writes` of each task
and `put` of each superstep, on `AsyncSqliteSaver` in a file. Rows are the time of a superstep's `put_writes`
and `put` alone and captured, in milliseconds, and by how much the second is more; of a round, which is both;
of all rounds of a thread, until all that was captured is written; and of whole runs of a graph whose nodes
take no time, where LangGraph saves in the background. The two take turns.
"""

from __future__ import annotations

import asyncio
import json
import statistics
import tempfile
import time
from pathlib import Path
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage
from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver
from langgraph.graph import END, START, MessagesState, StateGraph
from measuring import compared, keep, options

from langgraph_memory import CapturingSaver, Memory, MemoryContext, Principal, Scope

TEAM = Scope.of(org="acme", workspace="team-0")
CONTEXT = MemoryContext(principal=Principal("ana", grants=(TEAM,)), scope=TEAM)
METRICS = {
    "id": "i-09a8f",
    "name": "gpu-bench-01",
    "avg_cpu_pct": 0.2,
    "state": "running",
    "last_used": "2026-03-06",
}


def main() -> None:
    """Measure, print a table, and write it as JSON where a file is named."""
    given = options(__doc__, turns=20, threads=12)
    with tempfile.TemporaryDirectory() as folder:
        rows = asyncio.run(measured(Path(folder), given.threads, given.turns))
    print(compared("superstep", rows))
    keep(rows, given.json)


async def measured(folder: Path, threads: int, turns: int) -> dict[str, dict[str, float]]:
    """Supersteps of planner and tools, alone and captured, thread by thread in turns."""
    times: dict[str, dict[str, list[float]]] = {"planner": {}, "tools": {}}
    runs: dict[str, list[float]] = {"alone": [], "captured": []}
    whole: dict[str, list[float]] = {"alone": [], "captured": []}
    with Memory.open(folder / "memory", index=None) as memory:
        async with (
            AsyncSqliteSaver.from_conn_string(str(folder / "alone.sqlite")) as alone,
            AsyncSqliteSaver.from_conn_string(str(folder / "captured.sqlite")) as inner,
        ):
            captured = CapturingSaver(inner, memory, identify=lambda _config, _metadata: CONTEXT)
            for number in range(threads + 1):
                for name, saver in (("alone", alone), ("captured", captured)):
                    found = await supersteps(saver, f"t{number}", turns)
                    started = time.perf_counter()
                    memory.log.settle()
                    settled = time.perf_counter() - started
                    run = await whole_run(saver, f"r{number}", turns)
                    if number == 0:  # the first thread warms up
                        continue
                    for kind, seconds in found:
                        times[kind].setdefault(name, []).append(seconds)
                    whole[name].append(sum(seconds for _, seconds in found) + settled)
                    runs[name].append(run)
            if captured.notices:
                raise RuntimeError(captured.notices[0])
    both = [x + y for x, y in zip(times["planner"]["alone"], times["tools"]["alone"], strict=True)]
    with_it = [x + y for x, y in zip(times["planner"]["captured"], times["tools"]["captured"], strict=True)]
    rows = {kind: row(found["alone"], found["captured"]) for kind, found in times.items()}
    thread, run = row(whole["alone"], whole["captured"]), row(runs["alone"], runs["captured"])
    return {**rows, "round": row(both, with_it), "thread": thread, "run": run}


async def supersteps(saver: BaseCheckpointSaver[Any], thread: str, turns: int) -> list[tuple[str, float]]:
    """The kind and seconds of each superstep of a thread."""
    times: list[tuple[str, float]] = []
    messages: list[AnyMessage] = [HumanMessage("Run the weekly staging cost cleanup.", id="h")]
    config: Any = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    config = await saver.aput(
        config, _checkpoint(0, messages), {"source": "loop", "step": 0}, {"messages": 0}
    )
    for turn in range(turns):
        call = {"name": "get_instance_metrics", "args": {"id": "i-09a8f"}, "id": f"call-{turn}"}
        planned = AIMessage("", id=f"a{turn}", tool_calls=[call])
        result = ToolMessage(json.dumps(METRICS), tool_call_id=f"call-{turn}", id=f"r{turn}")
        for kind, message in (("planner", planned), ("tools", result)):
            step = len(messages)
            started = time.perf_counter()
            await saver.aput_writes(config, [("messages", [message])], f"{kind}{turn}", "p")
            messages = [*messages, message]
            config = await saver.aput(
                config, _checkpoint(step, messages), {"source": "loop", "step": step}, {"messages": step}
            )
            times.append((kind, time.perf_counter() - started))
    return times


async def whole_run(saver: BaseCheckpointSaver[Any], thread: str, turns: int) -> float:
    """The seconds that a graph of planner and tools takes for so many rounds."""
    graph = _graph(turns).compile(checkpointer=saver)
    config: Any = {"configurable": {"thread_id": thread}, "recursion_limit": 10 * turns + 20}
    started = time.perf_counter()
    await graph.ainvoke({"messages": [HumanMessage("Run the weekly staging cost cleanup.")]}, config)
    return time.perf_counter() - started


def _graph(turns: int) -> StateGraph[Any, Any, Any, Any]:
    async def planner(state: MessagesState) -> dict[str, Any]:
        turn = len(state["messages"]) // 2
        call = {"name": "get_instance_metrics", "args": {"id": "i-09a8f"}, "id": f"call-{turn}"}
        return {"messages": [AIMessage("", tool_calls=[call]) if turn < turns else AIMessage("Done.")]}

    async def tools(state: MessagesState) -> dict[str, Any]:
        call = state["messages"][-1].tool_calls[0]
        return {"messages": [ToolMessage(json.dumps(METRICS), tool_call_id=call["id"])]}

    builder = StateGraph(MessagesState)
    builder.add_node("planner", planner)
    builder.add_node("tools", tools)
    builder.add_edge(START, "planner")
    builder.add_conditional_edges("planner", lambda s: "tools" if s["messages"][-1].tool_calls else END)
    builder.add_edge("tools", "planner")
    return builder


def row(alone: list[float], captured: list[float]) -> dict[str, float]:
    """Medians and means in milliseconds, and how much more the captured one takes, in per cent."""
    before, after = statistics.median(alone) * 1e3, statistics.median(captured) * 1e3
    mean_before, mean_after = statistics.fmean(alone) * 1e3, statistics.fmean(captured) * 1e3
    return {
        "alone": before,
        "captured": after,
        "more": (after / before - 1) * 100,
        "mean more": (mean_after / mean_before - 1) * 100,
    }


def _checkpoint(step: int, messages: list[AnyMessage]) -> Any:
    checkpoint = empty_checkpoint()
    checkpoint["id"] = str(uuid6(clock_seq=step))
    checkpoint["channel_values"] = {"messages": messages, "branch:to:next": None}
    checkpoint["channel_versions"] = {"messages": step, "branch:to:next": step}
    checkpoint["updated_channels"] = ["messages"]
    return checkpoint


if __name__ == "__main__":
    main()
