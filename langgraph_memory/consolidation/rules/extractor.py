"""Reads instructions, preferences and corrections from what users say, without a model."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator, Mapping, Sequence

from langgraph_memory.actions import CODE_FREEZE, KEEP_RUNNING, ActionClass, verbs_in
from langgraph_memory.consolidation.candidates import Candidate
from langgraph_memory.records import ActorKind, Event, FactKind

_HEDGE = re.compile(r"\b(probably|maybe|perhaps|might|i think|looks like|seems|guess|not sure)\b|\?\s*$")
_UNTIL = re.compile(r"\b(?:until|till|unless|before|while|as long as)\s+(?P<end>.+?)[.!]?$")
_KEEP = re.compile(r"\b(?:keep|leave)\s+(?P<obj>.+?)\s+(?P<state>running|up|on|online|alone|as is|reserved)\b")
_NOT = re.compile(r"\b(?:don't|do not|never|must not|should not|may not)\s+(?P<verb>.+)")
_HOLD = re.compile(r"^(?:please\s+)?(?:hold|freeze|pause|withhold)\s+(?P<obj>.+)")
_PREFER = re.compile(r"^i (?:really |strongly )?(?:prefer|like|love|hate|dislike|avoid|can't stand)\s+(?P<obj>.+)")
_NAME = re.compile(r"^my name is (?P<obj>.+)")
_REMEMBER = re.compile(r"^(?:please\s+)?(?:remember|note) that (?P<obj>.+)")
_AGAIN = re.compile(r"\b(?:can|may) (?:now )?(?:be )?(?P<verb>.+?)(?: again| now)\b|\bno longer need")
_IDENTIFIER = re.compile(r"\b(?=[\w.-]*[\d-])[A-Za-z][\w.-]*[\w]\b")
_FAMILIES = {
    "payment_policy": {ActionClass.PAY},
    "release_policy": {ActionClass.DEPLOY, ActionClass.MERGE},
}


class RulesExtractor:
    """Candidates from the users' own sentences; needs no model and no network."""

    def extract(self, events: Sequence[Event], known: Mapping[str, str]) -> list[Candidate]:
        """Candidates in the order of the events; see `Extractor`."""
        found: list[Candidate] = []
        recent: str | None = None
        for event in events:
            text = event.data.get("text")
            if event.actor.kind is not ActorKind.USER or not isinstance(text, str):
                continue
            if event.event_type not in ("message.user", "feedback.correction"):
                continue
            for sentence in _sentences(text):
                recent = _mention(sentence, known) or recent
                found.extend(_read(sentence, recent, event.event_id))
        return found


def _sentences(text: str) -> Iterator[str]:
    plain = unicodedata.normalize("NFKC", text).replace("\u2019", "'")
    lines = (line for line in plain.splitlines() if not line.lstrip().startswith(">"))
    for line in lines:
        yield from (part.strip() for part in re.split(r"(?<=[.!?])\s+", line) if part.strip())


def _mention(sentence: str, known: Mapping[str, str]) -> str | None:
    lowered = sentence.lower()
    for name in sorted(known, key=len, reverse=True):
        if re.search(rf"(?<![\w-]){re.escape(name.lower())}(?![\w-])", lowered):
            return name
    match = _IDENTIFIER.search(sentence)
    return match.group() if match else None


def _read(sentence: str, entity: str | None, event_id: str) -> Iterator[Candidate]:
    lowered = sentence.lower().rstrip()
    until = _UNTIL.search(sentence.rstrip())
    main = lowered[: until.start()] if until else lowered
    certainty = "hedged" if _HEDGE.search(main) else "stated"
    cited = {"value": sentence, "event_ids": (event_id,), "certainty": certainty}
    if _AGAIN.search(main):
        classes = verbs_in(main)
        yield Candidate(entity=entity, attribute=_attribute(classes), intent="retire", **cited)
    elif classes := _forbidden(main):
        yield Candidate(
            entity=entity,
            attribute=_attribute(classes),
            kind=FactKind.CONSTRAINT,
            forbids=tuple(sorted(classes)),
            ends_when=until["end"] if until else None,
            explicit=True,
            **cited,
        )
    elif match := _PREFER.search(main):
        noun = re.findall(r"\w+", match["obj"])[-1]
        yield Candidate(entity=None, attribute=f"preference_{noun}", kind=FactKind.PREFERENCE, **cited)
    elif _NAME.search(main):
        yield Candidate(entity=None, attribute="name", kind=FactKind.IDENTITY, explicit=True, **cited)
    elif _REMEMBER.search(main):
        yield Candidate(entity=entity, attribute="note", explicit=True, **cited)


def _forbidden(main: str) -> frozenset[str]:
    if match := _KEEP.search(main):
        if match["state"] in ("alone", "as is"):
            return frozenset({ActionClass.ANY})
        return KEEP_RUNNING
    if match := _NOT.search(main):
        return verbs_in(match["verb"])
    if match := _HOLD.search(main):
        return verbs_in(match["obj"]) or CODE_FREEZE
    return frozenset()


def _attribute(classes: frozenset[str]) -> str:
    return next((name for name, family in _FAMILIES.items() if classes & family), "lifecycle_policy")
