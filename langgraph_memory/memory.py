"""`Memory`: what people hold. Publish, consolidate, recall, check, and ask what is held and why."""

from __future__ import annotations

import json
import threading
import uuid
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from langchain_core.language_models import BaseChatModel
from langchain_core.messages.utils import count_tokens_approximately
from langgraph.store.base import BaseStore
from pydantic import ValidationError

from langgraph_memory import strict_json
from langgraph_memory.answers import (
    AuditEntry,
    ConsolidationReport,
    Explanation,
    GuardDecision,
    MemoryKind,
    Recall,
    Reconciled,
)
from langgraph_memory.consolidation.candidates import Extractor
from langgraph_memory.consolidation.episodes import Narrator
from langgraph_memory.consolidation.grounding import ground
from langgraph_memory.consolidation.model import ModelExtractor, ModelNarrator
from langgraph_memory.consolidation.pipeline import Overlay, Pipeline, names_of, settled
from langgraph_memory.consolidation.reconcile import Statement
from langgraph_memory.consolidation.rules import RulesExtractor
from langgraph_memory.entities import discover_event
from langgraph_memory.errors import (
    ConfigurationError,
    InvalidEventError,
    MemoryRuntimeError,
    UnknownRecordError,
)
from langgraph_memory.ledger import Ledger, StaleReadError
from langgraph_memory.log import Backlog, EventLog
from langgraph_memory.names import normalise
from langgraph_memory.policy import Policy
from langgraph_memory.records import Actor, ActorKind, Episode, Event, Fact, FactKind, FactStatus
from langgraph_memory.redaction import redact
from langgraph_memory.repository import Note, Repository
from langgraph_memory.retrieval.guard import Guard, Verdict, Waiting, deed, message
from langgraph_memory.retrieval.recall import KINDS, Recaller
from langgraph_memory.scope import Principal, Scope
from langgraph_memory.store import HybridStore

TokenCounter = Callable[[str], int]

_RECEIPTS_HELD = 64
_SAID = frozenset({"message.user", "feedback.correction"})
_STALE_RETRIES = 20
_READ_AHEAD = 2_000
_SHOWN = 200


