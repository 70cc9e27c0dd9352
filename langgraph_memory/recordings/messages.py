"""From chat messages to what was said and done: tool results find the calls that they answer."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from langgraph_memory.outputs import parsed, reports_failure
from langgraph_memory.recordings.conversation import Called, Item, RecordedConversation, Role, Said

_ROLES: dict[str, Role] = {
    "user": "user",
    "human": "user",
    "assistant": "agent",
    "ai": "agent",
    "system": "system",
    "developer": "system",
}
_RESULTS = ("tool", "function")
_TIMES = ("timestamp", "created_at", "created", "time", "date")
_MILLISECONDS = 100_000_000_000
_LONGEST_NAME = 256


def read_messages(
    messages: Sequence[Any], conversation_id: str, *, user: str | None = None
) -> RecordedConversation:
    """The conversation that messages of an OpenAI chat make, also in the spelling of LangChain.

    A message without an id gets one from its position and content, so that a longer recording of the same
    conversation repeats the ids of the shorter one.

    Raises:
        ValueError: something is no message; names its position.
    """
    reader = _Reader()
    for position, message in enumerate(messages):
        try:
            reader.read(position, message)
        except ValueError as error:
            raise ValueError(f"message {position + 1}: {error}") from error
    return RecordedConversation(
        conversation_id=conversation_id,
        items=tuple(reader.items),
        unanswered=tuple(call.tool for _, call in reader.waiting),
        user=user,
    )


def text_or_none(value: Any) -> str | None:
    """A text that can be an actor's id, or None."""
    text = value.strip()[:_LONGEST_NAME] if isinstance(value, str) else ""
    return text or None


class _Reader:
    """Reads messages in order and pairs results with calls.

    Attributes:
        items: what was said and done so far.
        waiting: calls without a result, each with its id as the result will give it.
    """

    def __init__(self) -> None:
        self.items: list[Item] = []
        self.waiting: list[tuple[str, Called]] = []
        self._seen: set[str] = set()

    def read(self, position: int, message: Any) -> None:
        fields = _fields(message)
        message_id = self._own_id(position, fields)
        role = str(fields.get("role") or fields.get("type"))
        if role in _RESULTS:
            self._result(fields, message_id)
        elif role in _ROLES:
            self._said(fields, message_id, _ROLES[role])
        else:
            raise ValueError(f"the role {role!r} is none of {', '.join([*_ROLES, *_RESULTS])}")

    def _own_id(self, position: int, fields: Mapping[str, Any]) -> str:
        """The message's recorded id, told apart where several messages were recorded with the same one."""
        found = _message_id(position, fields)
        if found in self._seen:
            found = f"{found}#{position}"
        self._seen.add(found)
        return found

    def _said(self, fields: Mapping[str, Any], message_id: str, role: Role) -> None:
        text = _text(fields.get("content")) or _text(fields.get("refusal"))
        if text.strip():
            speaker = text_or_none(fields.get("name"))
            said = Said(message_id=message_id, role=role, text=text, speaker=speaker, at=_moment(fields))
            self.items.append(said)
        if role == "agent":
            self.waiting += _calls(fields, message_id)

    def _result(self, fields: Mapping[str, Any], message_id: str) -> None:
        output = parsed(_text(fields.get("content")))
        failed = fields.get("status") == "error" or reports_failure(output)
        call = self._answered(fields) or Called(
            message_id=message_id, call_id=str(fields.get("tool_call_id") or ""), tool=_tool(fields)
        )
        result = {"output": output, "failed": failed, "at": _moment(fields)}
        self.items.append(call.model_copy(update=result))

    def _answered(self, fields: Mapping[str, Any]) -> Called | None:
        """The oldest waiting call with the result's id, or where it has none, with its tool."""
        wanted = fields.get("tool_call_id")
        for index, (call_id, call) in enumerate(self.waiting):
            if call_id == str(wanted) if wanted else call.tool == _tool(fields):
                return self.waiting.pop(index)[1]
        return None


def _fields(message: Any) -> Mapping[str, Any]:
    if not isinstance(message, dict):
        raise ValueError(f"{str(message)[:60]!r} is no object")  # noqa: TRY004 - a line of a file is wrong
    data = message.get("data")
    if "role" not in message and isinstance(data, dict):
        return {"role": message.get("type")} | data
    return message


def _calls(fields: Mapping[str, Any], message_id: str) -> Iterator[tuple[str, Called]]:
    calls = fields.get("tool_calls") or []
    if not isinstance(calls, list) or not all(isinstance(call, dict) for call in calls):
        raise ValueError(f"tool_calls {str(calls)[:60]!r} is no list of objects")
    if isinstance(fields.get("function_call"), dict):
        calls = [*calls, {"function": fields["function_call"]}]
    seen: set[str] = set()
    for number, call in enumerate(calls):
        call_id = str(call.get("id") or "")
        unique = f"{call_id}#{number}" if call_id in seen else call_id
        seen.add(call_id)
        spec = call["function"] if isinstance(call.get("function"), dict) else call
        arguments = _arguments(spec.get("arguments", spec.get("args")))
        yield call_id, Called(message_id=message_id, call_id=unique, tool=_tool(spec), args=arguments)


def _tool(spec: Mapping[str, Any]) -> str:
    return text_or_none(spec.get("name")) or "unknown"


def _arguments(value: Any) -> dict[str, Any]:
    found = parsed(value)
    if isinstance(found, dict):
        return found
    return {} if found in (None, "") else {"input": found}


def _text(content: Any) -> str:
    if content is None or isinstance(content, str):
        return content or ""
    if isinstance(content, list):
        return "\n".join(filter(None, map(_part, content)))
    if isinstance(content, dict):
        return json.dumps(content, ensure_ascii=False)
    raise ValueError(f"the content {content!r} is neither a text nor a list of parts")


def _part(part: Any) -> str:
    """The words of a part; of a picture or file, what it is."""
    if isinstance(part, str):
        return part
    if not isinstance(part, dict):
        raise ValueError(  # noqa: TRY004 - a line of a file is wrong
            f"the content part {str(part)[:60]!r} is neither a text nor an object"
        )
    for key in ("text", "refusal"):
        if isinstance(part.get(key), str):
            return str(part[key])
    return "" if part.get("type") in _SPOKEN_ELSEWHERE else f"[{part.get('type', 'part')}]"


_SPOKEN_ELSEWHERE = ("tool_use", "tool_call", "function_call", "reasoning", "thinking")


def _message_id(position: int, fields: Mapping[str, Any]) -> str:
    recorded = fields.get("id")
    if isinstance(recorded, str) and recorded:
        return recorded
    text = json.dumps(fields, sort_keys=True, default=str)
    return f"{position}-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _moment(fields: Mapping[str, Any]) -> datetime | None:
    for key in _TIMES:
        value = fields.get(key)
        if value is not None:
            try:
                return _instant(value)
            except (ValueError, OverflowError, OSError, TypeError) as error:
                raise ValueError(
                    f"{key} {value!r} is no time: write it like 2026-05-20T10:00:00Z or as epoch seconds"
                ) from error
    return None


def _instant(value: Any) -> datetime:
    if isinstance(value, int | float) and not isinstance(value, bool):
        return datetime.fromtimestamp(value / 1000 if value > _MILLISECONDS else value, UTC)
    moment = datetime.fromisoformat(value)
    return moment if moment.tzinfo else moment.replace(tzinfo=UTC)
