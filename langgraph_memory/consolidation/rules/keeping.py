"""Keeping a thing as it is: running, alone, private, for as long as needed."""

from __future__ import annotations

import re

from langgraph_memory.actions import KEEP_RUNNING, ActionClass, verbs_in
from langgraph_memory.consolidation.rules.deeds import is_gerund
from langgraph_memory.consolidation.rules.descriptions import is_nominal, noun_phrase
from langgraph_memory.consolidation.rules.holding import held_classes
from langgraph_memory.consolidation.rules.obligation import DUTY, OBLIGED
from langgraph_memory.consolidation.rules.rule import ANYTHING, PROTECTED, Rule
from langgraph_memory.consolidation.rules.wording import Form, starts
from langgraph_memory.consolidation.rules.words import Phrase

A = ActionClass

_RUNNING = """
    up and running | running (?! into|out|late|low|away|over|behind )
    | up|online|alive|live|available|on|active | ( reserved|warm|operational|around|reachable
    | serving|ticking|going|working ) | powered on|up | switched|turned on | in service|operation|use
    | at full capacity
"""
_ALONE = """
    ( alone|untouched|intact|unchanged|unmodified|be | undisturbed|frozen|locked|safe|protected|out )
    | as is | as it is | as they are | as it stands | in place | exactly as _4 | the way it is|was
    | the way they are | where it|they is|are | on hold | in peace | out of it|this | off limits
    | in its|their current state | as a reference | that|this way | like that|this
"""
_PRIVATE = """
    private|confidential|secret|internal|unshared|hidden | in house | between us | to yourself|ourselves
    | under wraps|embargo | off the record
"""
_STATES: tuple[tuple[str, frozenset[ActionClass]], ...] = (
    (_RUNNING, KEEP_RUNNING),
    (_ALONE, ANYTHING),
    (
        "off|down|stopped|offline|paused|suspended | powered|switched|turned off | shut down",
        frozenset({A.START, A.RESTART, A.ENABLE}),
    ),
    ("disabled|deactivated", frozenset({A.ENABLE, A.START})),
    ("enabled|activated", frozenset({A.DISABLE, A.STOP, A.DELETE})),
    ("open", frozenset({A.CLOSE, A.DELETE, A.CANCEL})),
    ("closed", frozenset({A.START, A.ENABLE, A.CREATE})),
    ("unmerged", frozenset({A.MERGE})),
    ("unpublished|unreleased|undeployed", frozenset({A.DEPLOY})),
    ("unpaid|unrefunded|unbilled", frozenset({A.PAY})),
    (_PRIVATE, frozenset({A.SEND, A.DEPLOY, A.GRANT})),
    ("read-only|readonly | read only", frozenset({A.MODIFY, A.DELETE, A.CREATE, A.MIGRATE})),
)
_STATE = " | ".join(wording for wording, _ in _STATES)
_FORMS = tuple((starts(f"( {wording} )"), classes) for wording, classes in _STATES)
_AMBIGUOUS = starts("on|off|up|down|out|be|open|going|live|safe|around")
_AFTER_STATE = starts(r"""
    for|,|and|or|during|so|because|as|please|over|with|too|there|here|now|again|24/7|—|\.|! | at least|all
    | in case | by all means | as well | right now
""")

