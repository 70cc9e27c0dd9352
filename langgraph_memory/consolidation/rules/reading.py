"""What a clause was read as, before it is known which entity it is about."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.records import FactKind


@dataclass(frozen=True)
class Reading:
    """One statement read from a clause.

    Attributes:
        attribute: see `Candidate`.
        value: the words that state it.
        about: the words that say what it is about, most telling first; its entity is looked for there.
        personal: whether it is about the speaker, so that no entity is looked for.
        named_only: whether it stands only if it names an entity, or what is plainly a resource.
        described: whether a mere description can serve as its entity.
        asks_first: see `Candidate`.
        of_known: whether the value is said of an entity that has to be known, and names no entity itself.
        unclassed: whether it rules out verbs that no class of actions has.
    """

    attribute: str
    value: str
    about: tuple[Phrase, ...] = ()
    kind: FactKind = FactKind.FACT
    forbids: frozenset[str] = field(default_factory=frozenset)
    ends_when: str | None = None
    intent: Literal["assert", "retire", "retract"] = "assert"
    hedged: bool = False
    explicit: bool = False
    once: bool = False
    personal: bool = False
    named_only: bool = False
    described: bool = True
    asks_first: bool = False
    of_known: bool = False
    unclassed: bool = False

    @property
    def rules_out(self) -> bool:
        """Whether it rules deeds out, rather than ending or taking back what does."""
        return bool(self.forbids) and self.intent == "assert"
