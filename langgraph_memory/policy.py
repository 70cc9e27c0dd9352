"""What may become memory, who may say so and how long it holds, as plain values to read and replace."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from fnmatch import fnmatchcase
from typing import Annotated, Literal

from pydantic import Field

from langgraph_memory.entities import EntityDeclaration
from langgraph_memory.names import attribute_name, normalise
from langgraph_memory.records import Actor, ActorKind, FactKind, Given
from langgraph_memory.redaction.personal import STRICTLY_PERSONAL, Handling, PersonalKind, find_personal
from langgraph_memory.scope import Scope

SELF_ROLE = "self"
"""The authority of a user in the personal scope that is their own."""


Weight = Annotated[float, Field(ge=0, allow_inf_nan=False)]
"""How much something counts, from 0 on."""

Span = Annotated[timedelta, Field(ge=timedelta(0))]
"""How long something takes or holds."""


class AuthorityRule(Given):
    """Who may set which attribute in which scopes.

    The rule covers the scopes that have all levels of `scope` with equal values. `attributes` is a glob.
    An earlier rule of a policy outranks a later one.

    >>> rule = AuthorityRule(roles={"infra_lead"}, scope=Scope.of(workspace="staging-cloud"))
    >>> rule.scope.covers(Scope.of(org="acme", workspace="staging-cloud")), rule.attributes
    (True, '*')
    """

    roles: frozenset[str] = Field(min_length=1)
    scope: Scope
    attributes: str = "*"

    def grants(self, scope: Scope, attribute: str) -> bool:
        """Whether the rule speaks about this attribute in this scope."""
        return self.scope.covers(scope) and _is_one_of(attribute, (self.attributes,))


class ToolRule(Given):
    """What a tool does, declared: the action classes it performs, or that it only reads.

    A tool without a declaration, or with one that names neither, is judged by its name
    (`langgraph_memory.actions`). `entities` tells where the entities stand in its arguments, output and
    artifact; without it they are found by their shape.
    """

    actions: frozenset[str] = frozenset()
    read_only: bool = False
    entities: EntityDeclaration | None = None

    @property
    def tells_what_it_does(self) -> bool:
        """Whether the rule says what the tool does, and not just where entities stand."""
        return self.read_only or bool(self.actions) or self.entities is None


class RankingWeights(Given):
    """How relevance, recency and importance add up (Park et al., 2023, Generative Agents).

    A product decision: an assistant weighs recency higher, a technical agent relevance. `half_life` is the
    age at which recency has fallen to one half. Memories whose relevance lies below `floor`, or whose score,
    the weighted mean, has sunk below `fade`, are left out unless they are constraints or were asked for by
    entity: with a `fade` above 0, what is neither near nor important is forgotten as it ages.

    >>> RankingWeights.for_assistant().recency > RankingWeights().recency
    True
    """

    relevance: Weight = 1.0
    recency: Weight = 0.2
    importance: Weight = 0.2
    half_life: timedelta = Field(default=timedelta(days=30), gt=timedelta(0))
    floor: Weight = 0.05
    fade: Weight = 0.0

    @classmethod
    def for_assistant(cls) -> RankingWeights:
        """For a personal assistant: this morning matters more than last month, and small talk fades."""
        return cls(relevance=1.0, recency=0.5, importance=0.3, half_life=timedelta(days=7), fade=0.15)


class LearningRules(Given):
    """When something that happened again and again is proposed, or counts as a routine.

    Attributes:
        incidents: how many activities have to go wrong after the same tool until a playbook is proposed.
        successes: in how many activities a tool routine has to work until it is offered.
        share: which share of those in which it was tried.
    """

    incidents: int = Field(default=3, ge=1)
    successes: int = Field(default=3, ge=1)
    share: float = Field(default=0.75, ge=0, le=1)


class FileLimits(Given):
    """How much a principal's notes may hold: files, bytes a file, and bytes in all."""

    files: int = Field(default=2_000, ge=1)
    file_bytes: int = Field(default=256_000, ge=1)
    total_bytes: int = Field(default=16_000_000, ge=1)


Kept = Literal["event", "episode", "ended", "unverified", "receipt"]
"""Classes of what is kept for a time."""

Sensitivity = Literal["normal", "personal", "sensitive"]
"""How much a value tells about a person."""

Confirmation = Literal["explicit", "corroborated", "single"]
"""How well a fact is confirmed: laid down as a rule, said in several activities, or said once."""


def _months(explicit: int, corroborated: int, single: int) -> dict[Confirmation, timedelta]:
    return {
        "explicit": timedelta(days=30 * explicit),
        "corroborated": timedelta(days=30 * corroborated),
        "single": timedelta(days=30 * single),
    }


def _shares() -> dict[Sensitivity, float]:
    return {"personal": 0.5, "sensitive": 0.25}


