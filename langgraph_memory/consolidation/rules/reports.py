"""How far a report that something has come about can be taken at its word.

"The inspection is over" ends what waits for it. "The inspection is over tomorrow", "… is all but over" and
"every inspection but this one is over" report no such thing; "the fire inspection is over" and "the
inspection is over budget" may be of something else, and are asked about.
"""

from __future__ import annotations

import re

from langgraph_memory.consolidation.rules.ends import DAY, MONTH, UNIT
from langgraph_memory.consolidation.rules.quantities import leaves_out
from langgraph_memory.consolidation.rules.stems import stem, stems
from langgraph_memory.consolidation.rules.wording import expression, holds, starts
from langgraph_memory.consolidation.rules.words import Phrase, word_set

_NUMBER = (
    "an?|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|several|few|couple|some|half"
    r"|another|of|more|or|so|\d[\w:.]*"
)
_HOLIDAYS = "noon|midnight|lunch|dinner|christmas|easter|spring|summer|autumn|winter"
_TIME = f"( {DAY} | {MONTH} | {UNIT} | {_NUMBER} | {_HOLIDAYS} )"
_NEVER_PAST = holds(f"""
    tomorrow|eventually|imminently | soon|shortly (?! after|before )
    | next _1? ( {UNIT} | {DAY} | {MONTH} ) | the|this coming _ | from now (?! on ) | later today|this
    | any minute|moment|day|hour now | is|are _2? any time now | in no time | in a bit|moment|while
""")
"""What says of any verb that its time has not come."""

_AT_A_TIME = holds(f"""
    tonight | this afternoon|evening|week|weekend|month|quarter|year
    | in|within [about|around|roughly|at|less] [the|most|least|than] ( {_NUMBER} )+ {UNIT}
    | on|by|at|from|around|about|until|till|after|before|towards?|in
      ( the|next|late|early|mid|end|beginning|start|middle|of|about|around|roughly|or )* {_TIME}
    | {DAY} [morning|afternoon|evening|night] $
""")
_IS_NOW = holds("is|are|am|gets|get|ends|finishes|closes|completes|concludes|comes|goes|leaves")
_PAST = holds(r"""
    was|were|has|have|had|been|got|did|since|ago|yesterday | as of | i|we|they [just|already|finally] \w+ed
""")
_PAST_VERB = holds(r"\w+ed|came|went|left|sent|paid|gave|made|met|held|took|done|ran")

_ALMOST = holds(r"""
    nowhere near | close to | next to | nearly|almost|hardly|barely|scarcely|virtually|practically|halfway
    | far from | far off | as good as | anything|nothing|all but | not yet|quite|entirely|fully|really
    | just|all about | about over|done|finished|complete|completed|closed|settled|through | near over|done
    | well-nigh | more or less | pretty|as much (?= as|over|done|finished|complete|completed )
    | for the most part | in large part | so far | on the verge | within sight | to all intents | in name only
    | for now|today | for the day|moment|night|week | for me|us|him|her|them $ | for the time being
    | over and above|over | provisionally|conditionally|temporarily|tentatively
    | but|though|although|albeit|if only|just|merely|for|in|on
    | half|partly|partially|mostly|largely|chiefly|mainly
    | (?! 100 ) \d+ [percent] (?= complete|completed|done|finished|over|through )
""")
"""What comes close to an end without being one, or is an end for a while only."""

_UNCERTAIN = holds(r"""
    unofficially|technically|nominally|theoretically|ostensibly|effectively|basically|essentially|presumably
    | supposedly|allegedly|reportedly|apparently|seemingly|probably|possibly|likely|perhaps|maybe|hopefully
    | surely|doubtless|rumou?rs? | with luck | fingers crossed | touch|knock on wood | god willing
    | i|we [would|do|still|very|much|really|only|can|could|now|all] [much|only]
      think|believe|guess|suppose|assume|imagine|suspect|reckon|expect|bet|trust|hope|gather|hear|heard|understand
    | i|we would say | ( to|in my|our|the best|honest knowledge|opinion|view|book|eyes|mind|memory )
    | to the best of | if i am | as far as | for all i|we know | word has
    | people|they|everybody|everyone [all] say|says|said|claim|claims|think|thinks | all being well | unless
    | on paper | in theory|principle | it looks|seems|appears|sounds [so|like] [it] [.|!] $
    | looks?|seems?|appears?|sounds?
      ( like|as|to|over|done|finished|complete|completed|through|closed|settled )
    | as though|if | or so | or will|nearly|almost|something|thereabouts
    | correct me | i am told | not sure|certain | i|we could be wrong | i|we may|might be wrong
""")
"""What makes an ending a guess, anywhere in its sentence."""

