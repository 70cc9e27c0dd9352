"""Conversations as JSON lines of chat messages, in the form of OpenAI's API."""

from __future__ import annotations

import codecs
import hashlib
import json
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

from langgraph_memory import strict_json
from langgraph_memory.recordings.conversation import Entry, RecordedConversation
from langgraph_memory.recordings.messages import read_messages, text_or_none

MAX_BYTES = 256 * 1024 * 1024
"""The longest line that is read, in bytes."""

_LONGEST_ID = 512


class ChatFile:
    """A file with one conversation a line: `{"conversation_id": …, "messages": [...]}`, or the list alone.

    Args:
        path: the file, in UTF-8; read line by line.
    """

    def __init__(self, path: Path) -> None:
        self._path = path

    @property
    def total(self) -> int:
        """The bytes of the file."""
        return self._path.stat().st_size

    def __iter__(self) -> Iterator[Entry]:
        """The conversations of its lines; empty lines are none."""
        with self._path.open("rb") as file:
            number = done = 0
            while line := file.readline(MAX_BYTES + 1):
                number, done = number + 1, done + len(line)
                if number == 1:
                    line = line.removeprefix(codecs.BOM_UTF8)
                if line.strip():
                    yield _entry(line, f"{self._path}:{number}", done)


def read_chat(value: Any) -> RecordedConversation:
    """The conversation that the JSON value of one line holds.

    Raises:
        ValueError: it holds none; says which message is at fault.
    """
    fields = value if isinstance(value, dict) else {}
    messages = fields.get("messages") if isinstance(value, dict) else value
    if not isinstance(messages, list) or value == []:
        raise ValueError('no list of messages: a line is {"conversation_id": "…", "messages": [...]}')
    user = _user(fields)
    return read_messages(messages, _conversation_id(fields, messages, user), user=user)


def _entry(line: bytes, where: str, done: int) -> Entry:
    try:
        return Entry(where=where, done=done, conversation=read_chat(_value(line)))
    except ValueError as error:
        return Entry(where=where, done=done, error=str(error))


def _value(line: bytes) -> Any:
    if len(line) > MAX_BYTES:
        raise ValueError(f"longer than {MAX_BYTES} bytes: write one conversation a line")
    try:
        return strict_json.loads(line.decode("utf-8"))
    except UnicodeDecodeError as error:
        raise ValueError(f"byte {error.start + 1} is not UTF-8: save the file as UTF-8") from error
    except json.JSONDecodeError as error:
        raise ValueError(
            f"not JSON ({error.msg}, character {error.pos + 1}): write one conversation a line"
        ) from error


def _conversation_id(fields: Mapping[str, Any], messages: list[Any], user: str | None) -> str:
    for key in ("conversation_id", "thread_id", "id"):
        found = fields.get(key)
        if found is not None:
            return _checked(key, found)
    text = json.dumps([user, messages], sort_keys=True)
    return f"conversation-{hashlib.sha256(text.encode()).hexdigest()[:16]}"


def _checked(key: str, found: Any) -> str:
    text = str(found) if isinstance(found, int) and not isinstance(found, bool) else found
    if (
        not isinstance(text, str)
        or not 0 < len(text.strip()) <= len(text) <= _LONGEST_ID
        or not text.isprintable()
    ):
        raise ValueError(f"{key} {str(found)[:60]!r}: give a printable text of 1 to {_LONGEST_ID} characters")
    return text


def _user(fields: Mapping[str, Any]) -> str | None:
    metadata = fields.get("metadata")
    named = metadata.get("user_id") if isinstance(metadata, dict) else None
    return text_or_none(fields.get("user_id")) or text_or_none(fields.get("user")) or text_or_none(named)
