"""Exports of different days, imported in any order: the latest word holds, endings too."""

from pathlib import Path

import pytest

from langgraph_memory import Memory
from langgraph_memory.records import FactStatus

from .world import ANA, DEVELOPER, GPU, KEEP, LEAD, POLICY, TEAM, state, tell, values

RELEASE = f"{GPU} no longer needs to stay up, it can be stopped again."


@pytest.fixture
def other(clock):
    with Memory.open(":memory:", policy=POLICY, clock=clock, index=None) as opened:
        yield opened


def retired(memory, fact):
    memory.retire(fact.fact_id, principal=ANA, evidence_ref="ticket://1")


def rejected(memory, fact):
    memory.reject(fact.fact_id, principal=ANA, reason="wrong machine")


def released(memory, fact):
    assert fact.value == KEEP
    tell(memory, LEAD, RELEASE, activity="release")


@pytest.mark.parametrize("first", ["early", "late"])
@pytest.mark.parametrize("ends", [retired, rejected, released])
def test_a_rule_that_ended_between_two_exports_is_over(memory, other, tmp_path, ends, first):
    files = exported(memory, tmp_path, ends)
    for name in (first, "late" if first == "early" else "early"):
        other.import_(files[name])
        other.consolidate()
    assert other.facts(TEAM) == []
    over = memory.facts(TEAM, status=list(FactStatus))[0].status
    assert [fact.status for fact in other.facts(TEAM, status=list(FactStatus))] == [over]


def test_the_first_export_alone_still_has_the_rule(memory, other, tmp_path):
    other.import_(exported(memory, tmp_path, retired)["early"])
    assert values(other.facts(TEAM)) == [KEEP]


def test_a_confirmation_here_that_is_later_than_the_end_there_stands(memory, other, tmp_path):
    files = exported(memory, tmp_path, retired)
    other.import_(files["early"])
    memory.clock.advance(days=1)
    other.confirm(other.facts(TEAM)[0].fact_id, principal=ANA)
    other.import_(files["late"])
    assert values(other.facts(TEAM)) == [KEEP]


def test_an_end_by_one_who_may_not_end_it_here_is_not_taken(memory, clock, tmp_path):
    files = exported(memory, tmp_path, retired)
    strict = POLICY.model_copy(update={"authority": ()})
    with Memory.open(":memory:", policy=POLICY, clock=clock, index=None) as receiver:
        receiver.import_(files["early"])
        receiver.repository.policy = strict
        receiver.import_(files["late"])
        assert values(receiver.facts(TEAM)) == [KEEP]


def test_an_imported_rule_from_before_a_release_here_is_over(memory, other, tmp_path):
    files = exported(memory, tmp_path, lambda *_: None)
    tell(other, LEAD, RELEASE, activity="release")
    other.import_(files["early"])
    assert other.facts(TEAM) == []
    assert values(other.facts(TEAM, status=["retired"])) == [KEEP]


def test_a_release_by_someone_without_authority_ends_no_imported_rule(memory, other, tmp_path):
    files = exported(memory, tmp_path, lambda *_: None)
    tell(other, DEVELOPER, RELEASE, activity="release")
    other.import_(files["early"])
    assert values(other.facts(TEAM)) == [KEEP]


def test_a_file_that_begins_with_a_byte_order_mark_is_read(memory, other, tmp_path):
    file = exported(memory, tmp_path, retired)["early"]
    file.write_bytes(b"\xef\xbb\xbf" + file.read_bytes())
    assert other.import_(file).facts == 1


def exported(memory, folder: Path, ends):
    """An export with a rule in force, and one from after it ended."""
    fact = state(memory, KEEP).fact
    memory.clock.advance(days=1)
    memory.export(TEAM, folder / "early.jsonl")
    ends(memory, fact)
    memory.clock.advance(days=1)
    memory.export(TEAM, folder / "late.jsonl")
    return {name: folder / f"{name}.jsonl" for name in ("early", "late")}
