"""Search for records by text: what the store finds, as far as the ledger stands behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from langgraph.store.base import SearchItem, SearchOp
from pydantic import Field

from langgraph_memory.log.ledger import Ledger
from langgraph_memory.records import Episode, FactStatus, ProcedureStatus, Record
from langgraph_memory.repository import passages as passages_in
from langgraph_memory.repository.bodies import (
    Kind,
    Stored,
    id_of,
    is_recalled,
    key_of,
    matches,
    namespace_of,
    scope_of,
)
from langgraph_memory.repository.contents import Contents
from langgraph_memory.scope import Scope
from langgraph_memory.store.tokens import tokenize

_RECALLED: Mapping[Kind, dict[str, Any]] = {
    "fact": {"status": FactStatus.CURRENT.value},
    "procedure": {"status": ProcedureStatus.CURRENT.value},
}


class Found(Record):
    """A record that a search found, with the store's score in [0, 1]; of an episode also its passages'."""

    record: Stored
    score: float
    passages: dict[int, float] = Field(default_factory=dict)


class Search:
    """Finds records in the contents of a store."""

    def __init__(self, contents: Contents, ledger: Ledger) -> None:
        self._contents = contents
        self._ledger = ledger

    def of(
        self, query: str, scopes: Sequence[Scope], kinds: Iterable[Kind], *, limit: int, passages: int
    ) -> list[Found]:
        """Records that fit a text, best first, of exactly these scopes; only those that may be recalled.

        Args:
            query: the text.
            scopes: where to look.
            kinds: of which kinds.
            limit: at most this many a scope and kind.
            passages: at most this many passages of episodes a scope.
        """
        populated = self._ledger.populated(scopes)
        places = [(scope, kind) for kind in kinds for scope in scopes if (scope.key, kind) in populated]
        if not places:
            return []
        answers = self._contents.batch(
            [self._search(s, k, query, passages if k == "episode" else limit) for s, k in places]
        )
        hits: dict[bool, list[tuple[SearchItem, float]]] = {True: [], False: []}
        for (_, kind), answer in zip(places, answers, strict=True):
            hits[kind == "episode"] += _scored(query, answer)
        found = [*self._found(hits[False]), *self._found_episodes(hits[True])]
        return sorted(found, key=lambda hit: -hit.score)

    def _found(self, hits: Sequence[tuple[SearchItem, float]]) -> Iterable[Found]:
        """Facts and procedures by their bodies; a body that nobody committed is no record."""
        entries = self._ledger.entries([id_of(item.key) for item, _ in hits])
        for item, score in hits:
            entry = entries.get(id_of(item.key))
            counts = entry is not None and key_of(entry.record_id, entry.digest) == item.key
            if entry is not None and counts and matches(item, entry):
                record = self._contents.parsed(item, entry)
                if is_recalled(record):
                    yield Found(record=record, score=score)
            elif entry is None or counts:
                self._contents.distrust(id_of(item.key), scope_of(item), "nobody committed the store's body")

    def _found_episodes(self, hits: Sequence[tuple[SearchItem, float]]) -> Iterable[Found]:
        """Episodes by their passages; a passage that its episode doesn't have counts as absent."""
        passages: dict[str, list[tuple[SearchItem, int, float]]] = {}
        for item, score in hits:
            body, position = passages_in.body_of(item.key)
            passages.setdefault(body, []).append((item, position, score))
        entries = self._ledger.entries([id_of(body) for body in passages])
        current = {e.record_id: key_of(e.record_id, e.digest) for e in entries.values()}
        wanted = [e for e in entries.values() if current[e.record_id] in passages]
        loaded: list[Episode] = self._contents.load(wanted)
        episodes = {current[episode.episode_id]: episode for episode in loaded}
        for body, found in passages.items():
            episode = episodes.get(body)
            own = {at: score for item, at, score in found if episode and passages_in.fits(item, at, episode)}
            if episode is not None and own:
                yield Found(record=episode, score=max(own.values()), passages=own)
            if len(own) < len(found) and (episode is not None or id_of(body) not in entries):
                reason = "nobody committed the store's passage"
                self._contents.distrust(id_of(body), scope_of(found[0][0]), reason)

    def _search(self, scope: Scope, kind: Kind, query: str, limit: int) -> SearchOp:
        """The search for one kind in one scope.

        Our own store ranks what is indexed, and only what may be recalled is; others are told by a filter.
        """
        status = None if self._contents.is_ours else _RECALLED.get(kind)
        place = passages_in.place_of(scope) if kind == "episode" else namespace_of(scope, kind)
        return SearchOp(place, status, limit, 0, query or None)


def _scored(query: str, items: list[SearchItem]) -> list[tuple[SearchItem, float]]:
    """Items with the store's scores; where it gives none, with the share of the query's words they hold."""
    if any(item.score is not None for item in items):
        return [(item, float(item.score)) for item in items if item.score is not None]
    words = set(tokenize(query))
    if not words:
        return [(item, 0.0) for item in items]
    shares = [(item, len(words & set(tokenize(str(item.value.get("text"))))) / len(words)) for item in items]
    return [(item, share) for item, share in shares if share]