class Policy(Given):
    """The rules of a memory.

    Attributes:
        authority: who may set facts in shared scopes; without a rule nobody may. In a personal scope the
            user named by its `user=` level may, without a rule.
        multi_valued: attributes (globs) of which an entity may have several current values.
        tools: declarations of tools by name.
        ranking: weights of the recall.
        shares: by kind (`fact`, `episode`, `procedure`, `event`), the part of a recall's token budget that
            its records get before other kinds take what is left over; a kind that is not named has no limit,
            and constraints have none. What a kind does not use goes to the others.
        revalidate: by kind and confirmation, how long a fact is asserted without being confirmed again.
        idle_after: an activity without a checkpoint is consolidated after this long without events.
        lookup_every: how often an open end condition is put to the application's lookup.
        tidy_every: how often episodes are looked at across activities.
        abstract_at: in how many activities a tool was used on an entity before that is a candidate fact.
        compress_after: the age from which alike episodes are put behind a digest; None for never.
        compress_at: how many of them there have to be.
        max_attempts: consolidation attempts of an activity before it becomes a dead letter.
        prompts: how many prompts a model may be asked to read one activity; each shows 48,000 characters. Of
            a longer activity the beginning and the end are read, and the audit says so; rules read all of it.
        files: how much a principal's own notes may hold.
        personal: what becomes of personal data of a class: `keep` (also what is not named), `redact` it, or
            `refuse` what holds it.
        consent: whether memory may be made of what happens in a scope and those that it covers; of several
            the most specific one counts, and where none does, it may. Without consent events stay evidence
            of their activity, and nothing becomes an episode or a fact.
        sensitive: attributes (globs) whose values are sensitive, whatever they say.
        sensitivity_share: the part of its retention, and of its time to revalidation, after which something
            personal or sensitive is due.
        retention: how long things of a class are kept: `event` (from when it happened; those that no record
            rests on, once consolidation has read them), `episode` (from its end), `ended` and `unverified`
            facts (from their last change), `receipt`. What is not named is kept. Facts that hold are not
            expired but revalidated.
        learning: when playbooks are proposed and tool routines offered.
        behaviour: whether a behaviour rule holds at once when one who may decide says it, or is always a
            draft that someone has to approve.
    """

    authority: tuple[AuthorityRule, ...] = ()
    multi_valued: tuple[str, ...] = ("alias", "allergy*", "member*", "note*")
    tools: dict[str, ToolRule] = Field(default_factory=dict)
    ranking: RankingWeights = RankingWeights()
    shares: dict[Literal["fact", "episode", "procedure", "event"], Weight] = Field(default_factory=dict)
    revalidate: dict[FactKind, dict[Confirmation, Span]] = Field(
        default_factory=lambda: {
            FactKind.CONSTRAINT: _months(6, 6, 6),
            FactKind.PREFERENCE: _months(6, 6, 2),
            FactKind.IDENTITY: _months(24, 24, 12),
            FactKind.PROJECT: _months(6, 6, 3),
            FactKind.FACT: _months(12, 12, 3),
        }
    )
    idle_after: Span = timedelta(minutes=30)
    lookup_every: Span = timedelta(minutes=5)
    tidy_every: Span = timedelta(days=1)
    abstract_at: int = Field(default=5, ge=2)
    compress_after: Span | None = timedelta(days=90)
    compress_at: int = Field(default=8, ge=2)
    max_attempts: int = Field(default=5, ge=1)
    prompts: int = Field(default=12, ge=1)
    files: FileLimits = FileLimits()
    personal: dict[PersonalKind, Handling] = Field(default_factory=dict)
    consent: dict[Scope, bool] = Field(default_factory=dict)
    sensitive: tuple[str, ...] = ("health*", "medical*", "diagnos*", "allerg*", "religi*", "salary*")
    sensitivity_share: dict[Sensitivity, Weight] = Field(default_factory=_shares)
    retention: dict[Kept, Span] = Field(default_factory=dict)
    learning: LearningRules = LearningRules()
    behaviour: Literal["by_authority", "approved"] = "by_authority"

    def authority_of(self, actor: Actor, scope: Scope, attribute: str) -> str | None:
        """The role by which `actor` may set `attribute` in `scope`; None if it may not.

        Only users carry authority: the roles of an agent, tool or system actor count for nothing.
        """
        if actor.kind is not ActorKind.USER:
            return None
        if scope.personal and scope.user == actor.id:
            return SELF_ROLE
        for rule in self.authority:
            if rule.grants(scope, attribute) and (held := rule.roles & actor.roles):
                return min(held)
        return None

    def entities_of(self, tool: str) -> EntityDeclaration | None:
        """Where the entities of a tool stand, if it is declared."""
        rule = self.tools.get(tool)
        return rule.entities if rule is not None else None

    def may_remember(self, scope: Scope) -> bool:
        """Whether memory may be made of what happens in a scope.

        >>> bob = Scope.of(org="acme", user="bob")
        >>> policy = Policy(consent={Scope.of(org="acme"): False, bob: True})
        >>> policy.may_remember(bob), policy.may_remember(Scope.of(org="acme", user="eve"))
        (True, False)
        """
        said = [(len(over.levels), given) for over, given in self.consent.items() if over.covers(scope)]
        most = max((levels for levels, _ in said), default=0)
        return all(given for levels, given in said if levels == most)

    def sensitivity_of(self, attribute: str, value: str) -> Sensitivity:
        """How sensitive a value is, by its attribute and by the personal data in it.

        >>> Policy().sensitivity_of("contact", "ana@example.org"), Policy().sensitivity_of("allergy", "nuts")
        ('personal', 'sensitive')
        """
        kinds = {span.kind for span in find_personal(value)}
        if kinds & STRICTLY_PERSONAL or _is_one_of(attribute, self.sensitive):
            return "sensitive"
        return "personal" if kinds else "normal"

    def is_multi_valued(self, attribute: str) -> bool:
        """Whether an entity may have several current values of this attribute."""
        return _is_one_of(attribute, self.multi_valued)


def _is_one_of(attribute: str, globs: Iterable[str]) -> bool:
    plain = attribute_name(attribute)
    return any(fnmatchcase(plain, normalise(glob)) for glob in globs)
