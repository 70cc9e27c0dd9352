"""Names of entities, learnt from events in the transaction that writes the event."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from sqlalchemy import Connection

from langgraph_memory.entities import discover_event
from langgraph_memory.log.ledger import Ledger
from langgraph_memory.names import bare, normalise
from langgraph_memory.publishing.drafts import display_names
from langgraph_memory.records import ActorKind, Event

_SEEN = 200_000

Triple = tuple[str, str, str]


def pairs_in(event: Event) -> list[tuple[str, str]]:
    """Pairs of normalised name and entity that an event brings, as far as its stored form tells."""
    found = [*discover_event(event).names, *display_names(event.entities, event.data)]
    return _normalised(found, event)


def _normalised(found: Iterable[tuple[str, str]], event: Event) -> list[tuple[str, str]]:
    pairs = [(normalise(name), entity) for name, entity in found]
    pairs += [(normalise(bare(e)), e) for e in event.entities if ":" in e]
    return [(n, e) for n, e in dict.fromkeys(pairs) if n]


class LearntNames:
    """Adds the names that an event brings to its scope, so that they protect as soon as it is written.

    Names that were added before are not written again, unless names were forgotten since.
    """

    def __init__(self, ledger: Ledger) -> None:
        self._ledger = ledger
        self._seen: set[Triple] = set()
        self._seen_in: tuple[int, int] | None = None

    def of(
        self, found: Iterable[tuple[str, str]], secrets: Iterable[str] = ()
    ) -> Callable[[Connection, Event], None]:
        """What `EventLog.append` is to do along with an event in which these names were found.

        Secrets of these kinds were taken out of it, which the audit tells.
        """
        kinds = ", ".join(sorted(secrets))

        def learn(connection: Connection, event: Event) -> None:
            if kinds:
                self._note_redaction(connection, event, kinds)
            pairs = _normalised(found, event)
            if pairs:
                self._add(connection, event, pairs)

        return learn

    def _add(self, connection: Connection, event: Event, pairs: list[tuple[str, str]]) -> None:
        if event.actor.kind is ActorKind.USER:
            self._ledger.aliases.vouch(connection, event.scope, pairs, event.source)
        self._catch_up(connection)
        key = event.scope.key
        new = [(n, e) for n, e in pairs if (key, n, e) not in self._seen]
        if new:
            self._ledger.aliases.add(connection, event.scope, new, event.source)
            self._seen.update((key, n, e) for n, e in new)

    def _note_redaction(self, connection: Connection, event: Event, kinds: str) -> None:
        if any(entry.decision == "redacted" for entry in self._ledger.audit.of(event.event_id)):
            return  # the same event was published before
        self._ledger.audit.note(
            connection,
            "redacted",
            record_id=event.event_id,
            scope=event.scope.key,
            actor=event.actor.id,
            reason=kinds,
            at=event.occurred_at,
        )

    def _catch_up(self, connection: Connection) -> None:
        """Begin anew where what was seen may be gone: forgotten by anybody, or undone in this process."""
        now = (self._ledger.counters.forgets(connection), self._ledger.database.rollbacks)
        if now != self._seen_in or len(self._seen) > _SEEN:
            self._seen, self._seen_in = set(), now
