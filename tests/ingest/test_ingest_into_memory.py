"""The same with the real memory behind it."""

import json

import pytest
from ingest_doubles import conversation

from langgraph_memory import Memory, Scope
from langgraph_memory.recordings.ingest import ingest

SCOPE = Scope.of(org="acme", workspace="travel")


@pytest.fixture
def memory():
    with Memory.open(":memory:") as memory:
        yield memory


def test_events_are_in_the_log_once(memory, write):
    path = write(conversation(1), conversation(2))
    report = ingest(memory, path, scope=SCOPE)
    ingest(memory, path, scope=SCOPE)
    assert memory.log.count() == report.events == 12


def test_unusual_texts_survive(memory, write):
    text = "nul \x00, bidi \u202e, half \ud800 and 日本 of gpu-bench-01"
    report = ingest(memory, write([{"role": "user", "content": text}]), scope=SCOPE)
    (said, _) = memory.log.of_activity(SCOPE, memory.log.since()[0].activity_id)
    assert report.events == 2
    assert said.data["text"] == text.replace("\ud800", "\ufffd")


def test_a_tool_output_that_is_nested_deep_or_no_number_is_kept_as_text(memory, write):
    for number, output in enumerate(["[" * 500 + "]" * 500, '{"a": NaN}', "[1e999]"]):
        messages = [{"role": "tool", "tool_call_id": "k", "name": "dump", "content": output}]
        ingest(memory, write({"conversation_id": f"c-{number}", "messages": messages}), scope=SCOPE)
        (dumped, *_) = memory.log.of_activity(SCOPE, f"c-{number}")
        assert dumped.data["output"] == output


def test_consolidation_tells_failures_as_failures_and_gives_nobody_authority(memory, write):
    recorded = conversation()
    recorded["messages"] += [
        {"role": "user", "content": "Remember: never rebook BK7711 until I say so."},
        {"role": "assistant", "content": None, "tool_calls": recorded["messages"][2]["tool_calls"]},
        {"role": "tool", "tool_call_id": "k", "name": "book", "content": "Error: booking ZZ9999 is full"},
    ]
    ingest(memory, write(json.dumps(recorded)), scope=SCOPE)
    memory.consolidate()
    (episode,) = memory.episodes(SCOPE)
    assert episode.status == "failed"
    assert memory.facts(SCOPE, status=("current",)) == []
