"""Learning from activities: counts for the procedures in use, routines by repeated success, drafts from gaps.

Everything here is decided on stored state and written with the episode, in one commit, so that an activity
counts once however often its consolidation is begun.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from sqlalchemy import Connection

from langgraph_memory.answers import procedure_key, record_id
from langgraph_memory.consolidation.learning import incidents
from langgraph_memory.consolidation.learning.behaviour import Behaviour
from langgraph_memory.consolidation.learning.drafting import Gap, cited, revised, routine_of
from langgraph_memory.consolidation.learning.experience import calls_in, lessons
from langgraph_memory.log import EventLog
from langgraph_memory.playbooks.observations import Key, Observation, Observations, Seen
from langgraph_memory.playbooks.register import ToolRegister
from langgraph_memory.playbooks.versions import Draft, approved, deprecated, same_content
from langgraph_memory.records import Episode, EpisodeStatus, Event, Procedure, ProcedureStatus, Record
from langgraph_memory.repository import Change, Note, Repository
from langgraph_memory.repository.bodies import procedure_entity
from langgraph_memory.scope import Scope

_EARLIER = 5
_INCIDENT = "incident"


class Learned(Record):
    """What an activity teaches: what was seen, and the procedures to write with it."""

    seen: tuple[Seen, ...] = ()
    changes: tuple[Change, ...] = ()
    notes: tuple[Note, ...] = ()


class Learner:
    """Turns activities into counts, routines and drafts.

    Args:
        log: where the words of people are read again when a draft is made of them.
        repository: where procedures are.
        register: the tools that agents have now.
        behaviour: the rules that corrections of the agent's ways make.
        clock: the time of new versions.
    """

    def __init__(
        self,
        log: EventLog,
        repository: Repository,
        register: ToolRegister,
        behaviour: Behaviour,
        clock: Callable[[], datetime],
    ) -> None:
        self._log = log
        self._repository = repository
        self._register = register
        self._behaviour = behaviour
        self._clock = clock
        self._observations = Observations(repository.ledger)

    def learn(self, events: Sequence[Event], episode: Episode) -> Learned:
        """What an activity teaches, on top of what is stored now."""
        wrong = incidents.went_wrong(events)
        seen = [*self._lessons(events, episode, wrong=wrong), *self._incidents(events, episode, wrong=wrong)]
        results = [self._counted(events, episode, wrong=wrong)]
        for each in seen:
            if each.key.kind == _INCIDENT and each.good:
                continue  # nothing went wrong: no gap, and nothing to look up
            after = [*self._before(each.key, episode), _observation(each, episode)]
            draft = each.key.kind == _INCIDENT
            results.append(
                self._gap(each.key, after, episode, events)
                if draft
                else self._routine(each.key, after, episode)
            )
        changes = {record_id(change.record): (change, note) for change, note in filter(None, results)}
        heard = self._behaviour.heard(events)
        return Learned(
            seen=tuple(seen),
            changes=(*(change for change, _ in changes.values()), *(c for cs, _ in heard for c in cs)),
            notes=(*(note for _, note in changes.values()), *(note for _, note in heard)),
        )

    def note(self, connection: Connection, learned: Learned, episode: Episode) -> None:
        """Write what was seen, inside the commit of the episode."""
        self._observations.note(
            connection,
            episode.scope,
            learned.seen,
            activity_id=episode.activity_id,
            episode_id=episode.episode_id,
            at=episode.ended_at,
        )

    def _lessons(self, events: Sequence[Event], episode: Episode, *, wrong: bool) -> list[Seen]:
        calls = calls_in(events)
        if not calls:
            return []
        known = self._observations.keys(episode.scope, sorted({call.tool for call in calls}))
        well = False if wrong else True if episode.status is EpisodeStatus.COMPLETED else None
        return lessons(calls, [key for key in known if key.kind in ("fix", "ignored")], well=well)

    def _incidents(self, events: Sequence[Event], episode: Episode, *, wrong: bool) -> list[Seen]:
        """For each tool that changed something, whether things went wrong after it."""
        tools = incidents.deeds_in(events)
        if not wrong:
            done = episode.status is EpisodeStatus.COMPLETED
            return [Seen(key=Key(kind=_INCIDENT, tool=tool), good=True) for tool in tools if done]
        earlier = self._earlier_deeds(episode) if incidents.complained(events) else []
        return [Seen(key=Key(kind=_INCIDENT, tool=tool), good=False) for tool in earlier or tools]

    def _earlier_deeds(self, episode: Episode) -> list[str]:
        """What was done to the same entities in the activity before, of which someone complains now."""
        if not episode.entities:
            return []
        before: list[Episode] = self._repository.find(
            "episode", [episode.scope], entities=list(episode.entities), limit=_EARLIER
        )
        for each in before:
            if each.activity_id != episode.activity_id and each.ended_at <= episode.started_at:
                tools = incidents.deeds_in(self._log.of_activity(each.scope, each.activity_id))
                if tools:
                    return tools
        return []

    def _before(self, key: Key, episode: Episode) -> list[Observation]:
        known = self._observations.of(episode.scope, key)
        return [each for each in known if each.activity_id != episode.activity_id]

    def _counted(
        self, events: Sequence[Event], episode: Episode, *, wrong: bool
    ) -> tuple[Change, Note] | None:
        """The procedure that the activity followed, with one success or failure more."""
        used = self._repository.record(episode.procedure) if episode.procedure else None
        if not isinstance(used, Procedure) or (not wrong and episode.status is EpisodeStatus.UNRESOLVED):
            return None
        if not incidents.followed(used, events):
            return None
        if wrong:
            bad = {
                "failures": used.failures + 1,
                "counterexamples": cited([*used.counterexamples, episode.episode_id]),
            }
            after = used.model_copy(update=bad)
        else:
            good = {"successes": used.successes + 1, "evidence": cited([*used.evidence, episode.episode_id])}
            after = used.model_copy(update=good)
        told = "went wrong" if wrong else "went well"
        return self._change(after, used), _note("counted", used, f"{episode.episode_id} {told}")

    def _routine(self, key: Key, seen: Sequence[Observation], episode: Episode) -> tuple[Change, Note] | None:
        """A routine that has worked often enough, or the one there is with its new counts."""
        rules = self._repository.policy.learning
        good, bad = [o for o in seen if o.good], [o for o in seen if not o.good]
        holds = len(good) >= rules.successes and len(good) >= rules.share * len(seen)
        if not holds and not bad:
            return None
        document = routine_of(key, self._requests(good, episode) if holds else ())
        stored = self._repository.record(procedure_key(episode.scope, document.procedure_id, 1))
        counts = {
            "successes": len(good),
            "failures": len(bad),
            "evidence": cited([o.episode_id for o in good]),
            "counterexamples": cited([o.episode_id for o in bad]),
        }
        if isinstance(stored, Procedure):
            after = stored.model_copy(update=counts)
            if stored.status is ProcedureStatus.CURRENT and not holds and stored.approved_by is None:
                return self._change(deprecated(after), stored), _note("demoted", stored, "it fails too often")
            return self._change(after, stored), _note(
                "counted", stored, f"{len(good)} of {len(seen)} went well"
            )
        if not holds or self._covered(key, episode.scope):
            return None
        draft = Draft(
            scope=episode.scope,
            document=document,
            fingerprints=self._fingerprints(document.tools, episode.scope),
            learned=True,
        )
        new = draft.as_version(1, at=self._clock()).model_copy(update=counts)
        if self._repository.holder(self._repository.trigger_place(new.scope, new.trigger_intent)) is None:
            new = approved(new, None, self._clock(), None)
        reason = f"{len(good)} of {len(seen)} activities went well"
        return Change(record=new), _note("promoted", new, reason)

    def _covered(self, key: Key, scope: Scope) -> bool:
        """Whether a procedure that is current says in which order these tools are used."""
        if key.kind != "sequence":
            return False
        entries = self._repository.find(
            "procedure", list(scope.ancestors()), entities=[f"tool:{key.tool}"], status=["current"]
        )
        return any(set(key.new) <= set(each.tool_fingerprints) for each in entries)

    def _requests(self, seen: Sequence[Observation], episode: Episode) -> list[str]:
        """What people first asked for in these activities."""
        entries = self._repository.ledger.entries([each.episode_id for each in seen])
        stored: list[Episode] = self._repository.load(list(entries.values()))
        told = [*(each for each in stored if each.episode_id != episode.episode_id), episode]
        return [each.excerpts[0].text for each in told if each.excerpts]

    def _gap(
        self, key: Key, seen: Sequence[Observation], episode: Episode, events: Sequence[Event]
    ) -> tuple[Change, Note] | None:
        """A draft of a better playbook, where things went wrong often enough since it was approved."""
        base = self._playbook(key.tool, episode)
        since = base.approved_at if base else None
        recent = [each for each in seen if since is None or each.at >= since]
        bad = [each for each in recent if not each.good]
        if len(bad) < self._repository.policy.learning.incidents:
            return None
        told = [
            instruction
            for each in bad
            for instruction in incidents.instructions(
                events
                if each.activity_id == episode.activity_id
                else self._log.of_activity(episode.scope, each.activity_id),
                self._repository.policy,
            )
        ]
        gap = Gap(
            tool=key.tool,
            incidents=tuple(each.episode_id for each in bad),
            harmless=tuple(each.episode_id for each in recent if each.good),
            instructions=tuple({each.text: each for each in told}.values()),
        )
        return self._proposed(base, gap, episode.scope)

    def _proposed(self, base: Procedure | None, gap: Gap, scope: Scope) -> tuple[Change, Note] | None:
        """A new draft, or the draft that waits already with what came to it; None where all is said."""
        document, sources = revised(base, gap)
        fields = {
            "evidence": cited(gap.incidents),
            "counterexamples": cited(gap.harmless),
            "successes": len(gap.harmless),
            "failures": len(gap.incidents),
        }
        draft = Draft(
            scope=scope,
            document=document,
            fingerprints=self._fingerprints(document.tools, scope),
            learned=True,
            step_sources=sources,
        )
        versions: list[Procedure] = self._repository.find(
            "procedure", [scope], entities=[procedure_entity(document.procedure_id)]
        )
        if any(same_content(each, draft) and each.status is not ProcedureStatus.DRAFT for each in versions):
            return None
        waiting = [v for v in versions if v.status is ProcedureStatus.DRAFT and v.origin == "learned"]
        number = max((each.version for each in versions), default=0) + 1
        before = max(waiting, key=lambda v: v.version, default=None)
        new = draft.as_version(before.version if before else number, at=self._clock())
        new = new.model_copy(update=fields)
        note = _note("proposed", new, document.reason)
        return (self._change(new, before) if before else Change(record=new)), note

    def _playbook(self, tool: str, episode: Episode) -> Procedure | None:
        """The current playbook that the activity followed, or that uses the tool."""
        used = self._repository.record(episode.procedure) if episode.procedure else None
        if isinstance(used, Procedure) and used.status is ProcedureStatus.CURRENT:
            return used
        for scope in episode.scope.ancestors():
            current: list[Procedure] = self._repository.find("procedure", [scope], status=["current"])
            people = [each for each in current if each.approved_by]
            for each in (*(p for p in people if tool in p.tool_fingerprints), *people):
                if tool in each.tool_fingerprints or incidents.is_about(each, tool):
                    return each
        return None

    def _fingerprints(self, tools: Sequence[str], scope: Scope) -> dict[str, str]:
        return {name: self._register.fingerprint(name, scope) or "" for name in tools}

    def _change(self, after: Procedure, before: Procedure) -> Change:
        return Change(record=after, expected=self._repository.digest(before))


def _observation(seen: Seen, episode: Episode) -> Observation:
    return Observation(
        activity_id=episode.activity_id, episode_id=episode.episode_id, good=seen.good, at=episode.ended_at
    )


def _note(decision: str, procedure: Procedure, reason: str) -> Note:
    return Note(decision=decision, record_id=record_id(procedure), reason=reason)
