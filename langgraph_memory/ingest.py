"""Puts recorded conversations into memory, as if they had just happened; nothing twice."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any, Protocol

from langgraph_memory import event_ids
from langgraph_memory.entities import NameIndex, discover
from langgraph_memory.errors import IngestError
from langgraph_memory.outputs import failure_text
from langgraph_memory.recordings.chats import read_chat
from langgraph_memory.recordings.conversation import Called, Item, RecordedConversation, Said
from langgraph_memory.recordings.lines import read_lines
from langgraph_memory.records import Actor, Event, Record
from langgraph_memory.scope import Scope

RECORDED_USER = "recorded-user"
"""The actor id of users whom a recording doesn't name."""


class Publisher(Protocol):
    """The part of `Memory` that takes events; publishing an event twice is publishing it once."""

    def publish(
        self,
        *,
        scope: Scope,
        activity_id: str,
        event_type: str,
        actor: Actor,
        entities: tuple[str, ...] = (),
        evidence_ref: str | None = None,
        data: Mapping[str, Any] | None = None,
        thread_id: str | None = None,
        event_id: str | None = None,
        wait: bool = False,
        occurred_at: datetime | None = None,
    ) -> Event:
        """Write one event."""


class Progress(Record):
    """How far an ingest is: bytes of the file, and what was published so far."""

    done: int
    total: int
    conversations: int
    events: int


class Skipped(Record):
    """A line that was left out."""

    line: int
    reason: str


class IngestReport(Record):
    """What an ingest published.

    Attributes:
        conversations: how many were read.
        events: how many events were published, those that were known already among them.
        failed: how many of them are failed tool calls.
        entities: ids of the entities that were discovered, each once.
        skipped: lines that were left out, with the reason.
    """

    conversations: int = 0
    events: int = 0
    failed: int = 0
    entities: tuple[str, ...] = ()
    skipped: tuple[Skipped, ...] = ()


def ingest(
    memory: Publisher,
    path: str | Path,
    *,
    scope: Scope,
    progress: Callable[[Progress], None] | None = None,
    skip_bad: bool = False,
) -> IngestReport:
    """Publish the conversations of a file.

    Raises:
        IngestError: the file or a line of it can't be read; everything before it was published.
    """
    file = Path(path)
    total = file.stat().st_size
    conversations = events = failed = 0
    entities: dict[str, None] = {}
    skipped: list[Skipped] = []
    for line in read_lines(file):
        try:
            if line.error:
                raise ValueError(line.error)
            conversation = read_chat(line.value, f"{file.name}:{line.number}")
        except ValueError as error:
            if not skip_bad:
                raise IngestError(f"{file}:{line.number}: {error}") from error
            skipped.append(Skipped(line=line.number, reason=str(error)))
            continue
        for event in publish(memory, conversation, scope=scope):
            events += 1
            failed += event.event_type == "tool.failed"
            entities.update(dict.fromkeys(event.entities))
        conversations += 1
        if progress:
            progress(Progress(done=line.end, total=total, conversations=conversations, events=events))
    return IngestReport(
        conversations=conversations, events=events, failed=failed, entities=tuple(entities), skipped=tuple(skipped)
    )


def publish(memory: Publisher, conversation: RecordedConversation, *, scope: Scope) -> Iterator[Event]:
    """Publish one conversation: its messages and tool results in order, then how it ended."""
    named = _entities(conversation)
    index = NameIndex({entity: entity for found in named for entity in found})
    for item, found in zip(conversation.items, named, strict=True):
        yield _publish_item(memory, conversation, item, found, index, scope)
    yield _publish_end(memory, conversation, named, scope)


def _entities(conversation: RecordedConversation) -> list[tuple[str, ...]]:
    return [
        discover(item.args, item.output, failed=item.failed).entities if isinstance(item, Called) else ()
        for item in conversation.items
    ]


def _publish_item(
    memory: Publisher,
    conversation: RecordedConversation,
    item: Item,
    found: tuple[str, ...],
    index: NameIndex,
    scope: Scope,
) -> Event:
    thread = conversation.conversation_id
    common: dict[str, Any] = {"scope": scope, "activity_id": thread, "thread_id": thread}
    if item.at is not None:
        common["occurred_at"] = item.at
    if isinstance(item, Said):
        return memory.publish(
            **common,
            event_type=_MESSAGES[item.role],
            actor=_speaker(item, conversation),
            entities=tuple(sorted(index.find_text(item.text))),
            data={"text": item.text},
            event_id=event_ids.of_message(thread, item.message_id),
        )
    event_type = "tool.failed" if item.failed else "tool.completed"
    result = {"error": failure_text(item.output)} if item.failed else {"output": item.output}
    return memory.publish(
        **common,
        event_type=event_type,
        actor=Actor("tool", item.tool[:256]),
        entities=found,
        data={"tool": item.tool, "args": item.args, **result},
        event_id=event_ids.of_tool_call(thread, item.message_id, item.call_id, event_type),
    )


_MESSAGES = {"user": "message.user", "agent": "message.agent", "system": "message.system"}


def _speaker(item: Said, conversation: RecordedConversation) -> Actor:
    if item.role == "user":
        return Actor("user", conversation.user or item.speaker or RECORDED_USER)
    return Actor(item.role, item.speaker or f"recorded-{item.role}")


def _publish_end(
    memory: Publisher, conversation: RecordedConversation, named: list[tuple[str, ...]], scope: Scope
) -> Event:
    thread = conversation.conversation_id
    status = "failed" if conversation.items and getattr(conversation.items[-1], "failed", False) else "completed"
    return memory.publish(
        scope=scope,
        activity_id=thread,
        thread_id=thread,
        event_type=f"activity.{status}",
        actor=Actor("system", "ingest"),
        entities=tuple(dict.fromkeys(e for found in named for e in found)),
        data={"status": status},
        event_id=event_ids.of_other(thread, "", str(len(conversation.items)), f"activity.{status}"),
    )
