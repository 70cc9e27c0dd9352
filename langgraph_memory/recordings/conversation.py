"""A conversation that someone else recorded, in a form that no source's habits reach into."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Literal, Protocol

from pydantic import Field

from langgraph_memory.records import EpisodeStatus, Moment, Record

Role = Literal["user", "agent", "system"]


class Said(Record):
    """A message of the user, the agent or the system.

    Attributes:
        message_id: its recorded id, or one made from its position and content.
        role: whose message it is.
        text: its words.
        speaker: the recorded name of who said it.
        at: when, as far as it was recorded.
    """

    message_id: str
    role: Role
    text: str
    speaker: str | None = None
    at: Moment | None = None


class Called(Record):
    """A tool call with its result.

    Attributes:
        message_id: the id of the agent's message that made the call.
        call_id: the call's id, unique within that message.
        tool: the tool's name.
        args: the arguments; what is no JSON object stands under `input`.
        output: the result, JSON where it is JSON.
        failed: whether the result reports a failure.
        at: when the result came, as far as it was recorded.
    """

    message_id: str
    call_id: str
    tool: str
    args: dict[str, Any] = Field(default_factory=dict)
    output: Any = None
    failed: bool = False
    at: Moment | None = None


Item = Said | Called


class RecordedConversation(Record):
    """One conversation, in order.

    Attributes:
        conversation_id: the recorded id, or a digest of the content.
        items: what was said and done.
        unanswered: tools that were called and whose result the recording doesn't hold.
        user: the recorded id of the user.
        threaded: whether `conversation_id` is a LangGraph thread, whose events may have been captured live.
    """

    conversation_id: str
    items: tuple[Item, ...] = ()
    unanswered: tuple[str, ...] = ()
    user: str | None = None
    threaded: bool = False

    @property
    def status(self) -> EpisodeStatus:
        """How it ended, as far as the recording can tell.

        `failed`: its last tool call failed. `unresolved`: nobody answered the user, a call has no result, or
        a tool failed and was not called again with success. Otherwise `completed`, which says nothing about
        whether it was right.
        """
        calls = [item for item in self.items if isinstance(item, Called)]
        if calls and calls[-1].failed:
            return EpisodeStatus.FAILED
        answered = calls or any(isinstance(item, Said) and item.role == "agent" for item in self.items)
        if self.unanswered or not answered or any({call.tool: call.failed for call in calls}.values()):
            return EpisodeStatus.UNRESOLVED
        return EpisodeStatus.COMPLETED


class Entry(Record):
    """One place of a recording: a conversation, or the reason why there is none to be read.

    Attributes:
        where: the line or thread, for people: `chats.jsonl:3`.
        done: how much of the recording is read after it, in the unit of `Recording.total`.
        conversation: what was read.
        error: what is wrong, and what to do about it.
    """

    where: str
    done: int
    conversation: RecordedConversation | None = None
    error: str | None = None


class Recording(Protocol):
    """Where recorded conversations come from."""

    @property
    def total(self) -> int:
        """Its size: bytes of a file, threads of a checkpointer."""

    def __iter__(self) -> Iterator[Entry]:
        """What it holds, in order, one conversation in memory at a time."""
