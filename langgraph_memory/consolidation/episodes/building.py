"""From the events of an activity to its episode: everything but the narrative is derived, not told."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from pydantic import Field

from langgraph_memory.actions import is_reading
from langgraph_memory.consolidation.episodes.observations import observed
from langgraph_memory.outputs import reports_failure
from langgraph_memory.playbooks.offers import OFFERED
from langgraph_memory.policy import Policy
from langgraph_memory.records import ActorKind, Episode, EpisodeStatus, Event, Excerpt, Record
from langgraph_memory.store.tokens import tokenize

MAX_EXCERPTS = 80
MAX_EXCERPT_CHARS = 4_000
_MAX_SUMMARY_PART = 240
_FEEDBACK = frozenset({"feedback.correction", "verification.failed"})
_ENDED = {
    "activity.completed": EpisodeStatus.COMPLETED,
    "activity.failed": EpisodeStatus.FAILED,
    "verification.failed": EpisodeStatus.FAILED,
}
_FAILED_WORDS = frozenset({"failed", "failure", "error", "aborted", "cancelled", "canceled"})
_KEYWORDS = 12
_A_TALK = 4


class Narrative(Record):
    """The told part of an episode; importance only where the narrator rates it."""

    summary: str
    resolution: str | None = None
    importance: int | None = Field(default=None, ge=1, le=10)


class Narrator(Protocol):
    """Tells what happened in an activity in a few sentences."""

    def narrate(self, events: Sequence[Event], draft: Episode) -> Narrative:
        """The narrative of an episode whose derived fields stand in `draft`."""


class PlainNarrator:
    """The narrative without a model: the request, what was done, what failed, what was said about it."""

    def narrate(self, events: Sequence[Event], draft: Episode) -> Narrative:
        """Requests, actions, failures and feedback, in the words of the events."""
        parts = [_talk(draft) if _is_talk(draft) else _first_request(events)]
        done = [action for action in draft.actions if not action.startswith("failed ")]
        failed = [action for action in draft.actions if action.startswith("failed ")]
        if done:
            parts.append(f"Done: {'; '.join(_counted(done))}.")
        if failed:
            parts.append(f"Not done: {'; '.join(_counted(failed))}.")
        if draft.feedback:
            parts.append(f"Feedback: {' '.join(draft.feedback)}")
        summary = " ".join(part for part in parts if part) or f"Activity {draft.activity_id}."
        return Narrative(summary=summary, resolution=draft.outcome)


def is_worth_keeping(events: Sequence[Event], policy: Policy) -> bool:
    """Whether an activity becomes an episode: routine reading that went well and had no talk does not."""
    tools = [event for event in events if event.event_type.startswith("tool.")]
    said = [event for event in events if event.event_type.startswith("message.")]
    if any(event.event_type in _FEEDBACK or event.event_type == "activity.failed" for event in events):
        return True
    if any(failed(event) or not _reads(event, policy) for event in tools):
        return True
    return len(said) > 1 + 2 * bool(tools) or (bool(said) and not tools)


def build_episode(
    events: Sequence[Event], episode_id: str, *, follows: str | None, narrator: Narrator | None = None
) -> Episode:
    """The episode of an activity's events.

    Args:
        events: of one activity and one scope, in order, at least one.
        episode_id: its id; a later outcome of an activity is a later episode.
        follows: the id of the episode before it.
        narrator: tells summary and resolution; None for the plain rendering.

    Raises:
        Whatever the narrator raises: the caller falls back to the plain one.
    """
    first, last = events[0], events[-1]
    draft = Episode(
        episode_id=episode_id,
        scope=first.scope,
        activity_id=first.activity_id,
        entities=tuple(dict.fromkeys(entity for event in events for entity in event.entities)),
        status=execution_status(events),
        summary="",
        excerpts=excerpts(events),
        importance=importance(events),
        keywords=keywords(events),
        actions=actions(events),
        observed=observed(events),
        outcome=_outcome(events),
        feedback=tuple(event.text for event in events if event.event_type in _FEEDBACK and event.text),
        procedure=procedure_used(events),
        follows=follows,
        sources=tuple(dict.fromkeys(event.source for event in events)),
        started_at=first.occurred_at,
        ended_at=max(last.occurred_at, first.occurred_at),
    )
    told = (narrator or PlainNarrator()).narrate(events, draft)
    return draft.model_copy(update=told.model_dump(exclude_none=True))


def actions(events: Sequence[Event]) -> tuple[str, ...]:
    """What was done, call by call, and what failed; reading is no action."""
    return tuple(_action(event) for event in events if _is_action(event))


def execution_status(events: Sequence[Event]) -> EpisodeStatus:
    """How the activity ended: as its last ending event says, `unresolved` without one."""
    for event in reversed(events):
        status = _ENDED.get(event.event_type)
        if status is not None:
            said = event.data.get("status")
            return EpisodeStatus.FAILED if isinstance(said, str) and said in _FAILED_WORDS else status
    return EpisodeStatus.UNRESOLVED


def procedure_used(events: Sequence[Event]) -> str | None:
    """The version of a procedure that the application says was followed, or else that was offered.

    A tool can't say it: what it returns is no record of what the agent did.
    """
    told = [event.data for event in reversed(events) if event.actor.kind is not ActorKind.TOOL]
    named = [data[key] for key in ("procedure", OFFERED) for data in told if isinstance(data.get(key), str)]
    return str(named[0]) if named else None


def failed(event: Event) -> bool:
    """Whether a tool event reports a failure, by its type or by what its output says."""
    return event.event_type == "tool.failed" or reports_failure(event.data.get("output"))


def excerpts(events: Sequence[Event]) -> tuple[Excerpt, ...]:
    """What people and the agent said, word for word; of a very long activity, the people's words first."""
    spoken = [
        event for event in events if event.event_type.startswith(("message.", "feedback.")) and event.text
    ]
    if len(spoken) > MAX_EXCERPTS:
        people = [event for event in spoken if event.event_type != "message.agent"][:MAX_EXCERPTS]
        spoken = people or spoken[:MAX_EXCERPTS]
    return tuple(
        Excerpt(
            text=event.text[:MAX_EXCERPT_CHARS],
            speaker=event.actor.id,
            source=event.source,
            occurred_at=event.occurred_at,
            kind=event.actor.kind,
        )
        for event in spoken
    )


