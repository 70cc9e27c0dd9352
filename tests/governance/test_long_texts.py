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
    """One long message, consolidated; the event and the seconds it took."""
    event = say(memory, LEAD, text, activity="act-long")
    started = time.perf_counter()
    memory.log.activities.make_due(TEAM, "act-long")
    memory.consolidate()
    return event, time.perf_counter() - started


def test_a_megabyte_is_consolidated_in_the_time_of_its_beginning_and_end(memory):
    event, took = told(memory, f"{KEEP}.\n{pasted(1_000_000)}\nNever delete {GPU}.")
    assert {f.value for f in memory.facts(TEAM)} == {KEEP, f"Never delete {GPU}"}
    assert took < 10
    assert "shortened" in [entry.decision for entry in memory.audit(event.event_id)]


def test_what_is_not_long_is_read_as_a_whole(memory):
    event, _ = told(memory, f"{pasted(10_000)}\n{KEEP}.\n{pasted(10_000)}")
    assert values(memory.facts(TEAM)) == [KEEP]
    assert "shortened" not in [entry.decision for entry in memory.audit(event.event_id)]


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
