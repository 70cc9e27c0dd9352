"""Action classes: what a tool's name or a sentence's verb does to the thing it is done to.

A constraint forbids classes, a tool has classes, and the guard compares the two, so "don't shut it down"
covers `terminateInstances`. The map is from verbs; names of tools are read in snake, camel, kebab and
space form, sentences with their inflections.

Three decisions that callers rely on:

- "Keep it running" (`KEEP_RUNNING`) rules out what ends the running: stop, suspend, disable, cancel,
  delete. A restart isn't ruled out: it ends with the thing running, and is often the way to keep it up.
- "Don't deploy" rules out deploying alone; a code freeze (`CODE_FREEZE`) also rules out merging.
- "Don't touch it" rules out `ActionClass.ANY`, which stands for every action that isn't reading.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from itertools import pairwise

from langgraph_memory.errors import ConfigurationError
from langgraph_memory.inflections import inflections


class ActionClass(StrEnum):
    """What an action does. `ANY` is for constraints only: whatever isn't reading."""

    ANY = "*"
    APPROVE = "approve"
    BOOK = "book"
    CANCEL = "cancel"
    CLOSE = "close"
    CREATE = "create"
    DELETE = "delete"
    DEPLOY = "deploy"
    DISABLE = "disable"
    ENABLE = "enable"
    EXECUTE = "execute"
    GRANT = "grant"
    MERGE = "merge"
    MIGRATE = "migrate"
    MODIFY = "modify"
    PAY = "pay"
    RESIZE = "resize"
    RESTART = "restart"
    REVOKE = "revoke"
    ROTATE = "rotate"
    SCALE = "scale"
    SEND = "send"
    START = "start"
    STOP = "stop"
    SUSPEND = "suspend"


KEEP_RUNNING = frozenset(
    {ActionClass.STOP, ActionClass.SUSPEND, ActionClass.DISABLE, ActionClass.CANCEL, ActionClass.DELETE}
)
"""What "keep it running" rules out."""

CODE_FREEZE = frozenset({ActionClass.DEPLOY, ActionClass.MERGE})
"""What a freeze of a branch, a service or the code rules out."""

_VERBS = {
    ActionClass.ANY: "touch tamper meddle",
    ActionClass.APPROVE: "approve accept",
    ActionClass.BOOK: "book buy order purchase reserve rebook checkout schedule",
    ActionClass.CANCEL: "cancel abort void annul withdraw",
    ActionClass.CLOSE: "close resolve archive",
    ActionClass.CREATE: "create add provision insert allocate clone save store upload import attach copy"
    " subscribe",
    ActionClass.DELETE: "delete remove drop destroy purge wipe erase terminate decommission trash discard"
    " truncate prune unlink rm rmdir rmtree rimraf shred mv expunge scrap nuke zap deprovision deregister"
    " cleanup teardown retire",
    ActionClass.DEPLOY: "deploy redeploy release publish ship promote rollout launch push rollback",
    ActionClass.DISABLE: "disable deactivate detach disconnect lock block ban mute unsubscribe",
    ActionClass.ENABLE: "enable activate reactivate unlock unblock",
    ActionClass.EXECUTE: "run execute exec invoke trigger apply",
    ActionClass.GRANT: "grant authorize authorise invite",
    ActionClass.MERGE: "merge rebase push commit",
    ActionClass.MIGRATE: "migrate move mv relocate failover reschedule",
    ActionClass.MODIFY: "modify update change edit alter patch set configure reconfigure rename overwrite"
    " replace tune adjust upgrade downgrade rewrite refactor write reassign swap amend revise put"
    " transform revert reschedule sync chmod chown chgrp mark toggle increment restore assign tag label"
    " annotate",
    ActionClass.PAY: "refund pay charge transfer reimburse bill debit credit payout disburse remit wire"
    " settle",
    ActionClass.RESIZE: "resize shrink downsize upsize rightsize",
    ActionClass.RESTART: "restart reboot reset recycle relaunch bounce",
    ActionClass.REVOKE: "revoke",
    ActionClass.ROTATE: "rotate renew rekey",
    ActionClass.SCALE: "scale autoscale upscale downscale",
    ActionClass.SEND: "send share email mail forward post message notify text disclose leak reveal expose"
    " broadcast reply",
    ActionClass.START: "start boot resume launch wake",
    ActionClass.STOP: "stop terminate shutdown halt kill deallocate poweroff quiesce decommission retire"
    " drain evict zap",
    ActionClass.SUSPEND: "suspend pause hibernate park downscale",
}

