"""What an application's own lookup says ends a rule; what an activity relied on is renewed."""

import pytest

from .cast import ANA, BOB, BOB_HIMSELF, BOBS, GPU, KEEP, RUNTIME, TEAM, Session


class Systems:
    """The application's lookup: knows which conditions are met."""

    def __init__(self):
        self.met, self.asked = {}, []

    def __call__(self, fact):
        self.asked.append(fact.ends_when)
        found = self.met.get(fact.ends_when)
        if isinstance(found, Exception):
            raise found
        return found


@pytest.fixture
def systems():
    return Systems()


@pytest.fixture
def live(systems):
    session = Session(lookup=systems)
    yield session
    session.memory.close()


def test_a_lookup_ends_what_it_finds_met(live, systems):
    live.rule(ends_when="ticket QA-7 is closed")
    live.rule(entity="db-1", value="Keep db-1 running", ends_when="ticket DB-1 is closed")
    live.memory.consolidate()
    assert len(live.memory.facts(TEAM)) == 2
    systems.met["ticket QA-7 is closed"] = "https://tickets.example/QA-7"
    live.later(minutes=10)
    live.memory.consolidate()
    assert live.values() == ["Keep db-1 running"]
    ended = live.facts(status=["retired"])[0]
    assert ended.counterexamples == ("https://tickets.example/QA-7",)
    assert live.memory.audit(ended.fact_id)[-1].actor == "lookup"
    assert "https://tickets.example/QA-7" in [event.evidence_ref for event in live.memory.events(TEAM)]


def test_the_guard_asks_before_it_holds_a_call_up(live, systems):
    live.rule(ends_when="ticket QA-7 is closed")
    assert live.stopping() == "block"
    systems.met["ticket QA-7 is closed"] = "https://tickets.example/QA-7"
    assert live.stopping() == "allow"
    assert live.values() == []


@pytest.mark.parametrize("answer", [None, True, "", RuntimeError("ticket system down")])
def test_any_other_answer_ends_nothing(live, systems, answer):
    systems.met["ticket QA-7 is closed"] = answer
    fact = live.rule(ends_when="ticket QA-7 is closed").fact
    live.memory.consolidate()
    assert live.stopping() == "block"
    noted = [entry.reason for entry in live.memory.audit(fact.fact_id)]
    assert any("ticket system down" in reason for reason in noted) == isinstance(answer, Exception)


def test_the_lookup_is_asked_now_and_then_about_conditions_alone(live, systems):
    live.rule(ends_when="ticket QA-7 is closed")
    live.rule(entity="db-1", value="Keep db-1 running")
    for _ in range(5):
        live.memory.consolidate()
    assert systems.asked == ["ticket QA-7 is closed"]


def prefer(session, value="vim"):
    return session.memory.assert_fact(
        scope=BOBS, entity="user:bob", attribute="editor", value=value, actor=BOB, kind="preference"
    ).fact


def act_on(session, activity, fact_id, *, receipt=None, correction=None):
    """An activity whose tool call cites a fact that a recall offered."""
    recall = session.memory.recall("editor", principal=BOB_HIMSELF, scope=BOBS, entities=("user:bob",))
    data = {"tool": "open_editor", "args": {}, "output": "ok", "cites": [fact_id]}
    data["receipt_id"] = receipt or recall.receipt_id
    session.publish(activity, "tool.completed", RUNTIME, data, scope=BOBS)
    if correction:
        session.publish(activity, "feedback.correction", BOB, {"text": correction}, scope=BOBS)
    session.publish(activity, "activity.completed", RUNTIME, {"status": "completed"}, scope=BOBS)
    session.memory.consolidate()


def test_a_fact_that_served_well_is_asserted_for_another_interval(session):
    fact = prefer(session)
    session.later(days=150)
    act_on(session, "act-1", fact.fact_id)
    session.later(days=100)
    session.memory.consolidate()
    kept = session.memory.facts(BOBS)[0]
    assert (kept.fact_id, kept.confirmed_at) == (fact.fact_id, fact.confirmed_at)
    assert "used" in [entry.decision for entry in session.memory.audit(fact.fact_id)]


@pytest.mark.parametrize("how", ["never", "corrected", "not offered"])
def test_without_that_it_falls_back(session, how):
    fact = prefer(session)
    session.later(days=150)
    if how == "corrected":
        act_on(session, "act-1", fact.fact_id, correction="That was the wrong file.")
    if how == "not offered":
        act_on(session, "act-1", fact.fact_id, receipt="recall_nowhere")
    session.later(days=100)
    session.memory.consolidate()
    assert [f.fact_id for f in session.facts(BOBS, ["candidate"])] == [fact.fact_id]


def test_a_fact_that_fell_back_is_lifted_by_an_activity_that_had_begun_with_it(session):
    fact = prefer(session)
    session.later(days=170)
    recall = session.memory.recall("editor", principal=BOB_HIMSELF, scope=BOBS, entities=("user:bob",))
    session.later(days=20)
    session.memory.consolidate()
    assert session.values(BOBS) == []
    act_on(session, "act-1", fact.fact_id, receipt=recall.receipt_id)
    assert session.values(BOBS) == ["vim"]


def test_a_rule_that_was_obeyed_is_not_confirmed_by_that(session):
    fact = session.rule().fact
    session.later(days=150)
    recall = session.memory.recall("x", principal=ANA, scope=TEAM, entities=(GPU,))
    data = {
        "tool": "tag",
        "args": {},
        "output": "ok",
        "cites": [fact.fact_id],
        "receipt_id": recall.receipt_id,
    }
    session.publish("act-1", "tool.completed", RUNTIME, data)
    session.publish("act-1", "activity.completed", RUNTIME, {})
    session.later(days=100)
    session.memory.consolidate()
    assert session.values(status=["candidate"]) == [KEEP]


@pytest.mark.parametrize(("budget", "most"), [(800, 10), (8_000, 40)])
def test_a_larger_budget_brings_more_of_what_fits(session, budget, most):
    for number in range(40):
        session.rule(
            entity=f"trip-{number}",
            attribute="plan",
            value=f"By bus to lake {number}",
            kind="fact",
            forbids=(),
        )
    recall = session.memory.recall("by bus to the lake", principal=ANA, scope=TEAM, token_budget=budget)
    assert len(recall.items) == most
    assert recall.tokens <= budget
