"""A checkpointer that hands everything on to another one: what a drop-in around any saver begins with."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Self

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple, DeltaChannelHistory
from langgraph.checkpoint.serde.base import SerializerProtocol

from langgraph_memory.arguments import expect

if TYPE_CHECKING:
    _Saver = BaseCheckpointSaver[Any]
else:
    _Saver = BaseCheckpointSaver

_WHERE_SUPPORTED = ("delete_for_runs", "copy_thread", "prune")
"""Methods that many savers lack: the drop-in has those that its saver has, so that hosts see which."""


class DelegatingSaver(_Saver):
    """Reads and settings of another saver as they are; saving and deleting is a subclass's to pass on.

    Args:
        saver: whose they are.
    """

    def __new__(cls, saver: BaseCheckpointSaver[Any], *_: Any, **__: Any) -> Self:
        """A drop-in that has of the rarer methods those that the saver has."""
        expect(BaseCheckpointSaver, saver=saver)
        names = [name for base in _WHERE_SUPPORTED for name in (base, f"a{base}")]
        own = {n: _passed_on(n) for n in names if getattr(type(saver), n) is not getattr(_Saver, n)}
        return super().__new__(type(cls.__name__, (cls,), own) if own else cls)

    def __init__(self, saver: BaseCheckpointSaver[Any]) -> None:
        self._saver = saver

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

    def __getattr__(self, name: str) -> Any:
        """What else the saver has: `setup`, its connection, its lock."""
        if name == "_saver":
            raise AttributeError(name)
        return getattr(self._saver, name)


def _passed_on(name: str) -> Callable[..., Any]:
    """A method that calls the saver's of the same name."""

    def method(self: DelegatingSaver, *args: Any, **options: Any) -> Any:
        return getattr(self._saver, name)(*args, **options)

    method.__name__ = name
    return method