class Memory:
    """Memory for agents: an event log, typed records over a store, and the rules between them.

    Open one over a folder with `Memory.open`, or put it over a store and a log of your own.

    Args:
        store: any LangGraph `BaseStore`; of a `HybridStore`, memory uses a root that nobody else reaches.
        log: where events are written.
        policy: who may say what, and how long it holds.
        model: a chat model that extracts and narrates; None for the rules.
        extractor: proposes candidates, in place of the model or the rules.
        narrator: tells episodes, in place of the model or the plain rendering.
        clock: the time of records, aware; the system's by default.
        count_tokens: tokens of a text; langchain-core's approximation by default.

    Example:
        >>> team = Scope.of(org="acme", workspace="staging")
        >>> lead = Actor("user", "ana", roles={"infra_lead"})
        >>> rule = AuthorityRule(roles={"infra_lead"}, scope=team)
        >>> with Memory.open(":memory:", policy=Policy(authority=[rule])) as memory:
        ...     _ = memory.publish(
        ...         scope=team, activity_id="monday", event_type="feedback.correction", actor=lead,
        ...         data={"text": "Keep gpu-bench-01 running until QA has migrated."}, wait=True,
        ...     )
        ...     agent = Principal("costguard", grants=(team,))
        ...     memory.check("stop_instance", {"name": "gpu-bench-01"}, principal=agent, scope=team).outcome
        'block'
    """

    def __init__(
        self,
        store: BaseStore,
        log: EventLog,
        *,
        policy: Policy | None = None,
        model: BaseChatModel | None = None,
        extractor: Extractor | None = None,
        narrator: Narrator | None = None,
        clock: Callable[[], datetime] | None = None,
        count_tokens: TokenCounter | None = None,
    ) -> None:
        self.store = store
        self.log = log
        self.policy = policy or Policy()
        self.clock = clock or _now
        self._owned: list[Any] = []
        records = store.private() if isinstance(store, HybridStore) else store
        self.repository = Repository(records, Ledger(log.database), self.policy, self.clock)
        self._rules = RulesExtractor()
        self.pipeline = Pipeline(
            log,
            self.repository,
            extractor=extractor or (ModelExtractor(model) if model else self._rules),
            narrator=narrator or (ModelNarrator(model) if model else None),
            clock=self.clock,
        )
        self._recaller = Recaller(
            self.repository, log, clock=self.clock, count=count_tokens or _approximate_tokens
        )
        self._guard = Guard(self.repository, self._laid_down)
        self._receipts: list[Explanation] = []
        self._seen_aliases: set[tuple[str, str, str]] = set()
        self._read_ahead: dict[tuple[str, int], list[Waiting]] = {}
        self._lock = threading.Lock()

    @classmethod
    def open(
        cls,
        path: str | Path,
        *,
        model: BaseChatModel | None = None,
        policy: Policy | None = None,
        clock: Callable[[], datetime] | None = None,
        index: Any = ...,
        **options: Any,
    ) -> Self:
        """Open store and event log in one place: a folder, ":memory:" or a PostgreSQL URL.

        Args:
            path: the place; a missing folder is made.
            model: see `Memory`.
            policy: see `Memory`.
            clock: see `Memory`.
            index: of the `HybridStore`; the bundled embedding model by default, None for words only.
            options: the other arguments of `Memory`; `chroma=` goes to the store.

        Raises:
            ForeignFolderError: the folder belongs to something else.
        """
        chosen = {} if index is ... else {"index": index}
        if "chroma" in options:
            chosen["chroma"] = options.pop("chroma")
        store = HybridStore(path, clock=clock, **chosen)
        memory = cls(store, EventLog(store.database), model=model, policy=policy, clock=clock, **options)
        memory._owned = [store]
        return memory

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
        wait: bool = False,
    ) -> Event:
        """Write one event: no model, no embedding, one transaction; the same id twice is one event.

        Args:
            scope: where it belongs.
            activity_id: what it is a part of; an activity is consolidated as a whole.
            event_type: `message.user`, `tool.completed`, `activity.completed`, or a free text.
            actor: who acted, as the application authenticated them.
            entities: ids that the event concerns; those in `args` and `output` are found by themselves.
            evidence_ref: where the full payload can be found.
            data: JSON; messages carry `text`, tool events `tool`, `args` and `output` or `error`.
            thread_id: LangGraph's thread.
            event_id: an id that is the same when the same thing is published again; random by default.
            occurred_at: when it happened, for imported histories; the clock's time by default.
            wait: consolidate this activity before returning, for critical corrections.

        Returns:
            The event as written, secrets redacted.

        Raises:
            InvalidEventError: not an event, or an id that is known in another scope.
        """
        given = tuple(dict.fromkeys(entities))
        draft = _event(
            event_id=event_id or f"ev_{uuid.uuid4().hex}",
            occurred_at=occurred_at or self.clock(),
            scope=scope,
            activity_id=activity_id,
            thread_id=thread_id,
            actor=actor,
            event_type=event_type,
            entities=given,
            evidence_ref=evidence_ref,
            data=_redacted(data or {}),
        )
        found = discover_event(draft)
        aliases = dict(found.aliases) | _display_name(given, draft.data)
        event = draft.model_copy(update={"entities": tuple(dict.fromkeys((*given, *found.entities)))})
        written = self.log.append(event)
        self._learn_names(written, aliases)
        self._flush_receipts()
        if wait:
            self._consolidate_now(written)
        return written

    def consolidate(self, limit: int | None = None) -> ConsolidationReport:
        """Turn due activities into episodes and facts, in this process, until nothing is due.

        Args:
            limit: at most this many activities.
        """
        return self.pipeline.run(limit)

    def recall(
        self,
        query: str,
        *,
        principal: Principal,
        scope: Scope,
        entities: Iterable[str] = (),
        kinds: Iterable[MemoryKind] | None = None,
        token_budget: int = 800,
        thread_id: str | None = None,
    ) -> Recall:
        """The memories that belong in the next prompt, constraints first, within a token budget.

        Args:
            query: what the agent is about to work on; may be empty.
            principal: who asks; sees the scope and those ancestors that a grant covers.
            scope: where to look.
            entities: ids or names that the task has come upon; their constraints are never trimmed.
            kinds: any of `fact`, `episode`, `procedure`, `event`; all by default.
            token_budget: the size of all that `render()` returns.
            thread_id: the thread that asks; what was said in it is left out, it is there already.

        Raises:
            AccessDeniedError: no grant covers the scope.
            ConfigurationError: an unknown kind or a negative budget.
        """
        wanted = tuple(KINDS if kinds is None else kinds)
        unknown = [kind for kind in wanted if kind not in KINDS]
        if unknown or token_budget < 0:
            wrong = f"kind {unknown[0]!r}" if unknown else f"token_budget {token_budget}"
            raise ConfigurationError(
                f"{wrong} can't be recalled: kinds are {', '.join(KINDS)}, budgets from 0"
            )
        recall, receipt = self._recaller.recall(
            query,
            principal=principal,
            scope=scope,
            entities=tuple(entities),
            kinds=wanted,
            budget=token_budget,
            thread_id=thread_id,
        )
        self._hold_receipt(receipt)
        return recall

    def check(
        self,
        action: str,
        args: Mapping[str, Any],
        *,
        principal: Principal,
        scope: Scope,
        unread: Iterable[str] = (),
    ) -> GuardDecision:
        """Whether a tool call may run: `allow`, `block` (ruled out by a constraint), `defer` (ask someone).

        When memory can't be read, calls that don't only read are deferred.

        Args:
            action: the tool's name.
            args: its arguments; entities are looked for in all strings, at any depth.
            principal: who acts; constraints count whatever it may read, but are redacted for it.
            scope: where it acts.
            unread: ids of constraints that the agent has not seen (`Recall.deferred`): calls that touch
                their entities are deferred even where these constraints would allow them.
        """
        try:
            verdict = self._guard.judge(action, args, scope, frozenset(unread))
        except (MemoryRuntimeError, OSError) as error:
            reads = deed(action, args, self.policy).reads
            verdict = Verdict(
                outcome="allow" if reads else "defer",
                reason=f"memory can't be read now ({type(error).__name__})",
            )
        decision = GuardDecision(
            id=f"guard_{uuid.uuid4().hex}",
            outcome=verdict.outcome,
            action=action,
            facts=tuple(fact for fact in verdict.facts if principal.may_read(fact.scope)),
            events=tuple(waiting.event.event_id for waiting in verdict.waiting),
            message=message(action, verdict, principal),
        )
        self._hold_receipt(_decision_receipt(decision, verdict, args, principal, scope, self.clock()))
        return decision

    def reads(self, action: str, args: Mapping[str, Any]) -> bool:
        """Whether a call only reads, by the tool's declaration or its name."""
        return deed(action, args, self.policy).reads

    def assert_fact(
        self,
        *,
        scope: Scope,
        entity: str,
        attribute: str,
        value: str,
        actor: Actor,
        kind: FactKind | str = FactKind.FACT,
        ends_when: str | None = None,
        forbids: Iterable[str] = (),
        evidence_ref: str | None = None,
    ) -> Reconciled:
        """Say that something holds, as structure; it meets what is held by the same rules as speech does.

        Returns:
            The outcome: `established`, `restated`, `superseded`, `unverified` (no authority), `ignored` (a
            tool's observation) or `rejected` (the value was rejected before).
        """
        entity, attribute, value = (
            _plain(name, text)
            for name, text in {"entity": entity, "attribute": attribute, "value": value}.items()
        )
        event = self.publish(
            scope=scope,
            activity_id=f"asserted_{uuid.uuid4().hex}",
            event_type="fact.asserted",
            actor=actor,
            entities=(entity,),
            evidence_ref=evidence_ref,
            data={"entity": entity, "attribute": attribute, "value": value, "ends_when": ends_when},
        )
        statement = Statement(
            scope=scope,
            entity=entity,
            attribute=attribute,
            value=str(event.data["value"]),
            kind=FactKind(kind),
            forbids=tuple(forbids),
            ends_when=ends_when,
            explicit=True,
            speaker=actor.kind,
            speaker_id=actor.id,
            role=self.policy.authority_of(actor, scope, attribute),
            sources=(event.source,),
            founding=event.event_id,
            activity_id=event.activity_id,
            at=event.occurred_at,
        )
        return self._settle(statement)

    def facts(
        self,
        scope: Scope,
        *,
        entity: str | None = None,
        attribute: str | None = None,
        status: Iterable[FactStatus | str] = ("current",),
        as_of: datetime | None = None,
    ) -> list[Fact]:
        """The facts of exactly this scope, newest first.

        Args:
            scope: where they belong.
            entity: only about this entity, by id or name.
            attribute: only of this attribute.
            status: only of these statuses.
            as_of: a past moment: the facts that had one of the statuses then.
        """
        wanted = {FactStatus(each) for each in status}
        entities = self._same_entity(scope, entity) if entity is not None else None
        stored = None if as_of is not None else sorted(wanted)
        found: list[Fact] = self.repository.find("fact", [scope], entities=entities, status=stored)
        if as_of is not None:
            then = (as_it_was(fact, as_of) for fact in found)
            found = [fact for fact in then if fact is not None and fact.status in wanted]
        return [fact for fact in found if attribute is None or fact.attribute == attribute]

    def episodes(
        self, scope: Scope, *, entity: str | None = None, activity_id: str | None = None
    ) -> list[Episode]:
        """The episodes of exactly this scope, newest first; of one entity or activity."""
        entities = self._same_entity(scope, entity) if entity is not None else None
        found: list[Episode] = self.repository.find("episode", [scope], entities=entities)
        return [e for e in found if activity_id is None or e.activity_id == activity_id]

    def events(self, scope: Scope, *, activity_id: str | None = None) -> list[Event]:
        """The events of this scope and those below it, in order; of one activity of exactly this scope."""
        if activity_id is not None:
            return self.log.of_activity(scope, activity_id)
        return self.log.since(0, scope=scope)

    def backlog(self) -> Backlog:
        """What waits for consolidation, and the activities that failed too often."""
        return self.log.backlog()

    def explain(self, receipt_id: str) -> Explanation:
        """The story of a recall or of a guard decision, by its id.

        Raises:
            UnknownRecordError: no receipt has this id.
        """
        self._flush_receipts()
        receipt = self.repository.ledger.receipt(receipt_id)
        if receipt is None:
            raise UnknownRecordError(
                f"no recall or decision has the id {receipt_id!r}: give Recall.receipt_id or GuardDecision.id"
            )
        return receipt

    def audit(self, record_id: str) -> list[AuditEntry]:
        """The decisions about a record, oldest first."""
        return self.repository.ledger.audit_of(record_id)

    def close(self) -> None:
        """Write what is held back and close what this memory opened."""
        self._flush_receipts()
        for owned in self._owned:
            owned.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def _settle(self, statement: Statement) -> Reconciled:
        for _ in range(_STALE_RETRIES):
            overlay = Overlay(self.repository)
            verdict = overlay.settle(statement)
            about = verdict.fact or verdict.previous
            subject = about.fact_id if about else statement.founding
            try:
                self.repository.commit(
                    overlay.changes(),
                    scope=statement.scope,
                    actor=statement.speaker_id,
                    at=self.clock(),
                    notes=[Note(decision=verdict.outcome, record_id=subject, reason=verdict.reason)],
                )
            except StaleReadError:
                continue
            return settled(verdict)
        raise StaleReadError(statement.founding)

    def _consolidate_now(self, event: Event) -> None:
        self.log.make_due(event.scope, event.activity_id)
        self.pipeline.run_one(event.scope, event.activity_id)

    def _learn_names(self, event: Event, aliases: Mapping[str, str]) -> None:
        """Add names in the event's scope as soon as they turn up, so that they protect at once."""
        names = {normalise(name): entity for name, entity in aliases.items()}
        names |= {normalise(e.rpartition(":")[2]): e for e in event.entities if ":" in e}
        key = event.scope.key
        new = {n: e for n, e in names.items() if n and (key, n, e) not in self._seen_aliases}
        if not new:
            return
        with self.repository.ledger.database.write() as connection:
            self.repository.ledger.add_aliases(connection, event.scope, new, event.source)
            self.repository.ledger.advance(connection)
        self._seen_aliases.update((key, n, e) for n, e in new.items())

    def _same_entity(self, scope: Scope, entity: str) -> list[str]:
        names = names_of(self.repository.names(list(scope.ancestors())))
        forms = {entity, entity.rpartition(":")[2]} | names.get(normalise(entity), frozenset())
        return sorted(forms)

    def _laid_down(self, top: Scope) -> Sequence[Waiting]:
        """Constraints that people with authority have said under a tenant and no consolidation has read."""
        events = [e for e in self.log.waiting_below(top) if e.event_type in _SAID]
        if not events:
            return ()
        revision = self.repository.ledger.revision()
        return [waiting for event in events for waiting in self._constraints_in(event, revision)]

    def _constraints_in(self, event: Event, revision: int) -> list[Waiting]:
        """The constraints in one waiting event, read once as long as nothing else changes."""
        key = (event.event_id, revision)
        if key not in self._read_ahead:
            if len(self._read_ahead) > _READ_AHEAD:
                self._read_ahead.clear()
            self._read_ahead[key] = self._read_constraints(event)
        return self._read_ahead[key]

    def _read_constraints(self, event: Event) -> list[Waiting]:
        names = names_of(self.repository.names(list(event.scope.ancestors())))
        known = {name: next(iter(ids)) for name, ids in names.items() if len(ids) == 1}
        found = []
        for candidate in self._rules.extract([event], known):
            said = ground(candidate, [event], names, scope=event.scope, policy=self.policy)
            if isinstance(said, Statement) and said.role and said.intent == "assert" and said.forbids:
                forms = {said.entity, candidate.entity or said.entity}
                found += [Waiting(event=event, entity=form, forbids=said.forbids) for form in sorted(forms)]
        return found

    def _hold_receipt(self, receipt: Explanation) -> None:
        with self._lock:
            self._receipts.append(receipt)
            full = len(self._receipts) >= _RECEIPTS_HELD
        if full:
            self._flush_receipts()

    def _flush_receipts(self) -> None:
        """Write receipts in one go with the next event, since a recall should not wait for a disk."""
        with self._lock:
            batch, self._receipts = self._receipts, []
        if batch:
            with self.repository.ledger.database.write() as connection:
                self.repository.ledger.keep_receipts(connection, batch)


