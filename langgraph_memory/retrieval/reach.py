"""What a call reaches without naming it: an act with no object may be on anything that is there."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from langgraph_memory.actions import action_classes, asked_by, commands_in
from langgraph_memory.entities import identifiers_in
from langgraph_memory.entities.keys import Announces, announced_by, key_words, words
from langgraph_memory.retrieval.calls import Call, Entry

_CONTAINERS = words(
    "namespace namespaces ns environment environments env cluster clusters region fleet datacenter"
)
"""What holds other things: they go where it goes."""

_NAMING = words(
    "name target title key path email which item entity object index row slug handle "
    "prefix suffix pattern regex glob match"
)
_EXCEPT = words("exclude excluding excluded except without not skip ignore keep but")
_SORTS = ("tag:", "label:", "status:", "state:")
_ADVERBS = words("off down now force immediately it them this that safely gracefully")
_LAST_WORD = re.compile(r"[A-Z]?[a-z]+(?=[\d_\W]*$)")
_END_OF_COMMAND = re.compile(r"[;\n]|&&|\|+")
_COMPUTED = re.compile(
    r"\bxargs\b|\$\(|`[^`]+`|\b(?:for|while)\b.+?(?::|\bdo\b)|-exec\b|\$\{?[A-Za-z_]|\.(?:map|forEach)\(",
    re.DOTALL,
)
_SQL = re.compile(
    r"\b(?P<verb>delete\s+from|truncate(?:\s+table)?|drop\s+(?:table|database|schema|collection)|update)"
    r"\s+[\w.\"`\[\]]+(?P<set>\s+set\s.*?)?(?:\s+where\s(?P<where>.*))?$",
    re.IGNORECASE | re.DOTALL,
)
_ONE_ROW = re.compile(
    r"\b(?:\w*id|\w*name|\w*key|uuid|slug|email|host|number)\W{0,2}\s*(?:=|in\b)", re.IGNORECASE
)
_EVERYTHING = frozenset({"--all", "-A", "--all-namespaces", "*", "/", "~", "/*", "all", "everything"})
_SELECTOR = re.compile(r"--?(?:l|selector|filters?|labels?|tags?|query|where)(?:=.*)?$|-l\w+=")
_HARMLESS = words("echo printf grep rg cat less man ls history git gh cp mv mkdir touch npm pip make")
_FILE_VERBS = words("rm rmdir unlink")
_IN_CODE = re.compile(r"[(=]")
_BETWEEN_WORDS = re.compile(r"[-_]")
_IN_A_SHELL = re.compile(r"\b(?:ssh|bash|sh|zsh|eval|exec|python3?|perl|node)\b")
_SENTENCE = re.compile(r"'[^']*\s[^']*'|\"[^\"]*\s[^\"]*\"")


def reach(call: Call, classes: frozenset[str], free: bool, places: Iterable[str]) -> frozenset[str]:
    """The classes of what a call does to things that it doesn't name: to whatever is there.

    Args:
        call: what is called.
        classes: of what it does.
        free: whether it takes free text.
        places: names of the place where it acts; what is done to the place is done to all in it.

    >>> stops = frozenset({"stop"})
    >>> [sorted(reach(Call("stop_instances", args), stops, False, ())) for args in ({}, {"ids": ["i-1"]})]
    [['stop'], []]
    >>> sorted(reach(Call("run", {"sql": "DELETE FROM hosts"}), frozenset(), True, ()))
    [<ActionClass.DELETE: 'delete'>]
    """
    if free:
        found = (_reach_of(part, places) for text in call.texts for part in _commands(text))
        return frozenset().union(*found)
    if not _CONTAINERS.isdisjoint(key_words(call.action)[-1:]):
        return classes
    things = {each for entry in call.entries if (each := _thing(entry))}
    if things:
        return classes if things <= frozenset(places) else frozenset()
    others = any(entry.value for entry in call.entries if not entry.words.isdisjoint(_EXCEPT))
    return classes if others or not _is_about_one(call.action) else frozenset()


def _thing(entry: Entry) -> str | None:
    """What an argument says that the call is about: which one, and not which sort, nor where."""
    value = entry.value
    if not isinstance(value, str | int) or isinstance(value, bool):
        return None
    if not entry.words.isdisjoint(_EXCEPT | _CONTAINERS):
        return None
    text = str(value).strip().casefold()
    if text.startswith(_SORTS):
        return None
    named = not entry.words.isdisjoint(_NAMING) or any(map(_announces, entry.words))
    if named or (isinstance(value, str) and next(identifiers_in(text), None) is not None):
        return text or None
    return None


def _announces(word: str) -> bool:
    return announced_by(word) in (Announces.IDENTIFIER, Announces.RESOURCE)


def _is_about_one(action: str) -> bool:
    """Whether a tool's name ends in one thing: `stop_timer`, unlike `stop_timers` and `stop`."""
    last = _LAST_WORD.search(action)
    if last is None or any(map(str.isdecimal, action)):
        return True
    word = last[0].casefold()
    acts = asked_by(word) if len(key_words(action)) > 1 else action_classes(word)  # in `send_email`, a thing
    return key_words(word) == (word,) and not acts and word not in _ADVERBS


def _commands(text: str) -> Iterator[str]:
    """The commands of a text; a loop, or what is computed within one, is not taken apart."""
    if _COMPUTED.search(text):
        yield text
    else:
        yield from filter(None, map(str.strip, _END_OF_COMMAND.split(text)))


def _reach_of(command: str, places: Iterable[str]) -> frozenset[str]:
    """The classes of what a command does to things that it doesn't name."""
    statement = _SQL.search(command)
    if statement:
        where = statement["where"]
        told = commands_in(f"{statement['verb']} {statement['set'] or ''}")
        return frozenset() if where and _ONE_ROW.search(where) else told
    said = _spoken(command)
    if not said or said[0].casefold() in _HARMLESS:
        return frozenset()
    everything = not _EVERYTHING.isdisjoint(said)
    if said[0].casefold() in _FILE_VERBS and not everything:
        return frozenset()
    selecting = any(map(_SELECTOR.match, said))
    if everything or selecting or _COMPUTED.search(command) or _is_aimless(command, said, places):
        return frozenset(commands_in(" ".join(word for word in said if not word.startswith("-"))))
    return frozenset()


def _is_aimless(command: str, said: Sequence[str], places: Iterable[str]) -> bool:
    """Whether what stands behind the verb of a command is nothing, or what holds other things."""
    plain = [word.casefold() for word in said if not word.startswith("-") and word not in _ADVERBS]
    verbs = [at for at, word in enumerate(plain) if action_classes(word)]
    if not verbs or _IN_CODE.search(command):
        return False
    verb, behind = plain[verbs[-1]], plain[verbs[-1] + 1 :][:1]
    held = _CONTAINERS.union(places)
    return not (behind or _BETWEEN_WORDS.search(verb)) or not held.isdisjoint([*behind, *key_words(verb)])


def _spoken(command: str) -> Sequence[str]:
    """The words of a command; a quoted sentence is none, unless it is a command itself."""
    return (command if _IN_A_SHELL.search(command) else _SENTENCE.sub(" ", command)).split()
