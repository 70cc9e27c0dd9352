"""The event log and what SQL keeps beside it: the queue of activities, the ledger of records, tombstones."""

from langgraph_memory.log.event_types import CHECKPOINTS, COMPACTED, SPOKEN
from langgraph_memory.log.events import EventLog

__all__ = ["CHECKPOINTS", "COMPACTED", "SPOKEN", "EventLog"]