_NOT_KEPT = """
    me|us|in|an|track|calm|your|trying|pushing|working|asking|getting|up|at|things?|doing|making|going
"""
_KEEP_STATE = starts(f"""
    keep|keeping|leave|leaving|maintain|maintaining|hold|holding (?! {_NOT_KEPT} ) (?P<obj> ... )
    (?P<state> {_STATE} ) (?P<rest> ...? ) $
""")
_KEEPS_STATE = starts(f"""
    (?! i|it|that|this|he|she|which ) _3 ( keeps|leaves|holds | is|are keeping|leaving|holding )
    (?! {_NOT_KEPT} ) (?P<obj> ... ) (?P<state> {_STATE} ) (?P<rest> ...? ) $
""")
_STATE_ALONE = starts(f"keep|leave [it|this|that|them|one] (?P<state> {_STATE} ) (?P<rest> ...? ) $")
_STATE_FIRST = starts(f"""
    keep|leave|keeping|leaving (?P<state> alone|running|online|untouched|intact|open
    | {_PRIVATE} ) (?P<obj> ... ) $
""")
_TREAT_AS = starts(
    f"( treat|treating|consider|mark|regard (?P<obj> ... ) as ) (?P<state> {_STATE} ) (?P<rest> ...? ) $"
)
_LET = starts("""
    let|letting|leave|leaving (?! me|us|you|him|her|know )
    (?P<obj> ... ) [to] run|stand|live|stay|finish|soak|bake|sit|complete|be (?P<rest> ...? ) $
""")
_KEEP = starts(f"""
    ( keep|keeping|retain|retaining|preserve|preserving|save | hold|hang|holding|hanging on to
    | hold|hang|holding|hanging onto ) (?! {_NOT_KEPT} ) (?P<obj> ... ) $
""")
_OUT_OF = starts("""
    keep|keeping|leave|leaving|take|hold (?P<obj> ... ) ( out of|from | away from | off )
    [the|any|all|this|our|your]
    (?P<what> ... ) $
""")
_PROTECT = starts("""
    ( ( protect|protecting|exempt|exempting|exclude | excluding|spare|sparing|whitelist|allowlist
    | safeguard|shield ) | reserve|reserving|skip|skipping|ignore|ignoring|bypass|omit | do not include
    | leave out | be careful with ) (?P<obj> ... ) ( [out] from|in|for|of|during|when|against|as
    (?P<rest> ... ) | please )? $
""")
_STAYS = starts(f"""
    (?P<obj> ... ) ( {OBLIGED} ( stay|remain|keep|continue [to] [be] | be kept|left|held )
    | stays|remains|keeps|continues [to] [be]
    | is|are [still|currently|now|being] kept|left|held|staying|remaining ) (?P<state> {_STATE} )
    (?P<rest> ...? ) $
""")
_TO_STAY = starts(f"""
    (?P<obj> ... ) to [always|still] ( stay|remain|keep|continue [to] [be]
    | be [kept|left|held] ) (?P<state> {_STATE} ) (?P<rest> ...? ) $
""")
_MUST_BE = starts(f"(?P<obj> ... ) {DUTY} [always|still] be (?P<state> {_RUNNING} ) (?P<rest> ...? ) $")
_WANTED = starts(f"""
    i|we [really|just|still] ( want|need|expect|require | would like ) (?! you|to )
    (?P<obj> ... ) [to] [be] [kept|left] [to] [be] (?P<state> {_STATE} ) (?P<rest> ...? ) $
""")
_STAYS_BARE = starts(f"""
    (?P<obj> ... ) ( stays|remains | is|are staying | {OBLIGED} stay|remain ) [put|here|there] $
""")
_SURVIVES = starts(f"""
    (?P<obj> ... ) {OBLIGED} ( survive|outlive | make it through | be there|here|left|around ) ...? $
""")
_SURVIVES_BARE = starts("""
    (?P<obj> ... ) ( survives?|outlives?|persists?|endures? | makes? it through | lives? on | stays? [put]
    | is|are not lost|gone|affected|harmed | comes? to no harm ) ...? $
""")
_KEPT = starts(f"""
    (?P<obj> ... ) ( {OBLIGED} be | is|are [being] ) [still|only|just|currently|now]
    ( (?P<firm> kept|retained|preserved|reserved|protected|spared|exempt|exempted|earmarked | set aside )
    | needed|required | in use | spoken for ) (?P<rest> ...? ) $
""")
_NEEDED = starts("""
    (?P<who> (?! i|you|always|never|please|just|only ) _4 ) [still|also|will|really|is|are|be]
    ( needs?|requires?|uses?|using|needing | depends?|relies|rely|runs?|running on ) (?! to )
    (?P<obj> ... ) $
""")


def keep_state(phrase: Phrase) -> Rule | None:
    """As in "Keep it running", "leave it alone", "treat it as read-only"."""
    for form in (_KEEP_STATE, _STATE_FIRST, _TREAT_AS, _WANTED):
        match = form.match(phrase)
        if match and _is_state(match) and not is_gerund(phrase.group(match, "obj")):
            classes = classes_of(match["state"])
            return Rule(classes, (phrase.group(match, "obj"),), named_only=A.SEND not in classes)
    return None


def state_alone(phrase: Phrase, before: Phrase) -> Rule | None:
    """As in "db-7: leave on", where the thing stands before the colon."""
    match = _STATE_ALONE.match(phrase)
    if match is None or not before or not _is_state(match):
        return None
    return Rule(classes_of(match["state"]), (before,), named_only=True)


