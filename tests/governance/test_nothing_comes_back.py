"""What is forgotten leaves the files and does not come back, whatever is done again."""

import json
import sqlite3

import pytest
from langgraph.store.memory import InMemoryStore

from langgraph_memory import HybridStore, Memory
from langgraph_memory.consolidation.pipeline import Pipeline
from langgraph_memory.log import EventLog

from .world import (
    ANA,
    BOB,
    BOB_SCOPE,
    BOBS,
    DEVELOPER,
    EVERY,
    GPU,
    KEEP,
    KEEP_SANDBOX,
    LEAD,
    POLICY,
    ROBOT,
    SANDBOX,
    TEAM,
    end,
    id_of,
    say,
    state,
    tell,
    traces,
    values,
)

WORDS = ("quixotic", GPU, id_of(GPU))


@pytest.fixture
def folder(tmp_path):
    return tmp_path / "memory"


def opened(folder, clock):
    return Memory.open(folder, policy=POLICY, clock=clock)


def live(memory):
    """A week in which things are looked at, ruled, recalled, checked, quoted and turned down."""
    tell(memory, LEAD, f"{KEEP}.", activity="act-1", names=(GPU, SANDBOX), event_id="ev-keep")
    tell(memory, ROBOT, f"As you said: {KEEP}.", activity="act-2")
    tell(memory, DEVELOPER, f"Please stop {GPU}, the quixotic run is over.", activity="act-3")
    state(memory, f"{KEEP}, and longer", attribute="operating_note")
    state(memory, KEEP_SANDBOX, entity=SANDBOX)
    memory.recall(f"what about {GPU} and the quixotic run", principal=ANA, scope=TEAM, entities=[GPU])
    memory.check("stop_instance", {"name": GPU}, principal=ANA, scope=TEAM)


@pytest.mark.parametrize("way", ["entity", "facts", "scope", "actors"])
def test_after_close_no_file_holds_the_text(folder, clock, way):
    with opened(folder, clock) as memory:
        live(memory)
        memory.store.put(("docs",), "a", {"text": "zyxomma stays"})
    assert {"memory.sqlite3"} <= set(traces(folder, *WORDS))
    with opened(folder, clock) as memory:
        match way:
            case "entity":
                memory.forget(TEAM, entity=GPU, principal=ANA)
            case "scope":
                memory.forget(TEAM, principal=ANA)
            case "facts":
                for fact in memory.facts(TEAM, entity=GPU, status=EVERY):
                    memory.forget(TEAM, fact_id=fact.fact_id, principal=ANA)
            case "actors":
                for actor in ("ana", "dan", "costguard", "cloud"):
                    assert memory.forget(TEAM, actor_id=actor, principal=ANA).proven
                memory.forget(TEAM, entity=GPU, principal=ANA)
    gone = WORDS if way != "facts" else (KEEP, f"{KEEP}, and longer")
    assert traces(folder, *gone) == []
    assert traces(folder, "zyxomma stays") == ["memory.sqlite3"]
    assert bool(traces(folder, "zephyr")) is (way in ("entity", "facts"))


def test_a_personal_scope_leaves_no_trace_of_its_texts(folder, clock):
    with opened(folder, clock) as memory:
        state(
            memory,
            "Bob is allergic to zyxomma",
            entity="user:bob",
            actor=BOB,
            scope=BOB_SCOPE,
            kind="identity",
        )
        say(memory, BOB, "My quixotic wish", activity="act-1", scope=BOB_SCOPE)
        end(memory, "act-1", BOB_SCOPE)
        memory.consolidate()
        memory.recall("zyxomma", principal=BOBS, scope=BOB_SCOPE)
        state(memory, KEEP_SANDBOX, entity=SANDBOX)
    assert traces(folder, "zyxomma", "quixotic", "user=bob")
    with opened(folder, clock) as memory:
        assert memory.forget(BOB_SCOPE, principal=BOBS).proven
    assert traces(folder, "zyxomma", "quixotic", "user=bob") == []
    with opened(folder, clock) as memory:
        assert values(memory.facts(TEAM)) == [KEEP_SANDBOX]


