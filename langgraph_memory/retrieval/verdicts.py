"""The guard's decision as a function of values: allow, block or defer a deed that touches constraints."""

from __future__ import annotations

from typing import Literal, NamedTuple

from langgraph_memory.records import Event, Fact, Record, has_lapsed, is_asked_first
from langgraph_memory.retrieval.deeds import Deed, may_cover
from langgraph_memory.retrieval.render import describe, escaped
from langgraph_memory.scope import Principal, Scope

_MOST_TOLD = 12
"""A message names so many constraints; the decision holds all."""


class Waiting(Record):
    """A constraint that someone with authority has said but no consolidation has read yet."""

    event: Event
    entity: str
    attribute: str = "*"
    forbids: tuple[str, ...]

    @property
    def on_its_scope(self) -> bool:
        """Whether it is about the scope in which it was said, as a whole."""
        return self.entity == self.event.scope.entity


class Touched(NamedTuple):
    """What a call touches.

    Attributes:
        facts: constraints on what it names: current ones, and what waits for an answer.
        in_doubt: constraints on what it may mean without naming it, and what others hold for themselves.
        waiting: constraints on either that nobody has consolidated yet.
        unread: ids of constraints that the agent has not seen.
        unreadable: entities it names with a current fact whose body is gone or was changed.
    """

    facts: tuple[Fact, ...] = ()
    in_doubt: tuple[Fact, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    unread: frozenset[str] = frozenset()
    unreadable: tuple[str, ...] = ()

    def without(self, held: str) -> Touched:
        """The same but for one constraint, by the id of its fact or event."""
        return self._replace(
            facts=tuple(fact for fact in self.facts if fact.fact_id != held),
            in_doubt=tuple(fact for fact in self.in_doubt if fact.fact_id != held),
            waiting=tuple(each for each in self.waiting if each.event.event_id != held),
        )

    @property
    def held(self) -> tuple[str, ...]:
        """The ids of all constraints."""
        facts = (fact.fact_id for fact in (*self.facts, *self.in_doubt))
        return tuple(dict.fromkeys([*facts, *(each.event.event_id for each in self.waiting)]))


class Verdict(Record):
    """What the guard decides, on what.

    Attributes:
        outcome: what becomes of the call.
        facts: constraints that decide.
        waiting: constraints that decide and wait for consolidation.
        unreadable: entities with a fact that can't be read, which decide.
        reason: why, in general words.
        in_doubt: whether the facts are on what the call may mean, and not on what it names.
        without: by the id of each constraint that was looked at, what would be decided if it were not held.
    """

    outcome: Literal["allow", "block", "defer"]
    facts: tuple[Fact, ...] = ()
    waiting: tuple[Waiting, ...] = ()
    unreadable: tuple[str, ...] = ()
    reason: str = ""
    in_doubt: bool = False
    without: tuple[tuple[str, str], ...] = ()

    @property
    def grounds(self) -> tuple[str, ...]:
        """The ids of all facts and events that decide."""
        events = (waiting.event.event_id for waiting in self.waiting)
        return tuple(dict.fromkeys([*(fact.fact_id for fact in self.facts), *events]))


def decide(deed: Deed, touched: Touched) -> Verdict:
    """Allow, block or defer a call: a constraint blocks what it covers; in doubt, a person is asked."""
    if deed.reads:
        return Verdict(outcome="allow", reason="it only reads")
    current = [fact for fact in touched.facts if not is_asked_first(fact)]
    ruled_out = tuple(fact for fact in current if deed.does(fact.forbids))
    if ruled_out:
        return Verdict(outcome="block", facts=ruled_out, reason="a constraint rules it out")
    seen = tuple(fact for fact in current if fact.fact_id not in touched.unread)
    if deed.open_ended and seen:
        return Verdict(outcome="defer", facts=seen, reason="it could do what a constraint rules out")
    unseen = tuple(fact for fact in current if fact.fact_id in touched.unread)
    if unseen:
        return Verdict(outcome="defer", facts=unseen, reason="a constraint on it did not fit the prompt")
    return _asked(deed, touched) or Verdict(outcome="allow", reason="no constraint covers it")


def _asked(deed: Deed, touched: Touched) -> Verdict | None:
    """The verdict on what is in doubt: a rule that isn't settled, or a call that may mean its thing."""
    asking = tuple(fact for fact in touched.facts if is_asked_first(fact) and deed.may_mean(fact.forbids))
    pending = tuple(each for each in touched.waiting if deed.may_mean(each.forbids))
    if touched.unreadable:
        named = ", ".join(touched.unreadable)
        reason = f"a current fact about {named} can't be read"
    elif pending:
        reason = "someone just laid down a constraint on it"
    elif all(map(has_lapsed, asking)):
        reason = "nobody has confirmed in time that this still holds"
    else:
        reason = "someone said something about it that may rule this out"
    if touched.unreadable or pending or asking:
        return Verdict(
            outcome="defer", facts=asking, waiting=pending, unreadable=touched.unreadable, reason=reason
        )
    doubtful = tuple(fact for fact in touched.in_doubt if may_cover(fact.forbids, deed))
    if not doubtful:
        return None
    return Verdict(outcome="defer", facts=doubtful, reason="it may concern what is protected", in_doubt=True)


def message(action: str, verdict: Verdict, principal: Principal) -> str:
    """What the agent is told: the deciding facts with source and date, redacted where it may not read."""
    if verdict.outcome == "allow":
        return ""
    told = [describe(f) if principal.may_read(f.scope) else _redacted(f) for f in verdict.facts[:_MOST_TOLD]]
    told += [_said(waiting, principal) for waiting in verdict.waiting[:_MOST_TOLD]]
    more = len(verdict.facts) + len(verdict.waiting) - len(told)
    grounds = [*told, *([f"{more} more constraints"] if more else [])]
    if not grounds:
        return f"{escaped(action, 120)}: {verdict.reason}."
    becomes = "is blocked by" if verdict.outcome == "block" else "is held for a person because of"
    doubt = f" ({verdict.reason})" if verdict.in_doubt else ""
    return f"{escaped(action, 120)} {becomes} {'; '.join(grounds)}{doubt}."


def authority_over(verdict: Verdict, principal: Principal, scope: Scope) -> tuple[tuple[Scope, str], ...]:
    """Scope and attribute of each constraint that decides: who may set all of them may approve the call.

    What another user holds for themselves is decided by those who decide where the run acts: nobody is an
    authority over shared things in a scope of their own.
    """
    stand = [(fact.scope, fact.attribute) for fact in verdict.facts]
    stand += [(waiting.event.scope, waiting.attribute) for waiting in verdict.waiting]
    shared = next((each for each in scope.ancestors() if not each.personal), scope)
    told = [(shared if is_anothers(where, principal) else where, what) for where, what in stand]
    return tuple(dict.fromkeys(told))


def is_anothers(scope: Scope, principal: Principal) -> bool:
    """Whether a scope is the personal one of a user other than those that the principal is or speaks for."""
    own = dict(scope.levels).get("user") == principal.user_id
    return scope.personal and not own and not principal.may_read(scope)


def is_apart(stands: Scope, acts: Scope) -> bool:
    """Whether a constraint stands in a user's own scope and a call acts in another's, where it is none.

    >>> ann, ben = Scope.of(org="acme", user="ann"), Scope.of(org="acme", user="ben")
    >>> is_apart(ann, ben), is_apart(ann, ann), is_apart(ann, Scope.of(org="acme"))
    (True, False, False)
    """
    users = [dict(scope.levels).get("user") for scope in (stands, acts)]
    return stands.personal and acts.personal and users[0] != users[1]


def _said(waiting: Waiting, principal: Principal) -> str:
    event = waiting.event
    if not principal.may_read(event.scope):
        return f"a statement of {event.occurred_at:%Y-%m-%d} that you may not read"
    said, by, source = escaped(event.text), escaped(event.actor.id, 80), escaped(event.source, 120)
    return f'"{said}", said {event.occurred_at:%Y-%m-%d} by {by}, source {source}'


def _redacted(fact: Fact) -> str:
    return f"a constraint of {fact.asserted_at:%Y-%m-%d} that you may not read (id {fact.fact_id})"
