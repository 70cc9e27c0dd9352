"""All of them, only this one, all but that one: of how many things a statement speaks."""

from __future__ import annotations

from langgraph_memory.consolidation.rules.known_names import KnownNames
from langgraph_memory.consolidation.rules.mentions import mentions, name_at
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase, Word
from langgraph_memory.entities import is_identifier

_EXCEPT = holds("""
    ( (?P<sign> except|excepting|excluding|besides|barring | save for | apart|aside from | other than
    | but|just|only not | with the exception of | not counting | minus (?! \\d ) )
    | anything|everything|everyone|everybody|nothing|nobody|all|none (?P<but> but|bar|save )
    | all|any|every|each|no _3 (?P<last> but|bar|save|minus ) ) [for] [the|my|our]
""")
_LISTED = starts(", [and|or] | and|or|nor [the|my|our]")
_ONLY = starts("[please] only [the|my|our] (?P<sole> _4 ) may|can|should|must be _")
_ALL = starts("""
    ( any|all|every|each|none|both [single] [one] [of] [the|my|our|your|these|those|them] | no [single] )
    (?P<noun> _ )
    | anything|everything
""")
_DONE_TO_ALL = starts("""
    _ [down|off|out|up] any|every|all|each [single] [one] [of] [the|my|our|your|these|those]
    (?! circumstances?|conditions?|time|times|point|case|cases|more|longer|way|reason|means|costs?|kind|of )
    (?P<noun> _ )
""")


def is_of_all(phrase: Phrase) -> bool:
    """Whether a phrase speaks of all things of a kind: "any servers", "stop all of my runs"."""
    return (_ALL.match(phrase) or _DONE_TO_ALL.match(phrase)) is not None


def leaves_out(sentence: Phrase) -> bool:
    """Whether a sentence leaves something out of what it says, named or not."""
    return _EXCEPT.search(sentence) is not None


def excepted(sentence: Phrase, known: KnownNames) -> tuple[str, ...]:
    """The things that a sentence leaves out of what it says: "except db-3", "just not the dentist".

    >>> excepted(Phrase.of("Don't stop any server except db-3 and db-4."), KnownNames({}))
    ('db-3', 'db-4')
    """
    match = _EXCEPT.search(sentence)
    return _named(sentence, match.end(), known)[0] if match else _sole(sentence, known)


def without_exception(clause: Phrase, known: KnownNames) -> Phrase:
    """A clause without what it leaves out.

    >>> without_exception(Phrase.of("Leave it all alone except db-3 until May"), KnownNames({})).plain
    'leave it all alone until may '
    """
    match = _EXCEPT.search(clause)
    if match is None:
        return clause
    begins = next(match.start(name) for name in ("sign", "but", "last") if match[name] is not None)
    kept = clause.cut(0, begins).words
    return Phrase(clause.source, (*kept, *_named(clause, match.end(), known)[1]))


def _named(sentence: Phrase, place: int, known: KnownNames) -> tuple[tuple[str, ...], tuple[Word, ...]]:
    """The names that are listed from a place on, and the words after them."""
    found, words = list[str](), sentence.cut(place).words
    rest = words
    while words and (named := name_at(sentence.source, words, known)):
        found.append(named[0])
        rest = words[named[1] :]
        listed = _LISTED.match(Phrase(sentence.source, rest))
        words = Phrase(sentence.source, rest).cut(listed.end()).words if listed else ()
    return tuple(found), rest


def _sole(sentence: Phrase, known: KnownNames) -> tuple[str, ...]:
    """The thing that alone may be acted on: "only db-3 may be stopped"."""
    match = _ONLY.match(sentence)
    named = mentions(sentence.group(match, "sole"), known) if match else []
    return tuple(each.name for each in named if known.knows(each.name) or is_identifier(each.name))
