"""What a tool call does, as far as its name, its arguments and the tool's declaration tell."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any
from urllib.parse import parse_qsl, unquote, urlsplit

from langgraph_memory.actions import ActionClass, action_classes, asked_by, commands_in, is_reading, verbs_in
from langgraph_memory.entities.keys import key_words
from langgraph_memory.names import normalise
from langgraph_memory.policy import Policy, ToolRule
from langgraph_memory.records import Record
from langgraph_memory.retrieval.calls import Call, Entry
from langgraph_memory.retrieval.masses import flagged
from langgraph_memory.verbs import are_among, free, said_in

FREE_TEXT = frozenset({"command", "cmd", "code", "sql", "script", "shell", "statement", "program"})
"""Words in the names of arguments in which a tool takes text that can do anything."""

QUESTIONS = frozenset({"query", "q", "expression"})
"""Words in the names of arguments in which a tool that reads is asked something, unless it is a statement."""

_ACTS = frozenset({"action", "method", "operation", "op", "verb"})
_STATES = frozenset({"state", "status", "power", "desired", "mode"})
_NUMBERS = frozenset(
    {
        "replica",
        "count",
        "size",
        "capacity",
        "desired",
        "instance",
        "node",
        "number",
        "scale",
        "minimum",
        "maximum",
    }
)
_NONE = frozenset({"0", "0.0", "none", "zero"})
_SIZING = frozenset({ActionClass.SCALE, ActionClass.RESIZE, ActionClass.MODIFY})
_UNDONE_EASILY = frozenset(
    {ActionClass.CREATE, ActionClass.MODIFY, ActionClass.START, ActionClass.ENABLE, ActionClass.RESTART}
    | {ActionClass.RESIZE, ActionClass.SCALE, ActionClass.ROTATE}
)
_LONGEST_VERB = 40
_LONGEST_ADDRESS = 4_000
_SAID_OTHERWISE = {
    "off": frozenset({ActionClass.STOP.value}),
    "post": frozenset({ActionClass.MODIFY.value}),
    "put": frozenset({ActionClass.MODIFY.value}),
    "patch": frozenset({ActionClass.MODIFY.value}),
    "get": frozenset[str](),
}
_STATEMENT = re.compile(
    r"(?:^|[;{(])\s*(?:mutation\b|delete\s+from\b|drop\s+\w|truncate\s|update\s+\S+\s+set\b|alter\s+\w)",
    re.IGNORECASE,
)
_BEGINNINGS = re.compile(r"(?:^|[;{(&|\n])\s*(\w[\w-]*)")
_ADDRESS = re.compile(r"\w+://|/?[\w./-]+\?\w")


class Deed(Record):
    """What a tool call does, as far as can be told.

    Attributes:
        classes: of actions.
        reads: whether it changes nothing.
        open_ended: whether it could be anything.
        speaks_of: the classes of the actions that its free text speaks of; None for one without such text.
        named: whether the tool's declaration tells what the call is about.
        words: the stems of what its name, its declaration and its arguments say it does that has no class.
    """

    classes: frozenset[str]
    reads: bool
    open_ended: bool
    speaks_of: frozenset[str] | None = None
    named: bool = False
    words: frozenset[str] = frozenset()

    def does(self, forbids: Iterable[str]) -> bool:
        """Whether it plainly does what a constraint rules out, by a class or by the verb itself."""
        return (bool(self.classes) and covers(forbids, self.classes)) or are_among(forbids, self.words)

    def may_mean(self, forbids: Iterable[str]) -> bool:
        """Whether it may be what a constraint rules out that waits for an answer.

        What a verb without a class does to a thing isn't known: whatever is hard to undo may be just that.
        """
        if self.open_ended or covers(forbids, self.classes) or are_among(forbids, self.words):
            return True
        return not self.classes <= _UNDONE_EASILY and bool(free(forbids))

    @property
    def possible(self) -> frozenset[str]:
        """The classes that it is or may be; `ActionClass.ANY` stands for all."""
        if self.speaks_of is not None:
            return self.classes | self.speaks_of
        return frozenset({ActionClass.ANY.value}) if self.open_ended else self.classes


def deed(call: Call, policy: Policy) -> Deed:
    """What a call does, from the tool's declaration or else from its name and the names of its arguments.

    What an address asks for counts in any case: a tool that fetches pages reads until the page it fetches is
    `…?action=terminate`.

    >>> deed(Call("terminate_instance", {"id": "i-1"}), Policy()).reads
    False
    >>> deed(Call("list_instances", {}), Policy()).reads
    True
    >>> deed(Call("fetch", {"url": "https://cloud/web-1?action=terminate"}), Policy()).reads
    False
    """
    requested = _requested(call.entries)
    declared = policy.tools.get(call.action)
    if declared is not None and declared.tells_what_it_does:
        classes = declared.actions or frozenset(action_classes(call.action))
        return Deed(
            classes=classes | requested,
            reads=declared.read_only and not requested,
            open_ended=False,
            named=_is_named(call, declared),
            words=said_in(call.action).union(*map(said_in, declared.actions)),
        )
    reading = is_reading(call.action)
    texts = [str(entry.value) for entry in call.entries if _is_free(entry, reading=reading)]
    reads = reading and not texts
    telling = _ACTS if reads else _ACTS | _STATES
    told = {each for words, value in call.entries if not telling.isdisjoint(words) for each in _told(value)}
    told |= requested
    classes = frozenset(action_classes(call.action)) | told
    if not reads:
        classes |= frozenset().union(*(flagged(words, value) for words, value in call.entries))
    if not classes.isdisjoint(_SIZING) and any(_is_none_left(*entry) for entry in call.entries):
        classes |= {ActionClass.STOP.value}
    return Deed(
        classes=classes,
        reads=reads and not told,
        open_ended=bool(texts) or not classes,
        speaks_of=frozenset(each for text in texts for each in commands_in(text)) if texts else None,
        words=frozenset() if reads else said_in(call.action).union(*_said(call.entries)),
        named=declared is not None and _is_named(call, declared),
    )


def covers(forbids: Iterable[str], classes: frozenset[str]) -> bool:
    """Whether what a constraint rules out covers one of the classes of an action."""
    ruled_out = frozenset(forbids)
    return ActionClass.ANY in ruled_out or bool(ruled_out & classes)


def may_cover(forbids: Iterable[str], deed: Deed) -> bool:
    """Whether what a constraint rules out may cover what a call possibly does."""
    possible = deed.possible
    return ActionClass.ANY in possible or covers(forbids, possible) or are_among(forbids, deed.words)


def _is_named(call: Call, declared: ToolRule) -> bool:
    """Whether an entity stands in the arguments where the tool's declaration says that they do."""
    rules = declared.entities.rules if declared.entities is not None else ()
    return any(True for rule in rules if rule.source == "args" for _ in rule.entities(call.args))