def as_it_was(fact: Fact, moment: datetime) -> Fact | None:
    """A fact with the status that it had at a moment; None before it was asserted."""
    if moment < fact.asserted_at:
        return None
    ended = fact.status in (FactStatus.SUPERSEDED, FactStatus.RETIRED)
    if not ended or fact.valid_until is None or fact.valid_until <= moment:
        return fact
    return fact.model_copy(update={"status": FactStatus.CURRENT, "valid_until": None, "superseded_by": None})


def _plain(name: str, text: str) -> str:
    """A text without what no database keeps (NUL, half surrogate pairs)."""
    plain = text.replace("\x00", "").encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if not plain.strip():
        raise InvalidEventError(f"a fact can't be asserted with {name}={text!r}: give a text")
    return plain


def _event(**fields: Any) -> Event:
    trusted = {ActorKind.USER: "user", ActorKind.AGENT: "agent"}
    try:
        actor = fields["actor"]
        return Event(**fields, trust=trusted.get(actor.kind, "untrusted"))
    except (ValidationError, AttributeError) as error:
        raise InvalidEventError(
            f"event {fields.get('event_id')!r} of activity {fields.get('activity_id')!r} can't be published: "
            f"{error}"
        ) from error


def _redacted(data: Mapping[str, Any]) -> Any:
    try:
        text = json.dumps(dict(data), allow_nan=False, ensure_ascii=False)
        plain = strict_json.loads(text)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidEventError(
            f"the data of an event must be JSON, and {_shown(data)} is not: {error}; convert it first"
        ) from error
    return redact(plain).value


