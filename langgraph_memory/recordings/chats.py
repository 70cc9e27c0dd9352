"""Conversations as OpenAI chat messages, with tool calls and tool results."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping
from datetime import UTC, datetime
from typing import Any

from langgraph_memory.outputs import parsed, reports_failure
from langgraph_memory.recordings.conversation import Called, Item, RecordedConversation, Said

_ROLES = {"user": "user", "human": "user", "assistant": "agent", "ai": "agent", "system": "system", "developer": "system"}
_RESULTS = ("tool", "function")


def read_chat(value: Any, source: str = "") -> RecordedConversation:
    """The conversation that one line holds: an object with `messages`, or the list of messages itself.

    Raises:
        ValueError: it is not such an object, or a message is not one; names the message.
    """
    fields = value if isinstance(value, dict) else {}
    messages = fields.get("messages") if isinstance(value, dict) else value
    if not isinstance(messages, list):
        raise ValueError('no list of messages: a line is {"conversation_id": …, "messages": [...]}')
    reader = _Reader()
    for position, message in enumerate(messages):
        reader.read(position, message)
    return RecordedConversation(
        conversation_id=_conversation_id(fields, messages),
        items=tuple(reader.items),
        unanswered=tuple(call.tool for call in reader.open),
        user=_text_or_none(fields.get("user_id") or fields.get("user")),
        source=source,
    )


class _Reader:
    """Pairs the results of tools with the calls they answer."""

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.open: list[Called] = []

    def read(self, position: int, message: Any) -> None:
        if not isinstance(message, dict):
            raise ValueError(f"message {position} is not an object: {str(message)[:60]!r}")
        role = message.get("role")
        message_id = _message_id(position, message)
        if role in _RESULTS:
            self._result(position, message, message_id)
        elif role in _ROLES:
            self._said(position, message, message_id, _ROLES[role])
        else:
            raise ValueError(f"message {position} has the role {role!r}: known are {', '.join([*_ROLES, *_RESULTS])}")

    def _said(self, position: int, message: dict[str, Any], message_id: str, role: Any) -> None:
        text = _text(position, message.get("content"))
        if text.strip():
            speaker = _text_or_none(message.get("name"))
            self.items.append(
                Said(message_id=message_id, role=role, text=text, speaker=speaker, at=_moment(message))
            )
        if role == "agent":
            self.open += _calls(position, message, message_id)

    def _result(self, position: int, message: dict[str, Any], message_id: str) -> None:
        output = parsed(_text(position, message.get("content")))
        failed = message.get("status") == "error" or reports_failure(output)
        call = self._answered(message) or Called(
            message_id=message_id, call_id=str(message.get("tool_call_id") or ""), tool=str(message.get("name") or "unknown")
        )
        self.items.append(call.model_copy(update={"output": output, "failed": failed, "at": _moment(message)}))

    def _answered(self, message: dict[str, Any]) -> Called | None:
        wanted = message.get("tool_call_id")
        for index, call in enumerate(self.open):
            if (call.call_id.partition("~")[0] == wanted) if wanted else (call.tool == message.get("name")):
                return self.open.pop(index)
        return None


def _calls(position: int, message: dict[str, Any], message_id: str) -> Iterator[Called]:
    calls = message.get("tool_calls") or []
    if not isinstance(calls, list):
        raise ValueError(f"message {position}: tool_calls is not a list")
    if isinstance(message.get("function_call"), dict):
        calls = [*calls, {"id": "", "function": message["function_call"]}]
    seen: set[str] = set()
    for number, call in enumerate(calls):
        if not isinstance(call, dict):
            raise ValueError(f"message {position}: tool call {number} is not an object")
        function = call.get("function")
        spec = function if isinstance(function, dict) else call
        call_id = str(call.get("id") or "")
        unique = f"{call_id}~{number}" if call_id in seen else call_id
        seen.add(call_id)
        yield Called(
            message_id=message_id,
            call_id=unique,
            tool=str(spec.get("name") or "unknown"),
            args=_args(spec.get("arguments", spec.get("args"))),
        )


def _args(value: Any) -> dict[str, Any]:
    found = parsed(value)
    if isinstance(found, Mapping):
        return dict(found)
    return {} if found in (None, "") else {"input": found}


def _text(position: int, content: Any) -> str:
    if content is None:
        return ""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "\n".join(_part(position, part) for part in content if part)
    if isinstance(content, dict):
        return json.dumps(content, ensure_ascii=False)
    raise ValueError(f"message {position} has the content {content!r}: a text or a list of parts")


def _part(position: int, part: Any) -> str:
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise ValueError(f"message {position} has the content part {part!r}")
    text = part.get("text")
    return text if isinstance(text, str) else ""


def _conversation_id(fields: Mapping[str, Any], messages: list[Any]) -> str:
    for key in ("conversation_id", "thread_id", "id"):
        if isinstance(fields.get(key), str | int) and str(fields[key]).strip():
            return str(fields[key])
    return f"conversation-{_digest(messages)}"


def _message_id(position: int, message: dict[str, Any]) -> str:
    recorded = message.get("id")
    return recorded if isinstance(recorded, str) and recorded else f"{position}-{_digest(message)}"


def _digest(value: Any) -> str:
    text = json.dumps(value, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:16]


def _text_or_none(value: Any) -> str | None:
    return value.strip()[:256] if isinstance(value, str) and value.strip() else None


def _moment(message: dict[str, Any]) -> datetime | None:
    for key in ("timestamp", "created_at", "created", "time"):
        value = message.get(key)
        if isinstance(value, int | float) and not isinstance(value, bool):
            return datetime.fromtimestamp(value, UTC)
        if isinstance(value, str) and value:
            moment = datetime.fromisoformat(value)
            return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    return None
