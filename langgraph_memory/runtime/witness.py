"""What passes a saver becomes events: each message and tool result once, by whoever said it."""

from __future__ import annotations

import logging
import threading
from collections import OrderedDict, deque
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple

from langchain_core.messages import AIMessage
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import Checkpoint, CheckpointMetadata, get_checkpoint_metadata

from langgraph_memory.log import event_ids
from langgraph_memory.memory import Memory
from langgraph_memory.records import ActorKind
from langgraph_memory.runtime.activities import Activities, ends
from langgraph_memory.runtime.desk import Work
from langgraph_memory.runtime.edits import revised
from langgraph_memory.runtime.identity import context_of, entitled
from langgraph_memory.runtime.lineage import RUNTIME, Errand, Lineage, Place, When, place_of, root_of
from langgraph_memory.runtime.message_events import HUMAN, drafts_of, publish_draft
from langgraph_memory.runtime.news import News, Thread
from langgraph_memory.runtime.notices import attempt
from langgraph_memory.runtime.salvage import Note
from langgraph_memory.runtime.standing import (
    NOTHING,
    RETURN,
    Standing,
    Written,
    is_over,
    is_result,
    keys_of,
    messages_in,
    named,
    stop_in,
)
from langgraph_memory.runtime.stops import COMPLETED, Stop, completion, mark
from langgraph_memory.scope import MemoryContext

IdentifyCheckpoint = Callable[[RunnableConfig, Mapping[str, Any]], MemoryContext | None]
"""Tells whose run a checkpoint is of, from its config and metadata; None: nobody's, capture nothing."""

_THREADS, _NOTICES = 256, 100
_UNHEARD = (
    "with durability='exit' LangGraph saves no input, so what people said counts as the agent's words: "
    "invoke with durability='async' or 'sync', or attach memory to the graph"
)

_log = logging.getLogger(__name__)


class Results(NamedTuple):
    """What a task wrote that is to be told: tool results, and how it stops the run."""

    written: Sequence[Written]
    stop: Stop | None
    task_id: str


