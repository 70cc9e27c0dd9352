"""Recorded conversations become events: of the right kind, once, and whatever happens on the way."""

import json
import sqlite3
import sys

import pytest
from ingest_doubles import NOW, DiedError, Notebook, call, conversation

from langgraph_memory.errors import ConfigurationError, IngestError
from langgraph_memory.recordings.ingest import Progress, ingest
from langgraph_memory.records import ActorKind
from langgraph_memory.scope import Scope

SCOPE = Scope.of(org="acme", workspace="travel")


def types(notebook):
    return [event.event_type for event in notebook.state]


class TestEvents:
    def test_types_and_actors_in_the_order_of_the_recording(self, notebook, write):
        ingest(notebook, write(conversation()), scope=SCOPE)
        assert [(event.event_type, event.actor.kind, event.actor.id) for event in notebook.state] == [
            ("message.system", ActorKind.SYSTEM, "recorded-system"),
            ("message.user", ActorKind.USER, "recorded-user"),
            ("tool.failed", ActorKind.TOOL, "book"),
            ("tool.completed", ActorKind.TOOL, "book"),
            ("message.agent", ActorKind.AGENT, "recorded-agent"),
            ("activity.completed", ActorKind.SYSTEM, "ingest"),
        ]
        assert {(event.scope, event.activity_id, event.thread_id) for event in notebook.state} == {
            (SCOPE, "c-1", "c-1")
        }

    def test_data_of_messages_and_tools(self, notebook, write):
        ingest(notebook, write(conversation()), scope=SCOPE)
        _, user, failed, booked, _, end = notebook.state
        assert user.data == {"text": "Book FL101 for mia_li_3668, and remember I prefer the aisle."}
        assert failed.data == {
            "tool": "book",
            "args": {"flight_number": "FL101"},
            "error": "Error: booking ZZ9999 is full",
        }
        assert booked.data["output"] == {"booking_id": "BK7711", "user_id": "mia_li_3668"}
        assert end.data == {"status": "completed"}

    def test_nobody_gets_authority(self, notebook, write):
        recorded = conversation() | {"user_id": "ana"}
        recorded["messages"][1]["roles"] = ["infra_lead"]
        ingest(notebook, write(recorded), scope=SCOPE)
        assert {event.actor.roles for event in notebook.state} == {frozenset()}

    def test_entities_of_calls_and_of_the_messages_that_mention_them(self, notebook, write):
        report = ingest(notebook, write(conversation()), scope=SCOPE)
        entities = [event.entities for event in notebook.state]
        assert entities[1] == ("FL101", "mia_li_3668")
        assert entities[2] == ("FL101",)
        assert entities[3] == ("FL201", "BK7711", "mia_li_3668")
        assert entities[4] == ("BK7711",)
        assert set(entities[5]) == set(report.entities) == {"FL101", "FL201", "BK7711", "mia_li_3668"}

    def test_names_of_speakers(self, notebook, write):
        named = [{"role": "user", "name": "bob", "content": "hi"}, {"role": "assistant", "content": "hi"}]
        ingest(notebook, write({"user_id": "ana", "messages": named}), scope=SCOPE)
        ingest(notebook, write(named), scope=SCOPE)
        ingest(notebook, write([{"role": "user", "content": "hello"}]), scope=SCOPE, user="eve")
        users = [event.actor.id for event in notebook.state if event.event_type == "message.user"]
        assert users == ["ana", "bob", "eve"]

    def test_recorded_times_and_the_clock_where_there_are_none(self, notebook, write):
        timed = [
            {"role": "user", "content": "a", "timestamp": "2025-01-01T00:00:00Z"},
            {"role": "assistant", "content": "b"},
        ]
        ingest(notebook, write(timed, conversation()), scope=SCOPE)
        assert {event.occurred_at.year for event in notebook.state[:3]} == {2025}
        assert {event.occurred_at for event in notebook.state[3:]} == {NOW}

    @pytest.mark.parametrize(
        ("last", "event_type", "status"),
        [
            ({"role": "tool", "tool_call_id": "k", "content": "ok"}, "activity.completed", "completed"),
            ({"role": "tool", "tool_call_id": "k", "content": "Error: no"}, "activity.failed", "failed"),
            ({"role": "assistant", "content": "One moment."}, "milestone.reached", "unresolved"),
        ],
    )
    def test_how_it_ended(self, notebook, write, last, event_type, status):
        asked = {"role": "assistant", "tool_calls": [call("k", "stop", {})]}
        ingest(notebook, write([asked, last]), scope=SCOPE)
        end = notebook.state[-1]
        assert (end.event_type, end.data) == (event_type, {"status": status})

    def test_an_empty_conversation_is_no_activity(self, notebook, write):
        report = ingest(notebook, write({"conversation_id": "c", "messages": []}), scope=SCOPE)
        assert notebook.state == []
        assert (report.conversations, report.events) == (1, 0)


