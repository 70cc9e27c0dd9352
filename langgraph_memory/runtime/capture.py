"""What a run has said and done is published: each message once, by whoever said it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

from langchain_core.messages import AnyMessage
from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from langgraph_memory.errors import MemoryRuntimeError
from langgraph_memory.memory import Memory
from langgraph_memory.records import Event
from langgraph_memory.runtime.activities import Activities, thread_name, thread_of
from langgraph_memory.runtime.edits import edits, looked_at, rewritten
from langgraph_memory.runtime.inputs import Heard, is_stored, spoken
from langgraph_memory.runtime.message_events import HUMAN, Draft, drafts_of, publish_draft
from langgraph_memory.runtime.notices import attempt
from langgraph_memory.runtime.streamed import tell_publish
from langgraph_memory.scope import MemoryContext

UNTOLD = (
    "what people said in this run can't be told from what its nodes wrote, so it has no authority: "
    "compile the graph with a checkpointer, or have memory's node run first"
)
"""The notice that a human message was not taken for a person's."""


def capture(
    memory: Memory,
    state: Mapping[str, Any],
    config: RunnableConfig,
    runtime: Runtime[Any],
    context: MemoryContext,
    latencies: Mapping[str, float] | None = None,
    *,
    key: str = "messages",
    fresh: Collection[int] | None = None,
    entered: bool = False,
) -> list[str]:
    """Publish what the log does not have yet; notices of what could not be published, or not as it should.

    Args:
        memory: where to.
        state: holds the `messages`.
        config: of the node.
        runtime: of the run.
        context: who acts.
        latencies: how long tool calls took, in milliseconds by call id, where it was measured.
        key: under which the graph's state holds them.
        fresh: the positions of the messages in question; all by default.
        entered: whether it is known that no node has written human messages in this run.
    """
    run = _Run(memory, config, runtime, context, key, fresh, entered)
    notice, failure = attempt(lambda: _publish_new(run, state["messages"], latencies or {}))
    return [told for told in (notice, failure) if told]


class _Run(NamedTuple):
    """What is captured, and of which run; see `capture`."""

    memory: Memory
    config: RunnableConfig
    runtime: Runtime[Any]
    context: MemoryContext
    key: str
    fresh: Collection[int] | None
    entered: bool


def _publish_new(run: _Run, messages: Sequence[AnyMessage], latencies: Mapping[str, float]) -> str | None:
    """Publish what is new; the notice that what people said could not be told, if so."""
    memory, context, name = run.memory, run.context, thread_name(run.runtime, run.context)
    drafts = drafts_of(messages, name, context, fresh=run.fresh)
    single = len(drafts) == 1 and drafts[0].event_type != HUMAN  # writing it again changes nothing
    known = frozenset[str]() if single else memory.log.known(draft.event_id for draft in drafts)
    new = [draft for draft in drafts if draft.event_id not in known]
    heard, asked = Heard(), [draft for draft in drafts if draft.event_type == HUMAN]
    changed = rewritten(memory, messages, asked, known)
    if changed or any(draft.event_type == HUMAN for draft in new):
        heard = spoken(messages, run.config, run.key, entered=run.entered)
    new += edits(memory, (run.config, run.key), name, messages, changed, heard.words)
    if not is_stored(run.config):
        new = _without_history(new, heard, drafts, known)
    new = [_timed(draft, latencies.get(draft.call_id or "")) for draft in new]
    activities = Activities(memory.log, messages, name, context, list(heard.words)[:1])

    def publish() -> list[Event]:
        thread, said, at = thread_of(run.runtime), heard.words.get, activities.at
        return [
            publish_draft(memory, d, context, thread, said=said(d.position), activity=at(d.position))
            for d in new
        ]

    tell_publish(_at_once(memory, publish) if len(new) > 1 else publish())
    looked_at(memory, asked)
    known_human = any(draft.event_type == HUMAN and draft.event_id in known for draft in drafts)
    return None if heard.certain or known_human else UNTOLD


def _timed(draft: Draft, took: float | None) -> Draft:
    """With how long its call took, in milliseconds, where it was measured."""
    return draft if took is None else replace(draft, data={**draft.data, "latency_ms": round(took, 3)})


def _without_history(
    new: Sequence[Draft],
    heard: Heard,
    drafts: Sequence[Draft],
    known: Collection[str],
) -> list[Draft]:
    """What this run brought: in a graph that keeps nothing, what stands before its request was handed in.

    Whoever ran it had it captured then, by ids that nobody knows any more.
    """
    told = (d.position for d in drafts if d.event_type == HUMAN and d.event_id in known)
    first = min(heard.words, default=max(told, default=0))
    return [draft for draft in new if draft.position >= first]


def _at_once(memory: Memory, publish: Callable[[], list[Event]]) -> list[Event]:
    """Publish in one transaction; where something can't be, what stands before it all the same."""
    try:
        with memory.log.database.write():
            return publish()
    except (MemoryRuntimeError, OSError):
        return publish()
