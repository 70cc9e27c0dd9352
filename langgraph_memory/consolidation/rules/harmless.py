"""What asks nothing of anybody: reports, descriptions, thanks, likings, questions and plain requests.

Whatever else is said of a known thing is held until a person answers: it can't be told to be harmless, so it
isn't taken to be. The shape of the clause decides: what a thing is or does by itself is description; what
others do with it, or have of it, is a reason to ask them first.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping

from langgraph_memory.actions import ActionClass, verbs_in
from langgraph_memory.consolidation.rules import grammar_tables as tables
from langgraph_memory.consolidation.rules.shape import THING, Shape, Tense, shape

_INQUIRED = frozenset(["which", "who", "what", "whether", "if", "how", "when", "why", "where", "about"])
_NOBODY = frozenset({"nobody", "none"})
_CONDITIONS = frozenset({"when", "once", "after", "if", "unless", "until"})
_BINDING = frozenset({"must", "should", "shall", "ought"})
_SINGULAR = frozenset({"only", "last", "single", "sole"})
_OURS = frozenset({"mine", "ours", "hers", "theirs", "yours", "'s"})
_ITS_OWN = frozenset({"my", "our", "his", "her", "their"})


def harmless(masked: str) -> bool:
    """Whether a clause about a thing asks nothing of anybody.

    Args:
        masked: its plain words, with `thing` for names; see `unread.masked`.

    >>> [harmless(said) for said in ("thing has been quiet all week ", "nice work on thing ")]
    [True, True]
    >>> harmless("sailors check thing before they leave ")
    False
    """
    words = masked.split()
    if words and words[0] in tables.PRAISE:
        return True
    found = shape(words)
    if tables.CONSEQUENCES.isdisjoint(words) or not _names_deed(found):
        return _BY_TENSE[found.tense](found)
    return not tables.GAINS.isdisjoint(words)


def tells(masked: str) -> bool:
    """Whether a clause tells a story: what was, not what somebody was asked or promised."""
    found = shape(masked.split())
    return found.tense is Tense.PAST and _past(found)


def _names_deed(found: Shape) -> bool:
    """Whether a deed is spoken of, as in "deleting it would get us sued"."""
    return bool(found.subject) and found.subject[0].endswith("ing") and _acts(found.subject[0])


def _fragment(found: Shape) -> bool:
    """A few words without a verb: a name, a number, a topic."""
    if found.is_thing and len(found.subject) > 1 and not _IS_DROPPED.isdisjoint(found.subject[1:]):
        return False
    return tables.ALARMS.isdisjoint(found.subject)


_IS_DROPPED = tables.HELD_AS | {"under", "with"}
"""As in "server frozen", "invoice with legal"."""


def _command(found: Shape) -> bool:
    """A plain request; what asks to look after the thing is none."""
    return found.verb not in tables.GUARDS


def _past(found: Shape) -> bool:
    """A story, unless somebody was promised or asked something, or took trouble over it."""
    toiled = found.verb in ("waited", "fought", "worked", "saved", "queued") and "for" in found.rest
    return not (_binds(found, found.verb) or (toiled and not found.is_thing))


def _binds(found: Shape, verb: str) -> bool:
    """Whether it was asked, promised or agreed; what a thing asked for by itself binds nobody."""
    if verb == "asked" and found.rest and not _INQUIRED.isdisjoint(found.rest[:3]):
        return False
    return verb in tables.ACTS and (not found.is_thing or not {"to", "that", "not"}.isdisjoint(found.rest))


def _perfect(found: Shape) -> bool:
    if found.rest[:1] == ("been",):
        return found.rest[1:2] == () or found.rest[1] not in tables.HELD_AS
    if found.negated and not found.of_thing and (found.late or found.deed in tables.COMPLETES):
        return False
    return not _binds(found, found.deed)


def _is(found: Shape) -> bool:
    first = found.rest[0] if found.rest else ""
    if found.subject[:1] == ("there",):
        return not tables.FOUND_IN_IT.isdisjoint(found.rest)
    if found.subject in (("it",), ("this",), ("that",)) and found.rest[-1:] == (THING,):
        return True
    if not found.of_thing:
        return found.speaker and _is_feeling(found)
    if found.negated and first not in tables.PLAIN_STATES:
        return False
    if first.endswith("ing"):
        return _busy_by_itself(found)
    return not _is_claimed(found)


def _is_claimed(found: Shape) -> bool:
    """Whether somebody has a claim on what is spoken of, or it is in the middle of something."""
    first = found.rest[0] if found.rest else ""
    second = found.rest[1] if len(found.rest) > 1 else ""
    if first in tables.HELD_AS or first in ("under", "mid", "between", "subject"):
        return True
    if first == "with" and "since" not in found.rest:
        return True
    if first == "in" and (second in tables.IN_THE_MIDST or second.endswith(("ion", "ing"))):
        return True
    compared = next((place for place, word in enumerate(found.rest) if word in ("than", "like", "as")), None)
    return not (_OURS | _ITS_OWN | _SINGULAR | tables.PEOPLE).isdisjoint(found.rest[:compared])


def _is_feeling(found: Shape) -> bool:
    """As in "I'm happy with it", "I am looking at it": it is said of the speaker alone."""
    return bool(found.rest) and (found.rest[0] in tables.FEELINGS or found.rest[0] in tables.PRAISE)


def _busy_by_itself(found: Shape) -> bool:
    """As in "it is running hot"; not "it is running the payroll"."""
    if found.rest[0] in tables.HELD_AS or not tables.PEOPLE.isdisjoint(found.rest):
        return False
    following = found.rest[1] if len(found.rest) > 1 else ""
    return found.rest[0] in tables.IDLE_OBJECTS or following not in tables.DETERMINERS


def _present(found: Shape) -> bool:
    if _acts(found.deed) and not _CONDITIONS.isdisjoint(found.rest):
        return False
    if found.subject[:1] and found.subject[0] in _NOBODY:
        return not _acts(found.verb)
    if found.of_thing:
        return _does_by_itself(found)
    if found.speaker:
        return _is_asked_for(found) or _deed(found) in (
            tables.UNREACHED if found.negated else tables.COGNITION
        )
    return THING not in found.rest


def _deed(found: Shape) -> str:
    """The verb that carries the meaning, also in "we need to talk about it"."""
    return found.rest[1] if found.rest[:1] == ("to",) and len(found.rest) > 1 else found.deed


def _is_asked_for(found: Shape) -> bool:
    """As in "I want it cancelled", "we need it to be restarted"."""
    asked = found.verb in ("want", "need", "like") and not found.negated
    return asked and bool(found.rest) and _acts(found.rest[-1])


def _does_by_itself(found: Shape) -> bool:
    """As in "it costs nine euros"; not "it feeds my dad", "it doesn't leave the house"."""
    if found.negated and (_acts(found.deed) or found.deed in tables.STAYS_PUT | tables.TALLIES):
        return False
    if found.verb in ("has", "have") and not tables.HAS_OF_IT.isdisjoint(found.rest):
        return False
    if found.verb in tables.LASTING:
        return False
    only_one = bool(_SINGULAR & set(found.rest)) and "copy" in found.rest
    return not only_one and (tables.PEOPLE | _ITS_OWN | _OURS).isdisjoint(found.rest)


def _modal(found: Shape) -> bool:
    if found.deed == "have" and found.verb != "would":
        return True
    if found.verb in _BINDING and not found.negated and not tables.GAINS.isdisjoint(found.rest):
        return True
    if found.verb in _BINDING:
        return found.speaker and not found.negated and found.deed in tables.COGNITION
    if found.of_thing:
        return not (_will_be_wanted(found) or (found.negated and _is_kept_from(found)))
    unable = found.deed in tables.UNREACHED or (found.subject[:1] == ("i",) and _acts(found.deed))
    return found.speaker and found.negated and unable


def _will_be_wanted(found: Shape) -> bool:
    return found.rest[:1] == ("be",) and len(found.rest) > 1 and found.rest[1] in tables.HELD_AS


def _is_kept_from(found: Shape) -> bool:
    """As in "it can't be stopped", "it may not move"; not "it won't start"."""
    if found.verb in ("will", "would"):
        return found.deed == "be" and len(found.rest) > 1 and _is_participle(found.rest[1])
    return found.deed == "be" or found.deed in tables.STAYS_PUT or _acts(found.deed)


def _is_participle(word: str) -> bool:
    return word.endswith(("ed", "en", "wn")) or word in tables.PAST


def _acts(verb: str) -> bool:
    return bool(verbs_in(verb) - {ActionClass.EXECUTE, ActionClass.CREATE})


_BY_TENSE: Mapping[Tense, Callable[[Shape], bool]] = {
    Tense.NONE: _fragment,
    Tense.COMMAND: _command,
    Tense.IS: _is,
    Tense.PRESENT: _present,
    Tense.PAST: _past,
    Tense.PERFECT: _perfect,
    Tense.MODAL: _modal,
}
