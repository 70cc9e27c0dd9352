"""When what a sentence says is asked about instead of kept: for a guess, a condition, hearsay or a scene.

An ending lifts a protection, so that any doubt in the sentence makes it doubtful; a rule only protects.
"""

from __future__ import annotations

from dataclasses import replace

from langgraph_memory.consolidation.rules.bylines import is_reported, labels, names_source
from langgraph_memory.consolidation.rules.known_names import KnownNames
from langgraph_memory.consolidation.rules.mentions import mentions
from langgraph_memory.consolidation.rules.reading import Reading
from langgraph_memory.consolidation.rules.reports import is_guess
from langgraph_memory.consolidation.rules.sentences import Clause
from langgraph_memory.consolidation.rules.stance import Stance
from langgraph_memory.consolidation.rules.stance_tables import Mark
from langgraph_memory.consolidation.rules.wording import starts
from langgraph_memory.consolidation.rules.words import Phrase

_CASTS_DOUBT = (Mark.HEDGED, Mark.CONDITIONAL, Mark.HYPOTHETICAL)
_HEARSAY = (Mark.REPORTED, Mark.DOCUMENT)

_PURPOSE = starts("that (?! is|means|was )")
"""As in "I hope … that it can be stopped"."""

_CONCLUDES = ", so"
"""With what speakers go on to what they make of a report themselves."""

_SETTING = 5
"""So few words set a scene for what follows: "in the film, …"."""


class Doubts:
    """What casts doubt on a sentence, as far as it is heard.

    Args:
        sentence: the sentence.
        known: the names that are known.
        passed_on: whether its message passes it on from somebody else, or takes it back.
    """

    def __init__(self, sentence: Phrase, known: KnownNames, *, passed_on: bool) -> None:
        self._guessed = is_guess(sentence)
        self._hearsay = passed_on or _gives_source(sentence, known)
        self._played = False

    def hear(self, clause: Clause, meant: Stance) -> None:
        """Take the next clause in; what it doubts is doubted in those after it."""
        purpose = clause.after.endswith("then") or _PURPOSE.match(clause.phrase) is not None
        self._guessed = self._guessed or purpose or meant.has(*_CASTS_DOUBT)
        self._hearsay = (self._hearsay and clause.after != _CONCLUDES) or meant.has(*_HEARSAY)
        sets_scene = meant.has(Mark.HYPOTHETICAL) and len(clause.phrase.words) <= _SETTING
        self._played = self._played or sets_scene

    def weigh(self, reading: Reading) -> Reading:
        """A reading of the latest clause, hedged if it is in doubt."""
        ending = reading.intent == "retire" and (self._guessed or self._hearsay)
        return replace(reading, hedged=True) if ending or self._played else reading


def _gives_source(sentence: Phrase, known: KnownNames) -> bool:
    """Whether a sentence gives somebody else as its source, before it or after it."""
    return is_reported(sentence) or any(
        names_source(before, _topics(before, known).__contains__) for before in labels(sentence)
    )


def _topics(label: Phrase, known: KnownNames) -> set[str]:
    """The words of a label that name things."""
    return {word.norm for each in mentions(label, known) for word in Phrase.of(each.name).words}