_OTHER_THING = starts("""
    ( and|but|so|also|now|well|, )* ( another|other|different|similar|no|whose
    | the|our|my other|wrong|next|second )
""")
"""What opens a report of another thing, or of none."""

_NOT_ACHIEVED = holds("""
    postponed|delayed|deferred|moved|rescheduled|cancelled|canceled|aborted|failed|interrupted|suspended
    | paused|stalled|blocked|halted|extended|prolonged|rejected|denied|refused|declined|withdrawn|withdrew
    | reopened|re-opened|resumed|opened|announced|requested|needed|wanted|planned|assigned|booked|missed
    | skipped|dropped|abandoned|prepared|called|delegated|escalated|reassigned|doubted|disputed|contested
""")
"""What happens to a thing without bringing it to its end."""

_LEADS = starts("""
    ( i|we ( hereby|just|now|have )* confirm|report|announce|declare|verified|checked|know|see
    | confirmed|confirming|done|hooray|hurray|yay|phew|whew|nice|fantastic|wonderful|excellent
    | news|update|status | it is official|confirmed|true|done | thank god|goodness|heavens | at [long] last
    | as promised|planned|expected | that|,|:|!|\u2014 )*
""")
_AT_EASE = re.compile(
    "(?<![^ ])(?:"
    + expression(f"""
    ( 100 [percent] (?= complete|completed|done|finished ) | this morning
    | yesterday [morning|afternoon|evening] | earlier [today] | last night|week|weekend|evening|afternoon
    | last {DAY} [morning|afternoon|evening|night] | signed|taken off | wrapped up | handed in|over
    | ( {_NUMBER} )+ {UNIT} ago|early|late|earlier|later | [just] in|within ( {_NUMBER} )+ {UNIT}
    | since|on|at|by|around|after|during ( the|early|late|mid|end|of|about|around )* {_TIME} ( {DAY} | {MONTH}
      | of|morning|afternoon|evening|am|pm | in the morning|afternoon|evening | at night )*
    | [late|early] {DAY} [morning|afternoon|evening|night]
    | since [late|early] this|yesterday|today [morning|afternoon|evening] | in {MONTH} | as of today|now
    | at [long] last | at this point|moment | in the end | in fact | for good|real|sure|certain
    | once and for all | in full|time | on time|schedule|budget | ahead of schedule|time | of course
    | as promised|planned|expected|agreed | to the|our|my|everybody's relief
    | without ( a|an|any|further|more|other|major|serious )*
      problems?|issues?|findings?|incidents?|errors?|trouble|delay|hitch|glitch|complaints?|objections?
    | with no ( further|more|other|major|serious )* _ | with flying colou?rs | with success
    | thanks to|for ... $ | since ... $ | because ... $ | despite ... $ | thank you ... $ )
    """)
    + ")"
)
"""What says when or how something ended, and not of what."""

_PLAIN = word_set("""
    the this that these those our my your their his her its we i you they he she it who which here there
    both all every each everyone everybody everything us them me of in on for at to from with by as and or
    so then is are was were be been am has have had having do did does got get gets just also now finally
    already really actually indeed officially today yesterday completely fully entirely totally successfully
    safely properly formally certainly definitely recently thankfully luckily happily fortunately clearly
    obviously smoothly cleanly duly truly simply quickly well meanwhile earlier long ago since again 's , .
    ! : ; ( ) \u2014 thanks please okay yes whole entire
""")
_OUTCOMES = word_set("""
    over done finished complete completed closed ended concluded through passed settled signed gone live
    ready given gave made taken held wrapped came arrived happened achieved reached met landed cleared fine
    great early late too fast
""")
"""Plain after the verb only: "the live album" and "the late inspection" are others than "finished late"."""

_VERB = holds(r"is|are|was|were|has|have|had|got|did|came|went|left|gave | \w+ed")
_LONGEST_AGENT = 3
_BY_SOMEBODY = holds("by (?! hand|default|design|law ) [the|our|my|his|her|their] _2 (?= [.|!|,] $ )")
"""Who brought about what is said of a thing: "it was completed by Jonas"."""

