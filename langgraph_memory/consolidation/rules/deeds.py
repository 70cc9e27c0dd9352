"""What a run of words does: the action classes of its verbs, not of whatever else it mentions.

In "stop or delete the release notes" the deeds are stopping and deleting; nothing is released.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from langgraph_memory.actions import ActionClass, verbs_in
from langgraph_memory.consolidation.rules.wording import holds, starts
from langgraph_memory.consolidation.rules.words import Phrase, word_set
from langgraph_memory.inflections import base_form

A = ActionClass

_FAMILIES: tuple[tuple[str, frozenset[ActionClass]], ...] = (
    ("payment_policy", frozenset({A.PAY})),
    ("sharing_policy", frozenset({A.SEND})),
    ("release_policy", frozenset({A.DEPLOY, A.MERGE})),
    (
        "lifecycle_policy",
        frozenset({A.STOP, A.DELETE, A.SUSPEND, A.RESTART, A.START, A.RESIZE, A.SCALE, A.DISABLE, A.ENABLE})
        | {A.CREATE, A.ANY, A.CLOSE},
    ),
    ("access_policy", frozenset({A.GRANT, A.REVOKE, A.ROTATE})),
    ("booking_policy", frozenset({A.BOOK, A.CANCEL})),
    ("change_policy", frozenset({A.MODIFY, A.MIGRATE, A.EXECUTE, A.APPROVE})),
)
"""Attributes of constraints by the actions they are about, the more telling first."""

_BEFORE_VERB = starts("""
    ( be|being|been|gets|getting|got|ever|just|even|simply|also|please|to|you|it|try|trying|start|starting
    | attempt|dare|and|have|has|anyone|anybody|automatically|accidentally|manually|prematurely|yet|now|still
    | actually
    | really|again|either|so|do|safely|finally|probably|maybe|possibly|perhaps | go ahead | going to
    | get (?! rid ) )*
""")
_LIGHT = starts("""
    ( do|doing|make|making|perform|performing|issue|issuing|run|running|take|taking|allow|allowing|accept
    | schedule|scheduling|trigger|process|processing|done|made|issued|processed
    | see|get|receive|have|undergo|face|hear ) (?P<object> ... ) $
""")
_ANYTHING = holds("""
    anything|something|modifications|whatsoever | [any|more|further] changes | any [further] action
    | a thing | any edits
""")
_MONEY = holds("payments?|refunds?|payouts?|money|funds|deposit|invoice")
_RIDS = starts(
    "get|getting rid of | ditch|ditching|dump|dumping|kill|killing|axe|scrap|scrapping|bin|binning"
    "|drop|dropping"
)
"""Ending a thing in whatever way: a machine is stopped, a branch deleted, a subscription cancelled."""

_CONTACTS = starts("""
    write|writing|written|contact|contacting|contacted|message|messaging|approach|approaching|notify|notifying
    [back] [to] (?! [the|a|any|some|new] files?|code|tests?|data|rows?|tables?|db|disk|logs?|it|to )
    | reach|reaching out to | get|getting in touch with | get|getting back to | drop|send _2 a line|note
""")
"""Writing to somebody, not into something."""

_SCHEDULED = holds("""
    appointments?|meetings?|lessons?|slots?|dates?|calls?|flights?|bookings?|reservations?|deadlines?
    | events?|trips?|visits?|interviews?|sessions?|check-?ups?|dinners?|lunches|parties|party
""")
"""What has a time: moving it changes it."""

_JOINS = word_set("or nor and , & /")
_PARTICLES = word_set("down off out up offline live back over on sleep zero rid with cycle to away in")
_PHRASAL = word_set("""
    shut turn power switch take bring spin tear roll mess fiddle tinker play get shutting turning taking
    tearing rolling messing getting of for into onto from at any make do doing making
""")
_TAKES = word_set("do doing make making take taking done made anything")
_CHANGES = word_set("changes change modifications edits actions touching work")
_HOLDS = word_set("""
    hold freeze restriction rule instruction ban embargo moratorium code feature new further other legal
    billing automatic more production prod on protection exemption pause altered touched be hands off
    earlier previous last old first initial request message order note word words
""")
_CEASING = word_set("stop stopping stops quit cease")
"""With a verb in -ing after them they end an activity, not a thing: "don't stop dreaming"."""

_REACH = 6
"""How far from its verb a particle may stand: "turn the old GPU box off"."""

_VERBS_OF_NOUNS = {
    "sale": "sell",
    "resale": "resell",
    "rental": "rent",
    "loan": "lend",
    "demolition": "demolish",
}
_NOUNS_AS_VERBS = word_set("""
    rent hire lease auction export import download upload print trade barter harvest slaughter loan swap audit
    photograph exhibit display breeding use handout raffle pawn pickup
""")
"""Nouns that are verbs as well, as they are said."""

_MADE_OF_VERB = re.compile(r"[a-z]{3,}(?:tion|sion|age|isal|[ytnlrkdpgs]ing)s?")

_NOUN_ENDS = holds("""
    on|to|for|in|at|from|of|until|before|without|here|there|with|by|into|over|during|after|while|unless|,|;|please
    | allowed|permitted|whatsoever | at all
