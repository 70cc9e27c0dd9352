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
from langgraph_memory.redaction import Redactor
from langgraph_memory.retrieval.verdicts import Verdict
from langgraph_memory.scope import Principal, Scope

_HELD = 64
_LONGEST = 20_000
_GIVEN = ("query", "entities", "unmatched", "action", "args")
"""What a receipt repeats of what it was asked."""


class Receipts:
    """Receipts on their way to the ledger; a recall should not wait for a disk.

    They are written with the next event, when enough have gathered, and on close.

    Args:
        ledger: where they are written.
        redactor: takes out of questions and arguments what must not be written.
    """

    def __init__(self, ledger: Ledger, redactor: Redactor) -> None:
        self._ledger = ledger
        self._redactor = redactor
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
            held, self._held = self._held, []
        batch = [self._clean(receipt) for receipt in held]
        if batch:
            with self._ledger.database.write() as connection:
                self._ledger.explanations.keep(connection, batch)

    def _clean(self, receipt: Explanation) -> Explanation:
        """The receipt with what others gave in it redacted; what can't be is not kept."""
        given = {name: receipt.body[name] for name in _GIVEN if name in receipt.body}
        try:
            cleaned: Any = self._redactor(given).value
        except Exception as error:  # noqa: BLE001 - a redactor of others; a receipt is no reason to fail
            cleaned = dict.fromkeys(given, f"not kept: the redactor failed ({type(error).__name__})")
        return receipt.model_copy(update={"body": {**receipt.body, **cleaned}})

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
    """The arguments as they can be kept: JSON, or what they are where they are none or too long."""
    try:
        text = ""
        for part in json.JSONEncoder(default=str).iterencode(args):
            text += part
            if len(text) > _LONGEST:
                return f"{type(args).__name__} of more than {_LONGEST} characters, too long to be kept"
        return json.loads(text)
    except Exception as error:  # noqa: BLE001 - arguments are anybody's; the receipt says what failed
        return f"{type(args).__name__} that is not JSON ({type(error).__name__})"
