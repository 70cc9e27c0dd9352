"""The rooms of one memory, each built on those below it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Self

from langchain_core.language_models import BaseChatModel
from langgraph.store.base import BaseStore

from langgraph_memory.checking import Checks
from langgraph_memory.consolidation.candidates import Extractor
from langgraph_memory.consolidation.episodes import Narrator
from langgraph_memory.consolidation.facts.citing import Shown
from langgraph_memory.consolidation.facts.decisions import Decisions
from langgraph_memory.consolidation.facts.lookups import Lookup
from langgraph_memory.consolidation.facts.questions import Questions
from langgraph_memory.consolidation.learning import Learner
from langgraph_memory.consolidation.learning.behaviour import Behaviour
from langgraph_memory.consolidation.learning.model_rules import ModelRuleWriter
from langgraph_memory.consolidation.model import ModelExtractor, ModelNarrator
from langgraph_memory.consolidation.model.account import Account
from langgraph_memory.consolidation.model.spending import Meter
from langgraph_memory.consolidation.pipeline import Pipeline
from langgraph_memory.consolidation.rules import RulesExtractor
from langgraph_memory.files import Shelf
from langgraph_memory.log import EventLog
from langgraph_memory.log.approvals import Approvals
from langgraph_memory.log.ledger import Ledger
from langgraph_memory.lookahead import Lookahead
from langgraph_memory.playbooks import Procedures, ToolRegister
from langgraph_memory.playbooks.offers import Offers
from langgraph_memory.policy import Policy
from langgraph_memory.publishing.learnt_names import LearntNames
from langgraph_memory.publishing.publisher import Publisher
from langgraph_memory.receipts import Receipts
from langgraph_memory.redaction import Redactor, chain
from langgraph_memory.redaction.personal import PersonalRules
from langgraph_memory.repository import Repository
from langgraph_memory.retrieval.guard import Guard
from langgraph_memory.retrieval.recall import Recaller
from langgraph_memory.store import HybridStore


@dataclass(frozen=True, kw_only=True)
class Rooms:
    """What `Memory` is the face of."""

    repository: Repository
    publisher: Publisher
    procedures: Procedures
    behaviour: Behaviour
    pipeline: Pipeline
    account: Account
    recaller: Recaller
    checks: Checks
    decisions: Decisions
    questions: Questions
    receipts: Receipts
    offers: Offers
    shown: Shown
    shelf: Shelf
    approvals: Approvals

    @classmethod
    def built(
        cls,
        store: BaseStore,
        log: EventLog,
        *,
        policy: Policy,
        model: BaseChatModel | None,
        extractor: Extractor | None,
        narrator: Narrator | None,
        clock: Callable[[], datetime],
        count_tokens: Callable[[str], int],
        redactor: Redactor,
        lookup: Lookup | None,
    ) -> Self:
        """The rooms over a store and a log; the arguments are those of `Memory`."""
        records = store.private() if isinstance(store, HybridStore) else store
        ledger, rules, meter = Ledger(log.database), RulesExtractor(), Meter()
        repository = Repository(records, ledger, policy, clock)
        told = chain(redactor, PersonalRules(policy.personal).without_refusals())
        receipts, offers, tools = Receipts(ledger, told), Offers(), ToolRegister(ledger, clock)
        shown = Shown()
        publisher = Publisher(
            log, LearntNames(ledger), receipts, offers, shown, policy=policy, redactor=redactor, clock=clock
        )
        writer = ModelRuleWriter(model) if model else None
        behaviour = Behaviour(repository, writer=writer, publish=publisher.publish, clock=clock)
        account = Account(log.database, meter)
        pipeline = Pipeline(
            log,
            repository,
            extractor=extractor or (ModelExtractor(model, meter, most=policy.prompts) if model else rules),
            narrator=narrator or (ModelNarrator(model, meter) if model else None),
            learner=Learner(log, repository, tools, behaviour, clock),
            clock=clock,
            account=account,
            lookup=lookup,
        )
        guard = Guard(repository, Lookahead(log, repository, rules).constraints)
        return cls(
            repository=repository,
            publisher=publisher,
            procedures=Procedures(
                repository, tools, redactor=publisher.redactor, personal=publisher.personal, clock=clock
            ),
            behaviour=behaviour,
            pipeline=pipeline,
            account=account,
            recaller=Recaller(repository, log, clock=clock, count=count_tokens, tools=tools),
            checks=Checks(guard, pipeline.conditions, receipts, clock),
            decisions=Decisions(repository, publisher.publish, clock),
            questions=Questions(repository),
            receipts=receipts,
            offers=offers,
            shown=shown,
            shelf=Shelf(records, ledger, clock),
            approvals=Approvals(ledger),
        )
