"""Search for records by text: what the store finds, as far as the ledger stands behind it."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from itertools import islice
from types import MappingProxyType
from typing import Any, NamedTuple

from langgraph.store.base import SearchItem, SearchOp

from langgraph_memory.log.editions import Edition
from langgraph_memory.log.ledger import Ledger
from langgraph_memory.recent import Recent
from langgraph_memory.records import Episode, FactStatus, ProcedureStatus
from langgraph_memory.repository import passages as passages_in
from langgraph_memory.repository.bodies import (
    Kind,
    Stored,
    id_of,
    is_recalled,
    key_of,
    namespace_of,
    scope_of,
)
from langgraph_memory.repository.contents import Contents
from langgraph_memory.scope import Scope
from langgraph_memory.store import Ranked, RankOp
from langgraph_memory.store.tokens import tokenize

_WHOLE = -1
_KEPT = 64
_RECALLED: Mapping[Kind, dict[str, Any]] = {
    "fact": {"status": FactStatus.CURRENT.value},
    "procedure": {"status": ProcedureStatus.CURRENT.value},
}


class Found(NamedTuple):
    """A record that a search found, with the store's score in [0, 1]; of an episode also its passages'."""

    record: Stored
    score: float
    passages: Mapping[int, float] = MappingProxyType({})


class _Hit(NamedTuple):
    """A body of a record, or a passage of an episode, that the store found.

    Attributes:
        body: the key of the body.
        position: of the passage; `_WHOLE` for a body.
        namespace: where it stands.
        score: the store's, in [0, 1].
        text: as a store of someone else's gave it; None of our own.
    """

    body: str
    position: int
    namespace: tuple[str, ...]
    score: float
    text: str | None


class Search:
    """Finds records in the contents of a store.

    An agent asks the same at each step of its run: of a store of our own an answer is kept until a record is
    written or taken away, by whatever process.
    """

    def __init__(self, contents: Contents, ledger: Ledger) -> None:
        self._contents = contents
        self._ledger = ledger
        self._kept: Recent[tuple[object, ...], tuple[Edition, list[Found]]] = Recent(_KEPT)

    def of(
        self,
        query: str,
        scopes: Sequence[Scope],
        kinds: Sequence[Kind],
        *,
        limit: int,
        passages: int,
        episodes: int,
    ) -> Sequence[Found]:
        """Records that fit a text, best first, of exactly these scopes; only those that may be recalled.

        Args:
            query: the text.
            scopes: where to look.
            kinds: of which kinds.
            limit: at most this many facts and procedures a scope.
            passages: at most this many passages of episodes a scope.
            episodes: of at most this many episodes a scope, those with the best passages.
        """
        asked = (query, tuple(scope.key for scope in scopes), tuple(kinds), limit, passages, episodes)
        now = self._ledger.editions.now()
        kept = self._kept.get(asked)
        if kept is not None and kept[0] == now:
            return kept[1]
        populated = self._ledger.populated(scopes)
        places = [(scope, kind) for kind in kinds for scope in scopes if (scope.key, kind) in populated]
        if not places:
            return []
        answers = self._contents.batch(
            [self._search(s, k, query, passages if k == "episode" else limit) for s, k in places]
        )
        hits: dict[str, list[_Hit]] = {}
        for (_, kind), answer in zip(places, answers, strict=True):
            in_passages = kind == "episode"
            by_body: dict[str, list[_Hit]] = {}
            for hit in _hits(query, answer, in_passages=in_passages):
                by_body.setdefault(hit.body, []).append(hit)
            hits |= dict(islice(by_body.items(), episodes)) if in_passages else by_body
        found = sorted(self._found(hits), key=lambda found: -found.score)
        if self._contents.is_ours and _is_whole(found, hits):
            self._kept.put(asked, (now, found))
        return found

    def _found(self, hits: Mapping[str, Sequence[_Hit]]) -> Iterable[Found]:
        """The records of bodies and passages that were hit; what nobody committed is no record."""
        entries = self._ledger.entries(list(dict.fromkeys(id_of(body) for body in hits)))
        counted = {key_of(entry.record_id, entry.digest): entry for entry in entries.values()}
        wanted = [(body, counted[body]) for body in hits if body in counted]
        records = self._contents.load_each([entry for _, entry in wanted])
        loaded = {body: record for (body, _), record in zip(wanted, records, strict=True)}
        for body, own in hits.items():
            record = loaded.get(body)
            if isinstance(record, Episode):
                yield from self._found_episode(record, own)
            elif record is not None:
                if is_recalled(record):
                    yield Found(record=record, score=own[0].score)
            elif id_of(body) not in entries:
                self._distrust(own[0])

    def _found_episode(self, episode: Episode, hits: Sequence[_Hit]) -> Iterable[Found]:
        """An episode by its passages; a passage that it doesn't have counts as absent."""
        passages = {hit.position: hit.score for hit in hits if _fits(hit, episode)}
        if passages:
            yield Found(record=episode, score=max(passages.values()), passages=passages)
        if len(passages) < len(hits):
            self._distrust(hits[0])

    def _distrust(self, hit: _Hit) -> None:
        reason = f"nobody committed the store's {'body' if hit.position == _WHOLE else 'passage'}"
        self._contents.distrust(id_of(hit.body), scope_of(hit.namespace), reason)

    def _search(self, scope: Scope, kind: Kind, query: str, limit: int) -> SearchOp:
        """The search for one kind in one scope.

        Our own store ranks what is indexed, only what may be recalled is, and bodies that were read once are
        not read again; others are told by a filter, and give the text that they found.
        """
        place = passages_in.place_of(scope) if kind == "episode" else namespace_of(scope, kind)
        if self._contents.is_ours:
            return RankOp(place, None, limit, 0, query or None)
        return SearchOp(place, _RECALLED.get(kind), limit, 0, query or None)


def _hits(query: str, answer: Sequence[Ranked | SearchItem], *, in_passages: bool) -> Iterable[_Hit]:
    """The hits of one search."""
    scores = _scores(query, answer)
    for found, score in zip(answer, scores, strict=True):
        if score is not None:
            body, position = passages_in.body_of(found.key) if in_passages else (found.key, _WHOLE)
            text = found.value.get("text") if isinstance(found, SearchItem) else None
            yield _Hit(body, position, tuple(found.namespace), score, text)


def _scores(query: str, answer: Sequence[Ranked | SearchItem]) -> list[float | None]:
    """The store's scores; where it gives none, the share of the query's words that a text holds."""
    scores = [found.score for found in answer]
    if any(score is not None for score in scores):
        return scores
    words = set(tokenize(query))
    if not words:
        return [0.0] * len(answer)
    texts = [str(found.value.get("text")) if isinstance(found, SearchItem) else "" for found in answer]
    return [len(words & set(tokenize(text))) / len(words) or None for text in texts]


def _is_whole(found: Iterable[Found], hits: Mapping[str, Sequence[_Hit]]) -> bool:
    """Whether all that was hit counts: what is missing may be there again without a commit."""
    return sum(len(each.passages) or 1 for each in found) == sum(map(len, hits.values()))


def _fits(hit: _Hit, episode: Episode) -> bool:
    """Whether an episode has the passage that was hit, with the text that a store of someone else's gave."""
    if hit.text is None:
        return passages_in.has(episode, hit.position)
    return passages_in.text_at(episode, hit.position) == hit.text
