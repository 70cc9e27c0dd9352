"""Sentences of a paragraph, and the clauses of a sentence.

A clause is cut where a new statement begins: after "and", "but", ";", ":" or a comma, if what follows can
begin one (a command, or a subject with its verb). A condition that leads ("Until QA migrates, keep it up")
is joined to the clause that it rules.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from langgraph_memory.actions import verbs_in
from langgraph_memory.consolidation.rules.stance_tables import LEADING
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase, Word

MAX_WORDS = 120
"""A longer sentence is read in pieces, so that no pattern ever sees a long text."""

_ABBREVIATED = re.compile(
    r"(?:\b(?:e\.g|i\.e|etc|vs|approx|incl|resp|mr|mrs|ms|dr|prof|st|dept|fig|sec|esp|est|inc|ltd|corp|max"
    r"|min|temp|ext|cf|al|p\.s)|\b[A-Za-z])\.$",
    re.IGNORECASE,
)
_NUMBER_SIGN = re.compile(r"n[or]\.\s+[#\d]", re.IGNORECASE)
_BULLET = re.compile(r"\s*(?:[-*+\u2022\u00b7\u25aa\u2013]|\(?\d{1,2}[.)]|\(?[a-z]\))\s+")
_BREAK = re.compile(r"[.!?\u2026]+[\"')\]]*(?=\s|$)|[\u3002\uff01\uff1f!?]+(?=[\u3400-\u9fff])|\n")


@dataclass(frozen=True)
class Clause:
    """One statement of a sentence.

    Attributes:
        phrase: the clause itself, without the words that join it to the one before.
        lead: the subordinate clause before it that it depends on ("until QA migrates"), or empty.
        question: whether its sentence ends as a question.
        after: the punctuation or word that cut it off from the clause before ("" for the first).
    """

    phrase: Phrase
    lead: Phrase
    question: bool
    after: str = ""

    @property
    def whole(self) -> Phrase:
        """The clause with its lead."""
        return self.lead.to(self.phrase) if self.lead and self.phrase else self.phrase

    @property
    def text(self) -> str:
        """As it was said, its lead included."""
        return self.whole.text.strip(" ,;:.!?\u2014-")


def sentences(paragraph: str) -> Iterator[Phrase]:
    """The sentences of a paragraph, in pieces of at most `MAX_WORDS` words.

    >>> [s.text for s in sentences("Keep v4.2 up, e.g. for QA. Until when? Until May.")]
    ['Keep v4.2 up, e.g. for QA.', 'Until when?', 'Until May.']
    """
    bullet = _BULLET.match(paragraph)
    start = bullet.end() if bullet else 0
    for match in _BREAK.finditer(paragraph, start):
        abbreviated = _ABBREVIATED.search(paragraph, max(start, match.end() - 8), match.end())
        if not abbreviated and not _NUMBER_SIGN.match(paragraph, max(start, match.end() - 3)):
            yield from _pieces(paragraph[start : match.end()])
            start = match.end()
    yield from _pieces(paragraph[start:])


def _pieces(text: str) -> Iterator[Phrase]:
    phrase = Phrase.of(text)
    if not any(word.norm[-1].isalnum() for word in phrase.words):
        return
    for first in range(0, len(phrase.words), MAX_WORDS):
        yield Phrase(text, phrase.words[first : first + MAX_WORDS])


DEED_NOUNS = """
    deploys|deployments|restarts|reboots|refunds|payments|payouts|emails|mails|merges|changes|edits|deletions
    | shutdowns|releases|pushes|cancellations|rollouts|resets|migrations|rollbacks|bookings|transfers|updates
"""
"""Nouns for what may be done to a thing, after "no"."""

_DO_IT = """
    stop|delete|remove|merge|ship|deploy|release|cancel|pay|refund|send|close|drop|kill|restart|publish|purge
    | wipe|terminate|scrap|archive|edit|change|move|book|approve
"""
_COMMANDS = f"""
    whatever happens | whatever you do | under no circumstances
    | ask|consult|notify|tell|spare|exempt|reserve|safeguard | prefer|dislike|hate|love|refuse
    | strongly|much prefer
    | keep|leave|hold|freeze|pause|halt|never|ensure|remember|note|let|only|always|avoid|refrain|nobody
    | nothing|please
    | do not | make sure | be sure | ask me | check with | no one | from now on | going forward
    | stop \\w+ing | skip
    | release|lift|unfreeze|forget|ignore|disregard|scratch|exclude|protect|treat|consider|preserve|retain
    | postpone|delay|withhold|suspend|put|wait|until|unless | remove the | feel free | go ahead
    | okay|fine|free|safe|good|clear to | call me
    | {_DO_IT} it|them|that|this | hands off
    | not until | no (?= \\w+ing ) | no (?= _3 until|before|while|unless|during|please )
