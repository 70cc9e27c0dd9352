"""What was talked about so far, so that "it" and "the instance" can be resolved."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property

from langgraph_memory.consolidation.rules.deeds import names_only_deeds
from langgraph_memory.consolidation.rules.descriptions import (
    content,
    description,
    is_general,
    points_at_all,
    points_at_one,
)
from langgraph_memory.consolidation.rules.known_names import KnownNames
from langgraph_memory.consolidation.rules.mentions import Mention, mentions
from langgraph_memory.consolidation.rules.quantities import is_of_all
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.wording import holds
from langgraph_memory.consolidation.rules.words import Phrase

_MEMORY = 24
"""How many earlier clauses a pronoun can reach back over."""


@dataclass(frozen=True)
class Referent:
    """What a reading is about.

    Attributes:
        entity: as mentioned; None for the speaker or the scope.
        sure: False where a pronoun could mean several things.
        everything: whether it is said of all things of a kind, or of the scope.
        event_id: where it was mentioned, if not in the clause itself.
    """

    entity: str | None
    sure: bool = True
    event_id: str | None = None
    everything: bool = False


@dataclass(frozen=True)
class _Heard:
    """A clause that was heard, in which event; what it names is looked for once."""

    phrase: Phrase
    event_id: str
    known: KnownNames

    @cached_property
    def mentions(self) -> list[Mention]:
        return mentions(self.phrase, self.known)

    @cached_property
    def known_names(self) -> list[str]:
        return [mention.name for mention in self.mentions if self.known.knows(mention.name)]


@dataclass
class Discourse:
    """The mentions of an activity, the latest last.

    Args:
        known: names that are known in the scope.
        observed: the entities that the activity's events name; a pronoun without any antecedent means the
            only one, if there is just one.
        personal: whether it is one person's scope, in which nothing is said of the scope as such.
    """

    known: KnownNames
    observed: Sequence[str] = ()
    personal: bool = False
    _heard: deque[_Heard] = field(default_factory=lambda: deque(maxlen=_MEMORY))
    _last: _Heard | None = None

    def hear(self, phrase: Phrase, event_id: str) -> None:
        """Take note of a clause, in case a later one points back at it."""
        self._heard.append(self._looked_at(phrase, event_id))

    def _looked_at(self, phrase: Phrase, event_id: str) -> _Heard:
        """A clause with what it names, the same object as long as it is asked about again."""
        if self._last is None or self._last.phrase is not phrase or self._last.event_id != event_id:
            self._last = _Heard(phrase, event_id, self.known)
        return self._last

    def referents(
        self, reading: Reading, before: Phrase | None = None, cataphor: Phrase | None = None
    ) -> list[Referent]:
        """The entities that a reading is about, one or several; the speaker where it names none.

        Args:
            reading: the statement.
            before: the clause before it in the same sentence, or the sentence before.
            cataphor: words after a colon, to which "these:" may point ahead.
        """
        if reading.personal:
            return [Referent(None)]
        for phrase in reading.about:
            if named := mentions(phrase, self.known):
                return [Referent(mention.name) for mention in named]
            if fitting := self._described(phrase):
                return [Referent(fitting)]
            if pointed := self._pointed(phrase, cataphor):
                return pointed
            if is_of_all(phrase) and reading.forbids:
                return self.all_but(())
        return [self._last_resort(reading, before)]

    def all_but(self, left_out: Sequence[str]) -> list[Referent]:
        """All known things but some; the scope where it is of all, or where none is known."""
        others = self.known.others(left_out) if left_out or self.personal else []
        return [Referent(name, everything=True) for name in others] or [Referent(None, everything=True)]

    def concerned(self, sentence: Phrase, event_id: str) -> list[Referent]:
        """The known entities that a sentence names, or else the one that its message named last."""
        if named := self._looked_at(sentence, event_id).known_names:
            return [Referent(name) for name in named]
        for earlier in reversed(self._heard):
            if earlier.event_id == event_id and earlier.known_names:
                return [Referent(name, event_id=event_id) for name in earlier.known_names]
        return []

    def is_named(self, entity: str) -> bool:
        """Whether this is the name of something, not just a description."""
        return bool(mentions(Phrase.of(entity), self.known)) or entity in self.observed

    def is_resource(self, entity: str) -> bool:
        """Whether this is a name, or describes a thing of a general kind ("test server")."""
        return self.is_named(entity) or is_general(Phrase.of(entity))

    def latest(self) -> list[Referent]:
        """What was mentioned last."""
        return self._before(plural=True)

    def _described(self, phrase: Phrase) -> str | None:
        named = description(phrase)
        words = content(named)
        telling = len(words) > 1 or (len(words) == 1 and len(named.words) > 1)
        return self.known.described_by(words) if telling else None

    def _pointed(self, phrase: Phrase, cataphor: Phrase | None) -> list[Referent]:
        plural = points_at_all(phrase)
        if not plural and not points_at_one(phrase):
            return []
        if cataphor and (named := mentions(cataphor, self.known)):
            return [Referent(mention.name) for mention in named]
        return self._before(plural=plural, noun=_noun(phrase))

    def _before(self, *, plural: bool, noun: str = "") -> list[Referent]:
        for earlier in reversed(self._heard):
            if found := earlier.mentions:
                known = [m for m in found if self.known.knows(m.name)] or found
                fitting = [m for m in known if noun and m.noun == noun] or known
                sure = plural or len(fitting) == 1
                return [Referent(m.name, sure=sure, event_id=earlier.event_id) for m in fitting]
        if len(self.observed) == 1:
            return [Referent(self.observed[0])]
        return []

    def _last_resort(self, reading: Reading, before: Phrase | None) -> Referent:
        """The described thing itself; or what the clause before is about; or else the scope.

        A noun by itself ("the schema") is a part of what was just mentioned, if that is one thing.
        """
        named = description(reading.about[0]) if reading.about else Phrase("", ())
        if names_only_deeds(named):
            named = Phrase("", ())
        near = mentions(before, self.known) if before and len(named.words) <= 1 else []
        if len(near) == 1 and not reading.named_only and not _is_sweeping(reading):
            return Referent(near[0].name, event_id=self._heard[-1].event_id if self._heard else None)
        return Referent((named.text if reading.described else None) or None)


_ALL = holds("all|any|every|everything|anything|whole|entire|everywhere|each")


def _is_sweeping(reading: Reading) -> bool:
    return any(_ALL.search(phrase) for phrase in reading.about)


def _noun(phrase: Phrase) -> str:
    return phrase.words[-1].norm if phrase else ""
