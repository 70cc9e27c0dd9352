"""A checkpointer drop-in that captures: put it around the saver that a graph has, or open one with SQLite."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable, Collection, Iterator, Mapping, Sequence
from contextvars import copy_context
from functools import partial
from inspect import signature
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Any, Self, TypeVar

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import (
    BaseCheckpointSaver,
    ChannelVersions,
    Checkpoint,
    CheckpointMetadata,
    CheckpointTuple,
    DeltaChannelHistory,
)
from langgraph.checkpoint.serde.base import SerializerProtocol

from langgraph_memory.arguments import expect, place
from langgraph_memory.memory import Memory
from langgraph_memory.runtime.standing import Standing, elsewhere, standing_of
from langgraph_memory.runtime.witness import IdentifyCheckpoint, Place, Witness, Work, place_of
from langgraph_memory.signature import checked

if TYPE_CHECKING:
    _Saver = BaseCheckpointSaver[Any]
else:
    _Saver = BaseCheckpointSaver

_Answer = TypeVar("_Answer")

_WHERE_SUPPORTED = ("delete_for_runs", "copy_thread", "prune")
"""Methods that many savers lack: the drop-in has those that its saver has, so that hosts see which."""


class CapturingSaver(_Saver):
    """Any LangGraph checkpointer, with memory: what passes it is captured as events, without a model call.

    Messages, tool results and the ends of runs are published while they are saved: when a save is done, its
    events are written too. What is captured by nodes or middleware as well stays one event. A capture that
    fails never fails a checkpoint; it stands in `notices`, and what it missed is captured with a later one.

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

    def __new__(
        cls,
        saver: BaseCheckpointSaver[Any],
        memory: Memory,  # noqa: ARG004 - the signature is that of `__init__`
        *,
        identify: IdentifyCheckpoint | None = None,  # noqa: ARG004 - the same
    ) -> Self:
        """A drop-in that has of the rarer methods those that the saver has."""
        expect(BaseCheckpointSaver, saver=saver)
        names = [name for base in _WHERE_SUPPORTED for name in (base, f"a{base}")]
        own = {n: _passed_on(n) for n in names if getattr(type(saver), n) is not getattr(_Saver, n)}
        return super().__new__(type(cls.__name__, (cls,), own) if own else cls)

    @checked()
    def __init__(
        self,
        saver: BaseCheckpointSaver[Any],
        memory: Memory,
        *,
        identify: IdentifyCheckpoint | None = None,
    ) -> None:
        self._saver = saver
        self._memory = memory
        self._witness = Witness(memory, identify)
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

        saver = open_sqlite(path if str(path) == ":memory:" else place("path", path))
        opened = cls(saver, memory, identify=identify)
        opened._owned = [saver.conn]
        return opened

    @property
    def notices(self) -> tuple[str, ...]:
        """What could not be captured lately, and why."""
        return tuple(self._witness.notices)

    @property
    def serde(self) -> SerializerProtocol:
        """The saver's serializer."""
        return self._saver.serde

    @serde.setter
    def serde(self, serde: SerializerProtocol) -> None:
        self._saver.serde = serde

    @property
    def config_specs(self) -> Any:
        """The saver's configuration options."""
        return self._saver.config_specs

    def get_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that a config names."""
        return self._remembered(self._saver.get_tuple(config))

    async def aget_tuple(self, config: RunnableConfig) -> CheckpointTuple | None:
        """The checkpoint that a config names."""
        return self._remembered(await self._saver.aget_tuple(config))

    def list(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - the signature is LangGraph's
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> Iterator[CheckpointTuple]:
        """The checkpoints that match."""
        return self._saver.list(config, filter=filter, before=before, limit=limit)

    def alist(
        self,
        config: RunnableConfig | None,
        *,
        filter: dict[str, Any] | None = None,  # noqa: A002 - the signature is LangGraph's
        before: RunnableConfig | None = None,
        limit: int | None = None,
    ) -> AsyncIterator[CheckpointTuple]:
        """The checkpoints that match."""
        return self._saver.alist(config, filter=filter, before=before, limit=limit)

    def put(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint and capture what is new in it."""
        saved = self._saver.put(config, checkpoint, metadata, new_versions)
        if work := self._witness.put(config, checkpoint, metadata, new_versions, self._stored):
            work()
        return saved

    async def aput(
        self,
        config: RunnableConfig,
        checkpoint: Checkpoint,
        metadata: CheckpointMetadata,
        new_versions: ChannelVersions,
    ) -> RunnableConfig:
        """Save a checkpoint and capture what is new in it, both at once."""
        read = partial(self._stored_elsewhere, asyncio.get_running_loop())
        work = self._witness.put(config, checkpoint, metadata, new_versions, read)
        saving = self._saver.aput(config, checkpoint, metadata, new_versions)
        return await (_both(saving, work) if work else saving)

    def put_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save what a task wrote and capture its tool results, or its failure."""
        path = (task_path,) if self._takes_path[0] else ()
        self._saver.put_writes(config, writes, task_id, *path)
        if work := self._witness.writes(config, writes, (task_id, task_path), self._stored):
            work()

    async def aput_writes(
        self,
        config: RunnableConfig,
        writes: Sequence[tuple[str, Any]],
        task_id: str,
        task_path: str = "",
    ) -> None:
        """Save what a task wrote and capture its tool results, or its failure; both at once."""
        read = partial(self._stored_elsewhere, asyncio.get_running_loop())
        work = self._witness.writes(config, writes, (task_id, task_path), read)
        path = (task_path,) if self._takes_path[1] else ()
        saving = self._saver.aput_writes(config, writes, task_id, *path)
        await (_both(saving, work) if work else saving)

    def delete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints; its events stay, see `Memory.forget`."""
        self._witness.forget(str(thread_id))
        self._saver.delete_thread(thread_id)

    async def adelete_thread(self, thread_id: str) -> None:
        """Delete a thread's checkpoints; its events stay, see `Memory.forget`."""
        self._witness.forget(str(thread_id))
        await self._saver.adelete_thread(thread_id)

    def get_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """The changes of channels that are stored as such."""
        return self._saver.get_delta_channel_history(config=config, channels=channels)

    async def aget_delta_channel_history(
        self, *, config: RunnableConfig, channels: Sequence[str]
    ) -> Mapping[str, DeltaChannelHistory]:
        """The changes of channels that are stored as such."""
        return await self._saver.aget_delta_channel_history(config=config, channels=channels)

    def get_next_version(self, current: Any, channel: None) -> Any:
        """The saver's next version of a channel."""
        return self._saver.get_next_version(current, channel)

    def with_allowlist(self, extra_allowlist: Collection[tuple[str, ...]]) -> CapturingSaver:
        """The same drop-in over a saver that also reads these types."""
        saver = self._saver.with_allowlist(extra_allowlist)
        if saver is self._saver:
            return self
        clone = CapturingSaver(saver, self._memory)
        clone._witness = self._witness
        return clone

    def close(self) -> None:
        """Close what `open` opened; a saver that was given is its owner's to close."""
        for owned in self._owned:
            owned.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def __getattr__(self, name: str) -> Any:
        """What else the saver has: `setup`, its connection, its lock."""
        if name == "_saver":
            raise AttributeError(name)
        return getattr(self._saver, name)

    def _remembered(self, found: CheckpointTuple | None) -> CheckpointTuple | None:
        if found is not None:
            self._witness.loaded(place_of(found.config), found.checkpoint)
        return found

    def _stored(self, place: Place) -> Standing | None:
        found = self._saver.get_tuple(_config_of(place))
        if found is None:
            return None
        names = elsewhere(found.checkpoint)
        histories = (
            self._saver.get_delta_channel_history(config=found.config, channels=names) if names else {}
        )
        return standing_of(found, histories)

    def _stored_elsewhere(self, loop: asyncio.AbstractEventLoop, place: Place) -> Standing | None:
        """What stands in a stored checkpoint, read on the saver's loop from another thread."""
        return asyncio.run_coroutine_threadsafe(self._astored(place), loop).result()

    async def _astored(self, place: Place) -> Standing | None:
        found = await self._saver.aget_tuple(_config_of(place))
        if found is None:
            return None
        names = elsewhere(found.checkpoint)
        read = self._saver.aget_delta_channel_history
        return standing_of(found, await read(config=found.config, channels=names) if names else {})


async def _both(saving: Awaitable[_Answer], work: Work) -> _Answer:
    """Save, and capture in another thread meanwhile; both are done afterwards, whatever becomes of one."""
    capturing = asyncio.get_running_loop().run_in_executor(None, copy_context().run, work)
    try:
        return await saving
    finally:
        await capturing


def _config_of(place: Place) -> RunnableConfig:
    thread, namespace, checkpoint = place
    return {
        "configurable": {"thread_id": thread, "checkpoint_ns": namespace, "checkpoint_id": checkpoint or None}
    }


def _takes_path(put_writes: Callable[..., Any]) -> bool:
    """Whether a saver takes the path of a task; those from before it existed don't."""
    return "task_path" in signature(put_writes).parameters


def _passed_on(name: str) -> Callable[..., Any]:
    """A method that calls the saver's of the same name."""

    def method(self: CapturingSaver, *args: Any, **options: Any) -> Any:
        return getattr(self._saver, name)(*args, **options)

    method.__name__ = name
    return method