_HAS_DONE_TO = starts("have|has had|got | had|got the|his|her|its|their|our|my|a")
"""Having something done is no doing of it."""


def falls_short(sentence: Phrase) -> bool:
    """Whether a sentence leaves something out of what it reports, or calls it no more than nearly so.

    >>> [falls_short(Phrase.of(f"It is {said}.")) for said in ("over", "all but over", "nowhere near over")]
    [False, True, True]
    """
    return is_almost(sentence) or leaves_out(sentence)


def is_almost(sentence: Phrase) -> bool:
    """Whether a sentence calls something no more than nearly so, or so for a while only."""
    return _ALMOST.search(sentence) is not None


def is_guess(sentence: Phrase) -> bool:
    """Whether anything in a sentence makes its report a guess; what is concluded from it doesn't count."""
    concluded = _CONCLUDED.search(sentence)
    told = sentence.cut(0, concluded.start()) if concluded else sentence
    return _UNCERTAIN.search(told) is not None


_CONCLUDED = holds(",|;|\u2014 so|please|therefore")


def is_to_come(clause: Phrase) -> bool:
    """Whether a clause tells when something will be so, not that it is.

    >>> [is_to_come(Phrase.of(f"The audit {said}")) for said in ("is over on Friday", "was over on Friday")]
    [True, False]
    """
    present = _IS_NOW.search(clause) is not None or _PAST_VERB.search(clause) is None
    return _NEVER_PAST.search(clause) is not None or (present and is_for_later(clause))


def is_for_later(clause: Phrase) -> bool:
    """Whether a clause names a time, and doesn't speak of the past."""
    if _NEVER_PAST.search(clause):
        return True
    return _AT_A_TIME.search(clause) is not None and not is_past(clause)


def is_past(clause: Phrase) -> bool:
    """Whether a clause tells how things were or went."""
    return _PAST.search(clause) is not None


def is_of_another(report: Phrase) -> bool:
    """Whether a report says of itself that it is of another thing, or of something that is no end."""
    return _OTHER_THING.match(report) is not None


def is_no_end(news: Phrase) -> bool:
    """Whether the words of a report that its condition hasn't tell of a setback or of a beginning."""
    return _NOT_ACHIEVED.search(news) is not None


def under_way(report: Phrase) -> str:
    """What somebody is just doing, by a report: "signing" of "the vet is signing it"."""
    match = _DOING.search(report)
    return match["doing"].strip() if match else ""


_DOING = holds(
    r"is|are|was|were|am|be|been [now|still|just|already|currently|busy|all] (?P<doing> \w+[^h]ing )"
)


def is_plain(report: Phrase, known: frozenset[str], subject: frozenset[str]) -> bool:
    """Whether a report has nothing but the words of its condition, and such as say when and how.

    Args:
        report: a clause.
        known: the stems of the condition and of the rule that it ends.
        subject: the stems of what the condition is about; what stands before the verb may be who brought it
            about, where that comes after it ("Lena finished the inspection").
    """
    before, after = _around_verb(report)
    if subject and is_past(report) and subject <= stems(Phrase.of(before)):
        after = _BY_SOMEBODY.pattern.sub("", after)
    if any(not _is_known(word, known) and word not in _OUTCOMES for word in after.split()):
        return False
    strange = [word for word in before.split() if not _is_known(word, known)]
    return not strange or (len(strange) <= _LONGEST_AGENT and _is_done_to(after, subject))


def _around_verb(report: Phrase) -> tuple[str, str]:
    """What stands before the verb, and from it on, without leading phrases and what says when or how."""
    lead = _LEADS.match(report)
    plain = report.plain[lead.end() if lead else 0 :]
    time = _AT_EASE.match(plain)
    plain = plain[time.end() if time else 0 :]
    verb = _VERB.search(plain)
    begin = verb.start() if verb else len(plain)
    return plain[:begin], _AT_EASE.sub("", plain[begin:])


def _is_done_to(after: str, subject: frozenset[str]) -> bool:
    """Whether something is done to what the condition is about, by whoever stands before the verb."""
    done = _HAS_DONE_TO.match(after) is None
    return done and bool(subject) and subject <= stems(Phrase.of(after))


def _is_known(word: str, known: frozenset[str]) -> bool:
    return word in _PLAIN or stem(word) in known
