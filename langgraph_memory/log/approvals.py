"""Approvals of held tool calls: for one call as it stands, used by one task, where no tool writes."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable, Mapping
from datetime import timedelta
from typing import Any

from sqlalchemy import delete, or_, update

from langgraph_memory.log.ledger import Ledger
from langgraph_memory.log.tables import approvals
from langgraph_memory.records import Moment, Record


class Answer(Record):
    """What a person answered about one held call.

    Attributes:
        approval: the digest of the call and of what it was held for.
        decision: `approved`, `denied`, `retired`; `refused`: approved by one who may not decide it, or
            declared ended where nothing is settled; `unanswered` or `unreadable`: nobody decided.
        grounds: ids of the facts and events it was held for.
        scope: where the call was made.
        actor: who answered.
        at: when.
    """

    approval: str
    decision: str
    grounds: tuple[str, ...]
    scope: str
    actor: str
    at: Moment


_KEPT = timedelta(days=90)
"""How long an approval is kept: a question that is older is asked again."""


class Approvals:
    """Approvals in the log's database, so that they outlive the process that asked.

    Example:
        >>> from datetime import UTC, datetime
        >>> from langgraph_memory.database import Database
        >>> kept = Approvals(Ledger(Database(":memory:")))
        >>> bound = digest("thread", "call_1", "stop_instance", {"name": "gpu-1"}, ["fact_1"])
        >>> kept.use(bound, "task_1")
        False
        >>> kept.note([Answer(approval=bound, decision="approved", grounds=("fact_1",), scope="org=acme",
        ...     actor="ana", at=datetime(2026, 3, 2, tzinfo=UTC))])
        >>> kept.use(bound, "task_1"), kept.use(bound, "task_2")
        (True, False)
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._database = ledger.database
        self._database.create(approvals)

    def note(self, answers: Iterable[Answer]) -> None:
        """Write answers down: the approvals among them, and an audit entry for each ground of each."""
        with self._database.write() as connection:
            for answer in answers:
                if answer.decision in ("approved", "retired"):
                    row = {"digest": answer.approval, "actor": answer.actor, "at": answer.at.isoformat()}
                    unused = {"task": None, "spent": False}
                    connection.execute(self._database.insert_missing(approvals), row | unused)
                    outlived = (answer.at - _KEPT).isoformat()
                    connection.execute(delete(approvals).where(approvals.c.at < outlived))
                for ground in answer.grounds:
                    self._ledger.audit.note(
                        connection,
                        f"call {answer.decision}",
                        record_id=ground,
                        scope=answer.scope,
                        actor=answer.actor,
                        reason=f"answer to the question about call {answer.approval[:16]}",
                        at=answer.at,
                    )

    def use(self, approval: str, task: str) -> bool:
        """Whether there is an approval for this task: one that no other task has used."""
        free = or_(approvals.c.task.is_(None), approvals.c.task == task)
        with self._database.write() as connection:
            used = connection.execute(
                update(approvals)
                .where(approvals.c.digest == approval, approvals.c.spent.is_(False), free)
                .values(task=task)
            )
            return bool(used.rowcount)

    def spend(self, spent: Iterable[str]) -> None:
        """Note that calls have run: not even the task that ran them may do so again."""
        wanted = list(spent)
        if wanted:
            with self._database.write() as connection:
                connection.execute(update(approvals).where(approvals.c.digest.in_(wanted)).values(spent=True))


def digest(
    thread: str | None, call_id: str | None, action: str, args: Mapping[str, Any], grounds: Iterable[str]
) -> str:
    """What an approval is bound to: the call as it stands, and all that it was held for."""
    parts = [thread, call_id, action, args, sorted(grounds)]
    text = json.dumps(parts, sort_keys=True, default=repr, ensure_ascii=False)
    return hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
