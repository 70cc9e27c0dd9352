"""Reads instructions, preferences and corrections from what users say, without a model."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import chain, pairwise, zip_longest

from langgraph_memory.actions import ActionClass
from langgraph_memory.consolidation.candidates import Candidate
from langgraph_memory.consolidation.rules.bylines import passes_on
from langgraph_memory.consolidation.rules.cessations import cessation
from langgraph_memory.consolidation.rules.corrections import Said, corrected
from langgraph_memory.consolidation.rules.descriptions import points_at_all, points_at_one
from langgraph_memory.consolidation.rules.discourse import Discourse, Referent
from langgraph_memory.consolidation.rules.doubts import Doubts
from langgraph_memory.consolidation.rules.introductions import introductions
from langgraph_memory.consolidation.rules.kinds import read
from langgraph_memory.consolidation.rules.known_names import KnownNames
from langgraph_memory.consolidation.rules.languages import foreign, is_foreign
from langgraph_memory.consolidation.rules.mentions import mentions
from langgraph_memory.consolidation.rules.occasions import names_occasion, of_occasion
from langgraph_memory.consolidation.rules.proposals import Proposals
from langgraph_memory.consolidation.rules.quantities import excepted, is_of_all, without_exception
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.retractions import ANY_ATTRIBUTE
from langgraph_memory.consolidation.rules.reversals import taken_back
from langgraph_memory.consolidation.rules.sentences import Clause, clauses
from langgraph_memory.consolidation.rules.speech import own_sentences
from langgraph_memory.consolidation.rules.stance import Stance, asks_to_remember, points_forward, stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.unclassed import left_over, unclassed
from langgraph_memory.consolidation.rules.unread import unread
from langgraph_memory.consolidation.rules.unsettled import Unsettled, without_answered
from langgraph_memory.consolidation.rules.wording import starts
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.log.event_types import SPOKEN, TALK
from langgraph_memory.records import ActorKind, Event, FactKind

_STOPPING = frozenset({ActionClass.STOP})
"""Ruled out of nothing in particular it is a cheer ("don't stop now"), no rule."""

_ANSWERS = starts(
    "you should|must not | no|nope|never|not|stop|wait|hold|please|leave|absolutely|definitely|hands|that"
    " | do not"
)
"""How a reply begins that is about what it answers."""

_NUMBER = re.compile(r"\d+")

_SHORTEST = 2
"""A sentence of fewer words states nothing, unless it is written without spaces."""


class RulesExtractor:
    """Candidates from the users' own sentences; needs no model and no network.

    Only messages and corrections of user actors are read, and of those only the speaker's own words: what is
    quoted, forwarded or pasted is somebody else's.
    """

    def extract(self, events: Sequence[Event], known: Mapping[str, str]) -> list[Candidate]:
        """Candidates in the order of the events; see `Extractor`."""
        conversation = Conversation(events, KnownNames.of(known))
        found: list[Candidate] = []
        for event in events:
            if not _is_spoken(event) or event.activity_id != events[-1].activity_id:
                conversation.overhear(event)
            else:
                found += conversation.hear(event)
        return found


class Conversation:
    """What the users of one activity say, message by message."""

    def __init__(self, events: Sequence[Event], known: KnownNames) -> None:
        self._known = known
        observed = dict.fromkeys(entity for event in events for entity in event.entities)
        personal = any(event.scope.personal for event in events)
        self._discourse = Discourse(known, observed=tuple(observed), personal=personal)
        self._proposals = Proposals(events, known)
        self._said: list[Said] = []
        self._earlier: dict[str, Event] = {}
        self._speaker = ""
        self._doubted = False
        self._empty: set[tuple[object, ...] | None] = set()
        self._replied_to: tuple[Phrase, ...] = ()
        self._ended: dict[tuple[str, str | None, str, bool], set[str]] = {}

    def hear(self, event: Event) -> list[Candidate]:
        """The candidates of one message."""
        self._speaker = event.actor.id
        found = list(self._heard(event))
        self._replied_to = ()
        return without_answered(found)

    def overhear(self, event: Event) -> None:
        """What an agent says, or a user said before, lays nothing down here; but a user replies to it."""
        if event.event_type not in TALK or not event.text:
            return
        said = own_sentences(event.text)
        self._replied_to = () if _is_spoken(event) else said
        if _is_spoken(event):
            self._earlier[event.actor.id] = event
        for sentence in said if _is_spoken(event) else ():
            self._discourse.hear(sentence, event.event_id)

    def _heard(self, event: Event) -> Iterator[Candidate]:
        before = nothing = Phrase("", ())
        said = list(_sentences_of(event))
        passed_on, back = any(map(passes_on, said)), taken_back(said)
        told, bound = False, False
        for at, (sentence, following) in enumerate(pairwise([*said, nothing])):
            self._doubted = passed_on or at < back
            here = bound or names_occasion(following)
            found = self._read(sentence, before, event, here=here)
            yield from found
            bound, told = not told and names_occasion(sentence), bool(found)
            before = sentence

    def _read(self, sentence: Phrase, before: Phrase, event: Event, *, here: bool) -> list[Candidate]:
        """What a sentence says; nothing if one of the same shape said nothing, as in pasted logs."""
        shape = self._shape(sentence, event)
        if shape in self._empty:
            self._discourse.hear(sentence, event.event_id)
            return []
        found = list(self._hear(sentence, before, event, here=here))
        if not found and shape is not None:
            self._empty.add(shape)
        return found

    def _shape(self, sentence: Phrase, event: Event) -> tuple[object, ...] | None:
        """A sentence without its numbers, and on what it counts; None where it points at what was said."""
        if points_at_one(sentence) or points_at_all(sentence):
            return None
        concerned = self._discourse.concerned(sentence, event.event_id)
        named = sum(each.event_id is None for each in concerned)
        return _NUMBER.sub("0", sentence.plain), named, bool(concerned), bool(self._said)

    def _hear(
        self, sentence: Phrase, before: Phrase, event: Event, *, here: bool = False
    ) -> Iterator[Candidate]:
        """What a sentence says; `here` where another one binds it to the present occasion."""
        for who in introductions(sentence):
            yield self._proposals.candidate(Said(who, Referent(None), event.event_id), event)
        if is_foreign(sentence):
            yield from self._hear_foreign(sentence, event)
            return
        found = clauses(sentence)
        here = here or any(names_occasion(clause.phrase) for clause in found)
        left_out = excepted(sentence, self._known)
        doubts = Doubts(sentence, self._known, passed_on=self._doubted)
        unsettled = self._unsettled(sentence, left_out, event)
        for clause, following in zip_longest(found, [each.phrase for each in found[1:]]):
            if clause.lead and points_forward(clause.lead):
                self._discourse.hear(clause.lead, event.event_id)
            meant = _meant(clause, following, here=here)
            doubts.hear(clause, meant)
            said = list[Said]()
            for reading, referent in self._stated(meant, before, following, left_out):
                each = Said(doubts.weigh(reading), referent, event.event_id)
                if not self._repeats(each):
                    said.append(each)
                    yield self._proposals.candidate(each, event)
            self._said += said
            unsettled.hear(meant, said)
            self._discourse.hear(clause.whole, event.event_id)
            before = clause.phrase
        for referent in unsettled.things():
            asked = replace(unread(sentence), once=here or of_occasion(sentence))
            yield self._proposals.candidate(Said(asked, referent, event.event_id), event)

    def _unsettled(self, sentence: Phrase, left_out: Sequence[str], event: Event) -> Unsettled:
        """What may be asked about a sentence, before any of it is heard."""
        concerned = self._discourse.concerned(sentence, event.event_id)
        named = any(each.event_id is None for each in concerned)
        return Unsettled(concerned or self._meant_by_reply(sentence), left_out, self._known, named=named)

    def _stated(
        self, meant: Stance, before: Phrase, following: Phrase | None, left_out: Sequence[str]
    ) -> Sequence[tuple[Reading, Referent]]:
        """What a clause states, and of what, without what its sentence leaves out."""
        stated = self._about(meant, before, following)
        if not left_out:
            return stated
        return list(self._but_for(left_out, stated or self._of_the_rest(meant, before)))

    def _of_the_rest(self, meant: Stance, before: Phrase) -> Sequence[tuple[Reading, Referent]]:
        """What a clause rules out for all that it doesn't leave out: "leave all alone but db-3"."""
        whole = replace(meant, core=without_exception(meant.core, self._known))
        reading = read(whole, before)
        if reading is None or not reading.rules_out or not any(map(is_of_all, reading.about)):
            return []
        return [(replace(reading, value=meant.statement), Referent(None, everything=True))]

    def _but_for(
        self, left_out: Sequence[str], read: Sequence[tuple[Reading, Referent]]
    ) -> Iterator[tuple[Reading, Referent]]:
        """The same without some things; where nothing else is named, a rule is of all others."""
        for reading in dict.fromkeys(reading for reading, _ in read):
            about = [referent for each, referent in read if each == reading]
            plain = [
                r for r in about if r.entity and not any(self._known.same(r.entity, o) for o in left_out)
            ]
            targets = plain or (self._discourse.all_but(left_out) if reading.rules_out else [])
            yield from ((reading, referent) for referent in targets)

    def _meant_by_reply(self, sentence: Phrase) -> list[Referent]:
        """The known things that the agent has just named, where a sentence answers it or points at them."""
        answers = points_at_one(sentence) or points_at_all(sentence) or _ANSWERS.match(sentence)
        if not answers:
            return []
        named = [each.name for phrase in self._replied_to for each in mentions(phrase, self._known)]
        return [Referent(name) for name in dict.fromkeys(named) if self._known.knows(name)]

    def _hear_foreign(self, sentence: Phrase, event: Event) -> Iterator[Candidate]:
        if reading := foreign(sentence):
            for referent in self._discourse.referents(reading):
                yield self._proposals.candidate(Said(reading, referent, event.event_id), event)
        self._discourse.hear(sentence, event.event_id)

    def _about(
        self, meant: Stance, before: Phrase, following: Phrase | None
    ) -> Sequence[tuple[Reading, Referent]]:
        """What a clause states, and of what: it corrects the latest statement, or makes one of its own."""
        if corrections := corrected(meant, self._said, self._known):
            return corrections
        reading = read(meant, before)
        if reading is not None and reading.intent == "retract":
            return self._taken_back(reading)
        found = self._of(reading, before, following)
        if not found and (over := cessation(meant)) is not None:
            return [(over, Referent(None))]
        if reading is None or not (reading.forbids or reading.kind is FactKind.PREFERENCE):
            return self._of(unclassed(meant), before, following) or found
        more = reading.rules_out and ActionClass.ANY not in reading.forbids
        return found + (self._of(left_over(meant), before, following) if more else [])

    def _of(
        self, reading: Reading | None, before: Phrase, following: Phrase | None
    ) -> list[tuple[Reading, Referent]]:
        """A statement with each thing that it is of."""
        if reading is None:
            return []
        referents = self._discourse.referents(reading, before, following)
        return [(reading, referent) for referent in referents if self._stands(reading, referent)]

    def _stands(self, reading: Reading, referent: Referent) -> bool:
        """Whether a doubtful rule, or one that needs a name, is about something that has one."""
        if reading.of_known or reading.unclassed:
            is_called = self._known.knows if reading.of_known else self._discourse.is_named
            return referent.entity is not None and is_called(referent.entity)
        if referent.everything and not (reading.named_only or reading.hedged):
            return True
        if referent.entity is None and reading.forbids == _STOPPING:
            return False
        if not (reading.named_only or (reading.hedged and reading.forbids)):
            return True
        if referent.entity is None:
            return False
        named = self._discourse.is_named(referent.entity)
        return named or (not reading.hedged and self._discourse.is_resource(referent.entity))

    def _taken_back(self, reading: Reading) -> list[tuple[Reading, Referent]]:
        """A retraction with what it takes back: what it names, or else the latest statement.

        Where that is an ending, the rule that it speaks of stays.
        """
        if not reading.about and self._said and self._said[-1].reading.intent == "retire":
            return []
        named = self._discourse.referents(reading)[0] if reading.about else Referent(None)
        for said in chain(reversed(self._said), reversed(self._said_before())):
            if said.reading.intent == "assert" and named.entity in (None, said.referent.entity):
                attribute = (
                    said.reading.attribute if reading.attribute == ANY_ATTRIBUTE else reading.attribute
                )
                referent = replace(said.referent, event_id=said.event_id)
                return [(replace(reading, attribute=attribute, kind=said.reading.kind), referent)]
        if named.entity is None and (latest := self._discourse.latest()):
            named = replace(latest[0], sure=len(latest) == 1)
        return [(replace(reading, hedged=named.entity is None), named)]

    def _said_before(self) -> list[Said]:
        """What the one who speaks stated in their last message before this activity."""
        last = self._earlier.get(self._speaker)
        if last is None:
            return []
        before = Conversation([last], self._known)
        before.hear(last)
        return before._said

    def _repeats(self, said: Said) -> bool:
        """Whether the message has said this already: what is ended or taken back in two ways, ends once."""
        if said.reading.intent == "assert":
            return False
        key = (said.event_id, said.referent.entity, said.reading.attribute, said.reading.hedged)
        ended = self._ended.setdefault(key, set())
        known = bool(ended) and said.reading.forbids <= ended
        ended |= said.reading.forbids | {""}
        return known


def _sentences_of(event: Event) -> Iterator[Phrase]:
    """The sentences of a message that are long enough to state something, in the speaker's own words."""
    for sentence in own_sentences(event.text):
        if len(sentence.words) >= _SHORTEST or not sentence.text.isascii():
            yield sentence


def _is_spoken(event: Event) -> bool:
    """Whether the event is a user's own message."""
    return event.event_type in SPOKEN and event.actor.kind is ActorKind.USER


def _meant(clause: Clause, following: Phrase | None, *, here: bool) -> Stance:
    """How a clause is meant; `here` where its sentence is of the present occasion."""
    meant = stance(clause, remembered=following is not None and asks_to_remember(following))
    return meant.marked(Mark.ONCE) if here and not meant.has(Mark.STANDING) else meant