_PHRASES = {
    ActionClass.ANY: "mess with, fiddle with, tinker with, play with",
    ActionClass.BOOK: "check out",
    ActionClass.CANCEL: "call off",
    ActionClass.DELETE: "tear down, clean up, clear out, get rid, throw away, throw out, blow away, wipe out",
    ActionClass.DEPLOY: "roll out, roll back, go live, put live",
    ActionClass.MIGRATE: "fail over",
    ActionClass.PAY: "pay out, pay back, give back",
    ActionClass.RESTART: "power cycle",
    ActionClass.SEND: "send out, hand out, give out, pass on",
    ActionClass.START: "power on, turn on, switch on, spin up, bring up",
    ActionClass.STOP: "shut down, shut off, power off, power down, turn off, switch off, take down,"
    " take offline, take out, bring down, spin down, wind down, go down, take away",
    ActionClass.SUSPEND: "scale down, scale in, scale to zero, put to sleep",
}

_NOUNS = {
    ActionClass.ANY: "action",
    ActionClass.BOOK: "booking reservation",
    ActionClass.CANCEL: "cancellation",
    ActionClass.DELETE: "deletion removal destruction termination teardown",
    ActionClass.DEPLOY: "deployment rollout publication",
    ActionClass.MIGRATE: "migration",
    ActionClass.MODIFY: "modification edit",
    ActionClass.PAY: "payment payout reimbursement transfer disbursement billing payroll",
    ActionClass.SCALE: "scaling",
    ActionClass.SEND: "disclosure",
    ActionClass.STOP: "shutdown termination stoppage",
}


def _set(words: str) -> frozenset[str]:
    return frozenset(words.split())


_ALSO_NOUNS = _set(
    "order release refund charge transfer change update share scale merge book deploy restart credit bill"
    " wire reset set run post message text mail email park ship start stop drop patch upgrade downgrade move"
    " reserve swap commit push boot launch pause reply void purchase add bounce archive edit trigger wake"
    " touch write invite debit forward put store copy import lock block mark assign sync"
)
"""Verbs that stand as nouns in names: `get_order_details` orders nothing."""

_RARELY_NOUNS = _set("stop drop reset restart kill void")
"""Of those nouns, the ones that more often are what a tool does: `get_stop_instance`."""

_LIGHT = _set(
    "issue process make do run trigger perform execute submit create initiate request schedule approve apply"
    " force begin start place complete confirm bulk batch auto send queue"
)
"""Verbs whose object names the action: `issue_refund`, `place_order`."""

_READING = _set(
    "get list describe search find show read check calculate fetch query lookup look view count inspect think"
    " validate verify preview estimate compare explain summarize summarise retrieve monitor watch tail diff"
    " ping whoami select stat analyze analyse audit browse is has can scan detect compute display"
    " classify rank measure help history status"
)

_ASKING = _set("get search find read fetch lookup query list describe view")
"""Reading verbs that end a name: `http_get`."""

_PREFIXES = _set("force auto hard soft hot mass bulk batch cold live")

_JOINS = frozenset({"and", "or", "then", "n", "with"})


def _by_form() -> dict[str, frozenset[ActionClass]]:
    found: dict[str, set[ActionClass]] = {}
    for action, verbs in _VERBS.items():
        for form in (form for verb in verbs.split() for form in inflections(verb)):
            found.setdefault(form, set()).add(action)
    for action, nouns in _NOUNS.items():
        for form in (form for noun in nouns.split() for form in (noun, noun + "s")):
            found.setdefault(form, set()).add(action)
    return {form: frozenset(actions) for form, actions in found.items()}


