"""What repeated and old episodes come to: pure functions from episodes to candidates and digests."""

from __future__ import annotations

import hashlib
import json
import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence

from langgraph_memory.name_index import touches
from langgraph_memory.records import Episode, EpisodeStatus, Fact, FactKind, FactStatus, Observation
from langgraph_memory.scope import Scope

_CALL = re.compile(r"(?:failed )?(?P<tool>[\w.-]+)\(")
_IMPORTANT = 6
_EXCERPTS = 10
_SHOWN = 160
_FAILURES = 5
_EXPERIENCE = "experience_with_"

Group = tuple[str, tuple[str, ...], tuple[str, ...]]
"""What alike episodes have in common: scope, entities, and tools."""


def alike(episodes: Iterable[Episode]) -> dict[Group, list[Episode]]:
    """Routine episodes by what they have in common, oldest first; what people corrected stays by itself."""
    found = sorted(episodes, key=lambda each: (each.started_at, each.episode_id))
    corrected = {(episode.scope.key, episode.activity_id) for episode in found if episode.feedback}
    groups: defaultdict[Group, list[Episode]] = defaultdict(list)
    for episode in found:
        stands_out = (episode.scope.key, episode.activity_id) in corrected
        routine = not stands_out and episode.importance < _IMPORTANT and not episode.covers
        if routine and episode.entities and episode.actions:
            tools = tuple(sorted({_tool(action) for action in episode.actions}))
            groups[episode.scope.key, tuple(sorted(episode.entities)), tools].append(episode)
    return dict(groups)


def compressed(episodes: Sequence[Episode]) -> Episode:
    """One episode in place of alike ones: it cites them all and tells what went wrong.

    Its own words are few; the covered episodes keep theirs.
    """
    first, last = episodes[0], episodes[-1]
    covers = tuple(episode.episode_id for episode in episodes)
    digest_id = f"digest_{_digest([first.scope.key, *covers])}"
    failed = [
        episode for episode in episodes if episode.status is not EpisodeStatus.COMPLETED or _failures(episode)
    ]
    return first.model_copy(
        update={
            "episode_id": digest_id,
            "activity_id": digest_id,
            "status": EpisodeStatus.COMPLETED if not failed else EpisodeStatus.UNRESOLVED,
            "summary": _told(episodes, failed),
            "resolution": None,
            "excerpts": tuple(excerpt for episode in failed for excerpt in episode.excerpts)[:_EXCERPTS],
            "importance": max(episode.importance for episode in episodes),
            "keywords": tuple(word for word, _ in _counted(episodes)),
            "actions": tuple(dict.fromkeys(action for episode in failed for action in _failures(episode))),
            "observed": _last_observed(episodes),
            "outcome": None,
            "follows": None,
            "sources": tuple(dict.fromkeys(source for episode in episodes for source in episode.sources)),
            "covers": covers,
            "ended_at": last.ended_at,
        }
    )


def abstracted(scope: Scope, entity: str, tool: str, episodes: Sequence[Episode]) -> Fact | None:
    """What repeated use of a tool on an entity comes to, with its counterexamples; None without any use.

    A candidate: nobody said it, and four successes and one failure are not "works".
    """
    worked = [
        e
        for e in episodes
        if any(_is_call(a, tool, entity) for a in e.actions if not a.startswith("failed "))
    ]
    failed = [e for e in episodes if any(_is_call(a, tool, entity) for a in _failures(e))]
    used = sorted({e.episode_id: e for e in (*worked, *failed)}.values(), key=lambda each: each.started_at)
    if not used:
        return None
    succeeded = [episode for episode in worked if episode not in failed]
    last = used[-1].ended_at
    return Fact(
        fact_id=_experience_id(scope, entity, tool),
        scope=scope,
        entity=entity,
        attribute=f"{_EXPERIENCE}{tool}",
        value=_experience(tool, entity, len(succeeded), failed),
        kind=FactKind.FACT,
        valid_from=used[0].started_at,
        status=FactStatus.CANDIDATE,
        confirmation="corroborated" if len(used) > 1 else "single",
        corroboration=tuple(dict.fromkeys(episode.activity_id for episode in used)),
        confidence=(len(succeeded) + 1) / (len(used) + 2),
        sources=tuple(dict.fromkeys(source for episode in used for source in episode.sources[-1:])),
        counterexamples=tuple(dict.fromkeys(source for e in failed for source in e.sources[-1:])),
        asserted_at=used[0].ended_at,
        confirmed_at=last,
    )


