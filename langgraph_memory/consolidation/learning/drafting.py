"""From what was seen to what is proposed: routines by code, playbook changes from people's own words."""

from __future__ import annotations

import hashlib
import re
from collections import Counter
from collections.abc import Sequence

from langgraph_memory.actions import action_classes, verbs_in
from langgraph_memory.consolidation.learning.incidents import Instruction
from langgraph_memory.names import canonical
from langgraph_memory.playbooks.documents import MAX_STEPS, Document
from langgraph_memory.playbooks.observations import Key
from langgraph_memory.records import Procedure, Record
from langgraph_memory.store.tokens import tokenize

_WORDS = re.compile(r"[^\W_][\w'-]*")
_MOST_WORDS = 8
_KEPT = 50
"""How many episodes a procedure cites; the counts go on."""


class Gap(Record):
    """Activities that went wrong after the same tool, and those in which it did no harm.

    Attributes:
        tool: after which they went wrong.
        incidents: ids of the episodes that went wrong.
        harmless: ids of those that did not: counterexamples.
        instructions: what people with authority said about the way to work.
    """

    tool: str
    incidents: tuple[str, ...]
    harmless: tuple[str, ...] = ()
    instructions: tuple[Instruction, ...] = ()


def routine_of(key: Key, requests: Sequence[str]) -> Document:
    """A learned routine as a procedure; its words are names of tools and arguments, and common words.

    Args:
        key: what was seen.
        requests: what people asked for in the activities that went well.
    """
    task = shared_words(requests)
    digest = hashlib.sha256(key.text.encode()).hexdigest()[:8]
    trigger, steps = _told(key)
    return Document(
        procedure_id=f"learned_{key.kind}_{key.tool}_{digest}",
        trigger_intent=f"{trigger}: {task}" if task else trigger,
        steps=steps,
        tools=tuple(dict.fromkeys(key.new if key.kind == "sequence" else (key.tool,))),
    )


def revised(current: Procedure | None, gap: Gap) -> tuple[Document, tuple[str, ...]]:
    """The playbook with the steps that would have helped, and for each step its source.

    The new steps stand before the one that the tool carries out. Without a word from anyone who may decide,
    one step asks for a check.
    """
    told = gap.instructions or (_fallback(gap),)
    known = {canonical(step) for step in (current.steps if current else ())}
    new = [each for each in told if canonical(each.text) not in known]
    old = [(step, "") for step in current.steps] if current else [(f"Call {gap.tool}.", "")]
    if current and len(current.step_sources) == len(current.steps):
        old = list(zip(current.steps, current.step_sources, strict=True))
    at = _place([step for step, _ in old], gap.tool)
    steps = [*old[:at], *((each.text, each.source) for each in new), *old[at:]][:MAX_STEPS]
    tools = tuple(dict.fromkeys([*(current.tool_fingerprints if current else ()), gap.tool]))
    document = Document(
        procedure_id=current.procedure_id if current else f"before_{gap.tool}",
        trigger_intent=current.trigger_intent if current else gap.tool.replace("_", " "),
        steps=tuple(step for step, _ in steps),
        checks=current.checks if current else (),
        tools=tools,
        reason=f"{len(gap.incidents)} activities went wrong after {gap.tool}",
    )
    return document, tuple(source for _, source in steps)


def cited(ids: Sequence[str]) -> tuple[str, ...]:
    """As many of the latest ids as a procedure cites."""
    return tuple(dict.fromkeys(ids))[-_KEPT:]


def shared_words(texts: Sequence[str]) -> str:
    """The words that most of the texts have in common, in the order of the last.

    >>> shared_words(["Run the weekly cleanup", "please run our weekly cleanup now", "weekly cleanup, go"])
    'weekly cleanup'
    """
    if not texts:
        return ""
    counts = Counter(token for text in texts for token in set(tokenize(text)))
    common = {token for token, count in counts.items() if count > len(texts) / 2}
    words = [word for word in _WORDS.findall(texts[-1].lower()) if common & set(tokenize(word))]
    return " ".join(list(dict.fromkeys(words))[:_MOST_WORDS])


def _told(key: Key) -> tuple[str, tuple[str, ...]]:
    """Trigger and steps of a routine."""
    match key.kind:
        case "sequence":
            steps = tuple(f"Call {tool}." for tool in key.new)
            return f"{key.new[0]} to {key.tool}".replace("_", " "), steps
        case "ignored":
            names = ", ".join(key.gone)
            return (
                f"calling {key.tool} with {names}",
                (f"Do not count on {names} of {key.tool}: the tool ignores it without an error.",),
            )
        case _:
            return f"calling {key.tool} ({', '.join((*key.new, *key.gone))})", (_fix(key),)


def _fix(key: Key) -> str:
    gone, new = ", ".join(key.gone), ", ".join(key.new)
    if gone and new:
        return f"Call {key.tool} with {new} instead of {gone}: with {gone} it fails."
    if new:
        return f"Call {key.tool} with {new}: without it the call fails."
    return f"Call {key.tool} without {gone}: with it the call fails."


def _fallback(gap: Gap) -> Instruction:
    times = f"it went wrong {len(gap.incidents)} times, see the evidence"
    return Instruction(text=f"Before {gap.tool}, check what depends on it ({times}).", source="")


def _place(steps: Sequence[str], tool: str) -> int:
    """Where a step goes that has to come before the tool: before the first that names it, else at the end."""
    deeds = set(action_classes(tool))
    for position, step in enumerate(steps):
        if tool in step or deeds & set(verbs_in(step)):
            return position
    return len(steps)
