"""Behaviour rules from feedback: the full new list from the old one and what was said, by plain forms.

Related rules become one, contradicted ones give way to what was said last, at most ten stay, each is one
imperative sentence, and only what is meant for good counts. Each rule cites who said it.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Protocol

from langgraph_memory.actions import verbs_in
from langgraph_memory.consolidation.learning.incidents import own_sentences
from langgraph_memory.consolidation.rules.speech import QUOTED
from langgraph_memory.consolidation.rules.styles import style
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.playbooks.documents import Document
from langgraph_memory.playbooks.versions import BEHAVIOUR, BEHAVIOUR_TRIGGER
from langgraph_memory.records import Event, Procedure, Record
from langgraph_memory.store.tokens import tokenize

MOST = 10
"""How many rules there are at most: more would not be followed."""

LONGEST = 200
"""The longest rule, in characters."""

_RELATED = 0.6
_ONCE = re.compile(
    r"""\b(?:this\ (?:time|once|one)|for\ (?:this|that)\ (?:one|case|task|message|answer)|just\ (?:now|once)
        |today|tonight|tomorrow|right\ now|for\ now|in\ this\ (?:case|thread|chat)|at\ the\ moment)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_LASTING = re.compile(
    r"\b(?:always|never|every time|each time|from now on|in (?:the )?future|going forward|again|any ?more"
    r"|stop \w+ing|whenever|by default|as a rule)\b",
    re.IGNORECASE,
)
_LEAD_IN = re.compile(
    r"""^(?:(?:please|so|and|also|from\ now\ on|in\ (?:the\ )?future|going\ forward|as\ a\ rule|by\ default
        |remember(?:\ to)?|you\ (?:should|must|need\ to|have\ to)|i(?:'d|\ would)?\ (?:want|like)\ you\ to
        )[,:]?\s+)+""",
    re.IGNORECASE | re.VERBOSE,
)
_STOP = re.compile(r"^stop (?=\w+ing\b)", re.IGNORECASE)
_IMPERATIVE = re.compile(
    r"""^(?:always|never|don'?t|do\ not|avoid|prefer|use|write|answer|reply|respond|give|keep|be|ask|show
        |explain|include|leave\ out|list|summari[sz]e|cite|quote|start|end|begin|name|pick|choose|speak|format
        |put|mention|address|call|offer|suggest|translate|check|run|test|skip|limit|make\ sure|ensure|round
        |spell|add|omit)\b""",
    re.IGNORECASE | re.VERBOSE,
)
_NEGATIVE = re.compile(r"^(?:never|don'?t|do not|avoid|leave out|skip|omit)\b|\bno longer\b", re.IGNORECASE)


class Rule(Record):
    """One imperative sentence, with the ids of what it rests on."""

    text: str
    sources: tuple[str, ...] = ()


class RuleWriter(Protocol):
    """Makes the full new list of rules from the old one and feedback."""

    def write(self, rules: Sequence[Rule], feedback: Sequence[Rule]) -> list[Rule]:
        """The new list; `feedback` are sentences of people, each with its source."""


class PlainRuleWriter:
    """The new list without a model: what is about the same thing is replaced or merged, the rest is added."""

    def write(self, rules: Sequence[Rule], feedback: Sequence[Rule]) -> list[Rule]:
        """The old rules without those that the feedback revises, then what it says; the oldest go first."""
        kept = list(rules)
        for new in feedback:
            about = [each for each in kept if _same_subject(each.text, new.text)]
            kept = [each for each in kept if each not in about]
            agreeing = [each for each in about if _agree(each.text, new.text)]
            sources = [source for each in (*agreeing, new) for source in each.sources]
            kept.append(Rule(text=_fuller(new, agreeing), sources=tuple(dict.fromkeys(sources))))
        return kept[-MOST:]


def feedback_in(event: Event, *, asked: bool = False) -> list[Rule]:
    """The rules that a person lays down in a message, each as one imperative sentence with its source.

    Args:
        event: what was said; quoted and pasted words don't count.
        asked: the message is feedback on behaviour, so that a plain imperative is meant for good.
    """
    found = (_rule(each, asked=asked) for each in own_sentences(event))
    return [Rule(text=text, sources=(event.source,)) for text in found if text]


def rules_of(procedure: Procedure | None) -> list[Rule]:
    """The rules of a stored list."""
    if procedure is None:
        return []
    sources = procedure.step_sources or ("",) * len(procedure.steps)
    return [
        Rule(text=text, sources=tuple(filter(None, cited.split(", "))))
        for text, cited in zip(procedure.steps, sources, strict=True)
    ]


def listed(rules: Sequence[Rule], reason: str) -> tuple[Document, tuple[str, ...]]:
    """The list as a procedure, and the sources of each rule."""
    document = Document(
        procedure_id=BEHAVIOUR,
        trigger_intent=BEHAVIOUR_TRIGGER,
        steps=tuple(rule.text for rule in rules),
        reason=reason,
    )
    return document, tuple(", ".join(rule.sources) for rule in rules)


def _rule(sentence: str, *, asked: bool) -> str | None:
    """A sentence as a rule; None if it is a question, meant for once, or no command."""
    words = " ".join(sentence.split())
    if words.endswith("?") or QUOTED in words or _ONCE.search(words):
        return None
    plain = _STOP.sub("Avoid ", _LEAD_IN.sub("", words))
    if not asked and (verbs_in(plain) or not _LASTING.search(words)):
        return None  # what is done to things is for constraints and playbooks
    if not _IMPERATIVE.match(plain) or len(plain) > LONGEST:
        return None
    return f"{plain[0].upper()}{plain[1:].rstrip('.! ')}."


def _same_subject(one: str, other: str) -> bool:
    topics = style(Phrase.of(one)), style(Phrase.of(other))
    if topics[0] is not None and topics[0] == topics[1]:
        return True
    first, second = _subject(one), _subject(other)
    return bool(first and second) and len(first & second) / min(len(first), len(second)) >= _RELATED


def _subject(text: str) -> set[str]:
    return set(tokenize(_NEGATIVE.sub("", text.lower()))) - set(tokenize("always every time again please"))


def _agree(one: str, other: str) -> bool:
    """Whether two rules about one thing say the same: both for it or both against it, one in the other."""
    same_sign = bool(_NEGATIVE.search(one)) == bool(_NEGATIVE.search(other))
    first, second = _subject(one), _subject(other)
    return same_sign and (first <= second or second <= first)


def _fuller(new: Rule, agreeing: Sequence[Rule]) -> str:
    return max(
        [new.text, *(each.text for each in agreeing)],
        key=lambda text: (len(_subject(text)), text == new.text),
    )
