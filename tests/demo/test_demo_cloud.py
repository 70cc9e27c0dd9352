"""The simulated cloud: what it shows, and what it knows."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from langchain_core.messages import AIMessage
from langgraph.graph import END, START, MessagesState, StateGraph
from langgraph.prebuilt import ToolNode

from langgraph_memory.demo.cloud import IDLE_CPU, Cloud, Job, Machine, UnknownMachineError
from langgraph_memory.demo.staging import FRIDAY, staging_cloud
from langgraph_memory.demo.tools import cloud_tools
from langgraph_memory.testing import FrozenClock

NOON = datetime(2026, 3, 4, 12, tzinfo=UTC)
HOUR = timedelta(hours=1)
BOX = Machine(id="m-1", name="box-1", kind="general", hourly_usd=0.1)


def job(starts, lasts, cpu=50):
    return Job(
        name="work", team="QA", machine_id="m-1", starts_at=NOON + starts * HOUR,
        ends_at=NOON + (starts + lasts) * HOUR, cpu_pct=cpu,
    )  # fmt: skip


@pytest.fixture
def clock():
    return FrozenClock(NOON)


@pytest.fixture
def cloud_with(clock):
    opened = []

    def build(*jobs):
        opened.append(Cloud([BOX], jobs, since=NOON - 100 * HOUR, clock=clock))
        return opened[-1]

    yield build
    for cloud in opened:
        cloud.close()


def test_load_is_that_of_the_jobs_that_ran(cloud_with):
    cloud = cloud_with(job(-10, 5, cpu=80))
    assert cloud.average_cpu("m-1", 10 * HOUR) == pytest.approx((80 + IDLE_CPU) / 2, abs=0.1)
    assert cloud.average_cpu("m-1", 5 * HOUR) == IDLE_CPU
    assert cloud.idle_time("m-1") == 5 * HOUR


def test_a_machine_is_not_idle_while_a_job_runs_and_always_was_without_any(cloud_with):
    assert cloud_with(job(-1, 2)).idle_time("m-1") == timedelta()
    assert cloud_with().idle_time("m-1") == 100 * HOUR


def test_a_job_fails_if_its_machine_is_stopped_when_it_should_begin(cloud_with, clock):
    cloud = cloud_with(job(2, 3), job(20, 1))
    cloud.set_state("m-1", "stopped")
    clock.advance(hours=10)
    assert [failed.starts_at for failed in cloud.failed_jobs(NOON, clock())] == [NOON + 2 * HOUR]
    assert cloud.average_cpu("m-1", 10 * HOUR) == IDLE_CPU
    cloud.set_state("m-1", "running")
    clock.advance(hours=20)
    assert len(cloud.failed_jobs(NOON, clock())) == 1


def test_a_machine_is_needed_while_a_job_is_to_end(cloud_with):
    cloud = cloud_with(job(-1, 2), job(5, 1))
    assert cloud.needed_by("m-1", NOON).ends_at == NOON + HOUR
    assert cloud.needed_by("m-1", NOON + 2 * HOUR).starts_at == NOON + 5 * HOUR
    assert cloud.needed_by("m-1", NOON + 6 * HOUR) is None


def test_the_past_keeps_its_state(cloud_with, clock):
    cloud = cloud_with()
    clock.advance(hours=1)
    cloud.set_state("m-1", "stopped")
    assert (cloud.state("m-1", NOON), cloud.state("m-1")) == ("running", "stopped")


def test_an_unknown_machine_is_named_with_those_that_there_are(cloud_with):
    with pytest.raises(UnknownMachineError, match=r"'m-2'.*m-1"):
        cloud_with().set_state("m-2", "stopped")


def test_tools_show_load_and_state_and_not_who_needs_a_machine(clock):
    clock.set(FRIDAY)
    with staging_cloud(clock) as cloud:
        shown = _answers(cloud, ("list_instances", {}), ("get_instance_metrics", {"instance_id": "i-09a8f"}))
        listed, metrics = (json.loads(message.content) for message in shown)
        named = {entry["name"]: entry for entry in listed["instances"]}
    assert named["gpu-bench-01"]["state"] == "running"
    assert (metrics["window_hours"], metrics["avg_cpu_pct"]) == (72, 0.2)
    assert metrics["idle_hours"] == 92
    assert "QA" not in str(shown)


def test_stopping_is_seen_at_once_and_an_unknown_id_is_an_error_for_the_agent(clock):
    clock.set(FRIDAY)
    with staging_cloud(clock) as cloud:
        stopped, failed = _answers(
            cloud, ("stop_instance", {"instance_id": "i-09a8f"}), ("stop_instance", {"instance_id": "i-0"})
        )
        assert cloud.state("i-09a8f") == "stopped"
    assert json.loads(stopped.content)["state"] == "stopped"
    assert failed.status == "error"
    assert "'i-0'" in failed.content


def _answers(cloud, *calls):
    numbered = [{"name": name, "args": args, "id": f"c{n}"} for n, (name, args) in enumerate(calls)]
    node = ToolNode(cloud_tools(cloud), handle_tool_errors=True)
    builder = StateGraph(MessagesState)
    builder.add_node("tools", node)
    builder.add_edge(START, "tools")
    builder.add_edge("tools", END)
    return builder.compile().invoke({"messages": [AIMessage("", tool_calls=numbered)]})["messages"][1:]
