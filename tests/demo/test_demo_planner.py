"""The planner: from messages and a text to the next message, nothing else."""

import json

import pytest
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage
from langchain_core.tools import tool

from langgraph_memory.demo.planner import PLAYBOOK, choose_planner, plan
from langgraph_memory.evaluation.planner import model_planner
from langgraph_memory.testing import ScriptedChatModel

RULE = "- CONSTRAINT (current, set 2026-11-02, source ev_1) vm:i-1, policy: Keep gpu-1 running until May."


def instance(number, kind="gpu", state="running"):
    return {"id": f"i-{number}", "name": f"{kind}-{number}", "class": kind, "state": state}


def metrics(number, idle_hours, kind="gpu"):
    return {"id": f"i-{number}", "name": f"{kind}-{number}", "idle_hours": idle_hours, "avg_cpu_pct": 0.2}


def conversation(request, *rounds):
    """A thread: a request, then rounds of `(tool, args, output)`; an output that is a text is a failure."""
    messages = [HumanMessage(request)]
    for number, answers in enumerate(rounds):
        calls = [{"name": t, "args": a, "id": f"{number}-{n}"} for n, (t, a, _) in enumerate(answers)]
        messages.append(AIMessage("", tool_calls=calls))
        for call, (_, _, output) in zip(calls, answers, strict=True):
            status = "error" if isinstance(output, str) else "success"
            content = output if isinstance(output, str) else json.dumps(output)
            messages.append(ToolMessage(content, tool_call_id=call["id"], status=status))
    return messages


def listed(*instances):
    return [("list_instances", {}, {"instances": list(instances)})]


def measured(*outputs):
    return [("get_instance_metrics", {"instance_id": each["id"]}, each) for each in outputs]


def calls(message):
    return [(call["name"], call["args"].get("instance_id")) for call in message.tool_calls]


def test_a_cleanup_looks_first_and_measures_what_runs():
    request = "Run the weekly cleanup, please."
    assert calls(plan([HumanMessage(request)], "")) == [("list_instances", None)]
    seen = conversation(request, listed(instance(1), instance(2, state="stopped")))
    assert calls(plan(seen, "")) == [("get_instance_metrics", "i-1")]


@pytest.mark.parametrize(
    ("kind", "hours", "stops"),
    [("gpu", 71, False), ("gpu", 72, True), ("general", 335, False), ("general", 336, True)],
)
def test_a_cleanup_stops_what_has_been_idle_too_long_for_its_class(kind, hours, stops):
    seen = conversation("Run the cleanup.", listed(instance(1, kind)), measured(metrics(1, hours, kind)))
    assert calls(plan(seen, "")) == ([("stop_instance", "i-1")] if stops else [])


def test_a_rule_about_one_instance_holds_for_that_one():
    seen = conversation(
        "Run the cleanup.", listed(instance(1), instance(2)), measured(metrics(1, 90), metrics(2, 90))
    )
    assert calls(plan(seen, "")) == [("stop_instance", "i-1"), ("stop_instance", "i-2")]
    assert calls(plan(seen, RULE)) == [("stop_instance", "i-2")]
    stopped = [("stop_instance", {"instance_id": "i-2"}, instance(2, state="stopped"))]
    done = plan([*seen, *conversation("", stopped)[1:]], RULE)
    assert done.text == (
        'Cleanup done. Stopped gpu-2. Left gpu-1 running: "Keep gpu-1 running until May." (2026-11-02).'
    )


def test_a_refusal_is_reported_and_not_tried_again():
    seen = conversation(
        "Run the cleanup.",
        listed(instance(1)),
        measured(metrics(1, 90)),
        [("stop_instance", {"instance_id": "i-1"}, "stop_instance is blocked.")],
    )
    done = plan(seen, "")
    assert (calls(done), done.text) == ([], "Cleanup done. Could not stop gpu-1: stop_instance is blocked.")


def test_a_review_changes_nothing():
    seen = conversation("Give me a review.", listed(instance(1)), measured(metrics(1, 90)))
    done = plan(seen, "")
    assert (calls(done), done.text) == ([], "gpu-1: 0.2 % CPU, idle for 3 days.")


@pytest.mark.parametrize(
    ("request_", "call"),
    [
        ("Restart gpu-1. It is needed.", ("start_instance", "i-1")),
        ("Please stop i-1", ("stop_instance", "i-1")),
        ("Shut down gpu-1!", ("stop_instance", "i-1")),
    ],
)
def test_an_order_by_name_is_carried_out(request_, call):
    assert calls(plan([HumanMessage(request_)], "")) == [("list_instances", None)]
    assert calls(plan(conversation(request_, listed(instance(1))), "")) == [call]


def test_an_order_for_an_unknown_instance_is_refused():
    done = plan(conversation("Stop gpu-9.", listed(instance(1))), "")
    assert (calls(done), done.text) == ([], "There is no instance 'gpu-9'.")


def test_only_the_present_turn_counts():
    before = conversation("Run the cleanup.", listed(instance(1)), measured(metrics(1, 90)))
    after = [*before, AIMessage("Cleanup done."), HumanMessage("Run the cleanup.")]
    assert calls(plan(after, "")) == [("list_instances", None)]


def test_the_same_messages_give_the_same_message():
    seen = conversation("Run the cleanup.", listed(instance(1)))
    assert plan(seen, RULE) == plan(seen, RULE)
    assert plan(seen, RULE).id != plan(seen[:1], RULE).id


def test_a_model_gets_the_playbook_first_and_the_memory_last():
    model = ScriptedChatModel(["Done.", "Done."])
    planner = model_planner(model, PLAYBOOK)
    assert planner([HumanMessage("Run the cleanup.")], RULE).text == "Done."
    planner([HumanMessage("Run the cleanup.")], "")
    first, second = (list(call.messages) for call in model.calls)
    assert [message.text for message in first] == [PLAYBOOK, "Run the cleanup.", RULE]
    assert isinstance(first[0], SystemMessage)
    assert isinstance(first[-1], HumanMessage)
    assert len(second) == 2


def test_a_key_chooses_the_model():
    @tool
    def list_instances() -> str:
        """List."""
        return ""

    assert choose_planner([list_instances], {}) is plan
    assert choose_planner([list_instances], {"OPENAI_API_KEY": ""}) is plan
    assert choose_planner([list_instances], {"OPENAI_API_KEY": "none"}) is not plan
