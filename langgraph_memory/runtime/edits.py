"""Messages that a person said anew under the id of an earlier one: the new words are an event of their own.

What was said before stays what it was. Only the input of a run edits: a node that writes over a person's
message changes nothing of what the person said, and when a client hands such a message back, nobody has said
it.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any
from weakref import WeakKeyDictionary

from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableConfig

from langgraph_memory.log import event_ids
from langgraph_memory.memory import Memory
from langgraph_memory.recent import Recent
from langgraph_memory.runtime.inputs import stood_before
from langgraph_memory.runtime.message_events import Draft

REPLACES = "replaces"
"""Under this key of an event's data stands the id of the event whose words it replaces."""

_MOST = 10_000


_seen: WeakKeyDictionary[Memory, Recent[str, str]] = WeakKeyDictionary()
"""The words last seen under the id of an event: a long thread is not read from the log at each step."""


def rewritten(
    memory: Memory,
    messages: Sequence[AnyMessage],
    drafts: Sequence[Draft],
    known: Collection[str],
) -> list[Draft]:
    """The drafts of messages that say something else than when they were seen last, or than the log holds.

    Args:
        memory: whose log.
        messages: of the state.
        drafts: of human messages among them.
        known: the ids that the log holds.
    """
    seen = _of(memory)
    named = [draft for draft in drafts if draft.event_id in known and messages[draft.position].id]
    last = {draft.event_id: seen.get(draft.event_id) for draft in named}
    found = [draft for draft in named if last[draft.event_id] not in (None, draft.data["text"])]
    unseen = [draft for draft in named if last[draft.event_id] is None]
    if unseen:
        held = {event.event_id: event for event in memory.log.events([each.event_id for each in unseen])}
        found += [
            draft
            for draft in unseen
            if (event := held.get(draft.event_id)) and event.text != _kept(memory, draft.data["text"])
        ]
    return found


def looked_at(memory: Memory, drafts: Sequence[Draft]) -> None:
    """Note that what these drafts of human messages say is told, or is nobody's edit."""
    seen = _of(memory)
    for draft in drafts:
        seen.put(draft.event_id, draft.data["text"])


def _of(memory: Memory) -> Recent[str, str]:
    return _seen.setdefault(memory, Recent(_MOST))


def edits(
    memory: Memory,
    kept: tuple[RunnableConfig, str],
    thread: str,
    messages: Sequence[AnyMessage],
    changed: Sequence[Draft],
    words: Mapping[int, str],
) -> list[Draft]:
    """The drafts, among changed ones, of what a person said anew that no event says yet.

    Args:
        memory: whose log.
        kept: the node's config, and the state key under which the messages are kept.
        thread: where it was said.
        messages: of the state.
        changed: drafts of human messages.
        words: what people said in the run's input, by position.
    """
    heard = [draft for draft in changed if draft.position in words]
    stood = stood_before(*kept) if heard else {}
    found = []
    for draft in heard:
        at = draft.position
        before = stood.get(messages[at].id or "")
        found.append(revised(memory, draft, thread, messages[at], said=words[at], stood=before))
    known = memory.log.known(draft.event_id for draft in found)
    return [draft for draft in found if draft.event_id not in known]


def revised(
    memory: Memory,
    draft: Draft,
    thread: str,
    message: AnyMessage,
    *,
    said: str,
    stood: str | None,
) -> Draft:
    """The draft of what a person said; of what they said anew, if the log holds other words under that id.

    Args:
        memory: whose log.
        draft: of a human message.
        thread: where it was said.
        message: as it stands in the state.
        said: the words with which it came in the run's input.
        stood: the words that stood under its id before the run; None where none did, or nothing tells.
    """
    original = memory.log.get(draft.event_id) if message.id else None
    if original is None or said == stood:
        return draft
    before = original.text if stood is None else stood
    if stood is None and before == _kept(memory, said):
        return draft
    event_id = event_ids.of_edit(thread, str(message.id), before, said)
    return replace(draft, event_id=event_id, data={**draft.data, REPLACES: original.event_id})


def _kept(memory: Memory, text: str) -> Any:
    """A text as the log keeps it: without secrets."""
    kept: Any = memory.redactor({"text": text}).value
    return kept["text"]