def _shown(data: Mapping[str, Any]) -> str:
    """Those entries of the data that are not JSON, shortened."""
    wrong = {}
    for name, value in data.items():
        try:
            json.dumps(value, allow_nan=False)
        except (TypeError, ValueError):
            wrong[name] = value
    text = repr(wrong)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _display_name(entities: Sequence[str], data: Mapping[str, Any]) -> dict[str, str]:
    """The display name that an event about exactly one entity gives for it."""
    if len(entities) != 1:
        return {}
    names = (data.get(key) for key in ("resource", "name", "display_name"))
    return {name: entities[0] for name in names if isinstance(name, str) and name}


def _decision_receipt(
    decision: GuardDecision,
    verdict: Verdict,
    args: Mapping[str, Any],
    principal: Principal,
    scope: Scope,
    at: datetime,
) -> Explanation:
    body = {
        "action": decision.action,
        "args": redact(json.loads(json.dumps(args, default=str))).value,
        "outcome": decision.outcome,
        "facts": [fact.fact_id for fact in verdict.facts],
        "events": list(decision.events),
        "reason": verdict.reason,
        "principal": principal.user_id,
        "scope": str(scope),
    }
    return Explanation(id=decision.id, kind="decision", at=at, body=body)


def _approximate_tokens(text: str) -> int:
    return count_tokens_approximately([text])


def _now() -> datetime:
    return datetime.now(UTC)