""")


def governed(deed: Phrase) -> frozenset[str]:
    """The classes of the verbs at the head of a deed and of those joined to them.

    >>> sorted(map(str, governed(Phrase.of("stop, resize or delete the release notes"))))
    ['delete', 'resize', 'stop']
    """
    rest = from_verb(deed)
    if not rest:
        return frozenset()
    norms = [word.norm for word in rest.words]
    if norms[0] in _CEASING and len(norms) > 1 and _ends_in_ing(norms[1]):
        return frozenset()
    found = _at(norms, 0)
    joints = [i for i, norm in enumerate(norms[:-1]) if norm in _JOINS]
    if found or joints[:1] == [1]:
        found = found.union(*(_at(norms, joint + 1) for joint in joints))
    for said in (rest, deed):
        if light := _LIGHT.match(said):
            found |= noun_deeds(said.group(light, "object")) - {A.EXECUTE}
    if (A.MODIFY in found or (not found and norms[0] in _TAKES)) and _ANYTHING.search(rest):
        return frozenset({A.ANY})
    return _by_object(found, rest)


def _by_object(found: frozenset[str], rest: Phrase) -> frozenset[str]:
    """The classes of a deed where it depends on the object what its verb does."""
    if A.DEPLOY in found and rest.plain.startswith("releas") and _MONEY.search(rest):
        return frozenset({A.PAY})
    if _RIDS.match(rest):
        return found | {A.DELETE, A.CANCEL, A.STOP}
    if _CONTACTS.match(rest):
        return (found - {A.MODIFY}) | {A.SEND}
    return found | {A.MODIFY} if A.MIGRATE in found and _SCHEDULED.search(rest) else found


def object_of(deed: Phrase) -> Phrase:
    """What a deed is done to: the words after its verbs, their particles and a preposition.

    >>> object_of(Phrase.of("stop, resize or delete the staging boxes")).text
    'the staging boxes'
    """
    rest = from_verb(deed)
    norms = [word.norm for word in rest.words]
    position = 0
    while position < len(norms) and (verbs_in(norms[position]) or norms[position] in _NOT_OBJECTS):
        position += 1
    return Phrase(rest.source, rest.words[position:])


_NOT_OBJECTS = _PARTICLES | _JOINS | _PHRASAL


def noun_deeds(phrase: Phrase) -> frozenset[str]:
    """The classes that a noun phrase names: "any new deploys or merges to main".

    >>> sorted(map(str, noun_deeds(Phrase.of("deploys or merges to main"))))
    ['deploy', 'merge']
    """
    ends = _NOUN_ENDS.search(phrase)
    head = phrase.cut(0, ends.start()) if ends and ends.start() else phrase
    norms = [word.norm for word in head.words]
    if not norms:
        return frozenset()
    if _ANYTHING.search(head) or norms[-1] in _CHANGES:
        return frozenset({A.ANY})
    named = [norms[-1], *(norms[i - 1] for i, norm in enumerate(norms) if norm in _JOINS and i)]
    found = frozenset[str]().union(*(verbs_in(word) for word in named))
    return found | governed(head) if _ends_in_ing(norms[0]) else found


def told_deeds(phrase: Phrase) -> frozenset[str]:
    """The classes of a deed that is the subject of a clause: by a verb in -ing, or by a noun.

    >>> [sorted(map(str, told_deeds(Phrase.of(deed)))) for deed in ("restarting it", "any restart of it")]
    [['restart'], ['restart']]
    """
    return governed(phrase) if is_gerund(phrase) else noun_deeds(phrase)


def names_only_deeds(phrase: Phrase) -> bool:
    """Whether a noun phrase names nothing but actions or holds: "release freeze", "new deploys"."""
    return all(verbs_in(word.norm) or word.norm in _HOLDS for word in phrase.words)


def is_gerund(phrase: Phrase) -> bool:
    """Whether the phrase begins with a verb in -ing."""
    return bool(phrase) and _ends_in_ing(phrase.words[0].norm)


def _ends_in_ing(norm: str) -> bool:
    return norm.endswith("ing") and not norm.endswith("thing")


def named_verbs(phrase: Phrase) -> frozenset[str]:
    """The verb that a noun names which no class of actions has: "sale" is selling, "exports" is exporting.

    >>> [sorted(named_verbs(Phrase.of(noun))) for noun in ("new exports", "sale", "irrigation", "guests")]
    [['export'], ['sell'], ['irrigation'], []]
    """
    if not phrase:
        return frozenset()
    noun = phrase.words[-1].norm
    singular = noun.removesuffix("s")
    if verb := _VERBS_OF_NOUNS.get(noun) or _VERBS_OF_NOUNS.get(singular):
        return frozenset({verb})
    if singular in _NOUNS_AS_VERBS or _MADE_OF_VERB.fullmatch(noun):
        return frozenset({base_form(singular)})
    return frozenset()


def attribute_of(classes: Iterable[str]) -> str:
    """The attribute of a constraint on these actions.

    >>> attribute_of({"stop", "delete"}), attribute_of({"deploy"}), attribute_of({"pay", "modify"})
    ('lifecycle_policy', 'release_policy', 'payment_policy')
    """
    wanted = frozenset(classes)
    return next((name for name, family in _FAMILIES if wanted & family), "usage_policy")


def from_verb(deed: Phrase) -> Phrase:
    """A deed without the words before its verb: "ever be stopped" from "stopped" on."""
    skipped = _BEFORE_VERB.match(deed)
    return deed.cut(skipped.end() if skipped else 0)


def _at(norms: list[str], head: int) -> frozenset[str]:
    """The classes of the verb at a position, with the particle that goes with it."""
    if head >= len(norms):
        return frozenset()
    following = [norm for norm in norms[head + 1 : head + 1 + _REACH] if norm in _PARTICLES]
    return verbs_in(norms[head]) | verbs_in(" ".join([norms[head], *following]))
