"""`Memory`: what people hold. Publish, consolidate, recall, check, and ask what is held and why."""

from __future__ import annotations

import uuid
from collections.abc import Callable, Iterable, Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Literal, Self

from langchain_core.language_models import BaseChatModel
from langchain_core.messages.utils import count_tokens_approximately
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.store.base import BaseStore

from langgraph_memory.answers import (
    AuditEntry,
    ConsolidationReport,
    Explanation,
    ExportReport,
    ForgetReceipt,
    GuardDecision,
    ImportReport,
    MemoryKind,
    Question,
    Recall,
    Reconciled,
)
from langgraph_memory.arguments import expect, member, place, plain_text, storable, texts
from langgraph_memory.closing import Closing
from langgraph_memory.consolidation.across import Tidied
from langgraph_memory.consolidation.candidates import Extractor
from langgraph_memory.consolidation.episodes import Narrator
from langgraph_memory.consolidation.facts.assertions import ASSERTED, asserted, assertion
from langgraph_memory.consolidation.facts.lifecycle import as_it_was
from langgraph_memory.consolidation.facts.lookups import Lookup
from langgraph_memory.consolidation.facts.name_book import entity_named
from langgraph_memory.consolidation.model.spending import Spent
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.explaining import explained
from langgraph_memory.files import Files
from langgraph_memory.forgetting.forgetter import Forgetter
from langgraph_memory.forgetting.target import Target
from langgraph_memory.intervals import by_the_clock
from langgraph_memory.log import EventLog
from langgraph_memory.log.backlog import Backlog
from langgraph_memory.names import attribute_name, bare, normalise
from langgraph_memory.policy import Policy
from langgraph_memory.recent import kept_of_texts
from langgraph_memory.records import (
    Actor,
    Episode,
    Event,
    Fact,
    FactKind,
    FactStatus,
    Observation,
    is_early_ending,
)
from langgraph_memory.redaction import Redactor, redact
from langgraph_memory.relations import Related, Relations
from langgraph_memory.retrieval.calls import Call
from langgraph_memory.retrieval.deeds import deed
from langgraph_memory.retrieval.recall import KINDS
from langgraph_memory.rooms import Rooms
from langgraph_memory.scope import Principal, Scope
from langgraph_memory.signature import checked
from langgraph_memory.store import HybridStore
from langgraph_memory.tracing import traced
from langgraph_memory.transfer.exports import export
from langgraph_memory.transfer.imports import Importer

TokenCounter = Callable[[str], int]


