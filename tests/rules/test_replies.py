"""What is said over several turns of one thread: a reply means what it replies to."""

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope

TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"lead"})
AGENT = Actor("agent", "ops-bot")
READER = Principal("reader", grants=(TEAM,))


@pytest.fixture
def thread():
    """Plays turns, each request an activity of its own, and tells what becomes of stopping two machines."""
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
    with Memory.open(":memory:", policy=policy, index=None) as memory:

        def publish(activity, event_type, actor, **data):
            memory.publish(
                scope=TEAM,
                activity_id=activity,
                event_type=event_type,
                actor=actor,
                data=data,
                thread_id="t",
                wait=event_type == "activity.completed",
            )

        def play(*turns):
            machines = [{"id": "gpu-1", "name": "Bench"}, {"id": "gpu-2", "name": "Spare"}]
            publish("look", "tool.completed", Actor("tool", "list"), tool="list", args={}, output=machines)
            publish("look", "activity.completed", AGENT)
            for number, (asked, answer) in enumerate(turns):
                publish(f"a{number}", "message.user", LEAD, text=asked)
                publish(f"a{number}", "message.agent", AGENT, text=answer)
                publish(f"a{number}", "activity.completed", AGENT)
            calls = ({"name": name} for name in ("gpu-1", "gpu-2"))
            return [memory.check("stop_server", c, principal=READER, scope=TEAM).outcome for c in calls]

        play.memory = memory
        yield play


@pytest.mark.parametrize("said", ["Please don't stop it.", "Don't stop it anyway.", "Then leave it running."])
def test_a_pronoun_reaches_back_into_the_turn_before(thread, said):
    assert thread(("Is gpu-1 idle?", "Yes, for nine days."), (said, "Noted.")) == ["block", "allow"]


@pytest.mark.parametrize("said", ["No, never.", "No, please don't.", "No. Leave it alone.", "Don't do that."])
@pytest.mark.parametrize("asked", ["Shall I stop gpu-1?", "I am going to stop gpu-1 now."])
def test_a_no_holds_what_the_agent_named(thread, said, asked):
    assert thread(("Clean up.", asked), (said, "All right.")) == ["defer", "allow"]


@pytest.mark.parametrize(
    "said", ["No problem, thanks.", "Yes please.", "Thank you!", "Don't worry about it."]
)
def test_other_replies_hold_nothing(thread, said):
    assert thread(("Clean up.", "Shall I stop gpu-1?"), (said, "All right.")) == ["allow", "allow"]


@pytest.mark.parametrize("said", ["That was wrong, QA still needs it.", "You shouldn't have done that."])
def test_an_objection_to_what_was_done_holds_it(thread, said):
    assert thread(("Stop gpu-1.", "I have stopped gpu-1."), (said, "Sorry.")) == ["defer", "allow"]


def test_what_was_said_before_is_read_in_its_own_activity_alone(thread):
    thread(("Keep gpu-1 running until May.", "Noted."), ("Is it idle?", "Yes."))
    (rule,) = thread.memory.facts(TEAM)
    assert rule.corroboration == ("a0",)
