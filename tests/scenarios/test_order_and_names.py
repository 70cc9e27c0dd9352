"""Statements that arrive out of order, endings by names that tools brought, extractors that give nonsense."""

from datetime import timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from .cast import ANA, DEVELOPER, GPU, KEEP, LEAD, TEAM, Session

RELEASE = f"{GPU} no longer needs to stay up, it can be stopped again."


def renamed(name):
    """A tool output that gives the machine another display name."""
    return [("list_instances", {}, [{"id": GPU, "name": name}])]


@settings(max_examples=25)
@given(arrival=st.permutations(range(4)))
def test_whatever_the_order_of_arrival_what_was_said_last_holds(arrival):
    session = Session()
    with session.memory as memory:
        said = [session.clock() + timedelta(hours=hour) for hour in range(4)]
        session.later(days=1)
        for number in arrival:
            session.says(LEAD, f"Keep {GPU} running until step {number} is done.", at=said[number])
        assert [fact.ends_when for fact in memory.facts(TEAM)] == ["step 3 is done"]
        assert len(session.facts()) == 4


def test_a_release_from_before_the_rule_does_not_end_it(session):
    earlier = session.clock()
    session.later(days=7)
    session.rule()
    session.says(LEAD, RELEASE, at=earlier)
    assert session.values() == [KEEP]
    session.later(days=1)
    session.says(LEAD, RELEASE)
    assert session.values() == []


def test_a_release_from_before_the_last_confirmation_does_not_end_it(session):
    fact = session.rule().fact
    session.later(days=1)
    between = session.clock()
    session.later(days=1)
    session.memory.confirm(fact.fact_id, principal=ANA)
    session.says(LEAD, RELEASE, at=between)
    assert session.values() == [KEEP]


def test_a_change_that_arrives_late_is_kept_as_overtaken(session):
    earlier = session.clock()
    session.later(days=7)
    session.rule()
    session.says(LEAD, f"Keep {GPU} running until Tuesday.", at=earlier)
    assert session.values() == [KEEP]
    overtaken = session.facts(status=["superseded"])
    assert [fact.asserted_at for fact in overtaken] == [earlier]
    session.later(days=1)
    session.says(LEAD, f"Keep {GPU} running until Tuesday.")
    assert len(session.memory.facts(TEAM)) == 1
    assert session.values() != [KEEP]


def test_a_rule_from_before_its_end_does_not_come_back(session):
    fact = session.rule(evidence_ref="trace://1").fact
    session.later(days=1)
    between = session.clock()
    session.later(days=1)
    session.memory.retire(fact.fact_id, principal=ANA, evidence_ref="ticket://1")
    session.says(LEAD, f"Please keep {GPU} running.", at=between)
    assert session.values() == []
    session.later(days=1)
    session.says(LEAD, f"Please keep {GPU} running.")
    assert len(session.memory.facts(TEAM)) == 1


def test_a_name_that_only_a_tool_brought_does_not_end_a_rule(session):
    session.rule()
    session.later(days=1)
    session.says(LEAD, "You can stop web-7.", tools=renamed("web-7"))
    assert session.values() == [KEEP]
    assert session.stopping("web-7") == session.stopping(GPU) == "block"
    question = session.memory.questions(TEAM, principal=ANA)[0]
    assert (question.held.value, question.fact.value.rstrip(".")) == (KEEP, "You can stop web-7")


def test_confirming_that_question_ends_the_rule(session):
    session.rule()
    session.later(days=1)
    session.says(LEAD, "You can stop web-7.", tools=renamed("web-7"))
    question = session.memory.questions(TEAM, principal=ANA)[0]
    assert session.memory.confirm(question.fact.fact_id, principal=ANA).outcome == "retired"
    assert session.values() == []
    assert session.memory.questions(TEAM, principal=ANA) == []
    assert session.stopping() == "allow"


@pytest.mark.parametrize("first", ["rule", "tool"])
def test_a_name_that_people_use_ends_a_rule(session, first):
    tools = [("list_instances", {}, [{"id": "i-09a8f", "type": "vm", "name": GPU}])]
    session.says(LEAD, f"Keep {GPU} running until QA has migrated.", tools=tools if first == "tool" else ())
    session.later(days=1)
    session.says(DEVELOPER, "What is running?", tools=tools)
    assert len(session.memory.facts(TEAM)) == 1
    session.says(LEAD, RELEASE)
    assert session.memory.facts(TEAM) == []


