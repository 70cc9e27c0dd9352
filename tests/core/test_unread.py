"""What the log keeps in mind of unread words is what one would read that knows nothing, whoever wrote it."""

import pytest

from langgraph_memory import Actor, Memory, Scope

from .cast import ACME, ANA, LEAD, POLICY, TEAM

OTHER = Scope.of(org="acme", workspace="web")


def say(memory, text, activity="a", scope=TEAM, event_type="feedback.correction"):
    actor = Actor("agent", "bot") if event_type == "message.agent" else ANA
    return memory.publish(
        scope=scope, activity_id=activity, event_type=event_type, actor=actor, data={"text": text}
    )


def seen(memory):
    waiting = {scopes: memory.log.waiting(scopes) for scopes in ((TEAM,), (OTHER,), (TEAM, ACME))}
    return waiting, list(memory.log.waiting_ids(ACME, limit=100)), memory.log.waiting([TEAM], limit=2)


def test_after_every_kind_of_change_it_is_what_one_reads_that_knows_nothing(one, other, folder):
    steps = [
        lambda: say(other, "Keep db-1 running."),
        lambda: say(one, "Keep db-2 running.", "b"),
        lambda: say(other, "Working on it.", "b", event_type="message.agent"),
        lambda: say(other, "Restart web-1.", "c", OTHER),
        lambda: say(other, "Check everything.", "d", ACME),
        lambda: other.consolidate(scope=OTHER),
        lambda: say(other, "How is db-1?", "b", event_type="message.user"),
        lambda: say(other, "And web-2.", "c", OTHER),
        lambda: other.forget(TEAM, entity="db-2", principal=LEAD),
        other.consolidate,
        lambda: say(other, "Keep db-3 running.", "b"),
        lambda: [say(other, f"Restart web-{n}.", f"e{n}") for n in range(4)],
        lambda: other.forget(ACME, principal=LEAD),
        lambda: say(other, "Keep db-4 running.", "f"),
    ]
    for step in steps:
        step()
        with Memory.open(folder, index=None, policy=POLICY) as fresh:
            assert seen(one) == seen(fresh)
    assert [event.data["text"] for event in one.log.waiting([TEAM])] == ["Keep db-4 running."]


def test_what_another_process_says_and_reads_is_known_at_the_next_check(one, other):
    def outcome():
        return one.check("stop_server", {"name": "db-1"}, principal=LEAD, scope=TEAM).outcome

    assert outcome() == "allow"
    say(other, "Keep db-1 running until QA has migrated.")
    assert outcome() == "defer"
    other.consolidate()
    assert outcome() == "block"


def test_nothing_new_is_the_same_object_whatever_else_is_written(one, other):
    """So a check among thousands of waiting messages costs what it costs among none."""
    say(one, "Keep db-1 running.")
    before = one.log.waiting_ids(ACME, limit=100)
    say(other, "Working on it.", event_type="message.agent")
    assert one.log.waiting_ids(ACME, limit=100) is before


def test_what_was_undone_was_never_said():
    """In memory a transaction is seen by its own thread before its end, and its numbers are given again."""
    with Memory.open(":memory:", index=None, policy=POLICY) as memory:
        with pytest.raises(KeyError):
            said_and_undone(memory)
        assert memory.log.waiting([TEAM]) == []
        say(memory, "Keep db-2 running.")
        assert [event.data["text"] for event in memory.log.waiting([TEAM])] == ["Keep db-2 running."]


def said_and_undone(memory):
    with memory.log.database.write():
        say(memory, "Keep db-1 running.")
        assert len(memory.log.waiting([TEAM])) == 1
        raise KeyError
