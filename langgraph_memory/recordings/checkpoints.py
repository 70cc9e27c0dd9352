"""Conversations in the SQLite file of LangGraph's own checkpointer: each thread's messages."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing
from functools import reduce
from pathlib import Path
from typing import TYPE_CHECKING, Any

from langchain_core.messages import AIMessage, BaseMessage, ToolMessage
from langchain_core.runnables import RunnableConfig
from langgraph.channels import DeltaChannel
from langgraph.checkpoint.base import CheckpointTuple
from langgraph.checkpoint.serde.jsonplus import JsonPlusSerializer
from langgraph.graph.message import add_messages

from langgraph_memory.errors import ConfigurationError, IngestError
from langgraph_memory.recordings.conversation import Entry, RecordedConversation
from langgraph_memory.recordings.messages import read_messages, text_or_none

if TYPE_CHECKING:
    from langgraph.checkpoint.sqlite import SqliteSaver

_THREADS = "SELECT DISTINCT thread_id FROM checkpoints WHERE checkpoint_ns = '' ORDER BY thread_id"
_MESSAGES = "messages"
_UNREADABLE = (ValueError, TypeError, LookupError, NotImplementedError, sqlite3.DatabaseError)


class CheckpointFile:
    """A SQLite file that a `SqliteSaver` or `AsyncSqliteSaver` wrote; it is only read.

    Objects of other types than LangChain's messages and LangGraph's own stay unread: a checkpoint that comes
    from elsewhere runs no code here.

    Args:
        path: the file.

    Raises:
        IngestError: a SQLite file without checkpoints.
        ConfigurationError: langgraph-checkpoint-sqlite is not installed.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            with closing(self._connect()) as connection:
                self._threads = [str(thread) for (thread,) in connection.execute(_THREADS)]
        except sqlite3.DatabaseError as error:
            raise IngestError(
                f"{path}: no checkpoints of LangGraph in this SQLite file ({error}): name the file that "
                "SqliteSaver writes"
            ) from error

    @property
    def total(self) -> int:
        """How many threads it holds."""
        return len(self._threads)

    def __iter__(self) -> Iterator[Entry]:
        """The conversations of its threads."""
        with closing(self._connect()) as connection:
            saver = _saver(connection)
            for done, thread in enumerate(self._threads, 1):
                where = f"{self._path}: thread {thread!r}"
                try:
                    conversation = _read_thread(saver, thread)
                except _UNREADABLE as error:
                    yield Entry(where=where, done=done, error=f"can't be read: {error}")
                else:
                    yield Entry(where=where, done=done, conversation=conversation)

    def _connect(self) -> sqlite3.Connection:
        address = f"{self._path.resolve().as_uri()}?mode=ro"
        if not _may_lock_beside(self._path):
            address += "&immutable=1"
        return sqlite3.connect(address, uri=True, check_same_thread=False)


def _may_lock_beside(path: Path) -> bool:
    """Whether SQLite can coordinate with writers of the file; in a read-only folder there are none."""
    return os.access(path.parent, os.W_OK) or path.with_name(f"{path.name}-wal").exists()


def _saver(connection: sqlite3.Connection) -> SqliteSaver:
    try:
        from langgraph.checkpoint.sqlite import SqliteSaver  # noqa: PLC0415 - an optional dependency
    except ImportError as error:
        raise ConfigurationError(
            "reading a LangGraph checkpointer file needs langgraph-checkpoint-sqlite: install "
            "langgraph-memory-runtime[sqlite-checkpoints]"
        ) from error
    saver = SqliteSaver(connection, serde=JsonPlusSerializer(allowed_msgpack_modules=None))
    saver.is_setup = True  # the file is opened for reading: its tables are there, or there is nothing to read
    return saver


def _read_thread(saver: SqliteSaver, thread: str) -> RecordedConversation:
    config: RunnableConfig = {"configurable": {"thread_id": thread, "checkpoint_ns": ""}}
    last = saver.get_tuple(config)
    if last is None:
        raise LookupError(f"thread {thread!r} has no checkpoint")
    messages = [_fields(message) for message in _messages(saver, last)]
    moment = {"timestamp": last.checkpoint["ts"]}
    user = text_or_none(dict(last.metadata).get("user_id"))
    conversation = read_messages([message | moment for message in messages], thread, user=user)
    return conversation.model_copy(update={"threaded": True})


def _messages(saver: SqliteSaver, last: CheckpointTuple) -> Sequence[BaseMessage]:
    """The messages of a state: those of `messages`, or of the first channel that holds any."""
    values = last.checkpoint["channel_values"]
    if _MESSAGES not in values and _MESSAGES in last.checkpoint["channel_versions"]:
        values = {_MESSAGES: _replayed(saver, last.config)}
    channels = sorted(values, key=lambda name: (name != _MESSAGES, name))
    held = ([m for m in _listed(values[name]) if isinstance(m, BaseMessage)] for name in channels)
    return next((found for found in held if found), [])


def _replayed(saver: SqliteSaver, config: RunnableConfig) -> Any:
    """The messages of a channel that is stored as its changes."""
    history = saver.get_delta_channel_history(config=config, channels=[_MESSAGES])[_MESSAGES]
    channel = DeltaChannel(lambda state, writes: reduce(add_messages, writes, state), list)
    channel = channel.from_checkpoint(history.get("seed"))
    channel.replay_writes(history["writes"])
    return channel.get()


def _listed(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()


def _fields(message: BaseMessage) -> dict[str, Any]:
    fields: dict[str, Any] = {
        "role": message.type.removesuffix("MessageChunk").lower(),
        "content": message.content,
        "id": message.id,
        "name": message.name,
    }
    if isinstance(message, AIMessage):
        return fields | {"tool_calls": [_call(call) for call in message.tool_calls]}
    if isinstance(message, ToolMessage):
        return fields | {"tool_call_id": message.tool_call_id, "status": message.status}
    return fields


def _call(call: Mapping[str, Any]) -> dict[str, Any]:
    return {"id": call.get("id"), "name": call["name"], "args": call["args"]}