"""
_PRONOUN = (
    "i|we|you|it|they|he|she|this|that|these|those|there|anyone|everyone|everybody|anybody|someone|which|who"
)
_VERB = """
    ( is|are|was|were|am|be|has|have|had|must|should|shall|can|could|may|might|will|would|do|does|did|need
    | needs|needed|stay|stays|remain|remains|'s|want|wants|prefer|like|love|hate|dislike|avoid|use|work|live
    | think|told|said|asked|already|also|just|still|always|never|only|really|usually|finished|seem|seems
    | looks?|broke|stopped|deleted|restarted|kept|cleared|approved|unfrozen|unblocked|lifted
    | guess|changed|shipped|migrated|moved|finishes|signs?|signed | no longer )
"""
_SUBJECT = f"( ( the|our|my|its|this|that|your|their|all|every|any _4 | _ [_] ) {_VERB} )"
_ADVERBS = """( also|just|then|now|actually|instead|still|so|well|please|meanwhile|therefore|hence|personally
    | from|for|on my|our side|part|end|perspective|me|us | as far as i am concerned
    | i am afraid|glad|happy|pleased|sorry [to] [say|report] [that] )*"""
_COMMAND = starts(f"{_ADVERBS} ( {_COMMANDS} )")
_PRONOUN_STATEMENT = starts(f"{_ADVERBS} ( {_COMMANDS} | i|we _ | ( {_PRONOUN} ) {_VERB} )")
_STATEMENT = starts(f"{_ADVERBS} ( {_COMMANDS} | i|we _ | ( {_PRONOUN} ) {_VERB} | {_SUBJECT} )")
_JOINT = re.compile(
    r" (?P<mark>[,;:=\u2014](?: (?:and|but|so|or|plus|then|yet)(?: then| also)?)?|\.\.\."
    r"|(?:and|but|so|then|plus)(?: then| also)?)(?= )"
)
_VERBAL = holds(f"{_VERB} | {_COMMANDS}")
_SUBORDINATE = starts("""
    ( and|but|so|also|okay|hey|hi|note|please|just [,] )* ( [at] [least|only] until | unless | while
    | as|so long as | before | after | once | when | whenever | if | in case | since | because
    | given|now that | given | as soon as | even if | even though | although | though | whether | assuming
    | provided | supposing | pending | during | through | for the next | for the rest of )
""")
_SPANS = starts("( and|but|so|also [,] )* ( during | through | for the next | for the rest of )")
_TRAILING = starts("""
    ( and|but|only|not | at least )* ( until | unless | while | as long as | pending | during | through
    | for the | because | since | so that | once | after | before | no matter | regardless | even if
    | even though | whatever (?! happens|you ) | i|we suppose|guess|think|believe|assume|reckon $ )
