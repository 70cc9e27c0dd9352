"""Words that bind a statement to the present occasion: this run, this session, just this once.

What is said of the occasion stays with its episode. A time with an end in the world ("until Friday", "until
the audit is over") is no occasion: such a rule lasts, and names its end.
"""

from __future__ import annotations

from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase, word_set

_TALKS = "session|chat|conversation|thread|dialogue|call"
"""What speaker and agent are in together: its end is no event of the world."""

_TURNS = f"run|{_TALKS}|occasion|round|pass|turn|attempt|try|go-around|iteration|sweep"
_NOUNS = (
    f"{_TURNS}|task|request|batch|exercise|cleanup|job"
    "|answer|reply|response|message|question|query|search|time|one"
)
_THINGS = (
    "trip|flight|order|booking|deploy|deployment|release|pr|commit"
    "|email|report|purchase|ticket|visit|stay|reservation|meeting"
)
_NAMES_ANOTHER = """
    (?! cycle|freeze|windows?|period|phase|train|season|week|month|quarter|year|queue|branch|process|candidate
    |hold|moratorium|of|next|on|onwards?|forward|last )
"""
"""What follows a noun that isn't the occasion: "this release freeze", "from this run on"."""

_THIS = """( this [particular|specific|single|one|very|current|present|ongoing|whole]
    | the|our|your current|present|ongoing )"""
_NOT = "(?<! not ) (?<! even ) (?<! not just ) (?<! not only ) (?<! even just )"
"""Before what is denied: "not just this once", "not even for this run"."""

_NO_TIME = "(?<! even ) (?<! at ) (?<! by ) (?<! about ) (?<! around ) (?<! since ) (?<! just ) (?<! only )"
_WITHIN = "for|in|during|within|throughout|on|with"
_WORKING = "( are|am|do|doing|run|running|work|working|handle|handling|busy )* [on|with|in|through]"
_PAUSE = r"(?= ,|:|;|—|\.|!|please | $ )"
_PASSES_OVER = "skip|skipping|ignore|ignoring|omit|omitting|exclude|excluding|disregard"

OCCASION = rf"""
    {_NOT} [just|only] this once | {_NOT} just once (?! every|again )
    | {_NOT} [just|only] ( this one time | one time only )
    | {_NO_TIME} this time [only|around] (?! of|next|last|forever|permanently | [,] for good )
    | {_NOT} just|only this time (?! of|next|last )
    | [as|just|only] a|one one-off|one-time [only|thing|request|exception|favor|deal|case|measure]
      (?= ,|:|;|—|\.|!|but|and|because|since|so|please | $ )
    | [as|by] [way] [of] [a|an] [single|special|rare|one-off|one-time] exception {_PAUSE} | exceptionally
    | for once {_PAUSE}
    | one-off|one-time [only] (?= ,|:|;|—|\. | $ )
    | {_NOT} [just|only] {_WITHIN} {_THIS} {_NOUNS} {_NAMES_ANOTHER}
    | {_NOT} just|only {_WITHIN} {_THIS} {_THINGS} {_NAMES_ANOTHER}
    | {_NOT} just|only {_THIS} {_TURNS} {_NAMES_ANOTHER} | {_NOT} {_THIS} {_TURNS} only|alone
    | (?<! not ) on this occasion | in this case|instance
    | out of {_THIS} {_NOUNS} {_NAMES_ANOTHER}
    | exclude|excluded|omit|omitted|spare|spared|exempt|exempted|except|leave|keep _6? from {_THIS} {_NOUNS}
    | this round|pass|turn|go-around {_PAUSE}
    | [for|during|throughout|over] [the] rest|remainder|duration|length|course of
      ( {_THIS} {_NOUNS} | the|our {_TALKS} (?! with|of|about|between ) )
    | until {_THIS} {_TALKS} (?! with|of|about|between )
    | until [the] end|close of ( {_THIS} {_NOUNS} | the|our {_TALKS} (?! with|of|about|between ) )
    | until|while|whilst i|we|you are done|finished|through ( here | with this|that|it )
    | while|whilst|long as you|we|i {_WORKING} {_THIS} {_NOUNS}
    | {_NOT} just|only [for] today|tonight (?! and|until ) | {_NOT} today|tonight only|alone
    | for today|tonight 's _ | in|from|during|of today|tonight 's {_NOUNS} {_NAMES_ANOTHER}
    | {_PASSES_OVER} _8? for now | {_PASSES_OVER} _8? for the moment | leave _8? out for now
    | for now|today ( ,|please|just|you|can|we|let|us )* {_PASSES_OVER}
    | for now|today ( ,|please|just )* leave _6 out
"""
"""Wording that binds what is said to the present occasion."""

AT_HAND = f"{_WITHIN} {_THIS} {_THINGS} {_NAMES_ANOTHER}"
"""Wording that binds it to a thing at hand: a wish ends with the trip, but a rule may be about that order."""

_OCCASION = holds(OCCASION)
_TELLING = word_set(f"""
    this once one-off one-time one today tonight now out exception exceptionally current present ongoing here
    done finished through moment {_TALKS.replace("|", " ")}
""")
"""Each wording has one of these words."""

_AT_HAND = holds(AT_HAND)
_BARE = starts(rf"""
    ( and|but|so|well|okay|please|though|also|again|temporarily|not|, )*
    ( this|that|it is|was | i am making|asking )?
    ( {OCCASION} ) ( {OCCASION} | ,|please|only|though|thanks|\.|! )* $
""")


def of_occasion(phrase: Phrase) -> bool:
    """Whether a phrase speaks of the present occasion only.

    >>> [of_occasion(Phrase.of(said)) for said in ("skip it this time", "not just this once", "until Friday")]
    [True, False, False]
    """
    return not _TELLING.isdisjoint(phrase.vocabulary) and _OCCASION.search(phrase) is not None


def of_thing_at_hand(phrase: Phrase) -> bool:
    """Whether a phrase speaks of a thing at hand only: "for this trip"."""
    return _AT_HAND.search(phrase) is not None


def names_occasion(phrase: Phrase) -> bool:
    """Whether a phrase says nothing but that another one is for the occasion: "this is a one-off".

    >>> [names_occasion(Phrase.of(said)) for said in ("Just this once, please.", "Skip it this once.")]
    [True, False]
    """
    return not _TELLING.isdisjoint(phrase.vocabulary) and _BARE.match(phrase) is not None
