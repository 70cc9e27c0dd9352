"""The story behind a recall or a decision: what was offered, what of it was used, and what was cited."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from langgraph_memory.answers import Explanation
from langgraph_memory.name_index import NameIndex
from langgraph_memory.receipts import Receipts
from langgraph_memory.records import Episode, Event, Fact
from langgraph_memory.repository import Repository


def explained(receipt_id: str, receipts: Receipts, repository: Repository) -> Explanation:
    """A receipt with what belongs to it.

    Of a decision: `offered` are the ids that the recall before it had put into the prompt, `used` those of
    them that are about something in the action's arguments or decide on it, `cited` the facts and events that
    its message names. Of a recall: `decisions` on the actions that followed it.

    Raises:
        UnknownRecordError: no receipt has this id.
    """
    found = receipts.find(receipt_id)
    if found.kind == "recall":
        decisions = [
            {"id": each.id, "action": each.body["action"], "outcome": each.body["outcome"]}
            for each in receipts.of_recall(receipt_id)
        ]
        return found.model_copy(update={"body": {**found.body, "decisions": decisions}})
    recall_id = found.body.get("recall")
    offered = receipts.offered(recall_id) if isinstance(recall_id, str) else []
    told = {"offered": offered, "used": _used(offered, found.body, repository)}
    return found.model_copy(update={"body": {**found.body, **told}})


def _used(offered: Sequence[str], body: Any, repository: Repository) -> list[str]:
    decisive = {*body.get("cited", ()), *body.get("without", ())}
    return [
        each for each in offered if each in decisive or _concerns(repository.record(each), body.get("args"))
    ]


def _concerns(record: Any, args: Any) -> bool:
    """Whether a memory is about something in the arguments."""
    if isinstance(record, Fact):
        return bool(NameIndex([(record.entity, record.entity)]).find(args))
    if isinstance(record, Episode | Event):
        return bool(NameIndex([(entity, entity) for entity in record.entities]).find(args))
    return False
