"""`recall`, `facts` and `episodes`."""

import pytest

from langgraph_memory import Actor, Memory, Scope

from .conftest import DESK, chat


@pytest.fixture
def filled(ingest, chats):
    assert ingest(chats(chat(1, "I prefer parcels on Mondays."), chat(2))).exit_code == 0


@pytest.mark.usefixtures("filled")
def test_recall_shows_what_an_agent_would_get(console):
    found = console("recall", "what about my order", "--entity", "ORD-7702", "--user", "lena")
    assert found.exit_code == 0, found.output
    assert found.stdout.startswith("<memory")
    assert "ep_chat-2" in found.stdout
    with_reasons = console("recall", "what about my order", "--entity", "ORD-7702", "--why")
    assert with_reasons.stdout.startswith(found.stdout)
    assert "entity" in with_reasons.stdout[len(found.stdout) :]


@pytest.mark.usefixtures("filled")
def test_recall_keeps_to_the_budget_and_says_what_stayed_out(console):
    found = console("recall", "what about my order", "--budget", "0", "--why")
    assert found.exit_code == 0
    assert "<memory" not in found.stdout
    assert "ep_chat-2 (budget)" in found.stdout


@pytest.mark.usefixtures("filled")
def test_recall_sees_one_scope(console):
    elsewhere = console("recall", "what about my order", scope="org=acme,user=kim")
    assert (elsewhere.exit_code, "ORD" in elsewhere.stdout) == (0, False)


@pytest.mark.usefixtures("filled")
def test_facts_are_listed_with_status_source_and_id(console, remembered):
    ((fact_id, _, _, value, status, sources),) = remembered()["facts"]
    listed = console("facts")
    assert listed.exit_code == 0
    assert [value in listed.stdout, fact_id in listed.stdout, status in listed.stdout] == [True] * 3
    assert sources[0] in listed.stdout
    assert console("facts", "--status", "retired").stdout.startswith("There are no such facts")
    assert console("facts", "--status", "all").stdout == listed.stdout
    assert value not in console("facts", "--entity", "somebody").stdout


def test_what_a_terminal_would_obey_is_not_printed(console, folder):
    with Memory.open(folder) as memory:
        memory.assert_fact(
            scope=Scope.parse(DESK),
            entity="door\x1b[2J",
            attribute="colour",
            value="red\x1b]0;title\x07\nblue",
            actor=Actor("user", "lena"),
        )
    listed = console("facts").stdout
    assert "red ]0;title blue" in listed
    assert not any(character in listed for character in "\x1b\x07")


@pytest.mark.usefixtures("filled")
def test_episodes_are_listed_with_what_they_are_about(console):
    listed = console("episodes")
    assert listed.exit_code == 0
    assert [f"ep_chat-{n}" in listed.stdout for n in (1, 2)] == [True, True]
    about = console("episodes", "--entity", "ORD-7701").stdout
    assert ("ep_chat-1" in about, "ep_chat-2" in about) == (True, False)
    assert console("episodes", scope="org=other").stdout.startswith("There are no such episodes")


def test_an_unknown_status_is_named(console, folder):
    Memory.open(folder).close()
    done = console("facts", "--status", "wrong")
    assert done.exit_code == 2
    assert "'wrong'" in done.stderr
    assert "unverified" in done.stderr


@pytest.mark.parametrize("command", [("facts",), ("episodes",), ("recall", "x")])
def test_looking_into_a_memory_does_not_make_one(console, folder, command):
    done = console(*command)
    assert done.exit_code == 2
    assert str(folder) in done.stderr
    assert not folder.exists()
    folder.mkdir()
    (folder / "thesis.txt").write_text("years of work")
    assert console(*command).exit_code == 2
    assert [path.name for path in folder.iterdir()] == ["thesis.txt"]
