"""Puts recorded conversations into memory as if they happened now; what is known already changes nothing."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path
from typing import Any, Protocol

from langgraph_memory.entities import discover
from langgraph_memory.errors import IngestError
from langgraph_memory.log import event_ids
from langgraph_memory.name_index import NameIndex
from langgraph_memory.outputs import failure_text
from langgraph_memory.recordings import Called, Item, RecordedConversation, Said, open_recording
from langgraph_memory.records import Actor, EpisodeStatus, Event, Record
from langgraph_memory.scope import Scope

RECORDED_USER = "recorded-user"
"""The actor id of users whom a recording doesn't name."""


class Receiver(Protocol):
    """The part of `Memory` that receives events; publishing an event twice is publishing it once."""

    @property
    def publish(self) -> Callable[..., Event]:
        """See `Memory.publish`."""


class Progress(Record):
    """How far an ingest has come.

    Attributes:
        done: how much of the recording is read, in the unit of `total`.
        total: its size: bytes of a file, threads of a checkpointer.
        conversations: how many were published so far.
        events: how many events were published so far.
    """

    done: int
    total: int
    conversations: int
    events: int


class Skipped(Record):
    """A place of a recording that was left out, and why."""

    where: str
    reason: str


class IngestReport(Record):
    """What an ingest published; what memory knew already counts too.

    Attributes:
        conversations: how many.
        events: how many.
        failed: how many of the events are failed tool calls.
        entities: ids of the entities that they name, each once, in the order in which they turned up.
        skipped: what was left out.
    """

    conversations: int = 0
    events: int = 0
    failed: int = 0
    entities: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


def ingest(
    memory: Receiver,
    path: str | Path,
    *,
    scope: Scope,
    user: str = RECORDED_USER,
    skip_bad: bool = False,
    progress: Callable[[Progress], None] | None = None,
) -> IngestReport:
    """Publish the conversations of a file: JSON lines of chat messages, or a LangGraph SQLite checkpointer.

    Each conversation is one activity. Its events have ids made of their content, so that a second run, or
    one after a crash, adds only what is missing. Users get no roles: what they say has no authority in a
    shared scope.

    Args:
        memory: what takes the events.
        path: the file; its content tells what it is.
        scope: where the events belong.
        user: the actor id of users whom the recording doesn't name.
        skip_bad: leave out what can't be read, and report it, instead of stopping there.
        progress: called after each conversation.

    Raises:
        IngestError: the file, or a line of it, can't be read; everything before it was published.
        ConfigurationError: the file is a checkpointer's and langgraph-checkpoint-sqlite is not installed.
    """
    recording = open_recording(Path(path))
    total = recording.total
    tally = _Tally()
    for entry in recording:
        if entry.conversation is None:
            tally.skip(entry.where, entry.error or "", stop=not skip_bad)
        else:
            tally.count(publish(memory, entry.conversation, scope=scope, user=user))
        if progress is not None:
            done = {"conversations": tally.conversations, "events": tally.events}
            progress(Progress(done=entry.done, total=total, **done))
    return tally.report()


def publish(
    memory: Receiver, conversation: RecordedConversation, *, scope: Scope, user: str = RECORDED_USER
) -> Iterator[Event]:
    """Publish one conversation: its messages and tool results in order, then how it ended."""
    if conversation.items:
        writer = _Writer(memory, conversation, scope, user)
        yield from map(writer.write, conversation.items)
        yield writer.write_end()


class _Tally:
    """What has been published so far."""

    def __init__(self) -> None:
        self.conversations = self.events = self.failed = 0
        self.entities: dict[str, None] = {}
        self.skipped: list[Skipped] = []

    def count(self, events: Iterable[Event]) -> None:
        for event in events:
            self.events += 1
            self.failed += event.event_type == "tool.failed"
            self.entities |= dict.fromkeys(event.entities)
        self.conversations += 1

    def skip(self, where: str, reason: str, *, stop: bool) -> None:
        if stop:
            raise IngestError(f"{where}: {reason}")
        self.skipped.append(Skipped(where=where, reason=reason))

    def report(self) -> IngestReport:
        return IngestReport(
            conversations=self.conversations,
            events=self.events,
            failed=self.failed,
            entities=tuple(self.entities),
            skipped=tuple(self.skipped),
        )


class _Writer:
    """Publishes the items of one conversation as events of one activity.

    A message is about those entities of the conversation's tool calls whose names it mentions. A thread's
    events have the ids that a live capture gives them; of other recordings, each scope has its own.
    """

    def __init__(self, memory: Receiver, conversation: RecordedConversation, scope: Scope, user: str) -> None:
        self._memory = memory
        self._conversation = conversation
        self._scope = scope
        self._user = user
        self._thread = conversation.conversation_id
        self._home = self._thread if conversation.threaded else f"{scope.key}/{self._thread}"
        self._names = NameIndex(_names(conversation))
        self._ids: list[str] = []
        self._entities: dict[str, None] = {}
        self._at = next((item.at for item in conversation.items if item.at), None)

    def write(self, item: Item) -> Event:
        self._at = item.at or self._at
        return self._write_call(item) if isinstance(item, Called) else self._write_message(item)

    def write_end(self) -> Event:
        """The activity checkpoint: of a conversation that just stops, a milestone without an outcome."""
        status = self._conversation.status
        event_type = _ENDS[status]
        so_far = hashlib.sha256(" ".join(self._ids).encode()).hexdigest()
        return self._publish(
            event_ids.of_other(self._home, "", f"recorded-{so_far}", event_type),
            event_type,
            Actor("system", "ingest"),
            {"status": status.value},
            self._entities,
        )

    def _write_message(self, item: Said) -> Event:
        return self._publish(
            event_ids.of_message(self._home, item.message_id),
            f"message.{item.role}",
            self._speaker(item),
            {"text": item.text},
            sorted(self._names.find_text(item.text)),
        )

    def _write_call(self, item: Called) -> Event:
        event_type = "tool.failed" if item.failed else "tool.completed"
        result = {"error": failure_text(item.output)} if item.failed else {"output": item.output}
        return self._publish(
            event_ids.of_tool_call(self._home, item.message_id, item.call_id, event_type),
            event_type,
            Actor("tool", item.tool),
            {"tool": item.tool, "args": item.args, **result},
            _discovered(item).entities,
        )

    def _speaker(self, item: Said) -> Actor:
        if item.role == "user":
            return Actor("user", self._conversation.user or item.speaker or self._user)
        return Actor(item.role, item.speaker or f"recorded-{item.role}")

    def _publish(
        self, event_id: str, event_type: str, actor: Actor, data: dict[str, Any], entities: Iterable[str]
    ) -> Event:
        event = self._memory.publish(
            scope=self._scope,
            activity_id=self._thread,
            thread_id=self._thread,
            event_id=event_id,
            event_type=event_type,
            actor=actor,
            data=data,
            entities=tuple(entities),
            occurred_at=self._at,
        )
        self._ids.append(event_id)
        self._entities |= dict.fromkeys(event.entities)
        return event


_ENDS = {
    EpisodeStatus.COMPLETED: "activity.completed",
    EpisodeStatus.FAILED: "activity.failed",
    EpisodeStatus.UNRESOLVED: "milestone.reached",
}


def _discovered(item: Called) -> Any:
    return discover(item.args, item.output, failed=item.failed)


def _names(conversation: RecordedConversation) -> Iterator[tuple[str, str]]:
    for item in conversation.items:
        if isinstance(item, Called):
            found = _discovered(item)
            yield from ((entity, entity) for entity in found.entities)
            yield from found.names