class Memory(Closing):
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
        redactor: takes secrets out of JSON values before anything is written.
        lookup: asks the system that knows whether the `ends_when` of a current fact has come about: gives a
            reference to the evidence, or None. Asked when memory consolidates, and before a call is held up.

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

    @checked()
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
        redactor: Redactor = redact,
        lookup: Lookup | None = None,
    ) -> None:
        rooms = Rooms.built(
            store,
            log,
            policy=policy or Policy(),
            model=model,
            extractor=extractor,
            narrator=narrator,
            clock=clock or _now,
            count_tokens=count_tokens or approximate_tokens,
            redactor=redactor,
            lookup=lookup,
        )
        self.store, self.log = store, log
        self.policy, self.clock = rooms.repository.policy, rooms.repository.clock
        self.redactor = rooms.publisher.redactor
        self.repository, self.pipeline = rooms.repository, rooms.pipeline
        self.procedures = rooms.procedures
        """Playbooks: propose, approve, roll back, compare, and keep files in step."""
        self.behaviour = rooms.behaviour
        """Behaviour rules: learn them from feedback, and read those that hold."""
        self.shelf, self.approvals = rooms.shelf, rooms.approvals
        self._rooms = rooms
        self._owned: list[Any] = []
        self._closed = False

    @classmethod
    @checked("path")
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
        try:
            memory = cls(store, EventLog(store.database), model=model, policy=policy, clock=clock, **options)
        except BaseException:  # nobody would close it, were the opening interrupted
            store.close()
            raise
        memory._owned = [store]
        return memory

    @traced("publish")
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
            InvalidArgumentError: scope, actor, entities or data of another type.
            InvalidEventError: not an event, an id that is known in another scope, or one that holds a secret.
            PersonalDataError: it holds personal data that the policy refuses.
            RedactionError: the redactor failed.
        """
        written = self._rooms.publisher.publish(
            scope=scope,
            activity_id=activity_id,
            event_type=event_type,
            actor=actor,
            entities=entities,
            evidence_ref=evidence_ref,
            data=data,
            thread_id=thread_id,
            event_id=event_id,
            occurred_at=occurred_at,
        )
        if wait and written.seq:
            self.log.activities.make_due(scope, written.activity_id)
            self.pipeline.run_one(scope, written.activity_id)
        return written

    @traced("consolidate")
    @checked()
    def consolidate(self, limit: int | None = None, *, scope: Scope | None = None) -> ConsolidationReport:
        """Turn due activities into episodes and facts, in this process, until nothing is due.

        Args:
            limit: at most this many activities.
            scope: only activities of this scope and those below it.
        """
        self.log.settle()
        return self.pipeline.run(limit, below=scope)

    @traced("recall")
    @checked("query", "entities")
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
        live: Iterable[Observation] = (),
        gone: Iterable[Event] = (),
    ) -> Recall:
        """The memories that belong in the next prompt, constraints first, within a token budget.

        Args:
            query: what the agent is about to work on; may be empty. Of one beyond 16,000 characters the
                beginning and the end are read.
            principal: who asks; sees the scope and those ancestors that a grant covers.
            scope: where to look.
            entities: ids or names that the task has come upon; their constraints are never trimmed.
            kinds: any of `fact`, `episode`, `procedure`, `event`; all by default.
            token_budget: the size of all that `render()` returns. The words of the query bring ten facts and
                procedures of a scope, or one for every 80 tokens of it.
            thread_id: the thread that asks; what was said in it is left out, it is there already.
            live: what tools have just shown; a remembered state that differs is marked as outdated.
            gone: events of the activity at hand whose messages the prompt holds no longer, in order; the
                request, the last steps and what tools showed in them come behind the memories, if they fit.

        Raises:
            AccessDeniedError: no grant covers the scope; the refusal is audited.
            ConfigurationError: an unknown kind or a negative budget.
        """
        expect(str, query=query)
        wanted = KINDS if kinds is None else tuple(kinds)
        unknown = [kind for kind in wanted if kind not in KINDS]
        if unknown:
            raise ConfigurationError(f"kind {unknown[0]!r} can't be recalled: kinds are {', '.join(KINDS)}")
        self.log.settle()
        with self.repository.denials.noted("recall", principal, scope):
            recall, receipt = self._rooms.recaller.recall(
                query,
                principal=principal,
                scope=scope,
                entities=[storable(entity) for entity in texts("entities", entities)],
                kinds=[kind for kind in KINDS if kind in wanted],
                budget=token_budget,
                thread_id=thread_id,
                live=tuple(live),
                gone=tuple(gone),
            )
        self._rooms.receipts.hold(receipt)
        self._rooms.offers.hold(thread_id, recall.items)
        self._rooms.shown.hold(thread_id, recall)
        return recall

    @traced("check")
    @checked("action", "args")
    def check(
        self,
        action: str,
        args: Mapping[str, Any] | None,
        *,
        principal: Principal,
        scope: Scope,
        unread: Iterable[str] = (),
        recall_id: str | None = None,
    ) -> GuardDecision:
        """Whether a tool call may run: `allow`, `block` (ruled out by a constraint), `defer` (ask someone).

        When memory can't be read, calls that don't only read are deferred.

        Args:
            action: the tool's name.
            args: its arguments; entities are looked for in all strings, at any depth. None stands for none.
            principal: who acts; constraints count whatever it may read, but are redacted for it.
            scope: where it acts.
            unread: ids of constraints that the agent has not seen (`Recall.deferred`): calls that touch
                their entities are deferred even where these constraints would allow them.
            recall_id: the receipt of the recall that the agent decided on, for `explain`.
        """
        self.log.settle(words=True)
        return self._rooms.checks.check(
            action,
            {} if args is None else args,
            principal=principal,
            scope=scope,
            unread=frozenset(unread),
            recall_id=recall_id,
        )

    @checked("args")
    def reads(self, action: str, args: Mapping[str, Any]) -> bool:
        """Whether a call only reads, by the tool's declaration or its name."""
        try:
            return deed(Call(action, args), self.policy).reads
        except RecursionError:  # nested too deeply to be looked through
            return False

    @checked("entity", "attribute", "value", "ends_when", "evidence_ref")
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

        A constraint that names no action in `forbids` rules out every change of its entity. A display
        name stands for the one id that is known by it in the scope.

        Returns:
            The outcome: `established`, `restated`, `superseded`, `unverified` (no authority), `ignored` (a
            tool's observation) or `rejected` (the value was rejected before).
        """
        named = plain_text("entity", entity).strip()
        data = assertion(
            self.policy,
            entity=entity_named(self.repository, scope, named),
            named=named,
            attribute=attribute,
            value=value,
            kind=kind,
            ends_when=ends_when,
            forbids=forbids,
        )
        event = self.publish(
            scope=scope,
            activity_id=f"asserted_{uuid.uuid4().hex}",
            event_type=ASSERTED,
            actor=actor,
            entities=(data["entity"],),
            evidence_ref=evidence_ref,
            data=data,
        )
        return self.pipeline.settle(asserted(event, self.policy))

    @checked()
    def confirm(self, fact_id: str, *, principal: Principal) -> Reconciled:
        """Say that a fact holds: it becomes current, or is confirmed anew; a rejected value may come back.

        Args:
            fact_id: a candidate, an unverified, a rejected or a current fact. Confirming one that would end
                another (`Fact.would_end`) ends that.
            principal: who decides; needs a grant for the scope and the authority to set the attribute.

        Returns:
            `established`, `restated` (it was current) or `retired` (it was the end of another).

        Raises:
            UnknownRecordError: no fact has the id.
            AccessDeniedError: no grant for its scope, or no authority; the refusal is audited.
            DecisionError: it was superseded or retired.
        """
        return self._rooms.decisions.confirm(fact_id, principal)

    @checked("evidence_ref")
    def retire(self, fact_id: str, *, principal: Principal, evidence_ref: str | None = None) -> Reconciled:
        """Say that a fact holds no longer, on evidence that it then cites; errors as for `confirm`."""
        return self._rooms.decisions.retire(fact_id, principal, evidence_ref)

    @checked("reason")
    def reject(self, fact_id: str, *, principal: Principal, reason: str = "") -> Reconciled:
        """Say that a fact is wrong: its value stays out, whoever says it again, until it is confirmed.

        Errors as for `confirm`, but a fact that has ended can be rejected too.
        """
        expect(str, reason=reason)
        return self._rooms.decisions.reject(fact_id, principal, reason)

    @checked("value")
    def correct(self, fact_id: str, *, value: str, principal: Principal) -> Reconciled:
        """Say what holds instead: a new fact with this value supersedes it; errors as for `confirm`.

        Returns:
            `superseded`, or `rejected` where the new value was rejected before.
        """
        return self._rooms.decisions.correct(fact_id, principal, plain_text("value", value))

    @checked()
    def merge(self, fact_ids: Iterable[str], *, principal: Principal) -> Reconciled:
        """Say that facts about one entity mean the same: one keeps the evidence of all.

        The first current one stays, else the first named; the others are superseded by it and keep their
        own. Errors as for `confirm`; `DecisionError` also for facts of different scopes or entities.
        """
        return self._rooms.decisions.merge(tuple(fact_ids), principal)

    @checked()
    def questions(
        self, scope: Scope, *, principal: Principal, entities: Iterable[str] = (), limit: int = 20
    ) -> list[Question]:
        """What waits for a person's word, what matters most first.

        Args:
            scope: where to look: it and those ancestors that the principal may read.
            principal: who asks.
            entities: only about these, by id or name; all by default.
            limit: at most this many.

        Raises:
            AccessDeniedError: no grant covers the scope; the refusal is audited.
        """
        names = {form for entity in entities for form in self._same_entity(scope, entity)}
        with self.repository.denials.noted("questions", principal, scope):
            return self._rooms.questions.of(scope, principal, sorted(names), limit)

    @checked()
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

        An ending that came before what it ends is kept, but is no fact: exports and the audit tell of it.
        What nobody has confirmed within its interval is a candidate, also before a consolidation notes it.

        Args:
            scope: where they belong.
            entity: only about this entity, by id or name.
            attribute: only of this attribute.
            status: only of these statuses.
            as_of: a past moment: the facts that had one of the statuses then.
        """
        wanted = {member(FactStatus, "status", each) for each in status}
        entities = self._same_entity(scope, entity) if entity is not None else None
        overdue = {FactStatus.CURRENT} if FactStatus.CANDIDATE in wanted else set()
        stored = None if as_of is not None else sorted(wanted | overdue)
        found: list[Fact] = self.repository.find("fact", [scope], entities=entities, status=stored)
        now = self.clock()
        standing = [by_the_clock(fact, now) for fact in found]
        if as_of is not None:
            standing = [then for fact in standing if (then := as_it_was(fact, as_of)) is not None]
        plain = None if attribute is None else attribute_name(attribute)
        named = [fact for fact in standing if plain in (None, attribute_name(fact.attribute))]
        return [fact for fact in named if fact.status in wanted and not is_early_ending(fact)]

    @checked()
    def episodes(
        self, scope: Scope, *, entity: str | None = None, activity_id: str | None = None
    ) -> list[Episode]:
        """The episodes of exactly this scope, newest first; of one entity or activity."""
        entities = self._same_entity(scope, entity) if entity is not None else None
        found: list[Episode] = self.repository.find("episode", [scope], entities=entities)
        return [e for e in found if activity_id is None or e.activity_id == activity_id]

    @checked()
    def events(self, scope: Scope, *, activity_id: str | None = None) -> list[Event]:
        """The events of this scope and those below it, in order; of one activity of exactly this scope."""
        if activity_id is not None:
            return self.log.of_activity(scope, activity_id)
        return self.log.since(0, scope=scope)

    def scopes(self) -> list[Scope]:
        """The scopes that hold anything, for those who hold the memory itself: no grant is asked for."""
        return self.log.scopes()

    @checked()
    def files(self, *, principal: Principal, scope: Scope) -> Files:
        """The own notes of a principal's agent in a scope, as the memory tool shows them.

        Without consent to remember there, notes can be read and deleted, but none is written.

        Raises:
            AccessDeniedError: no grant covers the scope; the refusal is audited.
        """
        with self.repository.denials.noted("files", principal, scope):
            principal.readable(scope)
        own = scope if scope.personal else Scope(**dict(scope.levels), user=principal.user_id)
        return Files(
            self.shelf,
            own,
            author=principal.user_id,
            redactor=self.redactor,
            personal=self._rooms.publisher.personal,
            limits=self.policy.files,
            consent=self.policy.may_remember(own),
        )

    def tidy(self) -> Tidied:
        """Consolidate across episodes now; `consolidate` does so by itself as often as the policy says.

        Repeated use of a tool becomes a candidate fact with its counterexamples, facts that say the same
        become one, and old alike episodes are put behind a digest that cites them.
        """
        return self.pipeline.across.tidy()

    @checked()
    def restore(self, record_id: str, *, principal: Principal | None = None) -> int:
        """Take apart again what was put together; how many records came back.

        Args:
            record_id: of a digest, whose episodes are recalled once more; or of a fact, which stands apart
                again from the one that it was merged into, or from all that were merged into it.
            principal: who decides about a merge; errors as for `confirm`. A digest needs none.

        Raises:
            UnknownRecordError: it is no digest, and nothing was merged there.
            ConfigurationError: a fact without a principal.
        """
        if not isinstance(self.repository.record(record_id), Fact):
            return self.pipeline.across.restore(record_id)
        if principal is None:
            raise ConfigurationError(
                f"fact {record_id!r} can't be restored without principal=: who decides about a merge?"
            )
        return self._rooms.decisions.part(record_id, principal)

    def backlog(self) -> Backlog:
        """What waits for consolidation and for how long, what is tried again, and what failed too often."""
        return self.log.activities.backlog(self.clock())

    def spent(self) -> Spent:
        """The calls and tokens that the model took for consolidation so far, in any process."""
        return self._rooms.account.total()

    @checked()
    def explain(self, receipt_id: str) -> Explanation:
        """The story of a recall or of a guard decision, by its id.

        A decision tells what was `offered` before it, `used` and `cited`, and what the guard would have said
        `without` each constraint; a recall tells what it offered and left out, and the `decisions` after it.

        Raises:
            UnknownRecordError: no receipt has this id.
        """
        return explained(receipt_id, self._rooms.receipts, self.repository)

    @checked()
    def explanations(self, kind: Literal["recall", "decision"] = "recall") -> list[Explanation]:
        """The stories of all recalls or of all guard decisions, oldest first."""
        return self._rooms.receipts.all(kind)

    @checked()
    def audit(self, record_id: str) -> list[AuditEntry]:
        """The decisions about a record, oldest first; by the words of a scope, who was refused to read it."""
        return self.repository.ledger.audit.of(record_id)

    @checked()
    def forget(
        self,
        scope: Scope,
        *,
        entity: str | None = None,
        fact_id: str | None = None,
        episode_id: str | None = None,
        source: str | None = None,
        actor_id: str | None = None,
        principal: Principal,
        saver: BaseCheckpointSaver[Any] | None = None,
    ) -> ForgetReceipt:
        """Delete for good what a scope and those below it hold, or one thing of it, with all derived from it.

        Events go with their payloads; what other facts need of them stays, without what is forgotten.
        Records that rest on nothing else go too, others are made anew from what is left. What is forgotten
        doesn't come back: the ids of its events are not taken again, and its values only from people with
        authority. Only a re-worded value can't be told from a new one.

        Args:
            scope: where, and below.
            entity: only what concerns this entity, by id or by a name of its own.
            fact_id: only this fact and its evidence.
            episode_id: only this episode and its events.
            source: only what came from this event id or evidence reference; what it ended holds again.
            actor_id: only what came from this actor, with the notes that agents took for it; what it ended
                holds again.
            principal: who asks; needs a grant, and the authority to set what is held there.
            saver: a checkpointer whose threads are deleted that held the events' messages.

        Returns:
            What went, what reading again still finds, and what is pending, with the reason.

        Raises:
            AccessDeniedError: the principal may not; the refusal is audited.
            ConfigurationError: more than one thing in one call.
            UnknownRecordError: no such fact or episode.
        """
        target = Target.of(
            scope, entity=entity, fact_id=fact_id, episode_id=episode_id, source=source, actor_id=actor_id
        )
        self._rooms.receipts.flush()
        forgetter = Forgetter(self.log, self.repository, self.shelf, self.store)
        return forgetter.forget(target, principal, saver)

    @checked()
    def related(self, record_id: str, relation: str, direction: str = "out") -> list[Related]:
        """What a record is related to; provenance can be walked from either end.

        Args:
            record_id: of an event, episode, fact or procedure; for `concerned` inwards the id of an entity.
            relation: `supported_by` (what it cites), `concerned` (its entities), `produced` (the facts of an
                episode), `used` (the procedure of an episode), `supersedes` (what was there before it) or
                `caused` (what an event founded or ended).
            direction: "out", or "in" for the other way: what cites it, what came of it.

        Returns:
            Records, or ids of entities.

        Raises:
            ConfigurationError: no such relation or direction.
            UnknownRecordError: no such record.
        """
        return Relations(self.log, self.repository).of(record_id, relation, direction)

    @checked("path")
    def export(self, scope: Scope, path: str | Path) -> ExportReport:
        """Write all that a scope and those below it hold to a file of JSON lines, with full provenance.

        Events come first, then episodes, facts of every status and procedures, each a line with its id and
        the schema version. No embedding is among them: any memory can take the file.
        """
        return export(
            scope, place("path", path), log=self.log, repository=self.repository, redactor=self.redactor
        )

    @checked("path")
    def import_(self, path: str | Path) -> ImportReport:
        """Take what an export holds, as far as this memory's own rules admit it.

        A fact counts as far as the events that it cites carry it, with the authority that this memory's
        policy gives those who spoke. One that differs from what they say, or whose status or end they don't
        carry, is left out with the reason, and made anew from them. What was forgotten or rejected here stays
        out. A second import of a file changes nothing. Activities of which the file has only events become
        due for consolidation, as do those in which people laid down more than its facts tell.

        Raises:
            IngestError: a line that is no record; then nothing of the file was taken.
        """
        gate = self._rooms.publisher
        return Importer(
            self.publish, self.log, self.repository, self.pipeline, self.redactor, gate.personal
        ).take(place("path", path))

    def close(self) -> None:
        """Write what is held back and close what this memory opened. Closing twice is fine."""
        if self._closed:
            return
        self._closed = True
        try:
            self.log.settle()
            self._rooms.receipts.flush()
        finally:
            for owned in self._owned:
                owned.close()

    def _same_entity(self, scope: Scope, entity: str) -> list[str]:
        expect(str, entity=entity)
        names = self.pipeline.names.of(scope).names.all
        forms = {entity, bare(entity)} | names.get(normalise(entity), frozenset())
        return sorted(forms)


@kept_of_texts(512)
def approximate_tokens(text: str) -> int:
    """Tokens of a text, as langchain-core estimates them without a tokenizer."""
    return count_tokens_approximately([text])


def _now() -> datetime:
    return datetime.now(UTC)