def _by_phrase() -> dict[str, list[tuple[tuple[str, ...], ActionClass]]]:
    found: dict[str, list[tuple[tuple[str, ...], ActionClass]]] = {}
    for action, phrases in _PHRASES.items():
        for verb, *rest in (phrase.split() for phrase in phrases.split(",")):
            for form in inflections(verb):
                found.setdefault(form, []).append((tuple(rest), action))
    return found


_CLASSES = _by_form()
_PARTICLES = _by_phrase()
_BASES = frozenset(verb for verbs in _VERBS.values() for verb in verbs.split())
_NOUN_FORMS = frozenset(
    form for nouns in _NOUNS.values() for noun in nouns.split() for form in (noun, noun + "s")
) | frozenset(form for verb in _ALSO_NOUNS for form in (verb, verb + "s", verb + "es"))

_NAME_PART = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+|[^\W\d_A-Za-z]+|\d+")
_SEGMENT = re.compile(r"__|[./:]")
_WORD = re.compile(r"(?:\w[\w'-]*)?\w")
_TOOL_NAME = re.compile(r"\w+-[\w-]+|[a-z]+(?:[A-Z][a-z]*)+|(?:[A-Z][a-z]+){2,}|[a-z]+(?:_[a-z]+)+")
_DELETES = re.compile(
    r"\bgit\s+(?:-\S+\s+(?:[^-\s]\S*\s+)?){0,5}clean\b|(?:^|[;&|\n])\s*(?:del|rd)\s+(?:/\w\s+)*\"?[a-z]:",
    re.IGNORECASE,
)
"""Programs that delete by names that are none of a verb, or of one that says less elsewhere."""

_MAX_OBJECT = 6
"""How many words may stand between a verb and its particle: "turn the old GPU box off"."""


def action_classes(name: str) -> frozenset[str]:
    """The classes of the action that a tool or verb name names; empty for a reading or unknown one.

    >>> sorted(action_classes("terminateInstances")), sorted(action_classes("shut-down-vm"))
    ([<ActionClass.DELETE: 'delete'>, <ActionClass.STOP: 'stop'>], [<ActionClass.STOP: 'stop'>])
    >>> action_classes("get_order_details")
    frozenset()
    """
    segments = _segments(name)
    return frozenset().union(*(_segment_classes(words) for words in segments))


def ruled_out(names: Iterable[str], declared: Iterable[str] = ()) -> tuple[str, ...]:
    """What a constraint rules out, by classes or by names of actions; a name counts as its classes too.

    Args:
        names: as they were given.
        declared: classes of the application's own, which its tools declare.

    Raises:
        ConfigurationError: a name of no action: the constraint would protect nothing.

    >>> ruled_out(["STOP", "terminate_vm", "all"])
    ('STOP', 'stop', 'terminate_vm', 'delete', 'all', '*')
    """
    found: dict[str, None] = {}
    own = frozenset(declared)
    for name in names:
        plain = name.strip().casefold()
        classes = frozenset({"*"}) if plain in _EVERYTHING else frozenset({plain} & set(ActionClass))
        classes = classes or action_classes(plain) or verbs_in(plain)
        if not classes and name not in own:
            known = ", ".join(sorted(ActionClass))
            raise ConfigurationError(f"forbids={name!r} names no action: give some of {known}")
        found |= dict.fromkeys([name, *sorted(str(each) for each in classes)])
    return tuple(found)


_EVERYTHING = frozenset({"*", "any", "all", "everything", "anything"})


def is_reading(name: str) -> bool:
    """Whether a tool's name begins with a reading verb and holds no verb that changes something.

    What is read may come first, in one word: `web_search`.

    >>> is_reading("list_stopped_instances"), is_reading("get_or_create_user"), is_reading("stop_instance")
    (True, False, False)
    """
    segments = _segments(name)
    if not segments or not _leads_to_reading(segments[-1]) or action_classes(name):
        return False
    return not any(_may_act(words) for words in segments)