def _experience_id(scope: Scope, entity: str, tool: str) -> str:
    return f"fact_{_digest([scope.key, entity, tool, 'abstracted'])}"


def experienced_tool(fact: Fact) -> str | None:
    """The tool of which a fact tells what its use came to; None where it is no such fact."""
    tool = fact.attribute.removeprefix(_EXPERIENCE)
    is_one = tool != fact.attribute and fact.fact_id == _experience_id(fact.scope, fact.entity, tool)
    return tool if is_one else None


def uses(episode: Episode) -> list[tuple[str, str]]:
    """Pairs of entity and tool: which of its entities an episode's actions name."""
    return [
        (entity, _tool(action))
        for action in dict.fromkeys(episode.actions)
        for entity in episode.entities
        if touches([entity], action)
    ]


def _experience(tool: str, entity: str, worked: int, failed: Sequence[Episode]) -> str:
    total = worked + len(failed)
    if not failed:
        return f"{tool} on {entity} worked in all {total} activities"
    reason = _failures(failed[-1])[-1].partition("): ")[2][:_SHOWN]
    told = f"{tool} on {entity} worked in {worked} of {total} activities and failed in {len(failed)}"
    return f"{told}, the last time with: {reason}" if reason else told


def _told(episodes: Sequence[Episode], failed: Sequence[Episode]) -> str:
    first, last = episodes[0], episodes[-1]
    tools = ", ".join(sorted({_tool(action) for episode in episodes for action in episode.actions}))
    when = f"from {first.started_at:%Y-%m-%d} to {last.ended_at:%Y-%m-%d}"
    well = len(episodes) - len(failed)
    parts = [
        f"{len(episodes)} activities {when} on {', '.join(first.entities)}: {tools}.",
        f"{well} went well, {len(failed)} did not.",
    ]
    parts += [f"{e.ended_at:%Y-%m-%d}: {'; '.join(_failures(e))[:_SHOWN]}." for e in failed[-_FAILURES:]]
    return " ".join(parts)


def _last_observed(episodes: Sequence[Episode]) -> tuple[Observation, ...]:
    last: dict[tuple[str, str], Observation] = {}
    for episode in episodes:
        for each in episode.observed:
            last[each.entity, each.attribute] = each
    return tuple(last.values())


def _counted(episodes: Sequence[Episode]) -> list[tuple[str, int]]:
    return Counter(word for episode in episodes for word in episode.keywords).most_common(12)


def _failures(episode: Episode) -> list[str]:
    return [action for action in episode.actions if action.startswith("failed ")]


def _is_call(action: str, tool: str, entity: str) -> bool:
    return _tool(action) == tool and touches([entity], action)


def _tool(action: str) -> str:
    match = _CALL.match(action)
    return match["tool"] if match else ""


def _digest(parts: Sequence[str]) -> str:
    return hashlib.sha256(json.dumps(parts).encode()).hexdigest()[:24]


def same_thing(first: Fact, second: Fact) -> bool:
    """Whether two facts say one thing in every respect but the name of the attribute."""
    fields = ("scope", "entity", "kind", "ends_when", "status", "sensitivity", "would_end", "asks_first")
    alike_ = all(getattr(first, name) == getattr(second, name) for name in fields)
    return alike_ and set(first.forbids) == set(second.forbids)