""")
_EXCEPTED = holds("nobody|anyone|anybody|nothing|none|anything|everyone|everything|all | no one $")
_ENDS = holds("until | unless | while | as|so long as | before | pending | once | after | when | if")


def clauses(sentence: Phrase) -> list[Clause]:
    """The clauses of a sentence, leading conditions joined to what they rule.

    >>> [c.text for c in clauses(Phrase.of("Restart it and keep it up until May, but don't touch db-2."))]
    ['Restart it', 'keep it up until May', "don't touch db-2"]
    >>> [c.text for c in clauses(Phrase.of("Until QA moves, keep it up."))]
    ['Until QA moves, keep it up']
    """
    question = "?" in sentence.plain[-4:]
    found: list[Clause] = []
    lead = Phrase(sentence.source, ())
    main, asides = _asides(sentence)
    for mark, phrase in (*_cut(main), *(("(", aside) for aside in asides)):
        if _leads(phrase) and not lead and phrase.words[-1] != sentence.words[-1]:
            lead = phrase
            continue
        found.append(Clause(_with_subject(_bare(phrase), mark, found), lead, question, mark))
        lead = Phrase(sentence.source, ())
    if lead:
        found.append(Clause(lead, Phrase(sentence.source, ()), question))
    return found


def _leads(phrase: Phrase) -> bool:
    """Whether the phrase only says when or on what condition something holds."""
    if span := _SPANS.match(phrase):
        return _VERBAL.search(phrase.plain, span.end()) is None
    return _SUBORDINATE.match(phrase) is not None


def _with_subject(phrase: Phrase, mark: str, earlier: list[Clause]) -> Phrase:
    """The phrase with the subject that it shares with the clause before: "I have asthma and avoid smoke"."""
    if not (mark.endswith(("and", "but")) and earlier and _SHARES.match(phrase)):
        return phrase
    subject = earlier[-1].phrase.words[:1]
    if not subject or subject[0].norm not in ("i", "we"):
        return phrase
    return Phrase(phrase.source, (*subject, *phrase.words))


_SHARES = starts(
    "( also|strongly|really|much )* prefer|avoid|dislike|hate|love|enjoy|like|refuse|only|always|live|work"
)


def _bare(phrase: Phrase) -> Phrase:
    """The phrase without the punctuation that it ends with."""
    words = phrase.words
    while len(words) > 1 and words[-1].norm in _CLOSING:
        words = words[:-1]
    return Phrase(phrase.source, words)


_CLOSING = frozenset({".", ",", ";", ":", "!", "?", "...", "\u2014"})


def _asides(sentence: Phrase) -> tuple[Phrase, list[Phrase]]:
    """The sentence without its brackets, and what stood in them if it could be a statement."""
    main: list[Word] = []
    asides: list[Phrase] = []
    inside: list[Word] | None = None
    for word in sentence.words:
        if word.norm == "(":
            inside = []
        elif word.norm == ")" and inside is not None:
            if len(inside) >= _SHORTEST_ASIDE:
                asides.append(Phrase(sentence.source, tuple(inside)))
            else:
                main.extend(inside)
            inside = None
        elif word.norm != ")":
            (main if inside is None else inside).append(word)
    main.extend(inside or ())
    return Phrase(sentence.source, tuple(main)), asides


_SHORTEST_ASIDE = 3


def _cut(sentence: Phrase) -> Iterator[tuple[str, Phrase]]:
    plain, start, mark = sentence.plain, 0, ""
    if position := _after_bare_lead(plain):
        yield "", sentence.cut(0, position)
        start, mark = position, ","
    for joint in _JOINT.finditer(plain):
        if joint.start() > start and not _is_part_of_a_name(sentence, joint) and _begins(plain, start, joint):
            yield mark, sentence.cut(start, joint.start())
            start, mark = joint.end() + 1, joint["mark"]
    if rest := sentence.cut(start):
        yield mark, rest


def _after_bare_lead(plain: str) -> int:
    """Where the main clause begins after a leading one without a comma: "until QA moves we pay nothing"."""
    if not _BARE_LEAD.match(plain) or "," in plain:
        return 0
    begins = [match.start() for match in _MAIN_BEGINS.finditer(plain)]
    fitting = [
        place for place in begins if _VERBAL.search(plain[:place]) and not _OPENS.search(plain[:place])
    ]
    return fitting[0] if fitting else 0


_BARE_LEAD = starts("( and|but|so|also )* until|unless|while|before")
_MAIN_BEGINS = re.compile(
    r"(?<= )(?:we|you|nobody|no one|nothing|do not|never|keep|leave|please|hold"
    r"|it (?:stays|must|should|may|can))(?= )"
)
_OPENS = re.compile(
    r"(?:^|\s)(?:that|says|say|said|sure|think|thinks|and|or|until|unless|while|before|if|when|to) $"
)


def _is_part_of_a_name(sentence: Phrase, joint: re.Match[str]) -> bool:
    """Whether a joining word is written as a name is: "Parcel Plus"."""
    words = sentence.cut(joint.start() + 1, joint.end() + 1).words
    if not words or not words[0].norm.isalpha():
        return False
    text = sentence.source[words[0].start : words[0].end]
    return text[0].isupper() and not sentence.text.isupper()


def _is_name(before: str) -> bool:
    """Whether what stands before "and" is just the first of several things: "gpu-1 and gpu-2 are …"."""
    words = before.split()
    return len(words) <= _LONGEST_NAME and not verbs_in(words[0]) and _VERBAL.search(before) is None


_LONGEST_NAME = 2


def _belongs_together(before: str, mark: str, rest: str) -> bool:
    """Whether the joint is inside one statement: before a trailing phrase, after a leading one, in a list."""
    if _TRAILING.match(rest) or LEADING.match(before) or (mark == "," and before.count(" ") == 1):
        return True
    if before.endswith(("go ahead ", "feel free ")):
        return True
    if mark[0] in "\u2014.":
        stated = _STATEMENT.match(rest) is not None and _VERBAL.search(before) is not None
        return not (stated or _COMMAND.match(rest))
    return (mark == "and" and _is_name(before)) or (mark == "but" and _EXCEPTED.search(before) is not None)


def _begins(plain: str, start: int, joint: re.Match[str]) -> bool:
    """Whether what follows the joint is a clause of its own."""
    before, mark, rest = plain[start : joint.start() + 1], joint["mark"], plain[joint.end() + 1 :]
    if _belongs_together(before, mark, rest):
        return False
    if mark[0] in ";:=":
        return True
    if _SUBORDINATE.match(before) and mark.startswith(","):
        return not rest.startswith(("and ", "or "))
    if _ENDS.search(before):
        form = _COMMAND if mark[0] != "," else _PRONOUN_STATEMENT
        return form.match(rest) is not None
    return _STATEMENT.match(rest) is not None
