"""From a candidate to a statement: cited, supported by its words, about one entity, with authority."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache

from langgraph_memory.consolidation.candidates import Candidate, Saying
from langgraph_memory.consolidation.facts.bearing import bears, names_deeds, names_end, negates
from langgraph_memory.consolidation.facts.statements import Statement
from langgraph_memory.consolidation.facts.suspicion import doubt_about, hearsay
from langgraph_memory.consolidation.rules.known_names import KnownNames
from langgraph_memory.consolidation.rules.mentions import mentions
from langgraph_memory.consolidation.rules.words import Phrase, spelled
from langgraph_memory.entities import is_identifier
from langgraph_memory.entities.identifiers import is_weak_number
from langgraph_memory.entities.numbered import number_of
from langgraph_memory.names import normalise
from langgraph_memory.policy import Policy
from langgraph_memory.records import Actor, ActorKind, Event, FactKind, Record
from langgraph_memory.scope import Scope
from langgraph_memory.store.tokens import tokenize
from langgraph_memory.verbs import free, said_in, stem_of

_NUMBER = re.compile(r"\d+(?:[.,:]\d+)*")
_NOBODY_KNOWS = KnownNames({})
_SUPPORT = 0.6
_RANK = {ActorKind.SYSTEM: 0, ActorKind.TOOL: 0, ActorKind.AGENT: 1, ActorKind.USER: 2}


class Ungrounded(Record):
    """A candidate that came to nothing, and why."""

    candidate: Candidate
    reason: str


def ground(
    candidate: Candidate,
    events: Sequence[Event],
    names: Mapping[str, frozenset[str]],
    *,
    scope: Scope,
    policy: Policy,
) -> Statement | Ungrounded:
    """Check a candidate against the events it cites.

    Args:
        candidate: what an extractor proposes.
        events: the events of the activity; citing any other is a reason to drop the candidate.
        names: entity ids by normalised name, from the activity and the scope.
        scope: the scope of the activity.
        policy: says who may set what.
    """
    by_id = {event.event_id: event for event in events}
    cited = [by_id[event_id] for event_id in candidate.event_ids if event_id in by_id]
    if len(cited) != len(candidate.event_ids):
        return Ungrounded(candidate=candidate, reason="cites an event that this activity does not have")
    if candidate.once or not any(character.isalnum() for character in candidate.value):
        reason = "meant for this occasion only" if candidate.once else "it says nothing"
        return Ungrounded(candidate=candidate, reason=reason)
    text = " ".join(event.text for event in cited)
    if not supported(f"{candidate.value} {candidate.ends_when or ''}", text):
        return Ungrounded(candidate=candidate, reason="the cited words do not support it")
    speaker = min((event.actor for event in cited), key=lambda actor: _RANK[actor.kind])
    whole = candidate.kind is FactKind.CONSTRAINT and not scope.personal
    entity = (
        scope.entity
        if whole and candidate.entity is None
        else resolve(candidate.entity, speaker, names, text)
    )
    if entity is None and _is_of_a_rule(candidate) and normalise(candidate.entity or "") in names:
        # an ambiguous name stops extraction, never protection: a rule covers all it names, as does its end
        entity = candidate.entity
    if entity is None:
        return Ungrounded(candidate=candidate, reason=f"{candidate.entity!r} is unknown or ambiguous here")
    if not (candidate.verbatim or _borne(candidate, entity, names, text)):
        return Ungrounded(candidate=candidate, reason="the cited words say it otherwise")
    if _protects(candidate) and entity == candidate.entity and not _is_named(entity, names):
        candidate = candidate.model_copy(update={"certainty": "hedged", "asks_first": True})
    return _statement(_asked_about(_in_doubt(candidate, text), policy), cited, speaker, entity, scope, policy)


def _is_named(entity: str, names: Mapping[str, frozenset[str]]) -> bool:
    """Whether this is a known name, or has the shape of one; a rule about a phrase is asked about."""
    return normalise(entity) in names or bool(mentions(Phrase.of(spelled(entity)), _NOBODY_KNOWS))


def _protects(candidate: Candidate) -> bool:
    return candidate.kind is FactKind.CONSTRAINT and candidate.intent == "assert"


def _is_of_a_rule(candidate: Candidate) -> bool:
    """Whether a candidate lays a rule down or ends one: both stand on the name that was said."""
    return candidate.kind is FactKind.CONSTRAINT


def _borne(candidate: Candidate, entity: str, names: Mapping[str, frozenset[str]], text: str) -> bool:
    """Whether the cited words say what is proposed, of its entity; an ending may be told by its opposite."""
    if candidate.intent != "assert":
        return True
    called = (name for name, ids in names.items() if entity in ids)
    own = {normalise(entity), normalise(candidate.entity or entity), *called}
    return bears(candidate.value, text, own, whole=_protects(candidate) or candidate.entity is None)


def _in_doubt(candidate: Candidate, text: str) -> Candidate:
    """The candidate, asked about if the cited words don't carry its end or what it rules out."""
    told = candidate.ends_when is None or names_end(candidate.ends_when, text)
    if candidate.verbatim or candidate.intent != "assert" or (told and names_deeds(candidate.forbids, text)):
        return candidate
    return candidate.model_copy(update={"certainty": "hedged", "asks_first": bool(candidate.forbids)})


