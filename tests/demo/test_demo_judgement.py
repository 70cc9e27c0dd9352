"""The judge: it compares the cloud with who needs what, and decisions with what was laid down."""

import io

import pytest
from langchain_core.messages import AIMessage
from rich.console import Console

from langgraph_memory.answers import ConsolidationReport, Recall
from langgraph_memory.demo.judgement import Judgement, Law, judge
from langgraph_memory.demo.script import KEEP, RELEASE, REMARK, script
from langgraph_memory.demo.show import show_table
from langgraph_memory.demo.staging import DEVELOPER, FRIDAY, MACHINES, THURSDAY, staging_cloud
from langgraph_memory.demo.steps import Step
from langgraph_memory.demo.story import Played, Story
from langgraph_memory.evaluation.amounts import Amount, Offer
from langgraph_memory.testing import FrozenClock

GPU = MACHINES[0]


def law(*threads, **variant):
    """What is laid down when these sessions have been."""
    known = Law()
    for session in script(**variant):
        if session.thread in threads:
            known.read(session)
    return known


def step(text="", *stops):
    numbered = [
        {"name": "stop_instance", "args": {"instance_id": machine}, "id": f"c{n}"}
        for n, machine in enumerate(stops)
    ]
    recall = Recall(receipt_id="recall_1", text=text)
    return Step(offer=Offer(recall=recall, milliseconds=1.0), message=AIMessage("", tool_calls=numbered))


@pytest.mark.parametrize(
    ("moment", "stop", "outcome"),
    [
        (THURSDAY, True, "wrong stop"),
        (THURSDAY, False, "right hold"),
        (THURSDAY.replace(day=12), True, "right stop"),
        (THURSDAY.replace(day=12), False, "wrong hold"),
    ],
)
def test_a_decision_is_right_by_who_needs_the_machine(moment, stop, outcome):
    clock = FrozenClock(moment)
    with staging_cloud(clock, FRIDAY) as cloud:
        before = {machine.id: "running" for machine in cloud.machines()}
        if stop:
            cloud.set_state(GPU.id, "stopped")
        judged = judge(cloud, Law(), before, [step()])
    assert {each.machine.name: each.outcome for each in judged}[GPU.name] == outcome


def test_what_is_busy_or_was_stopped_before_is_not_judged():
    with staging_cloud(FrozenClock(THURSDAY), FRIDAY) as cloud:
        for machine in cloud.machines():
            cloud.set_state(machine.id, "stopped")
        assert judge(cloud, Law(), {machine.id: "stopped" for machine in MACHINES}, [step()]) == ()
    with staging_cloud(FrozenClock(THURSDAY), FRIDAY) as cloud:
        judged = judge(cloud, Law(), {machine.id: "running" for machine in MACHINES}, [step()])
        assert {each.machine.name for each in judged} == {"gpu-bench-01", "dev-sandbox-04"}


def test_attempts_count_only_against_an_instruction_in_force():
    for known, expected in ((law("monday"), 2), (law("monday", "release"), 0), (Law(), 0)):
        with staging_cloud(FrozenClock(THURSDAY), FRIDAY) as cloud:
            before = {machine.id: "running" for machine in MACHINES}
            steps = [step("", GPU.id, "i-1c77e"), step("", GPU.id)]
            judged = {each.machine.name: each for each in judge(cloud, known, before, steps)}
        assert judged[GPU.name].prohibited == expected
        assert judged["dev-sandbox-04"].prohibited == 0


def test_the_last_word_with_authority_is_in_force():
    assert law("monday").prohibits(GPU.name)
    assert law("monday", "midweek").prohibits(GPU.name)
    assert not law("monday", "midweek", "release").prohibits(GPU.name)
    assert not law("monday", corrected_by=DEVELOPER).prohibits(GPU.name)
    assert not law("monday").prohibits("dev-sandbox-04")


@pytest.mark.parametrize(
    ("threads", "did", "shown", "misled"),
    [
        (("monday", "midweek"), "free", f"{KEEP} {REMARK}", True),
        (("monday", "midweek"), "free", KEEP, False),
        (("monday", "midweek"), "keep", f"{KEEP} {REMARK}", False),
        (("monday", "midweek", "release"), "keep", KEEP, True),
        (("monday", "midweek", "release"), "keep", "", False),
        (("monday", "midweek", "release"), "free", f"{KEEP} {REMARK} {RELEASE}", False),
        ((), "free", REMARK, False),
    ],
)
def test_a_decision_rests_on_what_is_not_in_force(threads, did, shown, misled):
    assert law(*threads).misled(GPU.name, did, shown) == misled


def test_the_table_counts_the_judgements_that_count():
    def judgement(outcome, **more):
        return Judgement(machine=GPU, outcome=outcome, **({"prohibited": 0, "misled": False} | more))

    def story(arm, *judged):
        return Story(arm=arm, sessions=tuple(_played(*each) for each in judged), seconds=2.0)

    def _played(counted, *judgements):
        session = script()[4].model_copy(update={"counted": counted})
        return Played(session, (step(),), (), judgements, (), ConsolidationReport())

    wrong = judgement("wrong stop", prohibited=2, misled=True)
    stories = [
        story(Amount.NONE, (False, wrong), (True, wrong, judgement("wrong hold"), judgement("right stop"))),
        story(Amount.FULL, (False, wrong), (True, judgement("right hold"))),
    ]
    screen = io.StringIO()
    show_table(Console(file=screen, width=160), stories)
    rows = [[cell.strip() for cell in line.split("│")[1:-1]] for line in screen.getvalue().splitlines()]
    assert [row for row in rows if len(row) == 8] == [
        ["no memory", "1", "1", "2", "1", "1", "1.0", "2.0"],
        ["full", "0", "0", "0", "0", "1", "1.0", "2.0"],
    ]
    assert "no memory 1, full 1" in screen.getvalue()
