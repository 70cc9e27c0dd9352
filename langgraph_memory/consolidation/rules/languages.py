"""The basic forms of instructions in other languages than English, as tables of words.

Only what is common is read: keep it running, don't do it, until when, I prefer, remember, it may be done
again. What the words mean together is the same for all languages.
"""

from __future__ import annotations

import re

from langgraph_memory.actions import KEEP_RUNNING, ActionClass
from langgraph_memory.consolidation.rules.deeds import attribute_of
from langgraph_memory.consolidation.rules.language_tables import (
    CHINESE,
    ENGLISH,
    FRENCH,
    GERMAN,
    SPANISH,
    Language,
)
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.words import Phrase
from langgraph_memory.records import FactKind

_LANGUAGES = (GERMAN, FRENCH, SPANISH)
_HAN = re.compile("[\u4e00-\u9fff]")
_NAME = re.compile(r"[a-z0-9]+(?:[-_./:][a-z0-9]+)+")
_SIGNS = 2
"""How many of its small words tell a language."""


def language_of(text: str) -> Language | None:
    """The language of a sentence in lower case, if it is one of the tables and not English."""
    if _HAN.search(text):
        return CHINESE
    english = len(ENGLISH.findall(text))
    likely = [language for language in _LANGUAGES if language.signs_in(text) > english]
    if not likely:
        return None
    found = max(likely, key=lambda language: language.signs_in(text) + language.says(text))
    return found if found.signs_in(text) + (found.says(text) if not english else 0) >= _SIGNS else None


def is_foreign(sentence: Phrase) -> bool:
    """Whether a sentence is in one of the languages of the tables."""
    return language_of(sentence.text.lower()) is not None


def foreign(sentence: Phrase) -> Reading | None:
    """What a sentence in another language states, if it is one of the basic forms."""
    text = sentence.text.lower()
    language = language_of(text)
    if language is None or text.rstrip().endswith("?"):
        return None
    ends = language.until.search(text)
    main = text[: ends.start()] + (text[ends.end() :] if ends.end() < len(text) else "") if ends else text
    return _rule(language, sentence, main, ends) or _trait(language, sentence, text)


def _rule(language: Language, sentence: Phrase, main: str, ends: re.Match[str] | None) -> Reading | None:
    words = _NAME.sub(" ", main)
    deeds = frozenset(action for action, form in language.deeds if form.search(words))
    ended = deeds and language.again.search(main)
    classes = deeds if ended or language.negation.search(main) else _kept(language, main)
    if not classes:
        return None
    return Reading(
        attribute=attribute_of(classes),
        value=sentence.text.strip(" .!"),
        about=(sentence,),
        kind=FactKind.CONSTRAINT,
        forbids=classes,
        ends_when=None if ended or ends is None else _end(sentence, ends),
        intent="retire" if ended else "assert",
        hedged=language.doubt.search(main) is not None,
        explicit=True,
    )


def _kept(language: Language, main: str) -> frozenset[str]:
    if not language.keep.search(main):
        return frozenset()
    if language.untouched.search(main):
        return frozenset({ActionClass.ANY})
    return KEEP_RUNNING if language.running.search(main) else frozenset()


def _end(sentence: Phrase, ends: re.Match[str]) -> str:
    name = next(name for name, words in ends.groupdict().items() if words)
    start, end = ends.span(name)
    return sentence.text[start:end].strip(" .!,。")


def _trait(language: Language, sentence: Phrase, text: str) -> Reading | None:
    value = sentence.text.strip(" .!。")
    explicit = language.remember.search(text) is not None
    if match := language.likes.search(text):
        topic = next((words for words in match.groupdict().values() if words), "")
        doubt = language.doubt.search(text) is not None
        return Reading(
            f"preference_{topic}",
            value,
            kind=FactKind.PREFERENCE,
            hedged=doubt,
            explicit=explicit,
            personal=True,
        )
    return Reading("note", value, explicit=True, personal=True) if explicit else None
