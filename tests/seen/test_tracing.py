"""OpenTelemetry spans of what memory does, with ids and outcomes, and without what was said."""

import pytest
from acceptance.agent import CLEANUP
from acceptance.agent import agent as agent_with_nodes
from acceptance.world import DAN, GPU, KEEP, STAGING, ana_in, constrain, leads_policy
from langchain_core.messages import HumanMessage
from opentelemetry import trace
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import SimpleSpanProcessor
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from langgraph_memory import Memory
from langgraph_memory.errors import AccessDeniedError
from langgraph_memory.scope import Principal


@pytest.fixture(scope="module")
def exporter():
    exporter = InMemorySpanExporter()
    provider = TracerProvider()
    provider.add_span_processor(SimpleSpanProcessor(exporter))
    trace.set_tracer_provider(provider)
    yield exporter
    provider.shutdown()


@pytest.fixture
def spans(exporter):
    exporter.clear()
    return lambda name: [s for s in exporter.get_finished_spans() if s.name == f"langgraph_memory.{name}"]


@pytest.fixture
def memory():
    with Memory.open(":memory:", policy=leads_policy(), index=None) as opened:
        yield opened


def told(span):
    return {name.removeprefix("langgraph_memory."): value for name, value in span.attributes.items()}


def test_each_act_of_memory_is_a_span(memory, spans):
    constrain(memory)
    recall = memory.recall("cleanup", principal=DAN, scope=STAGING, entities=(GPU,))
    decision = memory.check("stop_instance", {"instance": GPU}, principal=DAN, scope=STAGING)
    memory.consolidate()
    (recalled,) = spans("recall")
    assert told(recalled)["receipt_id"] == recall.receipt_id
    assert (told(recalled)["offered"], told(recalled)["scope"]) == (1, str(STAGING))
    (checked,) = spans("check")
    assert (told(checked)["decision_id"], told(checked)["outcome"]) == (decision.id, "block")
    assert [told(span)["event_type"] for span in spans("publish")] == ["fact.asserted"]
    assert told(spans("consolidate")[0])["failed"] == 0


def test_spans_stand_on_the_trajectory_of_the_run(memory, spans, exporter):
    tracer = trace.get_tracer("their-agent")
    with tracer.start_as_current_span("their run") as run:
        graph = agent_with_nodes(memory, CLEANUP).graph
        graph.invoke({"messages": [HumanMessage(f"Look at {GPU}.")]}, context=ana_in("act-1"))
    ours = [span for span in exporter.get_finished_spans() if span.name.startswith("langgraph_memory.")]
    assert {span.name.rpartition(".")[2] for span in ours} == {"recall", "publish", "check"}
    assert {span.context.trace_id for span in ours} == {run.get_span_context().trace_id}


def test_spans_hold_nothing_that_was_said(memory, spans, exporter):
    constrain(memory)
    memory.check("stop_instance", {"instance": GPU}, principal=DAN, scope=STAGING)
    memory.recall(KEEP, principal=DAN, scope=STAGING, entities=(GPU,))
    values = [str(value) for span in exporter.get_finished_spans() for value in span.attributes.values()]
    assert values
    assert not any(KEEP in value or GPU in value for value in values)


def test_an_error_marks_its_span(memory, spans):
    with pytest.raises(AccessDeniedError):
        memory.recall("x", principal=Principal("eve"), scope=STAGING)
    assert not spans("recall")[0].status.is_ok
