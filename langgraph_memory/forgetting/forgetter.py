"""Forgetting: the evidence, all that rests on it, and the proof that nothing of it is left."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Any

from langgraph.checkpoint.base import BaseCheckpointSaver
from sqlalchemy import Connection, delete

from langgraph_memory.answers import ForgetReceipt
from langgraph_memory.arguments import expect
from langgraph_memory.errors import AccessDeniedError
from langgraph_memory.files import Shelf
from langgraph_memory.forgetting.evidence import Evidence, Search
from langgraph_memory.forgetting.names import NamesLeft
from langgraph_memory.forgetting.plan import Plan
from langgraph_memory.forgetting.target import Target
from langgraph_memory.log import EventLog
from langgraph_memory.log.erasure import Erasure, pages
from langgraph_memory.log.staleness import decided_anew
from langgraph_memory.log.tables import in_subtree, subtree
from langgraph_memory.playbooks.observations import Observations, observations
from langgraph_memory.playbooks.register import in_use
from langgraph_memory.records import Actor, Fact
from langgraph_memory.repository import Note, Repository
from langgraph_memory.repository.bodies import Kind, namespace_of
from langgraph_memory.scope import Principal, Scope
from langgraph_memory.store import RESERVED_ROOT, HybridStore


class Forgetter:
    """Forgets what a person asks for, in a log, a repository and the agent's notes.

    Args:
        log: where events are.
        repository: where records are.
        shelf: where the agent's notes are.
        store: as it was given to the memory; tells what is still in its files.
    """

    def __init__(self, log: EventLog, repository: Repository, shelf: Shelf, store: Any) -> None:
        self._log = log
        self._repository = repository
        self._shelf = shelf
        self._store = store
        self._erasure = Erasure(repository.ledger)
        self._observations = Observations(repository.ledger)

    def forget(
        self, target: Target, principal: Principal, saver: BaseCheckpointSaver[Any] | None = None
    ) -> ForgetReceipt:
        """Forget a target.

        Raises:
            AccessDeniedError: the principal may not.
            UnknownRecordError: no such record is or was there.
        """
        expect(Principal, principal=principal)
        self._admit(target, principal)
        receipt, plan = decided_anew(lambda: self._planned(target, principal), about=str(target))
        return self._checked(receipt, plan, saver)

    def _planned(self, target: Target, principal: Principal) -> tuple[ForgetReceipt, Plan]:
        """A plan made on what is there now, carried out."""
        evidence = Search(self._log, self._repository).find(target)
        plan = Plan(target, evidence, self._log, self._repository)
        return self._carry_out(plan, principal), plan

    def _admit(self, target: Target, principal: Principal) -> None:
        """Only who may read the scope and set what is to be forgotten there.

        Raises:
            AccessDeniedError: otherwise.
        """
        scope, held = target.scope, None
        if target.by in ("fact_id", "episode_id"):
            held = self._repository.record(target.value)
        what = held.attribute if isinstance(held, Fact) else "*"
        actor = Actor("user", principal.user_id, roles=principal.roles)
        if not principal.may_read(scope):
            why = "has no grant for it: add a Scope that covers it to Principal.grants"
        elif self._repository.policy.authority_of(actor, scope, what) is None:
            why = f"may not set {what!r} there: only who may set what is held may have it forgotten"
        else:
            return
        about = target.value if held is not None else None
        reason = "no grant and authority covers it"
        self._repository.denials.note(f"forget by {target.by}", principal, scope, reason=reason, about=about)
        raise AccessDeniedError(f"{principal.user_id!r} can't have anything of {scope} forgotten, and {why}")

    def _carry_out(self, plan: Plan, principal: Principal) -> ForgetReceipt:
        """Write all of it in one transaction; bodies in the store of someone else follow it."""
        at = self._repository.clock()
        counts: dict[str, int] = {}
        notes = [
            Note(decision="forgotten", record_id=name, reason=f"by {plan.target.by}") for name in plan.removed
        ]
        notes += [
            Note(decision="rebuilt", record_id=name, reason=f"without what was forgotten by {plan.target.by}")
            for name in plan.rebuilt
        ]
        receipt_id = f"forget_{uuid.uuid4().hex}"
        notes.append(Note(decision="forgotten", record_id=receipt_id, reason=f"by {plan.target.by}"))

        def erase(connection: Connection) -> None:
            counts.update(self._erase(connection, plan, at))
            if self._repository.is_one:
                self._repository.contents.discard(list(plan.removed.values()))

        self._repository.commit(
            plan.changes(),
            scope=plan.target.scope,
            actor=principal.user_id,
            at=at,
            notes=notes,
            leaving=list(plan.removed),
            also=erase,
        )
        counts["notes"] = self._drop_notes(plan, principal)
        self._drop_bodies(plan)
        return _receipt(receipt_id, plan, principal, at, counts)

    def _erase(self, connection: Connection, plan: Plan, at: datetime) -> dict[str, int]:
        """All that SQL holds of it, in the caller's transaction."""
        ledger, top = self._repository.ledger, plan.target.scope
        known_as = self._erasure.names_of(top, [fact.entity for fact in plan.facts.values()])
        for fact in plan.facts.values():
            for form in {fact.entity, *plan.evidence.entities, *known_as.get(fact.entity, ())}:
                ledger.tombstones.bury(connection, fact.scope, form, fact.value, reason="forgotten", at=at)
        for fact in plan.exhumed:
            for form in {fact.entity, *ledger.aliases.vouched([fact.scope], [fact.entity])}:
                ledger.tombstones.exhume(connection, fact.scope, form, fact.value)
        self._erasure.drop_records(connection, list(plan.removed))
        self._observations.forget(connection, list(plan.removed))
        self._erasure.drop_sources(connection, plan.gone)
        self._erasure.drop_links(connection, plan.evidence.entities, list(plan.rebuilt))
        for ids in pages(plan.removed):
            self._observations.forget(connection, ids)
        left = NamesLeft(self._log, self._repository.ledger, self._erasure)
        names = left.forget(connection, plan)
        self._log.rewrite(connection, plan.evidence.changed)
        self._log.erase(connection, plan.evidence.gone, at=at)
        receipts = self._erase_told(connection, plan, top)
        ledger.counters.advance(connection, "names", "forgets")
        return {"names": names, "receipts": receipts}

    def _erase_told(self, connection: Connection, plan: Plan, top: Scope) -> int:
        """What receipts and the audit tell of it; how many receipts went."""
        if plan.target.by == "scope":
            for table in (in_use, observations):
                connection.execute(delete(table).where(in_subtree(table.c.scope)), subtree(top))
            count = self._erasure.drop_receipts(connection, [str(top)], _within(top))
            self._erasure.blank_audit_below(connection, top)
            return count
        self._erasure.blank_reasons(connection, plan.removed)
        mentions = plan.evidence.mentions
        if mentions is None:
            return 0
        self._erasure.blank_audit(connection, mentions.needles, mentions.within)
        here = _within(top)
        anywhere = plan.target.by != "actor_id"  # the same id may be someone else's in other scopes
        return self._erasure.drop_receipts(
            connection, mentions.needles, lambda body: (anywhere or here(body)) and mentions.within(body)
        )

    def _drop_notes(self, plan: Plan, principal: Principal) -> int:
        """The agent's own notes, which may repeat it."""
        top, author, mentions = plan.target.scope, principal.user_id, plan.evidence.mentions
        if plan.target.by == "scope":
            return self._shelf.remove_below(top, author=author)
        if plan.target.by == "actor_id":
            return self._shelf.remove_below(top, author=author, of=plan.target.value)
        if mentions is None:
            return 0
        return self._shelf.remove_below(top, author=author, only=mentions.within)

    def _drop_bodies(self, plan: Plan) -> None:
        """The bodies in the store, and those that an interrupted write has left there."""
        contents = self._repository.contents
        if not self._repository.is_one:
            contents.discard(list(plan.removed.values()))
        if plan.target.by == "scope":
            contents.sweep(list(contents.bodies_in((RESERVED_ROOT, *plan.target.scope.labels))))
            return
        for namespace in sorted(_namespaces(plan)):
            contents.sweep([item for item in contents.bodies_in(namespace) if _tells(plan, item.value)])

    def _checked(
        self, receipt: ForgetReceipt, plan: Plan, saver: BaseCheckpointSaver[Any] | None
    ) -> ForgetReceipt:
        """The receipt with what reading again finds, and with what has to wait."""
        threads = receipt.threads
        if saver is not None:
            for thread in threads:
                saver.delete_thread(thread)
        return receipt.model_copy(
            update={
                "left": tuple(self._found_again(plan)),
                "pending": self._pending(),
                "threads": () if saver is not None else threads,
            }
        )

    def _found_again(self, plan: Plan) -> list[str]:
        """The ids of what is still there."""
        entries = list(plan.removed.values())
        found = [
            *self._repository.ledger.entries(list(plan.removed)),
            *self._repository.contents.still_stored(entries),
        ]
        found += [event.event_id for event in self._log.events([e.event_id for e in plan.evidence.gone])]
        if plan.evidence.entities and plan.evidence.mentions is not None:
            mentions = plan.evidence.mentions
            held = self._log.holding(mentions.needles, below=plan.target.scope)
            found += [e.event_id for e in held if mentions.within([e.data, list(e.entities)])]
        return list(dict.fromkeys(found))

    def _pending(self) -> tuple[str, ...]:
        if isinstance(self._store, HybridStore):
            return self._store.leftovers()
        reason = self._log.database.expunge()
        return (reason,) if reason else ()