def test_while_another_process_reads_the_receipt_says_what_is_pending(folder, clock):
    with opened(folder, clock) as memory:
        live(memory)
        reader = sqlite3.connect(folder / "memory.sqlite3", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM events").fetchone()
        (reason,) = memory.forget(TEAM, entity=GPU, principal=ANA).pending
        assert "another process" in reason
        assert traces(folder, "quixotic")
        reader.execute("COMMIT")
        reader.close()
        assert memory.forget(TEAM, entity=SANDBOX, principal=ANA).pending == ()
        assert traces(folder, "quixotic") == []


def test_vectors_that_wait_in_the_index_are_named_as_pending(folder, clock):
    with HybridStore(folder, exact_limit=5, background=False) as store:
        memory = Memory(store, EventLog(store.database), policy=POLICY, clock=clock)
        for number in range(20):
            state(memory, f"Rule number {number}", entity=f"host-{number}")
        state(memory, KEEP)
        store.flush()
        (reason,) = memory.forget(TEAM, entity=GPU, principal=ANA).pending
        assert "vector index" in reason
        assert store.purge() == ()
        assert memory.forget(TEAM, entity="host-1", principal=ANA).pending == ()
        assert len(memory.facts(TEAM)) == 19


def test_a_rebuild_and_a_restart_bring_nothing_back(folder, clock):
    with opened(folder, clock) as memory:
        live(memory)
        memory.forget(TEAM, entity=GPU, principal=ANA)
        held = memory.facts(TEAM, status=EVERY), memory.episodes(TEAM), memory.events(TEAM)
    with HybridStore(folder) as store:
        store.rebuild()
        assert store.doctor() == ()
    with opened(folder, clock) as memory:
        clock.advance(hours=2)
        memory.consolidate()
        assert (memory.facts(TEAM, status=EVERY), memory.episodes(TEAM), memory.events(TEAM)) == held
        assert held[0]
        assert "quixotic" not in memory.recall("quixotic run", principal=ANA, scope=TEAM).render()


def test_a_replay_of_the_log_brings_nothing_back(any_memory):
    memory = any_memory
    tell(memory, LEAD, f"{KEEP}.", activity="act-1", event_id="ev-keep")
    state(memory, KEEP_SANDBOX, entity=SANDBOX)
    events = memory.events(TEAM)
    memory.forget(TEAM, entity=GPU, principal=ANA)
    left = memory.events(TEAM)
    for event in events:
        fields = event.model_dump(exclude={"seq", "trust", "schema_version", "scope", "actor"})
        again = memory.publish(**fields, scope=event.scope, actor=event.actor, wait=True)
        assert bool(again.seq) is (event in left)
    assert memory.log.known(event.event_id for event in events) == {event.event_id for event in events}
    memory.consolidate()
    assert memory.events(TEAM) == left
    assert values(memory.facts(TEAM, status=EVERY)) == [KEEP_SANDBOX]
    assert memory.repository.names([TEAM]) == []


def test_events_after_the_last_ones_went_are_consolidated(memory):
    tell(memory, LEAD, f"{KEEP}.", activity="act-1")
    tell(memory, LEAD, f"{KEEP_SANDBOX}.", activity="act-1", names=(SANDBOX,), event_id="ev-last")
    for event in memory.events(TEAM)[-3:]:
        memory.forget(TEAM, source=event.event_id, principal=ANA)
    assert values(memory.facts(TEAM)) == [KEEP]
    tell(memory, LEAD, f"{KEEP_SANDBOX} again.", activity="act-1", names=(SANDBOX,))
    assert values(memory.facts(TEAM)) == sorted([KEEP, f"{KEEP_SANDBOX} again"])


def test_a_name_that_was_forgotten_protects_again_when_it_turns_up_again(memory):
    for _ in range(2):
        tell(memory, LEAD, f"{KEEP}.", activity="act-1")
        assert memory.check("stop", {"id": id_of(GPU)}, principal=ANA, scope=TEAM).outcome == "block"
        memory.forget(TEAM, entity=GPU, principal=ANA)
        assert memory.check("stop", {"id": id_of(GPU)}, principal=ANA, scope=TEAM).outcome == "allow"


@pytest.mark.parametrize("home", ["folder", "foreign"])
def test_a_worker_in_the_middle_of_an_activity_loses_it(folder, clock, home, monkeypatch):
    store = InMemoryStore()
    log = EventLog.open(":memory:")
    memory = opened(folder, clock) if home == "folder" else Memory(store, log, policy=POLICY, clock=clock)
    with log, memory:
        say(memory, LEAD, f"{KEEP}.", activity="act-1")
        say(memory, LEAD, f"{KEEP_SANDBOX}.", activity="act-2")
        end(memory, "act-1")
        end(memory, "act-2")
        narrate = Pipeline.narrate

        def forget_meanwhile(self, work):
            memory.forget(TEAM, entity=GPU, principal=ANA)
            return narrate(self, work)

        monkeypatch.setattr(Pipeline, "narrate", forget_meanwhile)
        memory.consolidate()
        assert values(memory.facts(TEAM, status=EVERY)) == [KEEP_SANDBOX]
        memory.forget(TEAM, entity=GPU, principal=ANA)
    if home == "folder":
        assert traces(folder, "quixotic") == []
        assert traces(folder, "zephyr")
    else:
        stored = json.dumps([item.value for item in store.search((), limit=100)])
        assert "quixotic" not in stored
        assert "zephyr" in stored
