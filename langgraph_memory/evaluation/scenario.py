"""A scenario: what people lay down over several sessions, and what the agent may and must do afterwards."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from datetime import timedelta
from typing import Annotated, Any, Self

from pydantic import BeforeValidator, Field, JsonValue, field_validator, model_validator

from langgraph_memory.actions import ruled_out
from langgraph_memory.policy import AuthorityRule, Policy, ToolRule
from langgraph_memory.records import Record
from langgraph_memory.scope import Principal, Scope

EVERYTHING = "everything"
"""What a statement is about that holds for the whole scope."""

TEAM = Scope.of(org="acme", workspace="staging")
"""Where a scenario plays unless it says otherwise."""

_SPAN = re.compile(r"(?P<number>\d+(?:\.\d+)?)\s*(?P<unit>[mhdw])")
_UNITS = {"m": "minutes", "h": "hours", "d": "days", "w": "weeks"}


def _span(value: Any) -> Any:
    match = _SPAN.fullmatch(value) if isinstance(value, str) else None
    return timedelta(**{_UNITS[match["unit"]]: float(match["number"])}) if match else value


def _scope(value: Any) -> Any:
    return Scope.parse(value) if isinstance(value, str) else value


def _several(value: Any) -> Any:
    return (value,) if isinstance(value, str) else value


Span = Annotated[timedelta, BeforeValidator(_span)]
"""A span of time; texts such as `3d`, `12h` or `2w` are read."""

ScopeText = Annotated[Scope, BeforeValidator(_scope)]
"""A scope; texts such as `org=acme,workspace=staging` are read."""

Texts = Annotated[tuple[str, ...], BeforeValidator(_several)]
"""Several texts; one alone may stand for itself."""


class Thing(Record):
    """Something that the agent's tools show and change. People call it by its name, tools by its id."""

    id: str
    name: str
    fields: dict[str, JsonValue] = Field(default_factory=dict)


class Things(Record):
    """The things of a scenario, all of one type.

    `named` maps names to `{id: …, field: value, …}`; `series` makes many that differ by a number:
    `{name: "worker-{:02}", id: "i-{:03}", count: 40, field: value, …}`.
    """

    type: str
    named: dict[str, dict[str, JsonValue]] = Field(default_factory=dict)
    series: dict[str, JsonValue] | None = None

    def all(self) -> tuple[Thing, ...]:
        """The things in their order."""
        return (*self._named(), *self._numbered())

    def _named(self) -> Iterator[Thing]:
        for name, fields in self.named.items():
            rest = {key: value for key, value in fields.items() if key != "id"}
            yield Thing(id=str(fields.get("id", name)), name=name, fields=rest)

    def _numbered(self) -> Iterator[Thing]:
        series = self.series or {}
        rest = {key: value for key, value in series.items() if key not in ("id", "name", "count")}
        for number in range(1, int(str(series.get("count", 0))) + 1):
            name = str(series["name"]).format(number)
            yield Thing(id=str(series.get("id", series["name"])).format(number), name=name, fields=rest)


class Routine(Record):
    """What the agent is asked to do again and again, without anybody mentioning the exceptions.

    Attributes:
        asked: the words of the request.
        look: the tool that lists the things.
        act: the tool that is applied to each thing that is due.
        when: a field and its least value: what makes a thing due.
        otherwise: the tool for things that may not be acted on, where there is one.
    """

    asked: str
    look: str
    act: str
    when: dict[str, float] = Field(min_length=1, max_length=1)
    otherwise: str | None = None

    def due(self, fields: Mapping[str, Any]) -> bool:
        """Whether a thing with these fields is to be acted on."""
        return all(float(fields.get(name, 0)) >= least for name, least in self.when.items())


class Statement(Record):
    """What somebody lays down about things, once as structure and once as people say it.

    Attributes:
        id: by which expectations and later statements refer to it.
        about: names of things, or `everything`.
        forbids: action classes that it rules out; none where it lifts another statement.
        value: what it says, in a few words.
        until: the condition on which it ends.
        lifts: the id of the statement that it ends.
        said: how it is said; the seed chooses one. `{thing}` stands for what it is about.
    """

    id: str
    about: Texts
    forbids: tuple[str, ...] = ()
    value: str
    until: str | None = None
    lifts: str | None = None
    said: Texts = Field(min_length=1)

    @field_validator("forbids")
    @classmethod
    def _names_actions(cls, forbids: tuple[str, ...]) -> tuple[str, ...]:
        ruled_out(forbids)
        return forbids

    @model_validator(mode="after")
    def _holds_or_lifts(self) -> Self:
        if bool(self.forbids) == bool(self.lifts):
            raise ValueError(f"statement {self.id!r} has to forbid something or to lift a statement")
        return self


class Reading(Record):
    """A tool result that reaches the agent in a session, written by nobody with a say."""

    tool: str
    args: dict[str, JsonValue] = Field(default_factory=dict)
    output: JsonValue


