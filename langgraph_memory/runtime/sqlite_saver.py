"""LangGraph's SQLite checkpointer for `invoke` as well as `ainvoke`: its own two each serve one of them."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import AsyncIterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
)

from langgraph_memory.arguments import shown
from langgraph_memory.errors import ConfigurationError, ForeignFolderError
from langgraph_memory.file_access import reaching

try:
    from langgraph.checkpoint.sqlite import SqliteSaver
except ImportError as error:
    raise ConfigurationError(
        "a SQLite checkpointer needs langgraph-checkpoint-sqlite: install "
        "langgraph-memory-runtime[sqlite-checkpoints]"
    ) from error

_FILE = "checkpoints.sqlite"


def open_sqlite(path: str | Path) -> AnySqliteSaver:
    """The saver over a file, over one made in a folder, or in memory; close its `conn`."""
    place = str(path)
    if place != ":memory:":
        with reaching(Path(place)):
            if Path(place).is_dir() or not Path(place).suffix:
                place = str(Path(place) / _FILE)
            Path(place).parent.mkdir(parents=True, exist_ok=True)
    connection = sqlite3.connect(place, check_same_thread=False)
    try:
        saver = AnySqliteSaver(connection)
        saver.setup()
    except sqlite3.DatabaseError as error:
        connection.close()
        raise ForeignFolderError(
            f"path={shown(place)} can't hold checkpoints ({error}): name another file"
        ) from error
    return saver


class AnySqliteSaver(SqliteSaver):
    """A `SqliteSaver` with the asynchronous methods, each in a thread."""

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that a config names."""
        return await asyncio.to_thread(self.get_tuple, config)

    async def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - the signature is LangGraph's
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """The checkpoints that match."""
        found = await asyncio.to_thread(
            lambda: tuple(self.list(config, filter=filter, before=before, limit=limit))
        )
        for each in found:
            yield each

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint."""
        return await asyncio.to_thread(self.put, config, checkpoint, metadata, new_versions)

    async def aput_writes(
        self, config: RunnableConfig, writes: Sequence[tuple[str, Any]], task_id: str, task_path: str = ""
    ) -> None:
        """Save what a task wrote."""
        await asyncio.to_thread(self.put_writes, config, writes, task_id, task_path)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread."""
        await asyncio.to_thread(self.delete_thread, thread_id)

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """The changes of channels that are stored as such."""
        return await asyncio.to_thread(self.get_delta_channel_history, config=config, channels=channels)
