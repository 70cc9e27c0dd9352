"""A conversation that someone else recorded, in a form that no source's habits reach into."""

from __future__ import annotations

from typing import Any, Literal

from pydantic import Field

from langgraph_memory.records import Moment, Record


class Said(Record):
    """A message of the user, the agent or the system.

    Attributes:
        message_id: its recorded id, or one made from its position and content.
        speaker: the recorded name of whoever said it.
        at: when, as far as it was recorded.
    """

    message_id: str
    role: Literal["user", "agent", "system"]
    text: str
    speaker: str | None = None
    at: Moment | None = None


class Called(Record):
    """A tool call with its result.

    Attributes:
        message_id: the id of the agent's message that made the call.
        call_id: the call's id, unique within that message.
        args: the arguments; text that is no JSON object stands under `input`.
        output: the result, JSON where it is JSON.
        failed: whether the result reports a failure.
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
        unanswered: tools that were called and whose result is not in the recording.
        user: the recorded id of the user, if there is one.
        source: file and line, for people.
    """

    conversation_id: str
    items: tuple[Item, ...] = ()
    unanswered: tuple[str, ...] = ()
    user: str | None = None
    source: str = ""
