"""Receipts of recalls and guard decisions: held for a moment, written in one go, explained by id."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from datetime import datetime
from typing import Any

from langgraph_memory.answers import Explanation, GuardDecision
from langgraph_memory.errors import UnknownRecordError
from langgraph_memory.log.ledger import Ledger
from langgraph_memory.redaction import redact
from langgraph_memory.retrieval.verdicts import Verdict
from langgraph_memory.scope import Principal, Scope

_HELD = 64
_LONGEST = 20_000


class Receipts:
    """Receipts on their way to the ledger; a recall should not wait for a disk.

    They are written with the next event, when enough have gathered, and on close.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._held: list[Explanation] = []
        self._lock = threading.Lock()

    def hold(self, receipt: Explanation) -> None:
        """Take a receipt; write them all when enough have gathered."""
        with self._lock:
            self._held.append(receipt)
            full = len(self._held) >= _HELD
        if full:
            self.flush()

    def flush(self) -> None:
        """Write what is held."""
        with self._lock:
            batch, self._held = self._held, []
        if batch:
            with self._ledger.database.write() as connection:
                self._ledger.explanations.keep(connection, batch)

    def find(self, receipt_id: str) -> Explanation:
        """The receipt with this id.

        Raises:
            UnknownRecordError: no receipt has it.
        """
        self.flush()
        receipt = self._ledger.explanations.get(receipt_id)
        if receipt is None:
            raise UnknownRecordError(
                f"no recall or decision has the id {receipt_id!r}: give Recall.receipt_id or GuardDecision.id"
            )
        return receipt

    def offered(self, recall_id: str) -> list[str]:
        """The ids of what a recall brought; empty if it left no receipt."""
        self.flush()
        receipt = self._ledger.explanations.get(recall_id)
        return _offered(receipt) if receipt else []

    def of_recall(self, recall_id: str) -> list[Explanation]:
        """The receipts of the decisions on actions that followed a recall."""
        self.flush()
        return self._ledger.explanations.all("decision", naming=recall_id)

    def all(self, kind: str) -> list[Explanation]:
        """The receipts of one kind, oldest first."""
        self.flush()
        return self._ledger.explanations.all(kind)


def _offered(receipt: Explanation) -> list[str]:
    offered = receipt.body.get("offered")
    ids = [each.get("id") for each in offered if isinstance(each, dict)] if isinstance(offered, list) else []
    return [each for each in ids if isinstance(each, str)]


def of_decision(
    decision: GuardDecision,
    verdict: Verdict,
    args: Mapping[str, Any],
    principal: Principal,
    scope: Scope,
    at: datetime,
    recall_id: str | None = None,
) -> Explanation:
    """The receipt of a guard decision."""
    body = {
        "action": decision.action,
        "args": _as_json(args),
        "outcome": decision.outcome,
        "facts": [fact.fact_id for fact in verdict.facts],
        "events": list(decision.events),
        "reason": verdict.reason,
        "principal": principal.user_id,
        "scope": str(scope),
        "cited": [*(fact.fact_id for fact in decision.facts), *decision.events],
        "sources": {fact.fact_id: list(fact.sources) for fact in decision.facts},
        "without": dict(verdict.without),
        "recall": recall_id,
    }
    return Explanation(id=decision.id, kind="decision", at=at, body=body)


def _as_json(args: Mapping[str, Any]) -> Any:
    """The arguments as they can be kept: redacted JSON, or what they are where they are none or too long."""
    try:
        text = ""
        for part in json.JSONEncoder(default=str).iterencode(args):
            text += part
            if len(text) > _LONGEST:
                return f"{type(args).__name__} of more than {_LONGEST} characters, too long to be kept"
        return redact(json.loads(text)).value
    except (TypeError, ValueError, RecursionError) as error:
        return f"{type(args).__name__} that is not JSON ({type(error).__name__})"