class TestOnce:
    def test_a_second_run_adds_nothing(self, notebook, write):
        path = write(conversation(1), conversation(2), conversation()["messages"])
        first = ingest(notebook, path, scope=SCOPE)
        before = notebook.state
        second = ingest(notebook, path, scope=SCOPE)
        assert notebook.state == before
        assert first == second
        assert len(before) == first.events == 18

    @pytest.mark.parametrize("lives", range(18))
    def test_a_run_that_dies_anywhere_and_starts_again_ends_in_the_same_state(self, write, lives):
        path = write(conversation(1), conversation(2), conversation()["messages"])
        whole, broken = Notebook(), Notebook(lives)
        ingest(whole, path, scope=SCOPE)
        with pytest.raises(DiedError):
            ingest(broken, path, scope=SCOPE)
        broken.lives = None
        ingest(broken, path, scope=SCOPE)
        assert broken.state == whole.state

    def test_a_longer_recording_adds_only_what_is_new(self, notebook, write):
        recorded = conversation()
        ingest(notebook, write(recorded), scope=SCOPE)
        recorded["messages"].append({"role": "user", "content": "Thanks."})
        ingest(notebook, write(recorded), scope=SCOPE)
        assert types(notebook)[6:] == ["message.user", "activity.completed"]

    def test_moving_lines_about_changes_nothing(self, notebook, write):
        ingest(notebook, write(conversation(1), conversation()["messages"]), scope=SCOPE)
        count = len(notebook.events)
        ingest(notebook, write("", conversation()["messages"], conversation(1), name="other"), scope=SCOPE)
        assert len(notebook.events) == count

    def test_another_scope_has_events_of_its_own(self, notebook, write):
        path = write(conversation())
        ingest(notebook, path, scope=SCOPE)
        ingest(notebook, path, scope=Scope.of(org="other"))
        assert len(notebook.events) == 12


class TestBadInput:
    def test_a_bad_line_stops_with_file_and_line_and_what_came_before_is_kept(self, notebook, write):
        path = write(conversation(1), '{"messages": [', conversation(2))
        with pytest.raises(IngestError, match=r"chats\.jsonl:2: not JSON .* one conversation a line"):
            ingest(notebook, path, scope=SCOPE)
        assert {event.activity_id for event in notebook.state} == {"c-1"}

    def test_bad_lines_can_be_left_out(self, notebook, write):
        report = ingest(
            notebook, write("{", conversation(1), "[7]", conversation(2)), scope=SCOPE, skip_bad=True
        )
        assert report.conversations == 2
        assert [skipped.where.rpartition(":")[2] for skipped in report.skipped] == ["1", "3"]
        assert "message 1" in report.skipped[1].reason
        assert {event.activity_id for event in notebook.state} == {"c-1", "c-2"}

    def test_a_file_that_is_missing(self, notebook, tmp_path):
        with pytest.raises(IngestError, match="No such file"):
            ingest(notebook, tmp_path / "missing", scope=SCOPE)

    def test_a_checkpointer_file_without_the_extra_says_what_to_install(
        self, notebook, tmp_path, monkeypatch
    ):
        path = tmp_path / "state"
        with sqlite3.connect(path) as connection:
            connection.execute("CREATE TABLE checkpoints (thread_id, checkpoint_ns)")
        connection.close()
        monkeypatch.setitem(sys.modules, "langgraph.checkpoint.sqlite", None)
        with pytest.raises(
            ConfigurationError, match=r"install langgraph-memory-runtime\[sqlite-checkpoints\]"
        ):
            ingest(notebook, path, scope=SCOPE)


class TestReport:
    def test_counts(self, notebook, write):
        report = ingest(notebook, write(conversation(1), conversation(2)), scope=SCOPE)
        assert (report.conversations, report.events, report.failed, report.skipped) == (2, 12, 2, ())

    def test_progress_goes_from_line_to_line_to_the_end_of_the_file(self, notebook, write):
        seen = []
        path = write(conversation(1), "{", conversation(2))
        ingest(notebook, path, scope=SCOPE, skip_bad=True, progress=seen.append)
        size = path.stat().st_size
        first = len(json.dumps(conversation(1))) + 1
        assert seen == [
            Progress(done=first, total=size, conversations=1, events=6),
            Progress(done=first + 2, total=size, conversations=1, events=6),
            Progress(done=size, total=size, conversations=2, events=12),
        ]
