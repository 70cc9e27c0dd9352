"""The guard: which constraints touch a tool call, and whether they cover what it does."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import islice
from typing import Any, Literal

from langgraph_memory.actions import ActionClass, action_classes, is_reading, verbs_in
from langgraph_memory.entities.keys import key_words
from langgraph_memory.entities.numbered import called, forms_of
from langgraph_memory.names import NameIndex, normalise
from langgraph_memory.policy import Policy
from langgraph_memory.records import Event, Fact, FactKind, Record, is_asked_first
from langgraph_memory.repository import Repository
from langgraph_memory.retrieval.masses import flagged, means_everything
from langgraph_memory.retrieval.mentions import MAX_PARTS, UnjudgedError, texts_of
from langgraph_memory.retrieval.render import describe, escaped
from langgraph_memory.scope import Principal, Scope

FREE_TEXT = frozenset(
    {"command", "cmd", "code", "sql", "script", "query", "q", "shell", "statement", "program", "expression"}
)
"""Words in the names of arguments in which a tool takes text that can do anything."""

_ACTS = frozenset({"action", "method", "operation", "op", "verb"})
_STATES = frozenset({"state", "status", "power", "desired", "mode"})
_NUMBERS = frozenset(
    {
        "replica",
        "count",
        "size",
        "capacity",
        "desired",
        "instance",
        "node",
        "number",
        "scale",
        "minimum",
        "maximum",
    }
)
_NONE = frozenset({"0", "0.0", "none", "zero"})
_SIZING = frozenset({ActionClass.SCALE, ActionClass.RESIZE, ActionClass.MODIFY})
_LONGEST_VERB = 40
_SAID_OTHERWISE = {
    "off": frozenset({ActionClass.STOP.value}),
    "post": frozenset({ActionClass.MODIFY.value}),
    "put": frozenset({ActionClass.MODIFY.value}),
    "patch": frozenset({ActionClass.MODIFY.value}),
    "get": frozenset[str](),
}


class Waiting(Record):
    """A constraint that someone with authority has said but no consolidation has read yet."""

    event: Event
    entity: str
    attribute: str = "*"
    forbids: tuple[str, ...]


class Verdict(Record):
    """What the guard decides, on what.

    `without` is, by the id of each constraint that was looked at, what it would decide if that were not held.
    """

    outcome: Literal["allow", "block", "defer"]
    facts: tuple[Fact, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    unreadable: tuple[str, ...] = ()
    reason: str = ""
    without: tuple[tuple[str, str], ...] = ()

    @property
    def grounds(self) -> tuple[str, ...]:
        """The ids of all facts and events that decide."""
        events = (waiting.event.event_id for waiting in self.waiting)
        return tuple(dict.fromkeys([*(fact.fact_id for fact in self.facts), *events]))


class Deed(Record):
    """What a tool call does, as far as can be told: classes, reading, and whether it could be anything."""

    classes: frozenset[str]
    reads: bool
    open_ended: bool


def deed(action: str, args: Mapping[str, Any], policy: Policy) -> Deed:
    """What a call does, from the tool's declaration or else from its name and the names of its arguments.

    >>> deed("terminate_instance", {"id": "i-1"}, Policy()).reads, deed("list_instances", {}, Policy()).reads
    (False, True)
    """
    declared = policy.tools.get(action)
    if declared is not None and declared.tells_what_it_does:
        classes = declared.actions or frozenset(action_classes(action))
        return Deed(classes=classes, reads=declared.read_only, open_ended=False)
    keys = [(key_words(name), value) for name, value in islice(_entries(args), MAX_PARTS)]
    free = any(not FREE_TEXT.isdisjoint(words) for words, _ in keys)
    reads = is_reading(action) and not free
    telling = _ACTS if reads else _ACTS | _STATES
    told = {each for words, value in keys if not telling.isdisjoint(words) for each in _told(value)}
    classes = frozenset(action_classes(action)) | told
    if not reads:
        classes |= frozenset().union(*(flagged(words, value) for words, value in keys))
    if not classes.isdisjoint(_SIZING) and any(_is_none_left(words, value) for words, value in keys):
        classes |= {ActionClass.STOP.value}
    return Deed(classes=classes, reads=reads and not told, open_ended=free or not classes)


def _told(value: Any) -> frozenset[str]:
    """The action classes that the value of an argument names: a verb, a state to bring about, a method."""
    if not isinstance(value, str) or len(value) > _LONGEST_VERB:
        return frozenset()
    word = normalise(value)
    return _SAID_OTHERWISE.get(word) or frozenset(action_classes(word)) | frozenset(verbs_in(word))


def _is_none_left(words: tuple[str, ...], value: Any) -> bool:
    """Whether an argument brings the number of what runs to zero."""
    return not _NUMBERS.isdisjoint(words) and not isinstance(value, bool) and str(value).strip() in _NONE


def covers(forbids: Iterable[str], classes: frozenset[str]) -> bool:
    """Whether what a constraint rules out covers one of the classes of an action."""
    ruled_out = frozenset(forbids)
    return ActionClass.ANY in ruled_out or bool(ruled_out & classes)


def decide(
    deed: Deed,
    touched: Sequence[Fact],
    waiting: Sequence[Waiting],
    *,
    unread: frozenset[str] = frozenset(),
    unreadable: Sequence[str] = (),
) -> Verdict:
    """Allow, block or defer a call that does `deed` and touches these constraints.

    Args:
        deed: what the call does.
        touched: constraints on what it touches: current ones, and what waits for an answer.
        waiting: constraints on what it touches that nobody has consolidated yet.
        unread: ids of constraints that the agent has not seen.
        unreadable: entities it touches with a current fact whose body is gone or was changed.
    """
    if deed.reads:
        return Verdict(outcome="allow", reason="it only reads")
    asking = [fact for fact in touched if is_asked_first(fact)]
    touched = [fact for fact in touched if not is_asked_first(fact)]
    seen = tuple(fact for fact in touched if fact.fact_id not in unread)
    unseen = tuple(fact for fact in touched if fact.fact_id in unread)
    ruled_out = tuple(fact for fact in touched if covers(fact.forbids, deed.classes))
    asked = tuple(fact for fact in asking if deed.open_ended or covers(fact.forbids, deed.classes))
    pending = tuple(w for w in waiting if deed.open_ended or covers(w.forbids, deed.classes))
    if ruled_out and deed.classes:
        return Verdict(outcome="block", facts=ruled_out, reason="a constraint rules it out")
    if deed.open_ended and seen:
        return Verdict(outcome="defer", facts=seen, reason="it could do what a constraint rules out")
    if unseen:
        return Verdict(outcome="defer", facts=unseen, reason="a constraint on it did not fit the prompt")
    if unreadable or pending or asked:
        return _held(pending, unreadable, asked)
    return Verdict(outcome="allow", reason="no constraint covers it")


def _held(pending: tuple[Waiting, ...], unreadable: Sequence[str], asked: tuple[Fact, ...]) -> Verdict:
    reason = "someone said something about it that may rule this out"
    if pending:
        reason = "someone just laid down a constraint on it"
    if unreadable:
        reason = f"a current fact about {', '.join(unreadable)} can't be read"
    return Verdict(outcome="defer", facts=asked, waiting=pending, unreadable=tuple(unreadable), reason=reason)


class Constraints:
    """The current constraints under one tenant, indexed by the names of their entities."""

    def __init__(
        self, facts: Sequence[Fact], names: Sequence[tuple[str, str]], unreadable: Iterable[str] = ()
    ) -> None:
        self.names = names
        self._by_entity: dict[str, list[Fact]] = {}
        for fact in facts:
            self._by_entity.setdefault(fact.entity, []).append(fact)
        self._index = NameIndex(_pairs(self._by_entity, names))
        self._unreadable = NameIndex(_pairs(frozenset(unreadable), names))

    def of_scopes(self, scope: Scope) -> list[Fact]:
        """The constraints on the scope as a whole, and on those that cover it."""
        found = (self._by_entity.get(ancestor.entity, ()) for ancestor in scope.ancestors())
        return [fact for facts in found for fact in facts]

    def unreadable(self, texts: Sequence[str]) -> list[str]:
        """The entities named in the texts of which a current fact can't be read."""
        return sorted(self._unreadable.find(texts))

    def touched(self, texts: Sequence[str]) -> list[Fact]:
        """The constraints on entities that the texts name."""
        return [fact for entity in sorted(self._index.find(texts)) for fact in self._by_entity[entity]]