def _receipt(
    receipt_id: str, plan: Plan, principal: Principal, at: datetime, counts: dict[str, int]
) -> ForgetReceipt:
    ids = _ids_by_kind(plan)
    threads = [event.thread_id for event in (*plan.evidence.gone, *plan.evidence.changed) if event.thread_id]
    return ForgetReceipt(
        receipt_id=receipt_id,
        scope=plan.target.scope,
        at=at,
        by=principal.user_id,
        events=tuple(event.event_id for event in plan.evidence.gone),
        changed=tuple(event.event_id for event in plan.evidence.changed),
        facts=ids("fact"),
        episodes=ids("episode"),
        procedures=ids("procedure"),
        rebuilt=tuple(sorted(plan.rebuilt)),
        threads=tuple(dict.fromkeys(threads)),
        **counts,
    )


def _ids_by_kind(plan: Plan) -> Callable[[Kind], tuple[str, ...]]:
    return lambda kind: tuple(sorted(name for name, entry in plan.removed.items() if entry.kind == kind))


def _namespaces(plan: Plan) -> set[tuple[str, ...]]:
    """Where an interrupted write may have left bodies of what was forgotten."""
    events: Sequence[Any] = (*plan.evidence.gone, *plan.evidence.changed)
    scopes = {event.scope for event in events}
    found = {entry.namespace for entry in plan.removed.values()}
    found |= {namespace_of(scope, "episode") for scope in scopes}
    entities = [fact.entity for fact in plan.facts.values()]
    forms = {*entities, *plan.evidence.entities}
    return found | {namespace_of(scope, "fact", form) for scope in scopes for form in forms}


def _tells(plan: Plan, value: dict[str, Any]) -> bool:
    """Whether a body tells what was forgotten, or cites what is gone."""
    body = str(value.get("record", ""))
    evidence: Evidence = plan.evidence
    told = evidence.mentions is not None and evidence.mentions.within([body, str(value.get("text", ""))])
    return told or any(source in body for source in plan.gone)


def _within(top: Scope) -> Callable[[Any], bool]:
    """Whether a receipt is of a scope or of one below it."""

    def is_meant(body: Any) -> bool:
        return f"{body.get('scope')},".startswith(f"{top},")

    return is_meant
