"""A chat model as extractor and narrator: it proposes, the same gates as for rules decide."""

from datetime import UTC, datetime

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Scope
from langgraph_memory.testing import FrozenClock, ScriptedChatModel

TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"lead"})
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
SAID = "We agreed that nobody touches db-7 before the audit on 12 May is over."


def proposal(**changes):
    fact = {
        "entity": "db-7",
        "attribute": "lifecycle_policy",
        "value": "nobody touches db-7",
        "kind": "constraint",
        "forbids": ["*"],
        "ends_when": "the audit on 12 May is over",
        "event_ids": ["said"],
    }
    return {"facts": [fact | changes]}


def consolidated(extraction, *, actor=LEAD):
    """A memory that heard one sentence and whose model answered with this extraction."""
    model = ScriptedChatModel([extraction, {"summary": "The team froze db-7.", "resolution": None}])
    memory = Memory.open(
        ":memory:", model=model, policy=POLICY, clock=FrozenClock(datetime(2026, 5, 1, tzinfo=UTC))
    )
    memory.publish(
        scope=TEAM,
        activity_id="a",
        event_type="message.user",
        actor=actor,
        data={"text": SAID},
        event_id="said",
    )
    memory.publish(scope=TEAM, activity_id="a", event_type="activity.completed", actor=Actor("agent", "bot"))
    memory.consolidate()
    return memory


def test_what_the_model_read_becomes_a_rule_and_its_words_the_episode():
    with consolidated(proposal()) as memory:
        (rule,) = memory.facts(TEAM)
        assert (rule.entity, rule.ends_when, rule.authority_role) == (
            "db-7",
            "the audit on 12 May is over",
            "lead",
        )
        (episode,) = memory.episodes(TEAM)
        assert episode.summary == "The team froze db-7."
        assert episode.sources[0] == "said"


@pytest.mark.parametrize(
    ("changes", "why"),
    [
        ({"event_ids": ["somewhere else"]}, "cites an event that this activity does not have"),
        ({"value": "nobody touches db-8"}, "do not support"),
        ({"ends_when": "the audit on 13 May is over"}, "do not support"),
        ({"value": "restart the payment gateway every night at noon"}, "do not support"),
        ({"entity": "db-9"}, "unknown or ambiguous"),
    ],
)
def test_what_the_words_do_not_carry_is_dropped_and_audited(changes, why):
    with consolidated(proposal(**changes)) as memory:
        assert memory.facts(TEAM, status=["current", "candidate", "unverified"]) == []
        dropped = [entry for entry in memory.audit("ep_a") if entry.decision == "dropped"]
        assert [why in entry.reason for entry in dropped] == [True]


def test_the_model_gives_nobody_authority():
    with consolidated(proposal(), actor=Actor("user", "dan", roles={"developer"})) as memory:
        assert memory.facts(TEAM) == []
        assert [fact.asserted_by for fact in memory.facts(TEAM, status=["unverified"])] == ["dan"]
