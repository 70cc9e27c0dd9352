"""How well memory as a whole brings back what was said: conversations go in as events, recalls come out.

Sets have the form that `finding` describes; records may have a `session` and a `timestamp`. Each session is
one activity. Questions may have `evidence_groups` with `original_info` and `updated_info`: of these the
updated statement has to stand above the original one.
"""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from statistics import fmean, median
from typing import Any

from langchain_core.messages.utils import count_tokens_approximately
from langgraph.store.base import PutOp

from langgraph_memory.answers import Recall
from langgraph_memory.bench.finding import CONVERSATIONS, QUESTIONS, folders_in, label_of, lines_in, text_of
from langgraph_memory.memory import Memory
from langgraph_memory.records import Actor, Episode
from langgraph_memory.scope import Principal, Scope
from langgraph_memory.store import HybridStore

BUDGET = 800
"""Tokens of a recall, as `Memory.recall` counts them by default."""

_AGENTS = frozenset({"assistant", "agent", "ai", "bot"})
_SINGLE_TURNS = 80


@dataclass(frozen=True)
class Remembered:
    """How well the questions of one set are served.

    Attributes:
        questions: with evidence, adversarial ones left out.
        shown: mean share of their evidence that the rendered recall quotes.
        single_turns: the same where turns are items of a `HybridStore`, packed into the same budget.
        updates: questions about something that changed.
        updated_first: the share of these whose recall has the new statement above the old one, or alone.
        doubted: the share of questions with evidence whose recall says that nothing mentions their words.
        doubted_rightly: the same of questions without evidence; None where there are none.
        milliseconds: median time of a recall.
    """

    name: str
    questions: int
    shown: float
    single_turns: float
    updates: int
    updated_first: float | None
    doubted: float
    doubted_rightly: float | None
    milliseconds: float


@dataclass(frozen=True)
class _Asked:
    question: Mapping[str, Any]
    order: Sequence[str]
    single: AbstractSet[str]
    doubted: bool
    seconds: float

    @property
    def evidence(self) -> frozenset[str]:
        return frozenset(map(str, self.question["evidence_ids"]))


def remembered(folder: Path) -> list[Remembered]:
    """Measure each set in or below a folder.

    Raises:
        ConfigurationError: there is none, or a line that is no part of one.
    """
    return [
        _measured(path, path.relative_to(folder).as_posix() if path != folder else path.name)
        for path in folders_in(folder)
    ]


def table(rows: Sequence[Remembered]) -> Iterator[str]:
    """The lines of a Markdown table, one row a set."""
    yield "| set | questions | evidence shown | single turns | updated first | doubted | … rightly | ms |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in rows:
        first = f"{row.updated_first:.2f} of {row.updates}" if row.updated_first is not None else "–"
        rightly = f"{row.doubted_rightly:.2f}" if row.doubted_rightly is not None else "–"
        yield (
            f"| {row.name} | {row.questions} | {row.shown:.3f} | {row.single_turns:.3f} | {first} "
            f"| {row.doubted:.2f} | {rightly} | {row.milliseconds:.1f} |"
        )


def _measured(folder: Path, name: str) -> Remembered:
    questions = list(lines_in(folder / QUESTIONS, "conversation_id", "question", "evidence_ids"))
    asked: list[_Asked] = []
    for chat in lines_in(folder / CONVERSATIONS, "conversation_id", "records"):
        asked += _asked(chat, [q for q in questions if q["conversation_id"] == chat["conversation_id"]])
    plain = [each for each in asked if each.evidence and each.question.get("category") != "adversarial"]
    unknown = [each.doubted for each in asked if not each.evidence]
    updates = [first for each in asked if (first := _updated_first(each)) is not None]
    return Remembered(
        name=name,
        questions=len(plain),
        shown=_mean(len(each.evidence.intersection(each.order)) / len(each.evidence) for each in plain),
        single_turns=_mean(len(each.evidence & each.single) / len(each.evidence) for each in plain),
        updates=len(updates),
        updated_first=_mean(updates) if updates else None,
        doubted=_mean(each.doubted for each in plain),
        doubted_rightly=_mean(unknown) if unknown else None,
        milliseconds=1000 * median(each.seconds for each in asked),
    )


def _asked(chat: Mapping[str, Any], questions: Sequence[Mapping[str, Any]]) -> Iterator[_Asked]:
    """One conversation told to an empty memory, and its questions."""
    scope = Scope.of(workspace=label_of(chat["conversation_id"]))
    turns = {str(record["id"]): text_of(record) for record in chat["records"]}
    with Memory.open(":memory:") as memory, HybridStore(":memory:", index={"fields": ["text"]}) as store:
        store.batch([PutOp(("turns",), key, {"text": text}) for key, text in turns.items()])
        _tell(memory, scope, chat["records"])
        reader = Principal("bench", grants=(scope,))
        for question in questions:
            began = time.perf_counter()
            recall = memory.recall(question["question"], principal=reader, scope=scope, token_budget=BUDGET)
            took = time.perf_counter() - began
            found = store.search(("turns",), query=question["question"], limit=_SINGLE_TURNS)
            single = _packed(turns, (item.key for item in found))
            yield _Asked(question, _order(recall), single, bool(recall.unmatched), took)


def _tell(memory: Memory, scope: Scope, records: Sequence[Mapping[str, Any]]) -> None:
    sessions: dict[str, None] = {}
    for record in records:
        speaker, activity = str(record.get("speaker") or "user"), f"session-{record.get('session', 1)}"
        kind = "agent" if speaker.lower() in _AGENTS else "user"
        sessions[activity] = None
        memory.publish(
            scope=scope,
            activity_id=activity,
            event_type=f"message.{kind}",
            actor=Actor(kind, speaker),
            event_id=str(record["id"]),
            data={"text": str(record.get("text") or "")},
            occurred_at=_moment(record.get("timestamp")),
        )
    for activity in sessions:
        memory.publish(
            scope=scope,
            activity_id=activity,
            event_type="activity.completed",
            actor=Actor("system", "bench"),
        )
    memory.consolidate()


def _order(recall: Recall) -> list[str]:
    """The ids of the turns that a recall quotes, from top to bottom."""
    return [
        item.record.excerpts[at - 1].source
        for item in recall.items
        if isinstance(item.record, Episode)
        for at in sorted(item.passages, reverse=True)
        if at
    ]


def _packed(turns: Mapping[str, str], keys: Iterable[str]) -> set[str]:
    """The turns that fit the budget, best first."""
    kept: dict[str, str] = {}
    for key in keys:
        if count_tokens_approximately(["\n".join([*kept.values(), turns[key]])]) <= BUDGET:
            kept[key] = turns[key]
    return set(kept)


def _updated_first(asked: _Asked) -> bool | None:
    groups = asked.question.get("evidence_groups") or {}
    new, old = (
        [asked.order.index(str(key)) for key in groups.get(group, ()) if str(key) in asked.order]
        for group in ("updated_info", "original_info")
    )
    if not groups.get("updated_info") or not groups.get("original_info"):
        return None
    return bool(new) and (not old or min(new) < min(old))


def _moment(timestamp: object) -> datetime | None:
    """A moment in ISO form; None for other ways to write one, of which the order of the records is left."""
    try:
        moment = datetime.fromisoformat(str(timestamp))
    except ValueError:
        return None
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)


def _mean(values: Iterable[float]) -> float:
    listed = list(values)
    return fmean(listed) if listed else 0.0
