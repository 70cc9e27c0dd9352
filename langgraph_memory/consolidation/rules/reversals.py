"""Words that take back what the same message has just said: "… — not!", "only kidding", "no wait, don't"."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from langgraph_memory.consolidation.rules.wording import starts
from langgraph_memory.consolidation.rules.words import Phrase

_REVERSES = starts("""
    (?! no kidding|joke|joking )
    ( oops|ooops|whoops|sorry|apologies|hmm|hm|ha|haha|hahaha|lol|oh|ah|ahem|well|no|nope|nah|just|only|but
    | and|or|so|p|d|ok|okay|actually|correction|rather|then|please|argh|ugh|wait|obviously|sadly
    | unfortunately | hold|hang on | [on] second thoughts? )*
    ( not|no|nope|nah ( yet|really|quite|true|so|fast|at|all|now )* | or not
    | better|maybe|perhaps|probably not
    | [i|we] [am|are|was|were] [just|only|obviously|totally]
      ( kidding|joking|teasing|trolling|jesting|bluffing | messing|playing [around|with] [you] )
      [you|around|of|course]
    | pulling your|everyone's leg
    | that|it|this is|was [just|only|obviously] [a|my|an] [bad|little]
      joke|prank|jest|test|lie|sarcasm|typo|mistake|error|wrong|nonsense | a joke|prank
    | april fools?|fool ['s] [day] | psych|sike|gotcha|jk|sarcasm|bazinga | fooled|got|had you [there|all]
    | scratch|strike|forget|ignore|disregard|undo|cancel|belay|delete|discard that|this|it|everything
    | scratch|forget|ignore|disregard [the|my|what] [last|above|previous] [_] [_] [said|wrote]
    | never mind [that|this|it|me] | nvm | i|we take|took it|that|this back | i|we take|took back _4?
    | i|we misread|misspoke|mistyped|misheard|misunderstood ...? | i|we was|were|am wrong|mistaken [about] _3?
    | i|we mixed|got ( that|it|things up|wrong | up _4? ) | i|we meant the|another other|one|thing _2?
    | [that] [was] [the] wrong [the]
      thread|channel|window|chat|person|ticket|one|project|message|machine|server
    | it|that|this|they|there|he|she is|are|was|were|has|have|does|do|did|can|must|may|should not
      ( yet|true|right|correct|so|quite|really|over|done|finished|be )*
    | you|we|nobody|one can|may|must|should|shall|do|are not ( yet|do|that|it|be )* | must|should|may|can not
    | do not [do] ( that|it|this|yet|you|dare )*
    | leave|keep it|that|them|this ( alone|be|running|up|on|there|as|is )* | wait|stop|halt|hold
    | hold|hang on|off [a] [second|minute|moment] | wait a second|minute|moment | i|you|we [only] wish
    | wishful thinking | if only | would be|have been nice | yeah|yea|yep|sure right | as if
    | in my|your dreams? | dream on | fat chance | i|we [have] changed my|our minds? | changed my|our minds?
    | false alarm | my bad|mistake|error | as you were | who am i kidding | not in a million years
    | i|we lied ) $
""")
_CLOSES = frozenset({",", ";", ":", "\u2014", "...", "(", ")", ".", "!", "?"})


def taken_back(said: Sequence[Phrase]) -> int:
    """How many of the sentences of a message, from its first on, a later word of it takes back.

    >>> taken_back([Phrase.of(said) for said in ("It is over.", "Just kidding!", "Stop it.")])
    2
    >>> taken_back([Phrase.of("It is over, no joke."), Phrase.of("It is over, not!")])
    2
    """
    found = 0
    for at, sentence in enumerate(said):
        segments = list(_segments(sentence))
        places = [place for place, segment in enumerate(segments) if _is_reversal(segment)]
        if places:
            found = at if places[-1] == 0 and len(segments) > 1 else at + 1
    return found


def _is_reversal(segment: Phrase) -> bool:
    return _REVERSES.fullmatch(segment) is not None


def _segments(sentence: Phrase) -> Iterator[Phrase]:
    """The runs of words between signs."""
    begin = 0
    for at in range(len(sentence.words) + 1):
        if at == len(sentence.words) or sentence.words[at].norm in _CLOSES:
            if at > begin:
                yield Phrase(sentence.source, sentence.words[begin:at])
            begin = at + 1