class Guard:
    """Reads constraints for `decide`: of every scope under the run's top level, whoever may read them."""

    def __init__(self, repository: Repository, waiting: Callable[[Scope], Sequence[Waiting]]) -> None:
        self._repository = repository
        self._waiting = waiting
        self._cached: dict[str, tuple[int, Constraints]] = {}
        self._lock = threading.Lock()

    def judge(
        self, action: str, args: Mapping[str, Any], scope: Scope, unread: frozenset[str] = frozenset()
    ) -> Verdict:
        """The verdict on a call in a scope; see `decide`."""
        done = deed(action, args, self._repository.policy)
        if done.reads:
            return decide(done, (), ())
        try:
            texts = texts_of(args)
        except UnjudgedError as unjudged:
            return Verdict(outcome="defer", reason=str(unjudged))
        if means_everything(action, islice(_entries(args), MAX_PARTS)):
            texts = [*texts, "*"]
        texts = [*texts, *_numbered(action, args)]
        constraints = self._constraints(scope.top)
        touched = [*constraints.touched(texts), *constraints.of_scopes(scope)]
        waiting = [w for w in self._waiting(scope.top) if _concerns(w, texts, scope, constraints.names)]
        unreadable = constraints.unreadable(texts)

        def decided(touched: Sequence[Fact], waiting: Sequence[Waiting]) -> Verdict:
            return decide(done, touched, waiting, unread=unread, unreadable=unreadable)

        verdict = decided(touched, waiting)
        if not touched and not waiting:
            return verdict
        return verdict.model_copy(update={"without": _without(decided, touched, waiting)})

    def _constraints(self, top: Scope) -> Constraints:
        revision = self._repository.ledger.counters.revision()
        with self._lock:
            cached = self._cached.get(top.key)
        if cached is not None and cached[0] == revision:
            return cached[1]
        facts, unreadable = self._repository.current_facts_below(top)
        facts += self._repository.asked_first_below(top)
        ruling = [fact for fact in facts if fact.kind is FactKind.CONSTRAINT and fact.forbids]
        constraints = Constraints(ruling, self._repository.names([top], below=True), unreadable)
        with self._lock:
            self._cached[top.key] = (revision, constraints)
        return constraints


