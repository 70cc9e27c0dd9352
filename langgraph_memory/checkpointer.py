"""A checkpointer drop-in that captures: put it around the saver that a graph has, or open one with SQLite."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Iterable, Sequence
from functools import partial
from inspect import signature
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
)

from langgraph_memory.arguments import place
from langgraph_memory.closing import Closing
from langgraph_memory.log.captures import Left
from langgraph_memory.memory import Memory
from langgraph_memory.runtime.delegating_saver import DelegatingSaver
from langgraph_memory.runtime.desk import Desk
from langgraph_memory.runtime.lineage import Errand, Place, When, place_of
from langgraph_memory.runtime.salvage import Note, Salvage
from langgraph_memory.runtime.standing import Standing, elsewhere, standing_of
from langgraph_memory.runtime.witness import IdentifyCheckpoint, Witness
from langgraph_memory.signature import checked

_LOOKED_AT = 500
"""How many of a thread's latest checkpoints are looked through for what a crash has left."""


class CapturingSaver(DelegatingSaver, Closing):
    """Any LangGraph checkpointer, with memory: what passes it is captured as events, without a model call.

    Messages, tool results and the ends of runs are published as they are saved: together, some 100 ms later,
    at the latest when memory is asked something, and all of them before a run's last save returns. What a
    crash cuts off is captured from the checkpoints when a drop-in is opened over them or their thread goes
    on. What is captured by nodes or middleware as well stays one event. A capture that fails never fails a
    checkpoint; it stands in `notices`, and what it missed is captured with a later one.

    What a person says is told from what nodes write by the input that LangGraph saves; with
    `durability="exit"` it saves none, and human messages count as the agent's.

    Args:
        saver: any checkpointer.
        memory: where to publish.
        identify: tells whose run it is from a checkpoint's config and metadata; None as answer: capture
            nothing. By default the run's `MemoryContext`, on a LangGraph server the authenticated user.

    Example:
        >>> from langgraph.checkpoint.memory import InMemorySaver
        >>> with Memory.open(":memory:") as memory:
        ...     saver = CapturingSaver(InMemorySaver(), memory)
        ...     saver.get_tuple({"configurable": {"thread_id": "t", "checkpoint_ns": ""}}) is None
        True
    """

    @checked()
    def __init__(
        self,
        saver: BaseCheckpointSaver[Any],
        memory: Memory,
        *,
        identify: IdentifyCheckpoint | None = None,
    ) -> None:
        super().__init__(saver)
        self._memory = memory
        self._witness = Witness(memory, identify)
        self._desk = Desk(memory.log.database)
        self._swept = False
        memory.log.attend(self._desk, words=True)
        if getattr(saver, "loop", None) is None:  # one that is bound to a loop is first read on it
            self._sweep()
        self._takes_path = _takes_path(saver.put_writes), _takes_path(saver.aput_writes)
        self._owned: list[Any] = []

    @classmethod
    @checked("path")
    def open(cls, path: str | Path, memory: Memory, *, identify: IdentifyCheckpoint | None = None) -> Self:
        """A checkpointer over a SQLite file, for `invoke` as well as `ainvoke`.

        Args:
            path: the file, or a folder that it is made in, or ":memory:".
            memory: see `CapturingSaver`.
            identify: see `CapturingSaver`.

        Raises:
            ConfigurationError: langgraph-checkpoint-sqlite is not installed.
        """
        from langgraph_memory.runtime.sqlite_saver import open_sqlite  # noqa: PLC0415 - an optional dependency

        saver = open_sqlite(place("path", path))
        opened = cls(saver, memory, identify=identify)
        opened._owned = [saver.conn]
        return opened

    @property
    def notices(self) -> tuple[str, ...]:
        """What could not be captured lately, and why."""
        self._desk.settle()
        return tuple(self._witness.notices)

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that a config names."""
        if not self._swept:
            self._sweep()
        return self._remembered(self._saver.get_tuple(config))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that a config names."""
        if not self._swept:
            await asyncio.to_thread(self._sweep)
        return self._remembered(await self._saver.aget_tuple(config))

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint and capture what is new in it."""
        self._prepare(config)
        errand = self._run(self._witness.put(config, checkpoint, metadata), When.BEFORE)
        try:
            return self._saver.put(config, checkpoint, metadata, new_versions)
        finally:
            self._run(errand)

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint and capture what is new in it."""
        await self._aprepare(config)
        errand = await self._arun(self._witness.put(config, checkpoint, metadata), When.BEFORE)
        try:
            return await self._saver.aput(config, checkpoint, metadata, new_versions)
        finally:
            await self._arun(errand)

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save what a task wrote and capture its tool results, or its failure."""
        errand = None
        if results := self._witness.results(config, writes, (task_id, task_path)):
            self._prepare(config)
            errand = self._run(self._witness.writes(config, results), When.BEFORE)
        path = (task_path,) if self._takes_path[0] else ()
        try:
            self._saver.put_writes(config, writes, task_id, *path)
        finally:
            self._run(errand)

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save what a task wrote and capture its tool results, or its failure."""
        errand = None
        if results := self._witness.results(config, writes, (task_id, task_path)):
            await self._aprepare(config)
            errand = await self._arun(self._witness.writes(config, results), When.BEFORE)
        path = (task_path,) if self._takes_path[1] else ()
        try:
            await self._saver.aput_writes(config, writes, task_id, *path)
        finally:
            await self._arun(errand)

    def delete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints; its events stay, see `Memory.forget`."""
        self._witness.forget(str(thread_id))
        self._saver.delete_thread(thread_id)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints; its events stay, see `Memory.forget`."""
        self._witness.forget(str(thread_id))
        await self._saver.adelete_thread(thread_id)

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> CapturingSaver:
        """The same drop-in over a saver that also reads these types."""
        saver = self._saver.with_allowlist(extra_allowlist)
        if saver is self._saver:
            return self
        clone = CapturingSaver(saver, self._memory)
        clone._witness, clone._desk, clone._swept = self._witness, self._desk, self._swept
        return clone

    def close(self) -> None:
        """Write what is captured, and close what `open` opened; a given saver is its owner's to close."""
        self._desk.settle()
        for owned in self._owned:
            owned.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _remembered(self, found: CheckpointTuple | None) -> CheckpointTuple | None:
        if found is not None:
            self._witness.lineage.loaded(place_of(found.config), found.checkpoint)
        return found

    def _run(self, errand: Errand | None, by: When = When.SOON) -> Errand | None:
        """Do an errand that has to be done `by` then, and give back one that has time."""
        if errand is None or errand.when < by:
            return errand
        self._desk.leave(errand.work)
        if errand.when > When.SOON:
            self._desk.settle()
        return None

    async def _arun(self, errand: Errand | None, by: When = When.SOON) -> Errand | None:
        """See `_run`; what can't wait is done in another thread."""
        if errand is not None and errand.when > When.SOON and errand.when >= by:
            return await asyncio.to_thread(self._run, errand, by)
        return self._run(errand, by)

    def _prepare(self, config: RunnableConfig) -> None:
        """Learn what has to be known of a thread before something passes on top of a checkpoint of it."""
        thread = place_of(config)[0]
        if not self._witness.knows(thread):
            self._sweep(thread)
        for unknown in self._witness.lineage.unknown(config):
            self._learn(unknown, self._stored(unknown))

    async def _aprepare(self, config: RunnableConfig) -> None:
        thread = place_of(config)[0]
        if not self._witness.knows(thread):
            await asyncio.to_thread(self._sweep, thread)
        for unknown in self._witness.lineage.unknown(config):
            self._learn(unknown, await self._astored(unknown))

    def _learn(self, place: Place, standing: Standing | None) -> None:
        if standing is not None and self._witness.lineage.of(place) is None:
            self._witness.lineage.learn(place, standing)

    def _sweep(self, thread_id: str | None = None) -> None:
        """Capture what crashes have left: once in all threads, and in one that is about to go on."""
        captures = self._memory.log.captures
        if not self._swept:
            self._swept = True
            self._witness.guarded(lambda: self._rescue(captures.left()))
        if thread_id is not None:
            self._witness.guarded(lambda: self._rescue(captures.left(thread_id)))

    def _rescue(self, left: Iterable[Left]) -> None:
        for each in left:
            self._witness.guarded(partial(self._salvage, each))

    def _salvage(self, left: Left) -> None:
        every: RunnableConfig = {"configurable": {"thread_id": left.thread_id}}
        found = list(self._saver.list(every, limit=_LOOKED_AT))
        note = Note.model_validate_json(left.body)
        Salvage(self._memory, left.thread_id, note, self._standing).publish(found)
        self._memory.log.captures.close(left)

    def _stored(self, place: Place) -> Standing | None:
        found = self._saver.get_tuple(_config_of(place))
        return None if found is None else self._standing(found)

    def _standing(self, found: CheckpointTuple) -> Standing:
        names = elsewhere(found.checkpoint)
        read = self._saver.get_delta_channel_history
        return standing_of(found, read(config=found.config, channels=names) if names else {})

    async def _astored(self, place: Place) -> Standing | None:
        found = await self._saver.aget_tuple(_config_of(place))
        if found is None:
            return None
        names = elsewhere(found.checkpoint)
        read = self._saver.aget_delta_channel_history
        return standing_of(found, await read(config=found.config, channels=names) if names else {})


def _config_of(place: Place) -> RunnableConfig:
    thread, namespace, checkpoint = place
    return {
        "configurable": {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": checkpoint or None}
    }


def _takes_path(put_writes: Callable[..., Any]) -> bool:
    """Whether a saver takes the path of a task; those from before it existed don't."""
    return "task_path" in signature(put_writes).parameters
