"""Whom a sentence gives as its source: a label before it ("Tina: …"), or a report after it ("…, says Tina").

Who speaks is the actor of the event. What a sentence puts in somebody else's mouth carries nobody's
authority.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator

from langgraph_memory.consolidation.rules.stance_tables import LEADING
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase, word_set

_SAYS = (
    "says?|said|tells|told|claimed|reported|informed|writes|wrote|insists?|insisted|confirms?|confirmed"
    "|announces|announced|mentioned|assures|assured|swears?|swore|thinks?|thought|believes?|believed"
    "|reckons?|reckoned|hears|heard|stated|texted|emailed|mailed|messaged|posted|maintained|promised|quoth"
)
_SAYS_IT = (
    "claims?|reports?|tell|puts?|mentions?|states?|texts?|mails?|messages?|sees?|saw|has|writes?|pinged|rang"
    "|phoned|called|signalled|whispered"
)
"""Verbs that are nouns as well: they report where something follows that is said."""

_WHO = f"""
    (?! i|we|you|it|this|which|that|what ) _4? (?! i|we ) _ [has|have|had] [just|also|only|already]
    ( {_SAYS} | let|lets me|us know | {_SAYS_IT} me|us|so|it|that )
"""
"""Somebody else, and that they say it."""

_AFTER = r"( ,|—|; | \( )"
_TAIL = "( [to] me|us|everyone|everybody|so|it|that|this [way] )? _4?"
_END = r"( \. | ! | \) | , anyway|though|apparently|actually )* $"
_TRAILING = holds(rf"""
    {_AFTER} [or|so|as|and|but|at] [least] [so|that] [is] [what|how] ( {_WHO} {_TAIL} {_END} )
    | {_AFTER} [the|our|my|his|her|their] (?! i|we|you ) _2 claims?|reports?|mentions?|states?|tells|puts
      {_END}
    | {_AFTER} that|this|it is|was|comes|came [straight|directly|right] from|by|via _4 {_END}
    | {_AFTER} [or|so|as] {_SAYS} (?! i|we|so|that|it|to|me|us ) _5? {_END}
    | {_AFTER} ( according to|with | as per | per|via | courtesy of | quoting | source : | quote ) _5 {_END}
    | {_AFTER} [or|so|as|at] [least] [so] i|we [just|also|only] [am|was|were|got|have|had] [been] [just|also]
      told|informed|assured|heard|hear|read|learned|learnt|gather|gathered ...? $
    | by|from all accounts | the way _2 tells it
""")
"""Words after a statement that say whose it is."""

_PASSES_ON = starts(rf"""
    [well|anyway|and|but|so] ( [at] [least] that|this [is] [what|how] ( {_WHO} ) _4? {_END}
    | [or|at] [least] so ( {_WHO} ) _3? {_END}
    | ( {_WHO} ) [me|us] [so|that|this|it] [just] [now|today|yesterday|earlier] {_END}
    | [so] {_SAYS} (?! i|we|you|so|that|it|to|the|me|us ) _3 {_END} | source|via|from|per [:] _4 {_END}
    | i|we [just|only] have|had|got|heard|read it|that|this [from|on|in|via|by] ... | according to _5 {_END}
    | i|we was|were|am|are told so )
""")
"""A sentence that only says from whom the others are."""

_OWN = word_set("""
    a again agreed all also an and announcement another answer as ask attention background bad
    because being big bottom brief caution clear conclusion confirmation confirmed constraint
    context correction deal dear decision done dr edit effective everybody everyone exception fact
    final finally first folks follow follow-up following followup for future fyi good great guys
    heads hello hey hi hooray immediately important in info information instruction instructions is
    it just last latest line listen long look made more my new news no note notes notice now of ok
    okay one order orders our outcome own p.s. people plain please point policy preference progress
    ps question quick reached reason record reference remember reminder request result results rule
    rules second short side simple small so standing status story summary taken task team thanks
    that the thing things this three tl tl;dr tldr to today todo truth two up update updates urgent
    verdict version very warning wish yes your
    : , . ! ( ) \u2014 [ ] - ; # ?
""")
"""Words of labels that leave a statement the speaker's own."""

_ADDRESSED = starts(r"""
    @\S+ | hi|hello|hey|dear|to|for|attention|attn|about|on|regarding|concerning | re _
    | [the] all clear | [the] green light | [the] go-ahead|okay|approval|sign-off | back to|on
""")
"""Labels that say to whom a sentence is, of what, or what comes of it."""

_CLAUSE = holds("""
    i|we|let|is|are|was|were|has|have|do|does|please|here|there|can|could|will|must|should|keep|remember|know
""")
_OPINES = holds(
    f"{_SAYS}|{_SAYS_IT} | sure|certain|adamant|convinced|words|word|quote|quoting|from|voice|opinion"
)
_OF_MATTER = holds("for|about|on|regarding|concerning|to (?! _5 from|by|via|per )")
"""What begins of whom or of what a label is: "news for all of us", not "news for all from Tina"."""
_LONGEST = 7
_LONGEST_NAME = 2
_FEWEST_SAID = 2
_ENDS = frozenset({";", "!", "?"})


def labels(sentence: Phrase) -> Iterator[Phrase]:
    """What stands before the colons at the start of a sentence, and a name before a dash.

    >>> [each.plain for each in labels(Phrase.of("Update: Tina (QA): it is over"))]
    ['update ', 'tina ( qa ) ']
    """
    begin = 0
    for at, word in enumerate(sentence.words[:-1]):
        before = Phrase(sentence.source, sentence.words[begin:at])
        if at - begin > _LONGEST or word.norm in _ENDS:
            return
        if word.norm == ",":
            begin = at + 1
        elif word.norm == ":" or (word.norm == "\u2014" and _is_name(before)):
            yield before
            begin = at + 1


def _is_name(phrase: Phrase) -> bool:
    written = all(word.norm.isalpha() and phrase.source[word.start].isupper() for word in phrase.words)
    return written and len(phrase.words) <= _LONGEST_NAME


def names_source(before: Phrase, is_topic: Callable[[str], bool]) -> bool:
    """Whether a label may say from whom a sentence is.

    Args:
        before: the label.
        is_topic: whether a word of it names what the sentence is about.
    """
    if not before or _ADDRESSED.match(before) or LEADING.match(before):
        return False
    if _CLAUSE.search(before):
        return _OPINES.search(before) is not None and before.words[0].norm not in ("i", "we")
    of = _OF_MATTER.search(before)
    told = before.cut(0, of.start()) if of else before
    return not all(word.norm in _OWN or is_topic(word.norm) for word in told.words)


def is_reported(sentence: Phrase) -> bool:
    """Whether a sentence says at its end that somebody else said it.

    >>> [is_reported(Phrase.of(said)) for said in ("It is over, says Tina.", "It is over, I say.")]
    [True, False]
    """
    return _TRAILING.search(sentence) is not None or _is_signed(sentence)


def _is_signed(sentence: Phrase) -> bool:
    """Whether a name alone stands after a dash or in brackets at the end: "… — Tina", "… (Tina)"."""
    marks = [at for at, word in enumerate(sentence.words) if word.norm in ("\u2014", "(")]
    named = [word for word in sentence.words[marks[-1] + 1 :] if word.norm.isalpha()] if marks else []
    first = marks[0] if marks else 0
    return bool(named) and first >= _FEWEST_SAID and _is_name(Phrase(sentence.source, tuple(named)))


def passes_on(sentence: Phrase) -> bool:
    """Whether a sentence only says from whom the other ones are: "Tina told me so"."""
    return _PASSES_ON.match(sentence) is not None
