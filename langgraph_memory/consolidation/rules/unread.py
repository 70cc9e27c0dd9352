"""What was said with the force of an instruction but fits no form: it must not vanish, so it is asked about.

"Ines is coming back to it in May" forbids nothing in words, yet whoever deletes it should have asked. Such a
sentence becomes a candidate that rules out everything while it waits: calls that change the thing are put to
a person, until someone with authority confirms it, rejects it or releases the thing. What merely tells how
things are ("it's idle", "it took eleven minutes") doesn't; neither do questions, guesses and what a document
says.
"""

from __future__ import annotations

from langgraph_memory.actions import ActionClass, verbs_in
from langgraph_memory.consolidation.rules import unread_tables as tables
from langgraph_memory.consolidation.rules.deeds import attribute_of
from langgraph_memory.consolidation.rules.mentions import KnownNames
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.rule import ANYTHING
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.words import Phrase, word_set
from langgraph_memory.records import FactKind

_LIGHTLY_MEANT = (Mark.DOCUMENT, Mark.ASKING, Mark.QUESTION, Mark.HYPOTHETICAL, Mark.HEDGED)
_POINTS = word_set("it this that them they these those one ones there")
_SPARING = word_set("keep leave hold wait skip park pause suspend freeze reserve put change edit archive")
_QUALIFIES = word_set("except excluding besides whoever anyone anybody")
"""Words after which an order to act is none for this thing, or for nobody in particular."""


def forceful(meant: Stance, known: KnownNames) -> bool:
    """Whether a clause has the force of an instruction, a need or a worry."""
    if meant.has(*_LIGHTLY_MEANT):
        return False
    said, core = masked(meant.whole, known), masked(meant.core, known)
    if tables.FREES.search(said) or tables.NEVERTHELESS.match(core):
        return False
    if tables.ORDERS.match(core):
        return True
    if _is_errand(core) or (tables.TOLD.search(said) and not tables.NOW.search(said)):
        return False
    lasts = tables.LASTS.search(said) is not None and not tables.HABIT.search(said)
    return lasts or any(form.search(said) for form in tables.FORCES)


def unread(sentence: Phrase) -> Reading:
    """The sentence as a constraint that is asked about."""
    return Reading(
        attribute=attribute_of(ANYTHING),
        value=sentence.text.strip(" ,;:.!?\u2014-"),
        about=(sentence,),
        kind=FactKind.CONSTRAINT,
        forbids=ANYTHING,
        hedged=True,
        asks_first=True,
        named_only=True,
        described=False,
    )


def masked(phrase: Phrase, known: KnownNames) -> str:
    """The plain words with `thing` for known names and for what points at them."""
    found, position = [], 0
    while position < len(phrase.words):
        named = known.find(phrase.words[position:])
        word = phrase.words[position].norm
        found.append("thing" if named or word in _POINTS else word)
        position += named[1] if named else 1
    return "".join(f"{word} " for word in found)


def _is_errand(core: str) -> bool:
    """Whether somebody is told to act: "restart it before noon", "we should restart it before noon"."""
    words = core.split()
    if not _QUALIFIES.isdisjoint(words):
        return False
    if words and _acts(words[0]) and "instead" not in words and "first" not in words[-2:]:
        return True
    found = tables.ERRAND.search(core)
    deed = found["deed"].split() if found else []
    return any(_acts(word) for word in deed) and "not" not in words and "never" not in words


def _acts(word: str) -> bool:
    return word not in _SPARING and bool(verbs_in(word) - {ActionClass.ANY})