def _leads_to_reading(words: Sequence[str]) -> bool:
    return words[0] in _READING or (len(words) == len(("web", "search")) and words[1] in _ASKING)


def _may_act(words: Sequence[str]) -> bool:
    """Whether a name that begins with reading may go on to act: `find_and_fix`, `get_stop_instance`.

    A noun after "and" is mostly a plural (`get_terms_and_conditions`), a verb in a name is not.
    """
    for before, word in pairwise(words):
        joined = before in _JOINS and word not in _READING and not word.endswith("s")
        if joined or (before in _READING and word in _RARELY_NOUNS and word != words[-1]):
            return True
    return False


def asked_by(name: str) -> frozenset[str]:
    """The classes of a name that is a verb first of all: a part of an address, the start of a command.

    >>> sorted(asked_by("TerminateInstances")), asked_by("orders"), asked_by("how-to-stop")
    ([<ActionClass.DELETE: 'delete'>, <ActionClass.STOP: 'stop'>], frozenset(), frozenset())
    """
    segments = _segments(name)
    first = segments[0][0] if segments else ""
    if first not in _BASES or (first in _NOUN_FORMS and first not in _RARELY_NOUNS):
        return frozenset()
    return action_classes(name)


def commands_in(text: str) -> frozenset[str]:
    """The classes of all actions that a text of commands or code names, also by names of tools in it.

    >>> sorted(commands_in("aws terminate-instances --ids i-1")), sorted(commands_in("box.stopNow()"))
    ([<ActionClass.DELETE: 'delete'>, <ActionClass.STOP: 'stop'>], [<ActionClass.STOP: 'stop'>])
    """
    deletes = {ActionClass.DELETE} if _DELETES.search(text) else frozenset()
    return verbs_in(text).union(deletes, *map(asked_by, set(_TOOL_NAME.findall(text))))


def verbs_in(text: str) -> frozenset[str]:
    """The classes of all actions that running text names, as verbs in any form or as nouns.

    Identifiers stay whole: `payments-api` names no payment.

    >>> sorted(verbs_in("stopping it or shutting the box down"))
    [<ActionClass.STOP: 'stop'>]
    """
    words = [word.casefold() for word in _WORD.findall(unicodedata.normalize("NFKC", text))]
    found: set[str] = set()
    for position, word in enumerate(words):
        found |= _CLASSES.get(word, frozenset())
        found |= _CLASSES.get(_plain(word), frozenset())
        found |= set(_phrases_at(words, position, _MAX_OBJECT))
    return frozenset(found)


def _plain(word: str) -> str:
    """A hyphenated verb without its hyphen or its prefix: "shut-down", "force-push"."""
    prefix, _, rest = word.partition("-")
    return rest if prefix in _PREFIXES else word.replace("-", "")


def _segments(name: str) -> list[list[str]]:
    plain = unicodedata.normalize("NFKC", name)
    parts = ([part.casefold() for part in _NAME_PART.findall(segment)] for segment in _SEGMENT.split(plain))
    return [words for words in parts if words]


def _segment_classes(words: Sequence[str]) -> frozenset[ActionClass]:
    led = words[0] in _READING or (words[0] in _BASES and words[0] not in _LIGHT)
    found: set[ActionClass] = set()
    for position, word in enumerate(words):
        joined = position > 0 and words[position - 1] in _JOINS
        if position == 0 or joined or not led or _is_plain_verb(word):
            found |= _CLASSES.get(word, frozenset())
        found |= set(_phrases_at(words, position, 0))
    return frozenset(found)


def _is_plain_verb(word: str) -> bool:
    return word in _BASES and word not in _NOUN_FORMS


def _phrases_at(words: Sequence[str], position: int, gap: int) -> Iterator[ActionClass]:
    for rest, action in _PARTICLES.get(words[position], ()):
        for start in range(position + 1, min(position + 2 + gap, len(words))):
            if tuple(words[start : start + len(rest)]) == rest:
                yield action
