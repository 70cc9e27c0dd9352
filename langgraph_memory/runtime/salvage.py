"""What a crash left uncaptured is read from the checkpoints that hold it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any

from langchain_core.messages import AnyMessage, HumanMessage
from langgraph.checkpoint.base import CheckpointTuple

from langgraph_memory.log import event_ids
from langgraph_memory.memory import Memory
from langgraph_memory.records import Record
from langgraph_memory.runtime.activities import Activities, ends
from langgraph_memory.runtime.edits import revised
from langgraph_memory.runtime.inputs import fields_of, speech_in
from langgraph_memory.runtime.message_events import Draft, drafts_of, publish_draft
from langgraph_memory.runtime.standing import (
    START,
    Key,
    Standing,
    is_over,
    is_result,
    messages_in,
    named,
    openings,
    stood_in,
    stop_in,
    words_in,
)
from langgraph_memory.runtime.stops import COMPLETED, completion, mark
from langgraph_memory.scope import MemoryContext

_MESSAGES = "messages"
_OF_TASK = ":"
"""Stands in the namespaces of subgraphs that live for one task; the others keep their state over runs."""


class Note(Record):
    """What is noted when the capture of a run begins.

    Attributes:
        context: whose run it is.
        began: the id of the checkpoint with the run's input; empty for a run that goes on.
    """

    context: MemoryContext
    began: str = ""


class Salvage:
    """Publishes what a run left behind; what has been captured before is not written again.

    Args:
        memory: where to publish.
        thread: the run's thread.
        note: what was noted when it began.
        standing: what stands in a stored checkpoint.
    """

    def __init__(
        self, memory: Memory, thread: str, note: Note, standing: Callable[[CheckpointTuple], Standing]
    ) -> None:
        self._memory = memory
        self._thread = thread
        self._context = note.context
        self._note = note
        self._standing = standing

    def publish(self, found: Sequence[CheckpointTuple]) -> None:
        """Publish what the thread's checkpoints hold, given newest first."""
        newest: dict[str, CheckpointTuple] = {}
        for each in found:
            newest.setdefault(_namespace(each), each)
        began = next((each for each in found if each.checkpoint["id"] == self._note.began), None)
        before = self._began(began) if began else None
        for namespace in sorted(newest, key=bool):  # the root first: subgraphs repeat what was said there
            each = newest[namespace]
            self._publish_all(namespace, self._standing(each), before, _pending(each))
        root = newest.get("")
        if root is not None:
            self._stops(root)
        if before is not None and began is root:
            self._asked(before)

    def _began(self, began: CheckpointTuple) -> Standing:
        """What stood there when the run began, and its input."""
        start = began.checkpoint["channel_values"].get(START)
        return Standing(self._standing(began).channels, start)

    def _asked(self, before: Standing) -> None:
        """Publish what a person said in the input, if no step came to it; later it has the same id."""
        asked = [m for m in speech_in(fields_of(before.start), _MESSAGES) if m.id]
        messages = [*before.main, *asked]
        fresh = range(len(messages) - len(asked), len(messages))
        activities = self._activities(messages, fresh[:1])
        stood = {m.id: m.text for m in before.main if isinstance(m, HumanMessage)}
        for draft in drafts_of(messages, self._thread, self._context, fresh=fresh):
            message = messages[draft.position]
            self._draft(draft, message, message.text, activities, stood.get(message.id))

    def _publish_all(
        self,
        namespace: str,
        standing: Standing,
        before: Standing | None,
        pending: Mapping[str, Sequence[tuple[str, Any]]],
    ) -> None:
        said = words_in(before, standing) if before else {}
        stood = stood_in(before, said) if before else {}
        opening = openings(said, standing)
        old = {key for each in before.channels.values() for key in each.keys} if before else set()
        for name, spoken in standing.channels.items():
            drafts = drafts_of(spoken.messages, self._thread, self._context)
            known = self._memory.log.known(draft.event_id for draft in drafts)
            first = _first(namespace, name, spoken.keys, None if namespace else before)
            if first is None:
                captured = (d.position for d in drafts if d.event_id in known)
                first = min(captured, default=len(spoken.messages))
            opens = [position for position, key in enumerate(spoken.keys) if key in opening]
            activities = self._activities(spoken.messages, opens)
            for draft in drafts:
                key = spoken.keys[draft.position]
                later = draft.position >= first and key not in old
                if key in said or (later and draft.event_id not in known):
                    message = spoken.messages[draft.position]
                    self._draft(draft, message, said.get(key), activities, stood.get(key))
        for task, writes in pending.items():
            self._publish_results(standing, task, writes)

    def _publish_results(self, standing: Standing, task: str, writes: Sequence[tuple[str, Any]]) -> None:
        """Tool results that were written when the next checkpoint had not come yet."""
        for channel, value in writes:
            written = [named(m, task) if is_result(m) else m for m in messages_in(value)]
            spoken = standing.channels.get(channel)
            messages = [*(spoken.messages if spoken else standing.main), *written]
            later = range(len(messages) - len(written), len(messages))
            fresh = [position for position in later if is_result(messages[position])]
            activities = self._activities(messages)
            for draft in drafts_of(messages, self._thread, self._context, fresh=fresh):
                self._draft(draft, messages[draft.position], None, activities)

    def _stops(self, root: CheckpointTuple) -> None:
        """Publish how the run stopped, if it did."""
        main = self._standing(root).main
        activity = self._activities(main).latest
        for task, writes in _pending(root).items():
            if stop := stop_in(writes):
                event_id = event_ids.of_other(self._thread, "", task, stop[0])
                mark(self._memory, activity, self._thread, self._context, stop, event_id)
        over = root.metadata.get("source") == "loop" and is_over(root.checkpoint)
        if over and not ends(main):
            event_id = completion(self._thread, main)
            mark(self._memory, activity, self._thread, self._context, COMPLETED, event_id)

    def _activities(self, messages: Sequence[AnyMessage], opens: Iterable[int] = ()) -> Activities:
        return Activities(self._memory.log, messages, self._thread, self._context, opens)

    def _draft(
        self,
        draft: Draft,
        message: AnyMessage,
        said: str | None,
        activities: Activities,
        stood: str | None = None,
    ) -> None:
        activity = activities.at(draft.position)
        if said is not None:
            draft = revised(self._memory, draft, self._thread, message, said=said, stood=stood)
        publish_draft(self._memory, draft, self._context, self._thread, said=said, activity=activity)


def _first(namespace: str, channel: str, keys: Sequence[Key], before: Standing | None) -> int | None:
    """The position of the run's first message; None where only what was captured can tell it."""
    if before is not None:
        known = before.channels.get(channel)
        old = set(known.keys) if known else set()
        return next((n for n, key in enumerate(keys) if key not in old), len(keys))
    return 0 if _OF_TASK in namespace.rpartition("|")[2] else None


def _namespace(found: CheckpointTuple) -> str:
    return str(found.config["configurable"].get("checkpoint_ns", ""))


def _pending(found: CheckpointTuple) -> dict[str, list[tuple[str, Any]]]:
    """What tasks wrote on top of a checkpoint, by task."""
    by_task: dict[str, list[tuple[str, Any]]] = {}
    for task, channel, value in found.pending_writes or ():
        by_task.setdefault(task, []).append((channel, value))
    return by_task
