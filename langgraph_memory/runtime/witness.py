"""What passes a saver becomes events: each message and tool result once, by whoever said it."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, TypeVar

from langchain_core.messages import AIMessage, AnyMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata, get_checkpoint_metadata
from langgraph.checkpoint.serde.types import ERROR, INTERRUPT

from langgraph_memory.log import event_ids
from langgraph_memory.memory import Memory
from langgraph_memory.records import Actor
from langgraph_memory.runtime.capture import activity_of, attempt, drafts_of, publish_draft
from langgraph_memory.runtime.identity import context_of
from langgraph_memory.runtime.inputs import fields_of, humans_in, matched
from langgraph_memory.runtime.standing import (
    RETURN,
    START,
    Key,
    Standing,
    Written,
    channels_in,
    elsewhere,
    ends,
    is_over,
    keys_of,
    messages_in,
)
from langgraph_memory.scope import MemoryContext

IdentifyCheckpoint = Callable[[RunnableConfig, Mapping[str, Any]], MemoryContext | None]
"""Tells whose run a checkpoint is of, from its config and metadata; None: nobody's, capture nothing."""

Place = tuple[str, str, str]
"""A checkpoint: thread, namespace and id."""

Read = Callable[[Place], Standing | None]
"""Loads what stands in a stored checkpoint."""

Work = Callable[[], None]

Stop = tuple[str, Mapping[str, Any]]
"""How a run stops: the type of the activity checkpoint, and its data."""

_COMPLETED: Stop = ("activity.completed", {"status": "completed"})
_LONGEST = 2_000
_RUNTIME = "__pregel_runtime"
_HANDLED = "__error_source_node__"
_CHECKPOINTS, _THREADS, _NOTICES = 512, 256, 100

_log = logging.getLogger(__name__)
_Value = TypeVar("_Value")


@dataclass
class _Thread:
    """What is known of a thread: the messages that are events already, and what people said in the input."""

    seen: set[Key] = field(default_factory=set)
    said: dict[Key, str] = field(default_factory=dict)
    begun: set[str] = field(default_factory=set)