def test_a_name_in_the_rule_itself_is_a_name_that_people_use(session):
    session.rule(entity="i-09a8f")
    session.later(days=1)
    tools = [("list_instances", {}, [{"id": "i-09a8f", "name": GPU}])]
    session.says(LEAD, RELEASE, tools=tools)
    assert session.values() == []


@pytest.mark.parametrize("listed_first", [True, False])
def test_who_protects_a_name_that_several_things_have_can_lift_that_by_the_name(session, listed_first):
    twins = [("list_instances", {}, [{"id": "i-01", "name": "twin-box"}, {"id": "i-02", "name": "twin-box"}])]
    session.says(LEAD, "Have a look.", tools=twins if listed_first else ())
    session.says(LEAD, "Never stop twin-box.")
    session.says(LEAD, "Have a look.", tools=twins)
    assert {session.stopping(name) for name in ("twin-box", "i-01", "i-02")} == {"block"}
    session.later(days=1)
    session.says(DEVELOPER, "You may stop twin-box.")
    assert session.stopping("twin-box") == "block"
    session.says(LEAD, "You may stop twin-box.")
    assert {session.stopping(name) for name in ("twin-box", "i-01", "i-02")} == {"allow"}


def test_the_end_counts_where_a_call_by_the_name_has_just_been_refused(session):
    session.says(LEAD, f"Never stop {GPU}.")
    session.says(LEAD, "Have a look.", tools=[("list_instances", {}, [{"id": "i-01", "name": GPU}])])
    session.later(days=1)
    refused = [("stop_instance", {"name": GPU}, {"error": "refused"})]
    session.says(LEAD, f"{GPU} may be stopped.", tools=refused)
    assert session.stopping() == "allow"


def test_an_end_by_a_name_that_several_things_have_is_asked_about_for_each_that_a_rule_holds(session):
    for held in ("i-01", "i-02"):
        session.says(LEAD, f"Never stop {held}.")
    named = [{"id": held, "name": "twin-box"} for held in ("i-01", "i-02", "i-03")]
    session.says(LEAD, "Have a look.", tools=[("list_instances", {}, named)])
    session.later(days=1)
    session.says(LEAD, "You may stop twin-box.")
    assert {session.stopping(name) for name in ("i-01", "i-02")} == {"block"}
    waiting = session.memory.questions(TEAM, principal=ANA)
    asked = {question.fact.entity: question.fact for question in waiting}
    assert sorted(asked) == ["i-01", "i-02"]
    session.memory.confirm(asked["i-01"].fact_id, principal=ANA)
    assert (session.stopping("i-01"), session.stopping("i-02")) == ("allow", "block")


@pytest.mark.parametrize("given", [None, "rules", [None], [{"value": "x"}], 7])
def test_an_extractor_that_gives_nonsense_is_a_failed_attempt(given):
    class Odd:
        def extract(self, events, known):
            return given

    session = Session(extractor=Odd())
    with session.memory as memory:
        session.says(LEAD, KEEP)
        assert [episode.activity_id for episode in memory.episodes(TEAM)] == ["act-1"]
        for _ in range(memory.policy.max_attempts):
            session.later(hours=12)
            memory.consolidate()
        (scope, activity, error) = memory.backlog().dead[0]
        assert (scope, activity) == (TEAM.key, "act-1")
        assert "extractor" in error


def test_hearing_a_guess_in_another_activity_makes_it_hold(session):
    guess = f"I think we should keep {GPU} running."
    session.says(LEAD, guess)
    assert session.values() == []
    session.later(hours=1)
    session.says(LEAD, guess)
    assert [fact.confirmation for fact in session.memory.facts(TEAM)] == ["corroborated"]


def test_repeating_a_guess_in_one_activity_does_not(session):
    guess = f"I think we should keep {GPU} running."
    session.says(LEAD, guess, guess, guess)
    assert session.values() == []
    assert len(session.facts(status=["candidate"])) == 1


def test_a_guess_heard_twice_does_not_replace_a_rule(session):
    session.rule()
    for _ in range(3):
        session.later(hours=1)
        session.says(LEAD, f"I think we should keep {GPU} running until Friday.")
    assert session.values() == [KEEP]
    assert session.clock() - session.memory.facts(TEAM)[0].asserted_at == timedelta(hours=3)
