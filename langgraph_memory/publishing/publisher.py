"""How an event is published: secrets out, names learnt, written once, in one transaction."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from typing import Any

from langgraph_memory.arguments import expect
from langgraph_memory.consolidation.facts.assertions import ASSERTED
from langgraph_memory.consolidation.facts.citing import Shown
from langgraph_memory.consolidation.facts.decisions import DECISIONS
from langgraph_memory.consolidation.learning.behaviour import GUIDANCE
from langgraph_memory.entities import discover_event
from langgraph_memory.log import CHECKPOINTS, COMPACTED, EventLog
from langgraph_memory.playbooks.offers import OFFERED, Offers
from langgraph_memory.policy import Policy
from langgraph_memory.publishing.drafts import (
    check_ids,
    check_names,
    display_names,
    new_event,
    plain_json,
    without_secrets,
)
from langgraph_memory.publishing.learnt_names import LearntNames
from langgraph_memory.receipts import Receipts
from langgraph_memory.records import Actor, Event
from langgraph_memory.redaction import Redactor, chain
from langgraph_memory.redaction.personal import PersonalRules
from langgraph_memory.scope import Scope

SETTLED = frozenset({ASSERTED, COMPACTED, GUIDANCE, *DECISIONS})
"""Event types in which nothing is left to consolidate."""


class Publisher:
    """Writes events.

    Args:
        log: where they are written.
        learnt: adds the names that they bring.
        receipts: what was held back is written with them.
        offers: which playbook a thread was offered last.
        shown: which facts it was shown last.
        policy: declares tools, and which personal data is refused.
        redactor: takes secrets out.
        clock: when they happened.
    """

    def __init__(
        self,
        log: EventLog,
        learnt: LearntNames,
        receipts: Receipts,
        offers: Offers,
        shown: Shown,
        *,
        policy: Policy,
        redactor: Redactor,
        clock: Callable[[], datetime],
    ) -> None:
        self._log, self._learnt, self._receipts, self._offers = log, learnt, receipts, offers
        self._policy, self._clock, self._shown = policy, clock, shown
        self.personal = PersonalRules(policy.personal)
        """Refuses what the policy refuses of personal data."""
        self.redactor = chain(redactor, self.personal) if policy.personal else redactor
        """Takes out secrets, and what the policy says of personal data."""

    def publish(
        self,
        *,
        scope: Scope,
        activity_id: str,
        event_type: str,
        actor: Actor,
        entities: Iterable[str] = (),
        evidence_ref: str | None = None,
        data: Mapping[str, Any] | None = None,
        thread_id: str | None = None,
        event_id: str | None = None,
        occurred_at: datetime | None = None,
    ) -> Event:
        """Write one event; see `Memory.publish`."""
        expect(Actor, actor=actor)
        expect(Scope, scope=scope)
        if isinstance(evidence_ref, str):
            evidence_ref = evidence_ref.replace("\x00", "")
        names = {"event_type": event_type, "thread_id": thread_id, "evidence_ref": evidence_ref}
        named = check_names(event_id, activity_id, entities, **names)
        ids = {"activity_id": activity_id, "thread_id": thread_id, "event_type": event_type}
        check_ids(event_id=event_id, **ids, actor=actor.id)
        secrets: set[str] = set()
        given = tuple(without_secrets(self.redactor, list(named), secrets))
        plain = plain_json({} if data is None else data)
        draft = new_event(
            event_id=event_id or f"ev_{uuid.uuid4().hex}",
            occurred_at=occurred_at or self._clock(),
            scope=scope,
            activity_id=activity_id,
            thread_id=thread_id,
            actor=actor,
            event_type=event_type,
            entities=given,
            evidence_ref=without_secrets(self.redactor, evidence_ref, secrets) if evidence_ref else None,
            data=self._noted(event_type, thread_id, plain) | without_secrets(self.redactor, plain, secrets),
        )
        self.personal.admit([draft.data, list(given), draft.evidence_ref])
        return self._write(draft, given, secrets)

    def _noted(self, event_type: str, thread_id: str | None, data: Mapping[str, Any]) -> dict[str, Any]:
        """What a thread was offered or shown that an event rests on."""
        if event_type == "tool.completed":
            return self._shown.reliance(thread_id, data)
        offered = self._offers.of(thread_id) if event_type in CHECKPOINTS else None
        return {OFFERED: offered} if offered else {}

    def _write(self, draft: Event, given: tuple[str, ...], secrets: set[str]) -> Event:
        """Write an event with the entities that were found in it, and what was held back until now."""
        tool = str(draft.data.get("tool", ""))
        found = discover_event(draft, declaration=self._policy.entities_of(tool))
        names = [*found.names, *display_names(given, draft.data)]
        event = draft.model_copy(update={"entities": tuple(dict.fromkeys((*given, *found.entities)))})
        settled = event.event_type in SETTLED
        written = self._log.append(event, settled=settled, also=self._learnt.of(names, secrets))
        self._receipts.flush()
        return written
