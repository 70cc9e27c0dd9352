"""A conversation as one session: one activity while it lasts, one episode when it ends."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.runnables import RunnableConfig
from langgraph.runtime import Runtime

from langgraph_memory.arguments import keepable
from langgraph_memory.consolidation.episodes.building import Narrative, PlainNarrator, importance
from langgraph_memory.consolidation.pipeline import Pipeline
from langgraph_memory.conversation.summaries import RulesSummariser, Summariser, Summary
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.log import event_ids
from langgraph_memory.memory import Memory
from langgraph_memory.records import Actor, Episode, Event
from langgraph_memory.runtime.activities import thread_of
from langgraph_memory.runtime.capture import capture
from langgraph_memory.runtime.identity import Callers, Identify, context_of
from langgraph_memory.runtime.inputs import fields_of
from langgraph_memory.runtime.notices import attempt
from langgraph_memory.scope import MemoryContext

ENDED = "session.ended"
_BY = Actor("system", "conversation")
_MOST_IMPORTANT = 10


def by_session(identify: Identify | None = None) -> Identify:
    """Who is asking, with the whole thread as one activity, so that a session becomes one episode.

    Give it as `identify=` to the nodes and middleware of a conversation.

    Args:
        identify: who is asking; see `recall_node`.
    """

    def identified(runtime: Runtime[Any]) -> MemoryContext:
        context, thread = context_of(runtime, identify), thread_of(runtime)
        if thread is None or context.activity_id is not None:
            return context
        return context.model_copy(update={"activity_id": event_ids.session_activity(thread)})

    return identified


def end_session(
    memory: Memory, context: MemoryContext, thread_id: str, *, summariser: Summariser | None = None
) -> Episode | None:
    """Archive what was said in a session, at once: an episode, and the facts that its user laid down.

    The episode's summary and resolution tell what was asked, decided and left open; `importance` is 1 to 10;
    `keywords` are the most frequent words. A part that a worker has consolidated already is an episode of
    its own, and this one follows it.

    Args:
        memory: where the session was published.
        context: whose session it was.
        thread_id: its thread; the nodes that published it were given `identify=by_session()`.
        summariser: `ModelSummariser(model)`, or your own; by rules when there is none.

    Returns:
        The session's latest episode; None where nothing was said, or mere routine.

    Raises:
        ConfigurationError: the thread was published without `by_session()`, as an activity for each request.
        InvalidArgumentError: a thread id that is no text; one that LangGraph was given as a UUID is its text.
    """
    keepable("thread_id", thread_id)
    activity = context.activity_id or event_ids.session_activity(thread_id)
    said = memory.log.of_activity(context.scope, activity)
    if not said:
        if memory.log.knows_thread(context.scope, thread_id):
            raise ConfigurationError(
                f"thread {thread_id!r} was not published as a session: give the nodes and middleware that "
                "publish it identify=by_session()"
            )
        return None
    memory.publish(
        scope=context.scope,
        activity_id=activity,
        event_type=ENDED,
        actor=_BY,
        thread_id=thread_id,
        event_id=event_ids.of_other(thread_id, "", said[-1].event_id, ENDED),
        data={"status": "completed"},
    )
    archiving = Pipeline(
        memory.log,
        memory.repository,
        extractor=memory.pipeline.extractor,
        narrator=SessionNarrator(summariser or RulesSummariser()),
        learner=memory.pipeline.learner,
        clock=memory.clock,
    )
    archiving.run_one(context.scope, activity)
    parts = memory.episodes(context.scope, activity_id=activity)
    followed = {part.follows for part in parts}
    return next((part for part in parts if part.episode_id not in followed), None)


def end_session_node(
    memory: Memory, *, summariser: Summariser | None = None, identify: Identify | None = None
) -> Callable[[Any, RunnableConfig, Runtime[Any]], dict[str, Any]]:
    """A node that ends the session of its thread; see `end_session`.

    Args:
        memory: where the session was published.
        summariser: see `end_session`.
        identify: who is asking; see `recall_node`.
    """
    callers = Callers(memory, by_session(identify))

    def end(given: Any, config: RunnableConfig, runtime: Runtime[Any]) -> dict[str, Any]:
        context, unknown = callers.of(runtime)
        thread = thread_of(runtime)
        if context is None or thread is None:
            return {"notice": f"the session is not archived: {unknown or 'the run has no thread'}"}
        notices = capture(memory, fields_of(given), config, runtime, context)
        if not notices:
            ending = context, thread
            _, failure = attempt(lambda: end_session(memory, *ending, summariser=summariser))
            notices = [f"the session is not archived: {failure}"] if failure else []
        return {"notice": "; ".join(notices) or None}

    return end


class SessionNarrator:
    """A `Narrator` that tells a session by its summary: requests, actions, then decisions and what is open.

    Args:
        summariser: sums up the events.
    """

    def __init__(self, summariser: Summariser) -> None:
        self._summariser = summariser

    def narrate(self, events: Sequence[Event], draft: Episode) -> Narrative:
        """Summary, resolution and importance of the session.

        Raises:
            ModelFailureError: the summariser's model gave no answer.
        """
        summary = self._summariser.summarise(events, None)
        told = PlainNarrator().narrate(events, draft).summary
        about = "; ".join(summary.entries("identity"))
        parts = [told, f"About the user: {about}." if about else ""]
        return Narrative(
            summary=" ".join(part for part in parts if part),
            resolution=_resolution(summary),
            importance=summary.importance or session_importance(events, summary),
        )


def session_importance(events: Sequence[Event], summary: Summary) -> int:
    """From 1 to 10: the activity's own, more where something was decided, learned or left open."""
    score = importance(events)
    score += 2 * bool(summary.decisions) + bool(summary.identity) + 2 * bool(summary.open_questions)
    return min(score, _MOST_IMPORTANT)


def _resolution(summary: Summary) -> str | None:
    parts = []
    if summary.decisions:
        parts.append(f"Decided: {' '.join(summary.decisions)}")
    if summary.open_questions:
        parts.append(f"Open: {' '.join(summary.open_questions)}")
    return " ".join(parts) or None