def _is_free(entry: Entry, *, reading: bool) -> bool:
    """Whether an argument takes text that can do anything, or holds a statement that does something."""
    if not FREE_TEXT.isdisjoint(entry.words):
        return True
    asks = not QUESTIONS.isdisjoint(entry.words)
    if asks and not (reading and isinstance(entry.value, str)):
        return True
    if not isinstance(entry.value, str):
        return False
    if asks and any(map(asked_by, _BEGINNINGS.findall(entry.value))):
        return True
    return _STATEMENT.search(entry.value) is not None


def _told(value: Any) -> frozenset[str]:
    """The action classes that the value of an argument names: a verb, a state to bring about, a method."""
    if not isinstance(value, str) or len(value) > _LONGEST_VERB:
        return frozenset()
    word = normalise(value)
    if word in _SAID_OTHERWISE:
        return _SAID_OTHERWISE[word]
    return frozenset(action_classes(value)) | frozenset(verbs_in(word))


def _said(entries: Iterable[Entry]) -> Iterator[frozenset[str]]:
    """The stems of what arguments say is to be done, or is to have been done to a thing: a verb, a state."""
    telling = _ACTS | _STATES
    for words, value in entries:
        if isinstance(value, str) and len(value) <= _LONGEST_VERB and not telling.isdisjoint(words):
            yield said_in(value)


def _requested(entries: Iterable[Entry]) -> frozenset[str]:
    """The classes that addresses among the arguments ask for: by method, in their query or in their path."""
    addresses = [each.value for each in entries if isinstance(each.value, str) and _is_address(each.value)]
    if not addresses:
        return frozenset()
    methods = frozenset(word for each in entries if "method" in each.words for word in _told(each.value))
    return methods.union(*(word for address in addresses for word in _in_address(address)))


def _is_address(text: str) -> bool:
    return len(text) <= _LONGEST_ADDRESS and _ADDRESS.match(text.lstrip()) is not None


def _in_address(address: str) -> Iterator[frozenset[str]]:
    try:
        parts = urlsplit(address.strip())
    except ValueError:
        return
    yield from (asked_by(unquote(part)) for part in parts.path.split("/") if len(part) <= _LONGEST_VERB)
    for name, value in parse_qsl(f"{parts.query}&{parts.fragment}"):
        if not (_ACTS | FREE_TEXT).isdisjoint(key_words(name)):
            yield _told(value)


def _is_none_left(words: tuple[str, ...], value: Any) -> bool:
    """Whether an argument brings the number of what runs to zero."""
    return not _NUMBERS.isdisjoint(words) and not isinstance(value, bool) and str(value).strip() in _NONE