class Witness:
    """Publishes what is new in the checkpoints and writes that pass.

    What stood in a thread before the witness came is left alone, unless it follows something that was
    captured: then its own capture failed.

    Args:
        memory: where to publish.
        identify: whose run it is; by default the run's `MemoryContext`, on a server the authenticated user.
    """

    def __init__(self, memory: Memory, identify: IdentifyCheckpoint | None) -> None:
        self._memory = memory
        self._identify = identify or _of_run
        self._standings: OrderedDict[Place, Standing] = OrderedDict()
        self._written: OrderedDict[Place, list[Written]] = OrderedDict()
        self._parked: OrderedDict[Place, list[Callable[[Standing], None]]] = OrderedDict()
        self._threads: OrderedDict[str, _Thread] = OrderedDict()
        self._lock = threading.RLock()
        self.notices: deque[str] = deque(maxlen=_NOTICES)

    def loaded(self, place: Place, checkpoint: Checkpoint) -> None:
        """Keep what stands in a checkpoint that was just read, unless part of it is stored elsewhere."""
        if place not in self._standings and not elsewhere(checkpoint):
            self._keep(self._standings, place, Standing(channels_in(checkpoint)), _CHECKPOINTS)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new: Mapping[str, Any],
        read: Read,
    ) -> Work | None:
        """The work that a checkpoint makes; None if nothing in it is new.

        Args:
            config: that it is put with.
            checkpoint: as it will be stored.
            metadata: of the checkpoint.
            new: the channels that changed.
            read: loads a checkpoint that is not known here.
        """
        thread, namespace, parent = place_of(config)
        before = self._standings.get((thread, namespace, parent)) if parent else Standing({})
        standing = self._advance(config, checkpoint, metadata, before) if before is not None else None
        known = self._threads.get(thread)
        if standing and before and before.start is None and known is not None and namespace in known.begun:
            changed = [messages for name, messages in standing.channels.items() if name in new]
            if not any(_news(known.seen, messages) for messages in changed) and not _ends_run(
                config, checkpoint, metadata
            ):
                return self._unpark((thread, namespace, checkpoint["id"]), standing)
        return lambda: self._guarded(lambda: self._put(config, checkpoint, metadata, read))

    def writes(
        self, config: RunnableConfig, written: Sequence[tuple[str, Any]], task: tuple[str, str], read: Read
    ) -> Work | None:
        """The work that a task's writes make; None if they are no tool results and no failure.

        Args:
            config: of the checkpoint that the task ran on.
            written: channel and value, each.
            task: its id and path.
            read: loads a checkpoint that is not known here.
        """
        place = place_of(config)
        noted = [
            Written((task[1], task[0], number), channel, tuple(messages))
            for number, (channel, value) in enumerate(written)
            if (messages := messages_in(value))
        ]
        self._note(place, noted)
        stop = None if place[1] else _stop(written)
        results = [n for n in noted if n.channel == RETURN or any(map(_is_result, n.messages))]
        if stop is None and not results:
            return None
        return lambda: self._guarded(lambda: self._writes(config, results, stop, task[0], read))

    def forget(self, thread_id: str) -> None:
        """Drop what is kept of a thread that is being deleted."""
        with self._lock:
            self._threads.pop(thread_id, None)
            for kept in (self._standings, self._written, self._parked):
                for place in [place for place in kept if place[0] == thread_id]:
                    del kept[place]

    def _put(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, read: Read
    ) -> None:
        thread, namespace, parent = place_of(config)
        before = self._standing((thread, namespace, parent), read) if parent else None
        before = before or Standing({})
        standing = self._advance(config, checkpoint, metadata, before)
        context = self._identify(config, get_checkpoint_metadata(config, metadata))
        record = self._thread(thread)
        if before.start is not None:
            _hear(record, before, standing)
        if context is not None:
            self._begin(record, (thread, namespace), before, context)
            for messages in standing.channels.values():
                self._publish(record, messages, thread, context)
            if _ends_run(config, checkpoint, metadata):
                self._end(standing, thread, checkpoint["id"], context)
        if parked := self._unpark((thread, namespace, checkpoint["id"]), standing):
            parked()

    def _writes(
        self,
        config: RunnableConfig,
        results: Sequence[Written],
        stop: Stop | None,
        task_id: str,
        read: Read,
    ) -> None:
        place = place_of(config)

        def act(standing: Standing) -> None:
            context = self._identify(config, get_checkpoint_metadata(config, {}))
            if context is None or standing.start is not None:
                return  # what comes with the input is told with the next checkpoint, which knows who said it
            for written in results:
                self._publish_results(place, standing, written, context, task_id)
            if stop is not None:
                event_id = event_ids.of_other(place[0], place[1], task_id, stop[0])
                self._mark(standing, place[0], context, stop, event_id)

        standing = self._standing(place, read)
        if standing is not None:
            act(standing)
        else:  # LangGraph saves in the background: its checkpoint is still on the way here
            with self._lock:
                self._parked.setdefault(place, []).append(act)
                while len(self._parked) > _CHECKPOINTS:
                    self._parked.popitem(last=False)

    def _advance(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, before: Standing
    ) -> Standing:
        """What stands in a new checkpoint: what it holds, and what was written to the other channels."""
        thread, namespace, parent = place_of(config)
        channels = channels_in(checkpoint)
        written = sorted(self._written.get((thread, namespace, parent), ()), key=lambda each: each.place)
        for name in elsewhere(checkpoint):
            later = [m for each in written if each.channel == name for m in each.messages]
            if messages := [*before.channels.get(name, ()), *later]:
                channels[name] = messages
        begins = metadata.get("source") == "input" and not namespace
        by_run = begins and _RUNTIME in config["configurable"]  # else it is an update of the state
        start = checkpoint["channel_values"].get(START) if by_run else None
        standing = Standing(channels, start)
        self._keep(self._standings, (thread, namespace, checkpoint["id"]), standing, _CHECKPOINTS)
        return standing

    def _standing(self, place: Place, read: Read) -> Standing | None:
        found = self._standings.get(place)
        if found is None and (found := read(place)) is not None:
            self._keep(self._standings, place, found, _CHECKPOINTS)
        return found

    def _begin(
        self, record: _Thread, where: tuple[str, str], before: Standing, context: MemoryContext
    ) -> None:
        """Tell what stood in the thread before from what was captured and what should have been."""
        thread, namespace = where
        if namespace in record.begun:
            return
        for messages in before.channels.values():
            drafts = drafts_of(messages, thread, context)
            known = self._memory.log.known(draft["event_id"] for draft in drafts)
            captured = {d["position"] for d in drafts if d["event_id"] in known}
            first = min(captured, default=len(messages))
            keys = keys_of(messages)
            record.seen.update(k for n, k in enumerate(keys) if n < first or n in captured)
        record.begun.add(namespace)

    def _publish(
        self, record: _Thread, messages: Sequence[AnyMessage], thread: str, context: MemoryContext
    ) -> None:
        keys = keys_of(messages)
        fresh = {n for n, key in enumerate(keys) if key not in record.seen}
        if not fresh:
            return
        for draft in drafts_of(messages, thread, context, fresh=fresh.__contains__):
            said = record.said.get(keys[draft["position"]])
            publish_draft(self._memory, draft, context, thread, said=said)
        for position in fresh:
            record.seen.add(keys[position])
            record.said.pop(keys[position], None)

    def _publish_results(
        self, place: Place, standing: Standing, written: Written, context: MemoryContext, task_id: str
    ) -> None:
        """Publish the tool results that a task wrote, with the calls that they answer."""
        results = [m for m in written.messages if _is_result(m) or written.channel == RETURN]
        results = [m if m.id else m.model_copy(update={"id": task_id}) for m in results]
        callers = [
            m for each in self._written.get(place, ()) for m in each.messages if isinstance(m, AIMessage)
        ]
        spoken = standing.channels.get(written.channel) or [
            message for messages in standing.channels.values() for message in messages
        ]
        messages = [*callers, *spoken, *results]
        first = len(messages) - len(results)
        for draft in drafts_of(messages, place[0], context, fresh=lambda position: position >= first):
            publish_draft(self._memory, draft, context, place[0], said=None)
        self._thread(place[0]).seen.update(keys_of(messages)[first:])

    def _end(self, standing: Standing, thread: str, checkpoint_id: str, context: MemoryContext) -> None:
        """Publish that the run ended, if no last word of the agent says so."""
        if not ends(standing.main):
            event_id = event_ids.of_other(thread, "", checkpoint_id, "activity.completed")
            self._mark(standing, thread, context, _COMPLETED, event_id)

    def _mark(
        self, standing: Standing, thread: str, context: MemoryContext, stop: Stop, event_id: str
    ) -> None:
        """Publish that the activity has come to a point from which it can be consolidated."""
        self._memory.publish(
            scope=context.scope,
            activity_id=activity_of(standing.main, thread, context),
            event_type=stop[0],
            actor=Actor("system", "runtime"),
            data=stop[1],
            thread_id=thread,
            event_id=event_id,
        )

    def _unpark(self, place: Place, standing: Standing) -> Work | None:
        with self._lock:
            waiting = self._parked.pop(place, None)
        if not waiting:
            return None

        def work() -> None:
            for act in waiting:
                self._guarded(partial(act, standing))

        return work

    def _guarded(self, work: Work) -> None:
        """Do the work; a failure is noted, for a checkpoint must not fail with its capture."""
        _, failure = attempt(work)
        if failure is not None:
            told = failure in self.notices
            self.notices.append(failure)
            if not told:
                _log.warning("what passed the checkpointer was not captured: %s", failure)

    def _thread(self, thread: str) -> _Thread:
        with self._lock:
            record = self._threads.get(thread)
            if record is None:
                record = _Thread()
                self._keep(self._threads, thread, record, _THREADS)
        return record

    def _note(self, place: Place, noted: Sequence[Written]) -> None:
        if noted:
            with self._lock:
                written = self._written.setdefault(place, [])
                written[:] = [*(w for w in written if w not in noted), *noted]
                while len(self._written) > _CHECKPOINTS:
                    self._written.popitem(last=False)

    def _keep(self, kept: OrderedDict[Any, _Value], key: Any, value: _Value, limit: int) -> None:
        with self._lock:
            kept[key] = value
            kept.move_to_end(key)
            while len(kept) > limit:
                kept.popitem(last=False)


