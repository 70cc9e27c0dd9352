"""`ingest`: what is read, what is told, and what is left alone."""

import re

import pytest

from langgraph_memory import Actor, Memory, Scope

from .conftest import DESK, chat


def row(output, name):
    """The numbers of a line of the report."""
    (line,) = (line for line in output.splitlines() if line.strip().startswith(f"{name} "))
    return [int(number) for number in re.findall(r"\d+", line)]


def test_the_report_counts_what_is_there_and_what_is_new(ingest, chats, remembered):
    done = ingest(chats(chat(1, "I prefer parcels on Mondays."), chat(2)))
    assert done.exit_code == 0, done.output
    now = remembered()
    assert row(done.stdout, "conversations") == [2]
    assert row(done.stdout, "events") == [len(now["events"])] * 2
    assert row(done.stdout, "episodes") == [2, 2]
    assert row(done.stdout, "facts") == [1, 1]
    assert row(done.stdout, "tool errors") == [2]
    assert row(done.stdout, "skipped") == [0]
    assert row(done.stdout, "failed") == [0]
    assert row(done.stdout, "entities")[0] >= 2
    assert now["backlog"].due == 0


def test_a_second_run_adds_nothing_and_a_longer_file_what_is_new(ingest, chats, remembered):
    ingest(chats(chat(1), chat(2)))
    before = remembered()
    again = ingest(chats(chat(1), chat(2)))
    assert remembered() == before
    assert row(again.stdout, "events") == [len(before["events"]), 0]
    assert row(again.stdout, "episodes") == [2, 0]
    longer = ingest(chats(chat(1), chat(2), chat(3)))
    assert row(longer.stdout, "episodes") == [3, 1]
    assert set(before["events"]) < set(remembered()["events"])


def test_what_users_of_a_shared_scope_say_is_noted_and_not_believed(console, chats, remembered):
    done = console("ingest", chats(chat(1, "I prefer parcels on Mondays.")), scope="org=acme,workspace=shop")
    assert done.exit_code == 0
    assert row(done.stdout, "facts") == [0, 0]
    assert row(done.stdout, "unverified") == [1, 1]
    assert {fact[4] for fact in remembered("org=acme,workspace=shop")["facts"]} == {"unverified"}


def test_a_line_that_cannot_be_read_is_named_and_what_came_before_it_is_consolidated(
    ingest, chats, remembered
):
    done = ingest(chats(chat(1), "{not json", chat(2)))
    assert done.exit_code == 2
    assert "chats.jsonl:2" in done.stderr
    assert "of 1 conversations" in done.stderr
    assert done.stdout == ""
    now = remembered()
    assert [episode[0] for episode in now["episodes"]] == ["ep_chat-1"]
    assert now["backlog"].due == 0


def test_bad_lines_can_be_left_out(ingest, chats, remembered):
    done = ingest(chats(chat(1), "{not json", chat(2)), "--skip-bad")
    assert done.exit_code == 0
    assert row(done.stdout, "skipped") == [1]
    assert "chats.jsonl:2" in done.stderr
    assert len(remembered()["episodes"]) == 2


def test_a_file_that_is_not_there_makes_no_folder(ingest, tmp_path, folder):
    done = ingest(tmp_path / "absent.jsonl")
    assert done.exit_code == 2
    assert "absent.jsonl" in done.stderr
    assert not folder.exists()


@pytest.mark.parametrize(
    ("scope", "named"), [("tenant=a", "'tenant'"), ("acme", "'acme'"), ("org=*", "wildcard")]
)
def test_a_scope_that_is_none_makes_no_folder(console, chats, folder, scope, named):
    done = console("ingest", chats(chat(1)), scope=scope)
    assert done.exit_code == 2
    assert named in done.stderr
    assert not folder.exists()


def test_what_an_application_published_waits_for_the_application(ingest, chats, folder, remembered):
    """Its rules of authority are not known here, so its events must not be consolidated without them."""
    said = {"text": "Keep gpu-1 running until Monday."}
    fields = {"event_type": "feedback.correction", "actor": Actor("user", "ana", roles={"lead"})}
    shop = Scope.of(org="acme", workspace="shop")
    with Memory.open(folder) as memory:
        memory.publish(scope=shop, activity_id="theirs", data=said, **fields)
    assert ingest(chats(chat(1))).exit_code == 0
    assert remembered("org=acme,workspace=shop")["facts"] == []
    assert remembered()["backlog"].due == 1


def test_progress_stays_out_of_the_report(ingest, chats):
    done = ingest(chats(chat(1)))
    assert done.stderr == ""
    assert DESK in done.stdout
