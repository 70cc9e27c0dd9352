"""Which procedure a thread was offered last, so that its activity can be counted for it."""

from __future__ import annotations

from collections.abc import Iterable

from langgraph_memory.answers import RecallItem
from langgraph_memory.playbooks.versions import BEHAVIOUR
from langgraph_memory.recent import Recent
from langgraph_memory.records import Procedure

OFFERED = "offered_procedure"
"""Under this key of an event's data stands the procedure that the thread was offered."""

_KEPT = 10_000


class Offers:
    """The best procedure of the latest recall that brought one, by thread; of this process."""

    def __init__(self) -> None:
        self._by_thread = Recent[str, str](_KEPT)

    def hold(self, thread_id: str | None, items: Iterable[RecallItem]) -> None:
        """Note what a recall offered to a thread."""
        found = next((item.id for item in items if _is_playbook(item)), None)
        if thread_id is not None and found is not None:
            self._by_thread.put(thread_id, found)

    def of(self, thread_id: str | None) -> str | None:
        """The procedure that a thread was offered; None if there was none."""
        return self._by_thread.get(thread_id) if thread_id is not None else None


def _is_playbook(item: RecallItem) -> bool:
    return isinstance(item.record, Procedure) and item.record.procedure_id != BEHAVIOUR
