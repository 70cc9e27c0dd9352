"""The arms of a recall: by entity, by text, by rule, and what was said but not consolidated yet."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from langgraph_memory.answers import MemoryKind
from langgraph_memory.errors import MemoryRuntimeError
from langgraph_memory.log import EventLog
from langgraph_memory.log.event_ids import compaction_activity
from langgraph_memory.log.ledger import Entry
from langgraph_memory.name_index import NameIndex
from langgraph_memory.names import normalise
from langgraph_memory.playbooks.versions import BEHAVIOUR
from langgraph_memory.recent import Recent
from langgraph_memory.records import Episode, Event, FactStatus, ProcedureStatus
from langgraph_memory.repository import Repository
from langgraph_memory.repository.bodies import Kind, procedure_entity
from langgraph_memory.repository.search import Found
from langgraph_memory.retrieval.dialogue import spread
from langgraph_memory.retrieval.quotes import quotes
from langgraph_memory.retrieval.rank import Hit
from langgraph_memory.scope import Scope
from langgraph_memory.store.tokens import known_tokens, tokenize

_STORED: tuple[Kind, ...] = ("fact", "episode", "procedure")
_FEWEST_BY_TEXT = 10
_TOKENS_OF_ONE = 80
_PASSAGES = 100
_FEWEST_EPISODES = 20
_TOKENS_OF_A_LINE = 20
"""Episodes beyond the lines that the budget has room for are not looked at."""
_WAITING = 5
_WAITING_FLOOR = 0.3
_ENTITY_RELEVANCE = 0.8
_HALF_A_TEXT = 8_000
_KEPT = 64


@dataclass(frozen=True)
class Asked:
    """What a recall asks for.

    Attributes:
        query: what the agent works on.
        scopes: those that may be read.
        kinds: of memories.
        active: the entities at hand, by all their names.
        entries: what the ledger has about them.
        thread_id: the thread that asks.
        heard: what people said that no consolidation has read.
        budget: of the recall, in tokens: the more room there is, the more is looked for by text.
    """

    query: str
    scopes: Sequence[Scope]
    kinds: Sequence[MemoryKind]
    active: frozenset[str]
    entries: Sequence[Entry]
    thread_id: str | None
    heard: Sequence[Event]
    budget: int = 0


class Arms:
    """Brings hits from the repository and the log.

    Args:
        repository: where records are.
        log: where the events of a thread are.
    """

    def __init__(self, repository: Repository, log: EventLog) -> None:
        self._repository, self._log = repository, log
        self._by_text: Recent[str, tuple[Sequence[Found], list[Hit]]] = Recent(_KEPT)

    def reach(self, asked: Asked) -> tuple[list[Hit], tuple[str, ...]]:
        """The hits of all arms; one that fails is named and the others go on."""
        arms: list[Callable[[Asked], list[Hit]]] = [self.by_entity, self.by_text, self.rules, self.waiting]
        hits: list[Hit] = []
        degraded: list[str] = []
        for arm in arms:
            try:
                hits += arm(asked)
            except (MemoryRuntimeError, OSError) as error:
                degraded.append(failure(error))
        return hits, tuple(degraded)

    def by_entity(self, asked: Asked) -> list[Hit]:
        """Current facts on the active entities, and the latest episodes about them."""
        wanted = [e for e in asked.entries if e.kind == "fact" and e.status == FactStatus.CURRENT]
        wanted += [e for e in asked.entries if e.kind == "episode"]
        words = set(tokenize(asked.query))
        names = NameIndex((name, name) for name in asked.active)
        return [
            Hit(
                kind=_kind_of(record),
                record=record,
                relevance=_ENTITY_RELEVANCE,
                reason="entity",
                passages=quotes(record, words, names, _ENTITY_RELEVANCE)
                if isinstance(record, Episode)
                else {},
            )
            for record in self._repository.load([entry for entry in wanted if entry.kind in asked.kinds])
        ]

    def by_text(self, asked: Asked) -> list[Hit]:
        """What fits the words and the meaning of the query; passages of talk by what stands beside them."""
        stored = [kind for kind in _STORED if kind in asked.kinds]
        if not asked.query.strip() or not stored:
            return []
        most = max(_FEWEST_BY_TEXT, asked.budget // _TOKENS_OF_ONE)
        found = self._repository.search(
            asked.query,
            asked.scopes,
            stored,
            limit=most,
            passages=_PASSAGES,
            episodes=max(_FEWEST_EPISODES, asked.budget // _TOKENS_OF_A_LINE),
        )
        known = self._by_text.get(asked.query)
        if known is None or known[0] is not found:  # at the next step of a run the same is found
            known = self._by_text.put(asked.query, (found, _hits(found, asked.query)))
        return known[1]

    def rules(self, asked: Asked) -> list[Hit]:
        """The behaviour rules that hold in these scopes: they belong in every prompt."""
        if "procedure" not in asked.kinds:
            return []
        entity = procedure_entity(BEHAVIOUR)
        found = self._repository.find(
            "procedure", asked.scopes, entities=[entity], status=[ProcedureStatus.CURRENT.value]
        )
        return [Hit(kind="procedure", record=rules, relevance=1.0, reason="rules") for rules in found]

    def waiting(self, asked: Asked) -> list[Hit]:
        """What people said that no consolidation has read; what the prompt holds anyway is left out."""
        if "event" not in asked.kinds:
            return []
        words, thread_id = set(tokenize(asked.query)), asked.thread_id
        named = NameIndex((name, name) for name in asked.active)
        fitting: list[tuple[float, str, Event]] = []
        own = thread_id is not None and any(event.thread_id == thread_id for event in asked.heard)
        dropped = self._dropped(asked.scopes, thread_id) if own and thread_id is not None else frozenset()
        for event in asked.heard:
            here = thread_id is not None and event.thread_id == thread_id and event.event_id not in dropped
            if not here and str(event.data.get("text", "")).strip() != asked.query.strip():
                relevance, reason = _relevance(event, words, named)
                if relevance >= _WAITING_FLOOR:
                    fitting.append((relevance, reason, event))
        best = sorted(fitting, key=lambda each: -each[0])[:_WAITING]
        return [Hit(kind="event", record=event, relevance=share, reason=why) for share, why, event in best]

    def _dropped(self, scopes: Sequence[Scope], thread_id: str) -> frozenset[str]:
        """The ids of events whose messages a compaction took out of the thread."""
        activity = compaction_activity(thread_id)
        records = [event for scope in scopes for event in self._log.of_activity(scope, activity)]
        ids = (dropped for record in records for dropped in _ids(record.data.get("dropped")))
        return frozenset(ids)


def failure(error: Exception) -> str:
    """How a part that failed is told in a recall."""
    return f"{type(error).__name__}: {error}"


def bounded(text: str) -> str:
    """The beginning and the end of a long text: all of a pasted log costs seconds and finds no more."""
    if len(text) <= 2 * _HALF_A_TEXT:
        return text
    return f"{text[:_HALF_A_TEXT]} {text[-_HALF_A_TEXT:]}"


def _ids(value: object) -> list[str]:
    return [each for each in value if isinstance(each, str)] if isinstance(value, list) else []


def _hits(found: Sequence[Found], query: str) -> list[Hit]:
    """Hits of what a search found; passages with the relevance that they have in their conversation."""
    told = [(each.record, each.passages) for each in found if isinstance(each.record, Episode)]
    passages = iter(spread(told, set(normalise(query).split())))
    return [
        _of_passages(each.record, next(passages))
        if isinstance(each.record, Episode)
        else Hit(kind=_kind_of(each.record), record=each.record, relevance=each.score, reason="text")
        for each in found
    ]


def _of_passages(episode: Episode, passages: dict[int, float]) -> Hit:
    best = max(passages.values())
    return Hit(kind="episode", record=episode, relevance=best, reason="text", passages=passages)


def _kind_of(record: object) -> MemoryKind:
    kinds: dict[str, MemoryKind] = {"Fact": "fact", "Episode": "episode", "Procedure": "procedure"}
    return kinds[type(record).__name__]


def _relevance(event: Event, words: set[str], named: NameIndex) -> tuple[float, str]:
    said = bounded(event.text)
    if named.find_text(said):
        return 1.0, "waiting on entity"
    shared = words.intersection(known_tokens(said))
    return (len(shared) / len(words) if words else 0.0), "waiting"
