"""What a commit takes: records to write, and the decisions behind them."""

from __future__ import annotations

from langgraph_memory.records import Record
from langgraph_memory.repository.bodies import Stored


class Change(Record):
    """One record to write, decided on the version whose digest is `expected`; None if it is new."""

    record: Stored
    expected: str | None = None


class Note(Record):
    """One decision for the audit trail."""

    decision: str
    record_id: str
    reason: str