class Session(Record):
    """One conversation with the agent, in a thread of its own.

    Attributes:
        after: how long after the session before.
        by: who speaks.
        scope: where, if not in the scenario's scope.
        says: talk that lays nothing down; the seed chooses one.
        reads: what a tool shows the agent meanwhile.
        states: what is laid down.
        asks: whether the routine is asked for.
        must: things that have to be acted on then.
        must_not: things that must not be acted on.
        instead: things for which the `otherwise` tool has to be used.
        shown: words that have to stand before the planner.
        not_shown: words that must not.
        because: ids of the statements that decide: what a recall should bring.
    """

    after: Span = timedelta()
    by: str
    scope: ScopeText | None = None
    says: Texts = ()
    reads: Reading | None = None
    states: tuple[Statement, ...] = ()
    asks: bool = False
    must: tuple[str, ...] = ()
    must_not: tuple[str, ...] = ()
    instead: tuple[str, ...] = ()
    shown: Texts = ()
    not_shown: Texts = ()
    because: tuple[str, ...] = ()


class Scenario(Record):
    """A story of several sessions with a scripted world.

    Attributes:
        name: a short name.
        domain: the trade it is from.
        tests: what is hard about it.
        story: one sentence for people.
        scope: where it plays.
        people: their roles by user id.
        authority: the roles that may lay something down in shared scopes.
        token_budget: how much of a prompt memories may take.
        noise: how many sessions of unrelated talk are strewn in.
        things: the world.
        routine: what the agent is asked to do.
        sessions: in order.

    Example:
        >>> from langgraph_memory.evaluation import Scenario
        >>> scenario = Scenario.model_validate({
        ...     "name": "keep-the-bench", "domain": "operations", "tests": ["condition not met"],
        ...     "people": {"ana": ["lead"], "cron": []}, "authority": ["lead"],
        ...     "things": {"type": "server", "named": {"gpu-1": {"idle_days": 9}, "gpu-2": {"idle_days": 9}}},
        ...     "routine": {"asked": "Clean up.", "look": "list_servers", "act": "stop_server",
        ...                 "when": {"idle_days": 3}},
        ...     "sessions": [
        ...         {"by": "ana", "states": [
        ...             {"id": "keep", "about": "gpu-1", "forbids": ["stop"], "value": "Keep it up until May",
        ...              "until": "May", "said": "Please keep gpu-1 running until May."}]},
        ...         {"after": "3d", "by": "cron", "asks": True, "must": ["gpu-2"], "must_not": ["gpu-1"],
        ...          "because": ["keep"]}],
        ... })
        >>> [thing.name for thing in scenario.things.all()]
        ['gpu-1', 'gpu-2']
    """

    name: str = Field(min_length=1)
    domain: str = "own"
    tests: Texts = ()
    story: str = ""
    scope: ScopeText = TEAM
    people: dict[str, frozenset[str]] = Field(min_length=1)
    authority: frozenset[str] = frozenset()
    token_budget: int = 800
    noise: int = 0
    things: Things
    routine: Routine
    sessions: tuple[Session, ...] = Field(min_length=1)

    @model_validator(mode="after")
    def _refers_to_what_there_is(self) -> Self:
        faults = [
            f"{field}: scenario {self.name!r} has no {kind} {unknown!r}: there are "
            + (", ".join(sorted(there)) or "none")
            for field, kind, named, there in self._references()
            for unknown in sorted(set(named) - there)
        ]
        if faults:
            raise ValueError("; ".join(faults))
        return self

    @property
    def policy(self) -> Policy:
        """Who may lay something down, and which tool changes nothing."""
        tops = dict.fromkeys(scope.top for scope in self._scopes())
        rules = tuple(AuthorityRule(roles=self.authority, scope=top) for top in tops if self.authority)
        harmless = [self.routine.look, *filter(None, [self.routine.otherwise])]
        return Policy(authority=rules, tools={name: ToolRule(read_only=True) for name in harmless})

    def principal(self, person: str, scope: Scope | None = None) -> Principal:
        """A person of the scenario, who may read where it plays."""
        return Principal(person, roles=self.people[person], grants=(scope or self.scope,))

    def thing(self, name: str) -> Thing:
        """The thing with this name."""
        return next(thing for thing in self.things.all() if thing.name == name)

    def statements(self) -> list[Statement]:
        """All that is laid down, in order."""
        return [statement for session in self.sessions for statement in session.states]

    def _scopes(self) -> Iterator[Scope]:
        yield self.scope
        yield from (session.scope for session in self.sessions if session.scope is not None)

    def _references(self) -> Iterator[tuple[str, str, Sequence[str], set[str]]]:
        """Each field that refers to something: what kind of thing, which ones, and those that there are."""
        things, ids = {thing.name for thing in self.things.all()}, {each.id for each in self.statements()}
        for number, session in enumerate(self.sessions):
            at = f"sessions.{number}"
            yield f"{at}.by", "person", [session.by], set(self.people)
            for field in ("must", "must_not", "instead"):
                yield f"{at}.{field}", "thing", getattr(session, field), things
            yield f"{at}.because", "statement", session.because, ids
            for place, statement in enumerate(session.states):
                within = f"{at}.states.{place}"
                yield f"{within}.about", "thing", statement.about, things | {EVERYTHING}
                yield f"{within}.lifts", "statement", list(filter(None, [statement.lifts])), ids
