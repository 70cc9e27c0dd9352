"""What an extractor proposes: candidates, each citing its events. Proposals decide nothing."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal, Protocol

from pydantic import AfterValidator, Field

from langgraph_memory.names import attribute_name
from langgraph_memory.records import Event, FactKind, Record


class Saying(Record):
    """What is said of an entity, whoever says it.

    Attributes:
        attribute: a short snake_case name; one entity has one current value for it (`lifecycle_policy`).
        value: the statement, close to the speaker's words.
        kind: constraint, preference, identity, project or fact.
        forbids: action classes of `langgraph_memory.actions` that a constraint rules out.
        ends_when: the condition, in words, on which it ends.
        intent: `assert` states a value; `retire` says that what held has ended or is lifted; `retract`
            takes back what the speaker said before, without a replacement.
        certainty: `stated`, or `hedged` ("probably", "looks like", "I think"): hedged ones never hold.
        explicit: the speaker asked to remember it or laid it down as a rule.
        asks_first: a constraint that was heard but not read with certainty: while it waits, calls that change
            its entity are put to a person.
    """

    attribute: Annotated[str, AfterValidator(attribute_name)]
    value: str
    kind: FactKind = FactKind.FACT
    forbids: tuple[str, ...] = ()
    ends_when: str | None = None
    intent: Literal["assert", "retire", "retract"] = "assert"
    certainty: Literal["stated", "hedged"] = "stated"
    explicit: bool = False
    asks_first: bool = False


class Candidate(Saying):
    """One proposed change to what is held true, in the words of the events it cites.

    Attributes:
        entity: what it is about, as mentioned (a display name, an alias or an id); None for the speaker.
        once: meant for this occasion only ("for this one", "this time").
        verbatim: it has the words of what it cites as they stand: only their authority is in question.
        event_ids: the events it was read from; never empty.
    """

    entity: str | None
    once: bool = False
    verbatim: bool = False
    event_ids: tuple[str, ...] = Field(min_length=1)


class Extractor(Protocol):
    """Reads candidates from the events of one activity.

    `known` maps the names by which entities are known here (display names, aliases, ids) to entity ids.
    """

    def extract(self, events: Sequence[Event], known: Mapping[str, str]) -> list[Candidate]:
        """Candidates in the order of the events; an empty list where nothing is worth keeping."""