class Witness:
    """Tells what is to be published of the checkpoints and writes that pass.

    What stood in a thread before the witness came is left alone, unless it follows something that was
    captured: then its own capture failed.

    Args:
        memory: where to publish.
        identify: whose run it is; by default the run's `MemoryContext`, on a server the authenticated user.
    """

    def __init__(self, memory: Memory, identify: IdentifyCheckpoint | None) -> None:
        self._memory = memory
        self._identify = identify or _of_run
        self._threads: OrderedDict[str, Thread] = OrderedDict()
        self._lock = threading.RLock()
        self.lineage = Lineage()
        self.notices: deque[str] = deque(maxlen=_NOTICES)

    def knows(self, thread_id: str) -> bool:
        """Whether something of this thread has passed here."""
        return thread_id in self._threads

    def put(
        self, config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata
    ) -> Errand | None:
        """The errand that a checkpoint makes; None if nothing in it is new.

        Args:
            config: that it is put with; the lineage knows the checkpoint that it names.
            checkpoint: as it will be stored.
            metadata: of the checkpoint.
        """
        thread, namespace, parent = place_of(config)
        before = (self.lineage.of((thread, namespace, parent)) if parent else None) or NOTHING
        standing = self.lineage.advance(config, checkpoint, metadata, before)
        record = self._thread(thread)
        place = (thread, namespace, checkpoint["id"])
        record.unheard = config["configurable"].get("__pregel_durability") == "exit"
        if before.start is not None:
            record.hear(before, standing)
        self.lineage.learn(place, standing)
        opens = namespace not in record.begun and bool(before.channels)
        if not opens:
            record.begun.add(namespace)
        begins, over = standing.start is not None, _ends_run(config, checkpoint, metadata)
        seen_before, record.missed = record.missed, False
        news = [] if opens else record.news(standing, all_of_it=seen_before)
        parked = [act(standing) for act in self.lineage.unpark(place)]
        if not (opens or begins or over or parked or news):
            return None
        context = self._context(config, metadata)
        if context is None:
            record.unsee(news)
            return _in_order(parked) if parked else None
        record.begun.add(namespace)
        note = self._noted(record, context, checkpoint["id"] if begins else "", over=over)

        def work() -> None:
            if note is not None:
                self._begin(thread, note)
            if opens:
                self._look_back(record, before, thread, context)
                news.extend(record.news(standing, all_of_it=True))
            self._publish(record, news, thread, context)
            if over:
                self._end(record, standing, thread, context)

        told = Errand(self._guarded(work, lambda: record.unsee(news)), _when(note, over or opens))
        errand = _in_order([told, *parked])
        root = root_of(config)  # a subgraph's checkpoint may come before that which tells what a person said
        return self.lineage.when(root, lambda _: errand) if root else errand

    def results(
        self, config: RunnableConfig, written: Sequence[tuple[str, Any]], task: tuple[str, str]
    ) -> Results | None:
        """What a task wrote that is to be told; None if there are neither tool results nor a failure.

        Args:
            config: of the checkpoint that the task ran on.
            written: channel and value, each.
            task: its id and path.
        """
        place = place_of(config)
        noted = [
            Written((task[1], task[0], number), channel, tuple(messages))
            for number, (channel, value) in enumerate(written)
            if (messages := messages_in(value))
        ]
        self.lineage.note(place, noted)
        stop = None if place[1] else stop_in(written)
        results = [n for n in noted if n.channel == RETURN or any(map(is_result, n.messages))]
        return Results(results, stop, task[0]) if results or stop else None

    def writes(self, config: RunnableConfig, results: Results) -> Errand | None:
        """The errand that results make; it is parked if the checkpoint that they stand on is on its way."""
        place = place_of(config)
        context = self._context(config, {})
        if context is None:
            return None
        record = self._thread(place[0])
        return self.lineage.when(place, partial(self._results, record, place, results, context))

    def forget(self, thread_id: str) -> None:
        """Drop what is kept of a thread that is being deleted."""
        with self._lock:
            self._threads.pop(thread_id, None)
        self.lineage.forget(thread_id)

    def guarded(self, work: Work) -> None:
        """Do work; a failure is noted, for a checkpoint must not fail with its capture."""
        self._guarded(work, lambda: None)()

    def _results(
        self, record: Thread, place: Place, results: Results, context: MemoryContext, standing: Standing
    ) -> Errand:
        if standing.start is not None:  # what comes with the input is told with the next checkpoint,
            return Errand(lambda: None, When.SOON)  # which knows who said it
        news = [self._answers(record, place, standing, each, results.task_id) for each in results.written]
        note = self._noted(record, context, "", over=results.stop is not None)

        def work() -> None:
            if note is not None:
                self._begin(place[0], note)
            self._publish(record, news, place[0], context)
            if results.stop is not None:
                event_id = event_ids.of_other(place[0], place[1], results.task_id, results.stop[0])
                activity = self._latest(record, standing, place[0], context)
                mark(self._memory, activity, place[0], context, results.stop, event_id)
                self._brought_to_end(place[0])

        told = self._guarded(work, lambda: record.unsee(news))
        return Errand(told, _when(note, results.stop))

    def _answers(
        self, record: Thread, place: Place, standing: Standing, written: Written, task_id: str
    ) -> News:
        """The tool results that a task wrote, each behind the call that it answers.

        A task may write a whole history, as a subgraph does: results stay in their places between the calls.
        """
        answers = written.channel == RETURN
        written_here = [named(m, task_id) if answers or is_result(m) else m for m in written.messages]
        spoken = standing.channels.get(written.channel)
        stand = [spoken] if spoken else list(standing.channels.values())
        callers = self.lineage.callers(place)
        keys = [*keys_of(callers), *(key for each in stand for key in each.keys)]
        messages = [*callers, *(message for each in stand for message in each.messages), *written_here]
        keys += keys_of(messages, len(keys))
        later = range(len(messages) - len(written_here), len(messages))
        told = [position for position in later if answers or is_result(messages[position])]
        if any(isinstance(message, AIMessage) for message in written_here):
            told = [position for position in told if keys[position] not in record.seen]
        record.seen.update(keys[position] for position in told)
        return News(messages, keys, told)

    def _look_back(self, record: Thread, before: Standing, thread: str, context: MemoryContext) -> None:
        """Tell what stood in the thread before from what was captured and what should have been."""
        for spoken in before.channels.values():
            drafts = drafts_of(spoken.messages, thread, context)
            known = self._memory.log.known(draft.event_id for draft in drafts)
            captured = {d.position for d in drafts if d.event_id in known}
            first = min(captured, default=len(spoken.messages))
            record.seen.update(k for n, k in enumerate(spoken.keys) if n < first or n in captured)

    def _publish(self, record: Thread, news: Sequence[News], thread: str, context: MemoryContext) -> None:
        for messages, keys, positions in news:
            opens = [position for position, key in enumerate(keys) if key in record.opens]
            activities = Activities(self._memory.log, messages, thread, context, opens)
            for draft in drafts_of(messages, thread, context, fresh=positions):
                at, told = draft.position, draft
                said, stood = record.said.get(keys[at]), record.stood.get(keys[at])
                if said is not None:
                    told = revised(self._memory, draft, thread, messages[at], said=said, stood=stood)
                activity = activities.at(at)
                event = publish_draft(self._memory, told, context, thread, said=said, activity=activity)
                if record.unheard and draft.event_type == HUMAN and event.actor.kind is not ActorKind.USER:
                    self._notice(_UNHEARD)

    def _latest(self, record: Thread, standing: Standing, thread: str, context: MemoryContext) -> str:
        """The activity that goes on; the log may not show yet what opened it."""
        spoken = standing.conversation
        opens = [position for position, key in enumerate(spoken.keys) if key in record.opens]
        return Activities(self._memory.log, spoken.messages, thread, context, opens).latest

    def _end(self, record: Thread, standing: Standing, thread: str, context: MemoryContext) -> None:
        """Publish that the run ended, if no last word of the agent says so."""
        if not ends(standing.main):
            event_id = completion(thread, standing.main)
            activity = self._latest(record, standing, thread, context)
            mark(self._memory, activity, thread, context, COMPLETED, event_id)
        self._brought_to_end(thread)

    def _noted(self, record: Thread, context: MemoryContext, began: str, *, over: bool) -> Note | None:
        """The note that this run is being captured, where it does not stand yet."""
        note = Note(context=context, began=began) if began or not (record.noted or over) else None
        record.noted = not over
        return note

    def _begin(self, thread: str, note: Note) -> None:
        with self._memory.log.database.write() as connection:
            self._memory.log.captures.begin(connection, thread, note.model_dump_json())

    def _brought_to_end(self, thread: str) -> None:
        with self._memory.log.database.write() as connection:
            self._memory.log.captures.end(connection, thread)

    def _context(self, config: RunnableConfig, metadata: CheckpointMetadata) -> MemoryContext | None:
        context, failure = attempt(lambda: self._identify(config, get_checkpoint_metadata(config, metadata)))
        self._notice(failure)
        return entitled(context) if context is not None else None

    def _guarded(self, work: Work, undo: Work) -> Work:
        def run() -> None:
            _, failure = attempt(work)
            if failure is not None:
                undo()
                self._notice(failure)

        return run

    def _notice(self, failure: str | None) -> None:
        if failure is not None:
            told = failure in self.notices
            self.notices.append(failure)
            if not told:
                _log.warning("what passed the checkpointer was not captured: %s", failure)

    def _thread(self, thread: str) -> Thread:
        record = self._threads.get(thread)
        if record is None:
            with self._lock:
                record = self._threads.setdefault(thread, Thread())
                while len(self._threads) > _THREADS:
                    self._threads.popitem(last=False)
        return record


def _of_run(config: RunnableConfig, metadata: Mapping[str, Any]) -> MemoryContext | None:  # noqa: ARG001
    """The context of the run that saves; an update of the state from outside is no run, and nobody's."""
    runtime = config["configurable"].get(RUNTIME)
    return None if runtime is None else context_of(runtime)


def _in_order(errands: Sequence[Errand]) -> Errand:
    def work() -> None:
        for errand in errands:
            errand.work()

    return Errand(work, max(errand.when for errand in errands))


def _when(note: Note | None, last: object) -> When:
    """A note has to stand before what it is about; at the end of a run all of it has to be written."""
    if note is not None:
        return When.BEFORE
    return When.NOW if last else When.SOON


def _ends_run(config: RunnableConfig, checkpoint: Checkpoint, metadata: CheckpointMetadata) -> bool:
    """Whether a root graph's run is over with this checkpoint."""
    nested = config["configurable"].get("checkpoint_ns", "")
    return not nested and metadata.get("source") == "loop" and is_over(checkpoint)
