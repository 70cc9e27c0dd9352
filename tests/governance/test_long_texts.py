"""Texts of many thousand characters: read in bounded time, exported, imported and forgotten like others."""

import time

import pytest

from langgraph_memory import Memory

from .world import ANA, GPU, KEEP, LEAD, POLICY, TEAM, say, state, traces, values

WORDS = ("alpha", "disk", "server", "error", "node", "queue", "42", "was", "under", "load")


def pasted(length, *, marked="zeppelin"):
    """A log such as people paste, a sentence a line."""
    line = " ".join(WORDS[n % len(WORDS)] for n in range(9)).capitalize()
    lines = (f"{line} {marked}-{n}." for n in range(length // (len(line) + 14) + 1))
    return "\n".join(lines)[:length]


def told(memory, text):
    """One long message, consolidated; the event and the seconds of the processor that it took."""
    event = say(memory, LEAD, text, activity="act-long")
    started = time.process_time()
    memory.log.activities.make_due(TEAM, "act-long")
    memory.consolidate()
    return event, time.process_time() - started


def test_what_is_said_in_the_middle_of_a_megabyte_counts(memory):
    half = pasted(500_000)
    event, took = told(memory, f"{half}\n{KEEP}.\n{half}\nNever delete {GPU}.")
    assert values(memory.facts(TEAM)) == sorted([KEEP, f"Never delete {GPU}"])
    assert took < 20
    assert "shortened" not in [entry.decision for entry in memory.audit(event.event_id)]


def test_a_sentence_that_says_nothing_hides_none_of_its_shape(memory):
    told(memory, f"db-1 was slow.\n{GPU} was slow.\nNever delete db-1.\nNever delete db-2.")
    assert {fact.entity for fact in memory.facts(TEAM)} == {"db-1", "db-2"}


def test_a_report_in_the_middle_of_a_long_text_ends_its_rule(memory):
    told(memory, "Keep db-1 running until the migration of the suite is finished.")
    assert [fact.entity for fact in memory.facts(TEAM)] == ["db-1"]
    half = pasted(60_000)
    told(memory, f"{half}\nThe migration of the suite has finished.\n{half}")
    assert memory.facts(TEAM) == []


@pytest.mark.parametrize("by", ["source", "fact_id"])
def test_a_text_beyond_the_patterns_of_sqlite_is_forgotten_alone(tmp_path, clock, by):
    folder = tmp_path / "memory"
    with Memory.open(folder, policy=POLICY, clock=clock) as memory:
        state(memory, KEEP)
        long = state(memory, pasted(120_000), attribute="notes", kind="fact", forbids=()).fact
        memory.recall("zeppelin", principal=ANA, scope=TEAM, entities=[GPU])
        wanted = {"source": long.sources[0], "fact_id": long.fact_id}[by]
        receipt = memory.forget(TEAM, principal=ANA, **{by: wanted})
        assert receipt.proven
        assert values(memory.facts(TEAM)) == [KEEP]
    assert traces(folder, "zeppelin-1") == []
    assert traces(folder, GPU)


def test_long_texts_references_and_names_go_from_one_memory_to_another(memory, tmp_path, clock):
    long = pasted(120_000)
    told(memory, long)
    state(memory, long, attribute="notes", kind="fact", forbids=(), evidence_ref=f"chat://{'r' * 70_000}")
    memory.export(TEAM, tmp_path / "out.jsonl")
    with Memory.open(":memory:", policy=POLICY, clock=clock, index=None) as other:
        report = other.import_(tmp_path / "out.jsonl")
        assert report.left_out == ()
        assert values(other.facts(TEAM)) == [long]
        assert other.import_(tmp_path / "out.jsonl").facts == 0