def keeps_state(phrase: Phrase) -> Rule | None:
    """As in "QA keeps it running until …": told of somebody, and a rule where it has an end."""
    match = _KEEPS_STATE.match(phrase)
    if match is None or not _is_state(match) or is_gerund(phrase.group(match, "obj")):
        return None
    return Rule(classes_of(match["state"]), (phrase.group(match, "obj"),), doubtful=True, sure_if_ended=True)


def let(phrase: Phrase) -> Rule | None:
    """As in "Let it run"."""
    match = _LET.match(phrase)
    return Rule(KEEP_RUNNING, (phrase.group(match, "obj"),), named_only=True) if match else None


def stays(phrase: Phrase) -> Rule | None:
    """As in "It must stay up", "it stays on"."""
    match = _STAYS.match(phrase) or _MUST_BE.match(phrase)
    return _of_subject(phrase, match) if match and _is_state(match) else None


def to_stay(phrase: Phrase) -> Rule | None:
    """As in "(I need) it to stay up"."""
    match = _TO_STAY.match(phrase)
    return _of_subject(phrase, match) if match and _is_state(match) else None


def _of_subject(phrase: Phrase, match: re.Match[str]) -> Rule | None:
    subject = phrase.group(match, "obj")
    return Rule(classes_of(match["state"]), (subject,), named_only=True) if is_nominal(subject) else None


def stays_bare(phrase: Phrase) -> Rule | None:
    """As in "It stays (until …)", "it must survive the cleanup"."""
    if match := _STAYS_BARE.match(phrase):
        whole = ANYTHING if phrase.words[-1].norm == "put" else PROTECTED
        return Rule(whole, (phrase.group(match, "obj"),), needs_end=True)
    match = _SURVIVES.match(phrase)
    return Rule(PROTECTED, (phrase.group(match, "obj"),), named_only=True) if match else None


def survives(phrase: Phrase) -> Rule | None:
    """As in "(make sure that) it survives"."""
    match = _SURVIVES_BARE.match(phrase)
    return Rule(PROTECTED, (phrase.group(match, "obj"),), named_only=True) if match else None


def kept(phrase: Phrase) -> Rule | None:
    """As in "It is reserved for QA", "the logs must be retained"."""
    match = _KEPT.match(phrase)
    if match is None or not is_nominal(phrase.group(match, "obj")):
        return None
    return Rule(PROTECTED, (phrase.group(match, "obj"),), doubtful=match["firm"] is None, named_only=True)


def keep(phrase: Phrase) -> Rule | None:
    """As in "Keep the logs until May", "keep gpu-bench-01"."""
    if match := _OUT_OF.match(phrase):
        left = phrase.group(match, "what")
        classes = (verbs_in(left.plain) | held_classes(left)) - {A.BOOK, A.EXECUTE}
        return Rule(classes or PROTECTED, (phrase.group(match, "obj"),), named_only=True)
    match = _KEEP.match(phrase)
    if match is None or is_gerund(phrase.group(match, "obj")):
        return None
    return Rule(PROTECTED, (noun_phrase(phrase.group(match, "obj")),), named_only=True)


def protect(phrase: Phrase) -> Rule | None:
    """As in "Exclude it from the cleanup", "spare it"."""
    match = _PROTECT.match(phrase)
    if match is None:
        return None
    whole = ANYTHING if phrase.words[0].norm in ("spare", "sparing") else PROTECTED
    return Rule(whole, (phrase.group(match, "obj"),), named_only=True)


def needed(phrase: Phrase) -> Rule | None:
    """As in "QA needs it until Friday": no rule, but a reason to ask."""
    match = _NEEDED.match(phrase)
    return Rule(PROTECTED, (phrase.group(match, "obj"),), doubtful=True, needs_end=True) if match else None


def classes_of(state: str) -> frozenset[str]:
    """What would end a state.

    >>> sorted(map(str, classes_of("unmerged "))), sorted(map(str, classes_of("as is ")))
    (['merge'], ['*'])
    """
    return next((classes for form, classes in _FORMS if _is_all(form, state)), KEEP_RUNNING)


def _is_all(form: Form, state: str) -> bool:
    match = form.match(state)
    return match is not None and match.end() == len(state)


def _is_state(match: re.Match[str]) -> bool:
    """Whether "on", "up" and their like end the statement, rather than begin a place ("on the desk")."""
    rest = match.groupdict().get("rest") or ""
    return _AMBIGUOUS.fullmatch(match["state"]) is None or not rest or _AFTER_STATE.match(rest) is not None
