"""Keeping the list of behaviour rules of a scope: proposed from feedback, approved as the policy says."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime

from langgraph_memory.answers import record_id
from langgraph_memory.arguments import expect
from langgraph_memory.consolidation.learning.feedback import (
    PlainRuleWriter,
    Rule,
    RuleWriter,
    feedback_in,
    listed,
    rules_of,
)
from langgraph_memory.consolidation.model import ModelFailureError
from langgraph_memory.log.staleness import decided_anew
from langgraph_memory.playbooks.procedures import ATTRIBUTE
from langgraph_memory.playbooks.versions import BEHAVIOUR, Draft, approved, deprecated, same_content
from langgraph_memory.records import Actor, Event, Procedure, ProcedureStatus
from langgraph_memory.repository import Change, Note, Repository
from langgraph_memory.repository.bodies import procedure_entity
from langgraph_memory.scope import Scope
from langgraph_memory.signature import checked

GUIDANCE = "feedback.behaviour"
"""The event of feedback that was given directly; it is settled when it is written."""


class Behaviour:
    """The behaviour rules of a memory: `memory.behaviour`.

    The list of a scope is a procedure named `behaviour_rules`: it has versions, is approved, compared and
    rolled back like any other (`memory.procedures`), and a recall always brings the current one.

    Args:
        repository: where the lists are kept.
        writer: makes a new list; the plain forms take over where it fails.
        publish: writes feedback that is given directly as an event.
        clock: the time of versions.
    """

    def __init__(
        self,
        repository: Repository,
        *,
        writer: RuleWriter | None,
        publish: Callable[..., Event],
        clock: Callable[[], datetime],
    ) -> None:
        self._repository = repository
        self._writer = writer or PlainRuleWriter()
        self._publish = publish
        self._clock = clock

    @checked()
    def rules(self, scope: Scope) -> list[Rule]:
        """The rules that hold in exactly this scope, with their sources."""
        current, _ = self._lists(scope)
        return rules_of(current)

    @checked("feedback")
    def learn(self, feedback: str, *, scope: Scope, actor: Actor) -> Procedure | None:
        """Revise the rules of a scope by what someone says about the agent's behaviour.

        Args:
            feedback: in their words; what is meant for once changes nothing.
            scope: whose rules.
            actor: who says it; what they may decide on holds at once, unless the policy wants it approved.

        Returns:
            The new list, current or a draft; None where nothing durable was said, or without consent.
        """
        expect(str, feedback=feedback)
        event = self._publish(
            scope=scope,
            activity_id="behaviour",
            event_type=GUIDANCE,
            actor=actor,
            data={"text": feedback},
        )
        if not self._repository.policy.may_remember(scope):
            note = Note(decision="skipped", record_id=event.event_id, reason="no consent to remember")
            self._repository.commit([], scope=scope, actor=actor.id, at=self._clock(), notes=[note])
            return None
        said = feedback_in(event, asked=True)
        return decided_anew(lambda: self._learned(scope, said, actor), about=event.event_id) if said else None

    def _learned(self, scope: Scope, said: Sequence[Rule], actor: Actor) -> Procedure | None:
        found = self.revised(scope, said, actor, self._writer)
        if found is None:
            return self._lists(scope)[0]
        changes, note = found
        self._repository.commit(changes, scope=scope, actor=actor.id, at=self._clock(), notes=[note])
        new = changes[-1].record
        return new if isinstance(new, Procedure) else None

    def heard(self, events: Sequence[Event]) -> list[tuple[tuple[Change, ...], Note]]:
        """What the corrections of an activity change by plain forms, to be written with its episode.

        Where several people speak, those who may decide are heard.
        """
        said: dict[str, tuple[Actor, list[Rule]]] = {}
        for event in events:
            if event.event_type == "feedback.correction":
                said.setdefault(event.actor.id, (event.actor, []))[1].extend(feedback_in(event))
        speaking = [(actor, rules) for actor, rules in said.values() if rules]
        if not speaking:
            return []
        scope = events[0].scope
        actor, rules = max(speaking, key=lambda each: self._holds_at_once(each[0], scope))
        found = self.revised(scope, rules, actor, PlainRuleWriter())
        return [found] if found else []

    def revised(
        self, scope: Scope, said: Sequence[Rule], actor: Actor, writer: RuleWriter
    ) -> tuple[tuple[Change, ...], Note] | None:
        """The changes that make what was said part of the rules; None where they say it already."""
        current, waiting = self._lists(scope)
        document, sources = listed(
            _written(writer, rules_of(waiting or current), said), f"feedback of {actor.id}"
        )
        draft = Draft(scope=scope, document=document, learned=True, step_sources=sources)
        if current is not None and waiting is None and same_content(current, draft):
            return None
        number = waiting.version if waiting else self._next(scope)
        new = draft.as_version(number, at=self._clock())
        old: list[Change] = []
        if self._holds_at_once(actor, scope):
            new = approved(new, actor.id, self._clock(), None)
            old = [self._change(deprecated(current), current)] if current else []
        expected = self._repository.digest(waiting) if waiting else None
        told = "approved" if new.approved_by else "proposed"
        note = Note(decision=told, record_id=record_id(new), reason=document.reason)
        return (*old, Change(record=new, expected=expected)), note

    def _holds_at_once(self, actor: Actor, scope: Scope) -> bool:
        policy = self._repository.policy
        return policy.behaviour == "by_authority" and policy.authority_of(actor, scope, ATTRIBUTE) is not None

    def _lists(self, scope: Scope) -> tuple[Procedure | None, Procedure | None]:
        """The current list, and the one that waits for approval."""
        versions = self._versions(scope)
        current = [each for each in versions if each.status is ProcedureStatus.CURRENT]
        waiting = [each for each in versions if each.status is ProcedureStatus.DRAFT]
        return next(iter(current), None), max(waiting, key=lambda each: each.version, default=None)

    def _versions(self, scope: Scope) -> list[Procedure]:
        return self._repository.find("procedure", [scope], entities=[procedure_entity(BEHAVIOUR)])

    def _next(self, scope: Scope) -> int:
        return max((each.version for each in self._versions(scope)), default=0) + 1

    def _change(self, after: Procedure, before: Procedure) -> Change:
        return Change(record=after, expected=self._repository.digest(before))


def _written(writer: RuleWriter, rules: Sequence[Rule], said: Sequence[Rule]) -> list[Rule]:
    """The new list; where a model fails, by plain forms."""
    try:
        return writer.write(rules, said)
    except ModelFailureError:
        return PlainRuleWriter().write(rules, said)
