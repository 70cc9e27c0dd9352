"""Saying something to the rules extractor, and telling what is expected of it."""

from dataclasses import dataclass
from datetime import UTC, datetime

from langgraph_memory.consolidation.candidates import Candidate
from langgraph_memory.consolidation.rules import RulesExtractor
from langgraph_memory.records import Actor, Event, FactKind
from langgraph_memory.scope import Scope

SCOPE = Scope.of(org="acme", workspace="staging")
ANA = Actor("user", "ana", roles={"lead"})
KNOWN = {
    "gpu-bench-01": "cloud-instance:i-09a8f",
    "gpu-bench-02": "cloud-instance:i-0b7c2",
    "payments-api": "service:payments-api",
    "reports-db": "database:reports",
    "INV-2201": "invoice:2201",
    "tx_992": "tx_992",
    "nightly-etl": "job:nightly-etl",
    "mobile-app": "repo:mobile-app",
    "Falcon": "project:falcon",
}


def event(text, number=0, *, actor=ANA, event_type="message.user", entities=()):
    return Event(
        event_id=f"event-{number}",
        occurred_at=datetime(2026, 3, 2, 9, number, tzinfo=UTC),
        scope=SCOPE,
        activity_id="activity-1",
        actor=actor,
        event_type=event_type,
        entities=entities,
        data={"text": text},
    )


def heard(*texts, known=None):
    """What is extracted when a user says these messages one after another."""
    events = [event(text, number) for number, text in enumerate(texts)]
    return RulesExtractor().extract(events, KNOWN if known is None else known)


@dataclass(frozen=True)
class Expected:
    """What one candidate has to be like; None leaves a field open."""

    kind: str | None = None
    entity: str | None = ""
    forbids: str | None = None
    ends: str | None = ""
    intent: str = "assert"
    hedged: bool = False
    attribute: str | None = None
    explicit: bool | None = None
    once: bool = False

    def fits(self, candidate: Candidate) -> bool:
        return all(
            (
                self.kind is None or candidate.kind is FactKind(self.kind),
                self.entity == "" or _same(self.entity, candidate.entity),
                self.forbids is None or set(self.forbids.split()) <= set(candidate.forbids),
                self.ends == "" or _has(self.ends, candidate.ends_when),
                candidate.intent == self.intent,
                (candidate.certainty == "hedged") == self.hedged,
                self.attribute is None or candidate.attribute == self.attribute,
                self.explicit is None or candidate.explicit == self.explicit,
                candidate.once == self.once,
            )
        )


def rule(entity="", forbids=None, ends="", **fields):
    return Expected("constraint", entity=entity, forbids=forbids, ends=ends, **fields)


def retire(entity="", attribute=None, **fields):
    return Expected(None, entity=entity, intent="retire", attribute=attribute, **fields)


def retract(entity="", **fields):
    return Expected(None, entity=entity, intent="retract", **fields)


def likes(attribute=None, **fields):
    return Expected("preference", entity=None, attribute=attribute, **fields)


def am(attribute, **fields):
    return Expected("identity", entity=None, attribute=attribute, **fields)


def works(attribute=None, **fields):
    return Expected("project", entity=None, attribute=attribute, **fields)


def fact(attribute=None, entity="", **fields):
    return Expected("fact", entity=entity, attribute=attribute, **fields)


def matches(candidates, expected):
    """Whether each candidate is one of the expected, and each expected is there."""
    return len(candidates) == len(expected) and all(any(e.fits(c) for c in candidates) for e in expected)


def _same(expected, entity):
    return (expected or "").casefold() == (entity or "").casefold()


def _has(expected, ends):
    return ends is None if expected is None else expected.casefold() in (ends or "").casefold()