def _without(
    decided: Callable[[Sequence[Fact], Sequence[Waiting]], Verdict],
    touched: Sequence[Fact],
    waiting: Sequence[Waiting],
) -> tuple[tuple[str, str], ...]:
    """What would be decided without each of the constraints, by its id."""
    facts = {fact.fact_id: [f for f in touched if f.fact_id != fact.fact_id] for fact in touched}
    said = {w.event.event_id: [o for o in waiting if o.event.event_id != w.event.event_id] for w in waiting}
    by_fact = [(each, decided(rest, waiting).outcome) for each, rest in facts.items()]
    return (*by_fact, *((each, decided(touched, rest).outcome) for each, rest in said.items()))


def message(action: str, verdict: Verdict, principal: Principal) -> str:
    """What the agent is told: the deciding facts with source and date, redacted where it may not read."""
    if verdict.outcome == "allow":
        return ""
    told = "is blocked by" if verdict.outcome == "block" else "is held for a person because of"
    grounds = [describe(f) if principal.may_read(f.scope) else _redacted(f) for f in verdict.facts]
    grounds += [_said(w, principal) for w in verdict.waiting]
    return (
        f"{escaped(action, 120)} {told} {'; '.join(grounds)}."
        if grounds
        else f"{escaped(action, 120)}: {verdict.reason}."
    )


def _concerns(waiting: Waiting, texts: Sequence[str], scope: Scope, names: Sequence[tuple[str, str]]) -> bool:
    """Whether a waiting constraint is about something in the arguments, or about the scope as a whole."""
    if waiting.entity == waiting.event.scope.entity:
        return waiting.event.scope in scope.ancestors()
    return bool(NameIndex(_pairs([waiting.entity], names)).find(texts))


def _said(waiting: Waiting, principal: Principal) -> str:
    event = waiting.event
    if not principal.may_read(event.scope):
        return f"a statement of {event.occurred_at:%Y-%m-%d} that you may not read"
    text = event.data.get("text")
    said = escaped(text if isinstance(text, str) else "")
    by, source = escaped(event.actor.id, 80), escaped(event.source, 120)
    return f'"{said}", said {event.occurred_at:%Y-%m-%d} by {by}, source {source}'


def _redacted(fact: Fact) -> str:
    return f"a constraint of {fact.asserted_at:%Y-%m-%d} that you may not read (id {fact.fact_id})"


def _pairs(entities: Iterable[str], names: Sequence[tuple[str, str]]) -> list[tuple[str, str]]:
    """Every name by which a constrained entity may turn up, with the entity the constraint is kept under.

    `type:id` and `id` are one entity; a constraint kept under a display name also covers the ids it names.
    """
    by_id: dict[str, set[str]] = {}
    by_name: dict[str, set[str]] = {}
    for name, entity in names:
        by_id.setdefault(_bare(entity), set()).update((name, entity))
        by_name.setdefault(normalise(name), set()).add(_bare(entity))
    pairs = []
    for kept in entities:
        ids = {_bare(kept)} | by_name.get(normalise(kept), set())
        forms = {kept} | ids | {form for entity_id in ids for form in by_id.get(entity_id, ())}
        numbered = {written for form in forms for written in forms_of(form)}
        pairs += [(form, kept) for form in sorted(forms | numbered)]
    return pairs


def _bare(entity: str) -> str:
    return normalise(entity.rpartition(":")[2])


def _numbered(action: str, args: Any) -> list[str]:
    """What numbers in the arguments are called: `order_id=4411` is also "order 4411"."""
    tool = key_words(action)
    return [
        text
        for name, value in islice(_entries(args), MAX_PARTS)
        for each in (value if isinstance(value, list | tuple) else [value])
        for text in called(each, key_words(name), tool)
    ]


def _entries(args: Any) -> Iterable[tuple[str, Any]]:
    """Names and values in arguments, at any depth."""
    if isinstance(args, Mapping):
        for name, value in args.items():
            yield str(name), value
            yield from _entries(value)
    elif isinstance(args, list | tuple):
        for value in args:
            yield from _entries(value)
