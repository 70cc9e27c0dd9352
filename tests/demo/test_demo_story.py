"""What the agent decides in the week of the demo, with each amount of memory."""

import pytest
from langchain_core.messages import ToolMessage

from langgraph_memory import Memory
from langgraph_memory.demo.planner import plan
from langgraph_memory.demo.script import KEEP, script
from langgraph_memory.demo.show import counted
from langgraph_memory.demo.staging import DEVELOPER, POLICY, STAGING
from langgraph_memory.demo.story import play
from langgraph_memory.evaluation.amounts import Amount
from langgraph_memory.records import FactStatus

UNTIL = "until QA migrates the suite to the shared Kubernetes cluster"


def session(story, thread):
    (played,) = (played for played in story.sessions if played.session.thread == thread)
    return played


def outcomes(played):
    return {judgement.machine.name: judgement.outcome for judgement in played.judgements}


def wrong(story):
    return [judgement for judgement in counted(story) if judgement.outcome.startswith("wrong")]


def test_the_full_arm_alone_decides_rightly(told):
    assert [arm for arm in Amount if not wrong(told(arm))] == [Amount.FULL]


@pytest.mark.parametrize("arm", Amount)
def test_friday_goes_wrong_with_any_memory_and_is_found_out_at_night(told, arm):
    story = told(arm)
    assert outcomes(session(story, "friday")) == {"gpu-bench-01": "wrong stop"}
    (failed,) = session(story, "monday").incidents
    assert (failed.team, failed.machine_id) == ("QA", "i-09a8f")


def test_thursday_stops_the_sandbox_and_leaves_the_benchmark_machine(told):
    thursday = session(told(Amount.FULL), "thursday")
    assert outcomes(thursday) == {"dev-sandbox-04": "right stop", "gpu-bench-01": "right hold"}
    assert "gpu-bench-01" not in thursday.session.says[0]
    assert UNTIL in thursday.steps[-1].message.text
    assert [decision.outcome for decision in thursday.tried] == ["block"]
    assert not session(told(Amount.FULL), "release").incidents


def test_the_rule_comes_to_the_front_once_the_machine_is_known(told):
    steps = session(told(Amount.FULL), "thursday").steps
    found = [step.offer.recall.items[0] for step in steps]
    assert [item.record.kind for item in found] == ["constraint"] * len(steps)
    assert "entity" not in found[0].reasons
    assert all("entity" in item.reasons for item in found[1:])


def test_after_the_release_the_machine_may_go(told):
    last = session(told(Amount.FULL), "next-thursday")
    assert outcomes(last) == {"gpu-bench-01": "right stop"}
    assert any(omission.reason == "retired" for omission in last.steps[-1].offer.recall.omitted)


@pytest.mark.parametrize("arm", [Amount.NONE, Amount.RAW_LOG, Amount.EPISODES])
def test_without_all_of_memory_the_same_machine_is_stopped_twice(told, arm):
    thursday = session(told(arm), "thursday")
    assert outcomes(thursday)["gpu-bench-01"] == "wrong stop"
    assert sum(judgement.prohibited for judgement in thursday.judgements) == 1
    assert [job.team for job in session(told(arm), "release").incidents] == ["QA"]


def test_episodes_alone_give_way_to_a_guess(told):
    """Monday's instruction is before the planner, and so is the developer's remark, which is later."""
    thursday = session(told(Amount.EPISODES), "thursday")
    assert KEEP in thursday.steps[-1].offer.recall.render()
    assert [j.machine.name for j in thursday.judgements if j.misled] == ["gpu-bench-01"]


def test_similar_messages_of_the_log_are_older_requests_of_the_same_kind(told):
    recalled = session(told(Amount.RAW_LOG), "thursday").steps[-1].offer.recall
    assert recalled.items
    assert KEEP not in recalled.render()


def test_without_the_correction_the_full_arm_stops_the_machine_again(told):
    story = told(Amount.FULL, correction=False)
    assert outcomes(session(story, "thursday"))["gpu-bench-01"] == "wrong stop"
    assert sum(judgement.prohibited for judgement in counted(story)) == 0


def test_a_correction_without_authority_changes_nothing(tmp_path):
    story = play(Amount.FULL, script(corrected_by=DEVELOPER)[:-2], folder=tmp_path / "memory")
    assert outcomes(session(story, "thursday"))["gpu-bench-01"] == "wrong stop"
    with Memory.open(tmp_path / "memory", policy=POLICY) as memory:
        facts = memory.facts(STAGING, status=tuple(FactStatus))
    assert any(UNTIL in f"until {fact.ends_when}" for fact in facts)
    assert {fact.status for fact in facts} == {"unverified"}


def test_a_planner_that_does_not_read_is_stopped_by_the_guard():
    story = play(Amount.FULL, script(), planner_for=lambda _: lambda messages, memory: plan(messages, ""))
    thursday = session(story, "thursday")
    assert outcomes(thursday) == {"dev-sandbox-04": "right stop", "gpu-bench-01": "right hold"}
    assert sum(judgement.prohibited for judgement in thursday.judgements) == 1
    blocked = [d for step in thursday.steps for d in step.decisions if d.outcome == "block"]
    assert [decision.action for decision in blocked] == ["stop_instance"]
    assert f"Could not stop gpu-bench-01: {blocked[0].message}" in thursday.steps[-1].message.text
    assert not wrong(story)


def test_a_planner_that_never_stops_holds_wrongly():
    """The judge sees what the cloud shows, whatever the agent says about it."""

    def boast(messages, _memory):
        turn = plan(messages, "")
        idle = any(call["name"] == "stop_instance" for call in turn.tool_calls)
        done = isinstance(messages[-1], ToolMessage) and idle
        return turn.model_copy(update={"content": "Stopped it all.", "tool_calls": []}) if done else turn

    story = play(Amount.NONE, script()[:5], planner_for=lambda _: boast)
    assert session(story, "friday").steps[-1].message.text == "Stopped it all."
    assert outcomes(session(story, "friday")) == {"gpu-bench-01": "right hold"}


def test_the_same_script_gives_the_same_story(told):
    again = play(Amount.FULL, script())
    assert _course(again) == _course(told(Amount.FULL))


def _course(story):
    """All that happened, without the time it took."""
    return [
        (
            played.session.thread,
            played.judgements,
            played.report,
            [(step.message.id, step.message.text, step.message.tool_calls) for step in played.steps],
            [step.offer.recall.render() for step in played.steps],
        )
        for played in story.sessions
    ]
