"""Which facts an activity relied on: offered by a receipt, cited by an action, never corrected."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from langgraph_memory.answers import Explanation
from langgraph_memory.consolidation.episodes.building import execution_status, failed
from langgraph_memory.records import EpisodeStatus, Event, Fact, FactKind, FactStatus, has_lapsed

_CORRECTED = frozenset({"feedback.correction", "verification.failed"})


def relied_on(events: Sequence[Event], receipt: Callable[[str], Explanation | None]) -> tuple[str, ...]:
    """The ids of the facts that served an activity well.

    An event names the recall it acts on as `data["receipt_id"]`, and what it relied on as `data["cites"]`.
    What no receipt offered can't be cited, and what only the agent talked about was not used.

    Args:
        events: of the activity.
        receipt: finds a receipt by its id.
    """
    if execution_status(events) is not EpisodeStatus.COMPLETED:
        return ()
    if any(event.event_type in _CORRECTED for event in events):
        return ()
    cited = [
        fact_id
        for event in events
        if event.event_type == "tool.completed" and not failed(event)
        for fact_id in _texts(event.data.get("cites"))
    ]
    offered = _offered(events, receipt) if cited else frozenset()
    return tuple(fact_id for fact_id in dict.fromkeys(cited) if fact_id in offered)


def is_renewed_by_use(fact: Fact) -> bool:
    """Whether use keeps a fact asserted; a rule that was obeyed is not confirmed by that."""
    held = fact.status is FactStatus.CURRENT or has_lapsed(fact)
    return held and fact.kind is not FactKind.CONSTRAINT


def _offered(events: Sequence[Event], receipt: Callable[[str], Explanation | None]) -> frozenset[str]:
    ids = {event.data["receipt_id"] for event in events if isinstance(event.data.get("receipt_id"), str)}
    found = [receipt(str(receipt_id)) for receipt_id in sorted(map(str, ids))]
    offers = [each.body.get("offered") for each in found if each is not None and each.kind == "recall"]
    return frozenset(
        str(item.get("id"))
        for offer in offers
        if isinstance(offer, list)
        for item in offer
        if isinstance(item, dict)
    )


def _texts(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []
