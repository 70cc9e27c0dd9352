"""Secrets and personal data: the same rules at every door, and no trace of what they keep out in any file."""

import json

import pytest
from langchain_core.messages import HumanMessage
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START as START_NODE
from langgraph.graph import StateGraph

from langgraph_memory import Actor, Memory, MemoryContext, MemoryState, Policy, recall_node
from langgraph_memory.errors import InvalidEventError, MemoryFileError, PersonalDataError

from .world import ANA, DEVELOPER, EVERY, LEAD, POLICY, TEAM, end, say, state, traces

TOKEN = "ghp_" + "a1B2c3D4" * 4 + "wxyz"
MAIL, SSN = "ana@example.org", "536-22-8741"


def publish(memory, **fields):
    given = {"scope": TEAM, "activity_id": "act", "event_type": "note", "actor": DEVELOPER}
    memory.publish(**given | fields)


def in_a_file(memory, text):
    files = memory.files(principal=ANA, scope=TEAM)
    files.create("/memories/a.md", f"Note {text}.")


def in_an_edit(memory, text):
    files = memory.files(principal=ANA, scope=TEAM)
    files.write("/memories/b.md", "one\ntwo\n")
    files.str_replace("/memories/b.md", "two", text)


def in_a_playbook(memory, text):
    memory.procedures.propose(
        scope=TEAM, procedure_id="p", trigger_intent="mail", steps=[f"Write {text} down"], actor=LEAD
    )


DOORS = {
    "text": lambda memory, text: publish(memory, data={"text": f"It is {text}."}),
    "key": lambda memory, text: publish(memory, data={f"about {text}": "x"}),
    "entity": lambda memory, text: publish(memory, entities=[f"person:{text}"]),
    "reference": lambda memory, text: publish(memory, evidence_ref=f"note {text}"),
    "tool": lambda memory, text: publish(
        memory, event_type="tool.completed", data={"tool": "look", "args": {"q": [text]}, "output": text}
    ),
    "value": lambda memory, text: state(memory, f"reach {text}"),
    "condition": lambda memory, text: state(memory, "keep", ends_when=f"{text} says so"),
    "correction": lambda memory, text: memory.correct(
        state(memory, "one").fact.fact_id, value=f"two {text}", principal=ANA
    ),
    "reason": lambda memory, text: memory.reject(
        state(memory, "one").fact.fact_id, reason=f"says {text}", principal=ANA
    ),
    "behaviour": lambda memory, text: memory.behaviour.learn(f"Mention {text}", scope=TEAM, actor=LEAD),
    "file": in_a_file,
    "edit": in_an_edit,
    "playbook": in_a_playbook,
}
every_door = pytest.mark.parametrize("door", DOORS.values(), ids=DOORS)


@pytest.fixture
def opened(tmp_path, clock):
    def open_(name="memory"):
        personal = {"email": "redact", "us-ssn": "refuse"}
        policy = Policy(authority=POLICY.authority, personal=personal)
        return Memory.open(tmp_path / name, policy=policy, clock=clock, index=None)

    return open_


@every_door
def test_what_is_to_be_redacted_comes_in_without_it(opened, tmp_path, door):
    with opened() as memory:
        door(memory, f"zephyr {TOKEN} and {MAIL}")
        memory.consolidate()
    assert traces(tmp_path, TOKEN, MAIL) == []
    assert traces(tmp_path, "zephyr")


@every_door
def test_what_is_to_be_refused_does_not_come_in(opened, tmp_path, door):
    with opened() as memory:
        with pytest.raises((PersonalDataError, InvalidEventError, MemoryFileError), match="us-ssn"):
            door(memory, f"zephyr {SSN}")
        say(memory, LEAD, "Keep db-7 running.", activity="act-2")
        end(memory, "act-2")
        memory.consolidate()
        assert len(memory.facts(TEAM, status=EVERY)) >= 1
    assert traces(tmp_path, SSN, "zephyr") == []


@pytest.mark.parametrize("text", [TOKEN, MAIL])
def test_no_note_gets_a_name_that_may_not_be_kept(opened, text):
    with opened() as memory:
        files = memory.files(principal=ANA, scope=TEAM)
        files.create("/memories/a.md", "one")
        with pytest.raises(MemoryFileError):
            files.create(f"/memories/{text}.md", "one")
        with pytest.raises(MemoryFileError):
            files.rename("/memories/a.md", f"/memories/{text}.md")
        assert [entry.path for entry in files.entries()] == ["/memories/a.md"]


@pytest.mark.parametrize("text", [TOKEN, MAIL, SSN])
def test_receipts_tell_questions_and_arguments_without_it(opened, tmp_path, text):
    with opened() as memory:
        asked = memory.recall(f"zephyr {text}", principal=ANA, scope=TEAM, entities=[f"person:{text}"])
        ruled = memory.check("stop", {"name": [f"zephyr {text}"]}, principal=ANA, scope=TEAM)
        told = memory.explain(asked.receipt_id).body, memory.explain(ruled.id).body
        assert "zephyr [redacted:" in told[0]["query"]
        assert "zephyr [redacted:" in told[1]["args"]["name"][0]
    assert traces(tmp_path, text) == []
    assert traces(tmp_path, "zephyr")


def test_a_receipt_is_kept_without_what_a_broken_redactor_should_have_read(clock):
    def broken(value):
        raise ValueError("broken")

    with Memory.open(":memory:", policy=POLICY, clock=clock, index=None, redactor=broken) as memory:
        asked = memory.recall(f"zephyr {TOKEN}", principal=ANA, scope=TEAM)
        assert "not kept" in memory.explain(asked.receipt_id).body["query"]


def test_a_file_that_others_wrote_is_held_to_the_same_rules(opened, memory, tmp_path):
    say(memory, DEVELOPER, f"zephyr mail {MAIL} and {TOKEN}.", activity="act-1")
    in_a_playbook(memory, f"zephyr {SSN}")
    memory.export(TEAM, tmp_path / "out.jsonl")
    lines = (tmp_path / "out.jsonl").read_text("utf-8")
    assert TOKEN not in lines
    assert SSN in lines
    event = json.loads(lines.splitlines()[0]) | {"event_id": "ev-9"}
    event["data"] = {"text": f"zephyr {TOKEN}"}
    (tmp_path / "out.jsonl").write_text(f"{lines}{json.dumps(event)}\n", "utf-8")
    with opened("receiver") as receiver:
        report = receiver.import_(tmp_path / "out.jsonl")
        assert "us-ssn" in report.left_out[0].reason
        assert report.events == 2
    assert traces(tmp_path / "receiver", TOKEN, MAIL, SSN) == []
    assert traces(tmp_path / "receiver", "zephyr")


IDS = ("activity_id", "event_id", "thread_id", "event_type")
TELLING = {
    "a token": f"run-{TOKEN}",
    "a connection": "redis://:hunter2abc@cache:6379/0",
    "an assignment": "run password=Zu9!kkeq7x",
}


@pytest.mark.parametrize("text", TELLING.values(), ids=TELLING)
@pytest.mark.parametrize("name", IDS)
def test_an_id_that_holds_a_secret_is_refused_by_its_name(opened, tmp_path, name, text):
    with opened() as memory:
        with pytest.raises(InvalidEventError, match=f"the {name} of an event holds a secret") as caught:
            publish(memory, **{name: text})
        assert text not in str(caught.value)
        publish(memory, data={"text": "zephyr"})
    assert traces(tmp_path, TOKEN, "hunter2", "kkeq7x") == []
    assert traces(tmp_path, "zephyr")


def test_so_is_an_actor_whose_id_holds_one(opened, tmp_path):
    with opened() as memory:
        with pytest.raises(InvalidEventError, match="the actor of an event holds a secret"):
            publish(memory, actor=Actor("user", TOKEN))
        publish(memory, actor=Actor("user", "zephyr"))
    assert traces(tmp_path, TOKEN) == []
    assert traces(tmp_path, "zephyr")


@pytest.mark.parametrize(
    "text",
    ["2f1c9d3e-0b7a-4f59-8a86-5d1f3c2b9e70", "user:ana/2026-03-02#4", "7Kq2xV9mZb4LpQ8wR1sT6yN3", "Zürich 7"],
)
@pytest.mark.parametrize("name", IDS)
def test_an_id_that_opens_nothing_is_kept_as_it_is(memory, name, text):
    publish(memory, **{name: text})
    assert getattr(memory.events(TEAM)[0], name) == text


def test_an_import_leaves_out_an_event_whose_id_holds_a_secret(memory, opened, tmp_path):
    say(memory, DEVELOPER, "zephyr one", activity="act-1")
    say(memory, DEVELOPER, "zephyr two", activity="act-2")
    memory.export(TEAM, tmp_path / "out.jsonl")
    told = (tmp_path / "out.jsonl").read_text("utf-8").replace("act-2", f"act-{TOKEN}")
    (tmp_path / "out.jsonl").write_text(told, "utf-8")
    with opened("receiver") as receiver:
        report = receiver.import_(tmp_path / "out.jsonl")
        assert report.events == 1
        assert "activity_id of an event holds a secret (github-token)" in report.left_out[0].reason
    assert traces(tmp_path / "receiver", TOKEN) == []


def test_a_thread_whose_id_holds_a_secret_is_told_of_and_runs_on(memory):
    builder = StateGraph(MemoryState)
    builder.add_node("recall", recall_node(memory))
    builder.add_edge(START_NODE, "recall")
    graph = builder.compile(checkpointer=InMemorySaver())

    def said(thread):
        done = graph.invoke(
            {"messages": [HumanMessage("zephyr")]},
            {"configurable": {"thread_id": thread}},
            context=MemoryContext(ANA, TEAM),
        )
        return done["notice"] or ""

    assert "thread_id of an event holds a secret (github-token)" in (told := said(f"t-{TOKEN}"))
    assert TOKEN not in told
    assert memory.events(TEAM) == []
    assert said("t-1") == ""
    assert memory.events(TEAM)
