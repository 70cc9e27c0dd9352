"""What is known of the checkpoints that pass a saver: what stands in each, what was written on top."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Any, NamedTuple, TypeVar

from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata

from langgraph_memory.runtime.desk import Work
from langgraph_memory.runtime.standing import START, Standing, Written, channels_in, elsewhere, spoken_in

Place = tuple[str, str, str]
"""A checkpoint: thread, namespace and id."""

RUNTIME = "__pregel_runtime"
"""Where LangGraph keeps the runtime of the run in a config; updates of the state from outside have none."""


class When(IntEnum):
    """By when something has to be done: some time after the save, when it returns, or before it begins."""

    SOON = 0
    NOW = 1
    BEFORE = 2


class Errand(NamedTuple):
    """What a save gives to do, and by when; what was to be done earlier is done by then, too."""

    work: Work
    when: When


Act = Callable[[Standing], Errand]
"""Makes, of what stands in a checkpoint that has come, what is to be done."""

_CHECKPOINTS = 512
_Value = TypeVar("_Value")


class Lineage:
    """The latest checkpoints, each made of its parent and of what tasks wrote on top of that.

    LangGraph saves in the background: what a task wrote may come before the checkpoint that it ran on. What
    has to be done about it is parked until then.
    """

    def __init__(self) -> None:
        self._standings: OrderedDict[Place, Standing] = OrderedDict()
        self._written: OrderedDict[Place, list[Written]] = OrderedDict()
        self._parked: OrderedDict[Place, list[Act]] = OrderedDict()
        self._lock = threading.RLock()

    def of(self, place: Place) -> Standing | None:
        """What stands in a checkpoint, if it is known."""
        return self._standings.get(place)

    def unknown(self, config: RunnableConfig) -> list[Place]:
        """Those of the checkpoints that something is saved on top of that are not known."""
        place, root = place_of(config), root_of(config)
        named = [each for each in (place, root) if each is not None and each[2]]
        return [each for each in named if each not in self._standings]

    def learn(self, place: Place, standing: Standing) -> None:
        """Keep what stands in a checkpoint that was read."""
        self._keep(self._standings, place, standing)

    def loaded(self, place: Place, checkpoint: Checkpoint) -> None:
        """Keep what stands in a checkpoint that was just read, unless part of it is stored elsewhere."""
        if place not in self._standings and not elsewhere(checkpoint):
            self.learn(place, Standing(channels_in(checkpoint)))

    def advance(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata, before: Standing
    ) -> Standing:
        """What stands in a new checkpoint: what it holds, and what was written to the other channels."""
        thread, namespace, parent = place_of(config)
        channels = channels_in(checkpoint, before)
        written = sorted(self._written.get((thread, namespace, parent), ()), key=lambda each: each.place)
        for name in elsewhere(checkpoint):
            old = before.channels.get(name)
            later = [m for each in written if each.channel == name for m in each.messages]
            if spoken := spoken_in([*(old.messages if old else ()), *later], old):
                channels[name] = spoken
        begins = metadata.get("source") == "input" and not namespace
        by_run = begins and RUNTIME in config["configurable"]  # else it is an update of the state
        return Standing(channels, checkpoint["channel_values"].get(START) if by_run else None)

    def note(self, place: Place, noted: Sequence[Written]) -> None:
        """Keep what a task wrote on top of a checkpoint."""
        if noted:
            with self._lock:
                written = self._written.setdefault(place, [])
                written[:] = [*(w for w in written if w not in noted), *noted]
                self._shorten(self._written)

    def callers(self, place: Place) -> list[AnyMessage]:
        """The AI messages that were written on top of a checkpoint."""
        written = self._written.get(place, ())
        return [message for each in written for message in each.messages if isinstance(message, AIMessage)]

    def when(self, place: Place, act: Act) -> Errand | None:
        """What is to be done about a checkpoint; it is parked if that one is still on its way."""
        with self._lock:
            standing = self._standings.get(place)
            if standing is None:
                self._parked.setdefault(place, []).append(act)
                self._shorten(self._parked)
                return None
        return act(standing)

    def unpark(self, place: Place) -> list[Act]:
        """What is to be done now that this checkpoint has come."""
        if not self._parked:
            return []
        with self._lock:
            return self._parked.pop(place, [])

    def forget(self, thread_id: str) -> None:
        """Drop what is kept of a thread."""
        with self._lock:
            for kept in (self._standings, self._written, self._parked):
                for place in [place for place in kept if place[0] == thread_id]:
                    del kept[place]

    def _keep(self, kept: OrderedDict[Place, _Value], place: Place, value: _Value) -> None:
        with self._lock:
            kept[place] = value
            kept.move_to_end(place)
            self._shorten(kept)

    def _shorten(self, kept: OrderedDict[Any, Any]) -> None:
        while len(kept) > _CHECKPOINTS:
            kept.popitem(last=False)


def root_of(config: RunnableConfig) -> Place | None:
    """The root graph's checkpoint that a subgraph runs on; None for the root graph itself."""
    configurable = config["configurable"]
    root = (configurable.get("checkpoint_map") or {}).get("")
    return (str(configurable["thread_id"]), "", root) if root and configurable.get("checkpoint_ns") else None


def place_of(config: RunnableConfig) -> Place:
    """The checkpoint that a config names."""
    configurable = config["configurable"]
    return (
        str(configurable["thread_id"]),
        configurable.get("checkpoint_ns", ""),
        configurable.get("checkpoint_id") or "",
    )
