"""From what was read to a candidate: its entity by the name that was said, the events that it cites."""

from __future__ import annotations

import re
from collections.abc import Sequence

from langgraph_memory.consolidation.candidates import Candidate
from langgraph_memory.consolidation.rules.corrections import Said
from langgraph_memory.consolidation.rules.discourse import Referent
from langgraph_memory.consolidation.rules.known_names import KnownNames
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.records import Event

_PRONOUN = re.compile(r"\b(?:it|them|they|which)\b", re.IGNORECASE)
_GENERAL = re.compile(r"\b(?:the|this|that|these|those) [\w-]+", re.IGNORECASE)


class Proposals:
    """Makes candidates of what was said in the events of an activity.

    Args:
        events: what they may cite.
        known: names that are known in the scope.
    """

    def __init__(self, events: Sequence[Event], known: KnownNames) -> None:
        self._events = {event.event_id: event for event in events}
        self._known = known

    def candidate(self, said: Said, event: Event) -> Candidate:
        """The candidate of what a message says."""
        reading, referent = said.reading, said.referent
        cited = self._cited(referent, event)
        return Candidate(
            entity=referent.entity,
            attribute=reading.attribute,
            value=self._named(reading, referent, cited),
            kind=reading.kind,
            forbids=tuple(sorted(reading.forbids)),
            ends_when=reading.ends_when,
            intent=reading.intent,
            certainty="hedged" if reading.hedged or not referent.sure else "stated",
            explicit=reading.explicit,
            once=reading.once,
            verbatim=True,
            asks_first=reading.asks_first or _unsure_of_what(reading, referent),
            event_ids=cited,
        )

    def _cited(self, referent: Referent, event: Event) -> tuple[str, ...]:
        """The event, and the one that says what its pronoun means.

        Another speaker's event would lower the authority; it is cited only where it alone names the entity.
        """
        antecedent = self._events.get(referent.event_id or "")
        if antecedent is None or antecedent.event_id == event.event_id:
            return (event.event_id,)
        if antecedent.actor.id != event.actor.id and self._known.knows(referent.entity or ""):
            return (event.event_id,)
        return (antecedent.event_id, event.event_id)

    def _named(self, reading: Reading, referent: Referent, cited: Sequence[str]) -> str:
        """The statement with the entity's name for a pronoun, if the cited words have the name."""
        name = referent.entity
        if (
            reading.of_known
            or name is None
            or not referent.sure
            or name.casefold() in reading.value.casefold()
        ):
            return reading.value
        texts = (str(self._events[event_id].data.get("text", "")) for event_id in cited)
        found = next(filter(None, (re.search(re.escape(name), text, re.IGNORECASE) for text in texts)), None)
        if found is None:
            return reading.value
        spoken = found.group()
        if _PRONOUN.search(reading.value):
            return _PRONOUN.sub(lambda _: spoken, reading.value, count=1)
        return _GENERAL.sub(lambda match: f"{match.group()} ({spoken})", reading.value, count=1)


def _unsure_of_what(reading: Reading, referent: Referent) -> bool:
    """Whether a plain rule could be about several things."""
    return reading.rules_out and not (referent.sure or reading.hedged)