def _asked_about(candidate: Candidate, policy: Policy) -> Candidate:
    """The candidate, in doubt if it rules out a verb that no class of actions has and no tool declares.

    Whether such a verb was heard right, nobody has said: a person confirms it first.
    """
    if candidate.intent != "assert" or not (verbs := free(candidate.forbids)):
        return candidate
    told = (said_in(name).union(*map(said_in, tool.actions)) for name, tool in policy.tools.items())
    if {stem_of(verb) for verb in verbs} <= frozenset[str]().union(*told):
        return candidate
    return candidate.model_copy(update={"certainty": "hedged", "asks_first": True})


def supported(value: str, text: str) -> bool:
    """Whether the words of a text carry a value: its numbers, identifiers and negations, and most words.

    >>> supported("keep db-1 running", "Please keep db-1 running until Friday")
    True
    >>> supported("stop db-1", "stop db-2")
    False
    """
    plain, (said_plain, numbers, denies, have) = normalise(value), _read(text)
    if not numbers.issuperset(_NUMBER.findall(plain)):
        return False
    if negates(plain) and not denies:
        return False
    wanted = set(tokenize(value))
    if any(is_identifier(word) and word.casefold() not in said_plain for word in value.split()):
        return False
    return not wanted or len(wanted & have) / len(wanted) >= _SUPPORT


@lru_cache(maxsize=4)
def _read(text: str) -> tuple[str, frozenset[str], bool, frozenset[str]]:
    """A text, its numbers, whether it negates anything, and its words; read once for all that cite it."""
    plain = normalise(text)
    return plain, frozenset(_NUMBER.findall(plain)), negates(plain), frozenset(tokenize(text))


def resolve(
    mention: str | None, speaker: Actor, names: Mapping[str, frozenset[str]], text: str
) -> str | None:
    """The id of the one entity that a mention means; None where it is unknown or ambiguous.

    An identifier in the speaker's own words names itself, so that a rule can come before the first tool call.
    """
    if mention is None:
        return f"user:{speaker.id}"
    name = normalise(mention)
    known = names.get(name, frozenset()) or _by_its_number(name, names)
    if known:
        return next(iter(known)) if len(known) == 1 else None
    return mention if name in _read(text)[0] else None


def _by_its_number(name: str, names: Mapping[str, frozenset[str]]) -> frozenset[str]:
    """What is known of "order 4411" by its number alone, and isn't of another kind."""
    number = number_of(name)
    if number is None or is_weak_number(number):
        return frozenset()
    noun = name.partition(" ")[0].partition("#")[0]
    return frozenset(
        entity
        for entity in names.get(number, ())
        if ":" not in entity or noun in entity.partition(":")[0].casefold()
    )


def _statement(
    candidate: Candidate, cited: Sequence[Event], speaker: Actor, entity: str, scope: Scope, policy: Policy
) -> Statement:
    roles = [policy.authority_of(event.actor, scope, candidate.attribute) for event in cited]
    return Statement(
        scope=scope,
        entity=entity,
        named_as=candidate.entity,
        **{name: getattr(candidate, name) for name in Saying.model_fields},
        doubt=doubt_about(
            candidate.value, "" if _protects(candidate) else " ".join(event.text for event in cited)
        )
        or (hearsay(candidate.value) if candidate.intent != "assert" else None),
        speaker=speaker.kind,
        speaker_id=speaker.id,
        role=None if None in roles else roles[0],
        sources=tuple(dict.fromkeys(event.source for event in cited)),
        founding=cited[0].event_id,
        activity_id=cited[0].activity_id,
        at=cited[-1].occurred_at,
    )
