"""How long memory takes, as ratios measured in one run.

usage: python benchmarks/memory.py [--json FILE] [--memories N] [--scope-size N] [--repeat N]

Rows: publish beside a bare sqlite3 insert of the same row, both at synchronous=FULL, and redaction alone;
recall in a scope inside a larger store, with the embedder's share apart; the guard. Times are milliseconds.
"""

from __future__ import annotations

import argparse
import json
import math
import sqlite3
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from topics import TOPICS

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope
from langgraph_memory.redaction import Redacted, redact
from langgraph_memory.store.embedding import Embedder

TEAM = Scope.of(org="acme", workspace="team-0")
LEAD = Actor("user", "ana", roles={"lead"})
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=Scope.of(org="acme"))])
AGENT = Principal("bot", grants=(Scope.of(org="acme"),))
DATA = {
    "tool": "get_instance_metrics",
    "args": {"instance_id": "i-09a8f", "window_hours": 72},
    "output": {"id": "i-09a8f", "name": "gpu-bench-01", "avg_cpu_pct": 0.2, "state": "running"},
}


def main() -> None:
    """Measure, print a table, and write it as JSON where a file is named."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--json", type=Path)
    parser.add_argument("--memories", type=int, default=20_000)
    parser.add_argument("--scope-size", type=int, default=1_000)
    parser.add_argument("--repeat", type=int, default=300)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        rows = publishing(Path(folder), options.repeat)
        rows |= recalling(Path(folder), options.memories, options.scope_size, options.repeat)
    print(table(rows))
    if options.json:
        options.json.write_text(json.dumps(rows, indent=1) + "\n", encoding="utf-8")


def publishing(folder: Path, repeat: int) -> dict[str, dict[str, float]]:
    """Publish beside a bare insert of the same row, and redaction alone."""
    plain = Memory.open(
        folder / "publish", index=None, redactor=lambda value: Redacted(value=value, kinds=())
    )
    whole = Memory.open(folder / "publish-redacted", index=None)
    bare = sqlite3.connect(folder / "bare.sqlite3", isolation_level=None)
    bare.execute("PRAGMA journal_mode=WAL")
    bare.execute("PRAGMA synchronous=FULL")
    bare.execute(
        "CREATE TABLE events (seq INTEGER PRIMARY KEY AUTOINCREMENT, event_id TEXT UNIQUE, scope TEXT, "
        "activity_id TEXT, body TEXT)"
    )
    body = publish(plain, "first").model_dump_json()

    def insert(number: int) -> None:
        bare.execute(
            "INSERT INTO events (event_id, scope, activity_id, body) VALUES (?, ?, ?, ?)",
            (f"ev_{number}", TEAM.key, f"act_{number // 5}", body),
        )

    times = interleaved(
        {
            "bare insert": insert,
            "publish": lambda n: publish(plain, f"act_{n // 5}"),
            "publish with redaction": lambda n: publish(whole, f"act_{n // 5}"),
            "redaction alone": lambda _: redact(DATA),
        },
        repeat,
    )
    rows = {name: summary(values) for name, values in times.items()}
    for row in rows.values():
        row["of a bare insert"] = row["p50"] / rows["bare insert"]["p50"]
    plain.close()
    whole.close()
    return rows


def publish(memory: Memory, activity: str):  # noqa: ANN201
    return memory.publish(
        scope=TEAM,
        activity_id=activity,
        event_type="tool.completed",
        actor=Actor("tool", "cloud"),
        data=DATA,
    )


def recalling(folder: Path, memories: int, scope_size: int, repeat: int) -> dict[str, dict[str, float]]:
    """Recall and guard in one scope of a larger store."""
    memory = Memory.open(folder / "recall", policy=POLICY)
    fill(memory, memories, scope_size)
    embedder = Embedder.of(None)
    embedder.query("warm up")
    ask(memory, 0)
    times = interleaved(
        {
            "recall": lambda n: ask(memory, n),
            "the embedder's share": lambda n: embedder.query(question(n)),
            "guard": lambda n: memory.check(
                "stop_instance", {"id": f"host-{n % scope_size}"}, principal=AGENT, scope=TEAM
            ),
        },
        repeat,
    )
    memory.close()
    return {name: summary(values) for name, values in times.items()}


def fill(memory: Memory, memories: int, scope_size: int) -> None:
    """Facts, a tenth of them constraints, in scopes of one size; a tenth of the activities as episodes."""
    for number in range(memories):
        scope = Scope.of(org="acme", workspace=f"team-{number // scope_size}")
        topic, other = TOPICS[number % len(TOPICS)], TOPICS[(number * 7 + 3) % len(TOPICS)]
        rule = number % 10 == 0
        memory.assert_fact(
            scope=scope,
            entity=f"host-{number % scope_size}",
            attribute=f"{topic}_policy",
            value=f"The {topic} of host-{number} waits for the {other} team, ticket {number * 13}",
            actor=LEAD,
            kind="constraint" if rule else "fact",
            forbids=("stop",) if rule else (),
        )


def question(number: int) -> str:
    return f"What about the {TOPICS[number % len(TOPICS)]} and ticket {number * 13}?"


def ask(memory: Memory, number: int) -> None:
    memory.recall(question(number), principal=AGENT, scope=TEAM, entities=[f"host-{number % 50}"])


def interleaved(works: dict[str, Callable[[int], object]], repeat: int) -> dict[str, list[float]]:
    """Milliseconds of each work, taken in turn so that a slow moment hits all of them."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for number in range(repeat):
        for name, work in works.items():
            started = time.perf_counter()
            work(number)
            times[name].append(1000 * (time.perf_counter() - started))
    return times


def summary(values: list[float]) -> dict[str, float]:
    ordered = sorted(values)
    return {"p50": ordered[len(ordered) // 2], "p95": ordered[math.ceil(0.95 * len(ordered)) - 1]}


def table(rows: dict[str, dict[str, float]]) -> str:
    lines = ["| what | p50 ms | p95 ms | of a bare insert |", "|---|---|---|---|"]
    for name, row in rows.items():
        ratio = row.get("of a bare insert")
        lines.append(f"| {name} | {row['p50']:.3f} | {row['p95']:.3f} | {f'{ratio:.2f}' if ratio else ''} |")
    return "\n".join(lines)


if __name__ == "__main__":
    main()
