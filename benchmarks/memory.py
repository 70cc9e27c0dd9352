"""How long memory takes, as ratios measured in one run.

usage: python benchmarks/memory.py [--json FILE] [--memories N] [--scope-size N] [--repeat N]

Rows: publish beside a bare sqlite3 insert of the same row, both at synchronous=FULL, and redaction alone;
recall in a scope inside a larger store, with the embedder's share apart; the guard. Times are milliseconds.
"""

from __future__ import annotations

import sqlite3
import tempfile
from pathlib import Path

from measuring import interleaved, keep, options, table
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
    given = options(__doc__, memories=20_000, scope_size=1_000, repeat=300)
    with tempfile.TemporaryDirectory() as folder:
        rows = publishing(Path(folder), given.repeat)
        rows |= recalling(Path(folder), given.memories, given.scope_size, given.repeat)
    print(table(["what", "p50 ms", "p95 ms", "of a bare insert"], [shown(*each) for each in rows.items()]))
    keep(rows, given.json)


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

    rows = interleaved(
        {
            "bare insert": insert,
            "publish": lambda n: publish(plain, f"act_{n // 5}"),
            "publish with redaction": lambda n: publish(whole, f"act_{n // 5}"),
            "redaction alone": lambda _: redact(DATA),
        },
        repeat,
    )
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
    rows = interleaved(
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
    return rows


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


def shown(name: str, row: dict[str, float]) -> tuple[str, ...]:
    ratio = row.get("of a bare insert")
    return name, f"{row['p50']:.3f}", f"{row['p95']:.3f}", f"{ratio:.2f}" if ratio else ""


if __name__ == "__main__":
    main()