def importance(events: Sequence[Event]) -> int:
    """From 1 to 10: corrections and failures matter most, then changes, then talk."""
    kinds = {event.event_type for event in events}
    score = 2
    score += 4 * bool(kinds & _FEEDBACK)
    score += 2 * any(failed(event) for event in events if event.event_type.startswith("tool."))
    score += 2 * ("activity.failed" in kinds)
    score += any(event.event_type == "tool.completed" and not is_reading(_tool(event)) for event in events)
    score += "message.user" in kinds
    return min(score, 10)


def keywords(events: Sequence[Event]) -> tuple[str, ...]:
    """The most frequent words of what was said, as the search index spells them."""
    counts = Counter(token for event in events for token in tokenize(event.text[:4_000]))
    return tuple(word for word, _ in counts.most_common(_KEYWORDS))


def _reads(event: Event, policy: Policy) -> bool:
    rule = policy.tools.get(_tool(event))
    return rule.read_only if rule else is_reading(_tool(event))


def _is_action(event: Event) -> bool:
    """Whether a call belongs among the actions: it changed something, or it failed; reading is no action."""
    return event.event_type.startswith("tool.") and (failed(event) or not is_reading(_tool(event)))


def _first_request(events: Sequence[Event]) -> str:
    for event in events:
        if event.event_type == "message.user" and event.text:
            return f"Asked: {_short(event.text)}"
    return ""


def _is_talk(draft: Episode) -> bool:
    """Whether people talked with each other, and nobody asked an agent for anything."""
    people = all(excerpt.kind is ActorKind.USER for excerpt in draft.excerpts)
    return people and len(draft.excerpts) >= _A_TALK and not draft.actions


def _talk(draft: Episode) -> str:
    """A conversation by its speakers: what they said stands in the excerpts, and is found there."""
    speakers = list(dict.fromkeys(excerpt.speaker for excerpt in draft.excerpts))
    return f"Conversation of {', '.join(speakers[:4])}: {len(draft.excerpts)} messages."


def _action(event: Event) -> str:
    call = f"{_tool(event) or event.actor.id}({_arguments(event.data.get('args'))})"
    if not failed(event):
        return call
    error = event.data.get("error") or event.data.get("output")
    return f"failed {call}: {_short(error if isinstance(error, str) else json.dumps(error))}"


def _outcome(events: Sequence[Event]) -> str | None:
    for event in reversed(events):
        said = event.data.get("resolution") or event.data.get("outcome")
        if event.event_type in _ENDED and isinstance(said, str):
            return said
    return None


def _counted(actions: Sequence[str]) -> list[str]:
    return [action if n == 1 else f"{action} ({n} times)" for action, n in Counter(actions).items()]


def _arguments(args: Any) -> str:
    if not isinstance(args, Mapping):
        return ""
    return ", ".join(
        f"{name}={_short(value if isinstance(value, str) else json.dumps(value), 60)}"
        for name, value in args.items()
    )


def _tool(event: Event) -> str:
    tool = event.data.get("tool")
    return tool if isinstance(tool, str) else ""


def _short(text: str, limit: int = _MAX_SUMMARY_PART) -> str:
    flat = " ".join(text.split())
    return flat if len(flat) <= limit else f"{flat[: limit - 1]}…"