def place_of(config: RunnableConfig) -> Place:
    """The checkpoint that a config names."""
    configurable = config["configurable"]
    return (
        str(configurable["thread_id"]),
        configurable.get("checkpoint_ns", ""),
        configurable.get("checkpoint_id") or "",
    )


def _of_run(config: RunnableConfig, metadata: Mapping[str, Any]) -> MemoryContext | None:  # noqa: ARG001
    """The context of the run that saves; an update of the state from outside is no run, and nobody's."""
    runtime = config["configurable"].get(_RUNTIME)
    return None if runtime is None else context_of(runtime)


def _hear(record: _Thread, before: Standing, standing: Standing) -> None:
    """Note which new human messages the run's input brought: those a person said."""
    start = fields_of(before.start)
    for name, messages in standing.channels.items():
        old = set(keys_of(before.channels.get(name, ())))
        keys = keys_of(messages)
        for position, text in matched(messages, humans_in(start, name)).items():
            if keys[position] not in old:
                record.said[keys[position]] = text


def _news(seen: set[Key], messages: Sequence[AnyMessage]) -> bool:
    """Whether there is something to tell: a message that is new and not just a request for tools."""
    keys = keys_of(messages)
    if seen.issuperset(keys):
        return False
    return any(key not in seen and _tells(message) for key, message in zip(keys, messages, strict=True))


def _tells(message: AnyMessage) -> bool:
    return not (isinstance(message, AIMessage) and message.tool_calls and not message.text)


def _ends_run(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata) -> bool:
    """Whether a root graph's run is over with this checkpoint."""
    nested = config["configurable"].get("checkpoint_ns", "")
    return not nested and metadata.get("source") == "loop" and is_over(checkpoint)


def _is_result(message: AnyMessage) -> bool:
    return isinstance(message, ToolMessage)


def _stop(written: Sequence[tuple[str, Any]]) -> Stop | None:
    """How a task's writes stop the run: it failed and the graph doesn't handle that, or it asks someone."""
    channels = {channel for channel, _ in written}
    if INTERRUPT in channels:
        return "milestone.reached", {"status": "interrupted"}
    if ERROR not in channels or _HANDLED in channels:
        return None
    error = [value for channel, value in written if channel == ERROR][-1]
    return "activity.failed", {"status": "failed", "error": f"{type(error).__name__}: {error}"[:_LONGEST]}
