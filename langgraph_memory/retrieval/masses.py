"""Calls about everything at once, and states that flags bring about: what a call does without naming it."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from langgraph_memory.actions import ActionClass, verbs_in
from langgraph_memory.entities.keys import key_words
from langgraph_memory.retrieval.calls import Call

_ALL = frozenset({"all", "every", "everything", "everyone"})
_UP = frozenset({"running", "enabled", "active", "powered", "online", "alive"})
_DOWN = frozenset({"disabled", "stopped", "deleted", "terminated", "suspended", "paused", "cancelled"})
_NO = frozenset({"false", "no", "off", "0", "none", ""})


def means_everything(call: Call) -> bool:
    """Whether a call is about all there is: by its name, by a flag, or by a value.

    >>> means_everything(Call("stop_all_instances", {})), means_everything(Call("stop", {"target": "all"}))
    (True, True)
    >>> means_everything(Call("stop", {"all": False})), means_everything(Call("stop", {"name": "allegro-1"}))
    (False, False)
    """
    if not _ALL.isdisjoint(key_words(call.action)):
        return True
    return any(
        (not _ALL.isdisjoint(entry.words) and _is_yes(entry.value))
        or (isinstance(entry.value, str) and _is_all(entry.value.strip()))
        for entry in call.entries
    )


def _is_all(text: str) -> bool:
    """Whether a value says all, or is an address that ends in saying so: `https://cloud/stop_all`."""
    if "://" not in text:
        return text.casefold() in _ALL
    return not _ALL.isdisjoint(key_words(text.partition("?")[0].rstrip("/").rpartition("/")[2]))


def flagged(words: Iterable[str], value: Any) -> frozenset[str]:
    """The classes of the state that a flag brings about.

    >>> sorted(flagged(("running",), False)), sorted(flagged(("deleted",), True)), flagged(("running",), True)
    (['disable', 'stop'], ['delete'], frozenset())
    """
    said = frozenset(words)
    if not _UP.isdisjoint(said) and value is not None and _is_no(value):
        return frozenset({ActionClass.STOP.value, ActionClass.DISABLE.value})
    if _is_yes(value):
        return frozenset(str(each) for word in said & _DOWN for each in verbs_in(word))
    return frozenset()


def _is_yes(value: Any) -> bool:
    return value is True or (isinstance(value, str) and value.strip().casefold() in {"true", "yes"})


def _is_no(value: Any) -> bool:
    return value is None or str(value).strip().casefold() in _NO
