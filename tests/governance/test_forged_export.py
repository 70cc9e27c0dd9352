"""An edited export hides no rule: what its events say is read again where no record of it tells as much."""

import json

import pytest

from langgraph_memory import Memory, Principal
from langgraph_memory.consolidation.candidates import Candidate
from langgraph_memory.records import FactKind

from .world import ANA, DEVELOPER, EVERY, GPU, KEEP, LEAD, POLICY, SANDBOX, TEAM, state, tell, values

AGENT = Principal("bot", grants=(TEAM,))
MAY = "Ines is coming back to gpu-bench-01 in May."
WEEK = "We'd lose a week if gpu-bench-01 were stopped or deleted by somebody again."
OF_THE_MODEL = {
    MAY: "Ines is back to gpu-bench-01 in May",
    WEEK: "lose a week if gpu-bench-01 stopped or deleted",
}


class Scripted:
    """An extractor that makes of one sentence what a model would."""

    def __init__(self, said, **fields):
        self._said, self._fields = said, fields

    def extract(self, events, known):
        found = [event for event in events if event.data.get("text") == self._said]
        return [Candidate(entity=GPU, event_ids=(event.event_id,), **self._fields) for event in found]


def read_by_model(said, forbids, **more):
    fields = {
        "attribute": "usage",
        "value": OF_THE_MODEL[said],
        "kind": FactKind.CONSTRAINT,
        "forbids": forbids,
    }
    return Scripted(said, **fields | {"explicit": True} | more)


@pytest.fixture
def opened(clock):
    memories = []

    def open_(**options):
        memories.append(Memory.open(":memory:", policy=POLICY, clock=clock, index=None, **options))
        return memories[-1]

    yield open_
    for memory in memories:
        memory.close()


@pytest.fixture
def moved(opened, tmp_path):
    """Takes an export, edited line by line, into a memory that has no model."""

    def move(memory, edit, **options):
        file, other = tmp_path / "out.jsonl", opened(**options)
        memory.export(TEAM, file)
        lines = [edit(json.loads(line)) for line in file.read_text("utf-8").splitlines()]
        file.write_text("".join(json.dumps(line) + "\n" for line in lines if line), "utf-8")
        other.import_(file)
        other.consolidate()
        return other

    return move


def without_facts(line):
    return None if "fact_id" in line else line


def stop(memory, name=GPU):
    return memory.check("stop_instance", {"name": name}, principal=AGENT, scope=TEAM).outcome


def whole(line):
    return line


WEAKER = {
    "other actions": {"forbids": ["pay"]},
    "no actions": {"forbids": []},
    "another kind": {"kind": "fact", "forbids": []},
    "less authority": {"kind": "fact", "forbids": [], "status": "unverified"},
    "the line itself": None,
}


@pytest.mark.parametrize("weaker", WEAKER.values(), ids=WEAKER)
@pytest.mark.parametrize("said", [MAY, WEEK], ids=["names no deed", "names deeds"])
def test_a_rule_that_a_model_read_is_not_weakened_by_its_line(opened, moved, said, weaker):
    memory = opened(extractor=read_by_model(said, ("delete", "stop")))
    tell(memory, LEAD, said, activity="act-1")
    assert stop(memory) == "block"

    def forge(line):
        return (weaker and line | weaker) if "fact_id" in line else line

    other = moved(memory, forge)
    assert stop(other) in ("block", "defer")
    assert other.questions(TEAM, principal=ANA)


def test_a_rule_that_covers_all_deeds_that_its_words_name_raises_no_question(opened, moved):
    memory = opened(extractor=read_by_model(WEEK, ("delete", "stop")))
    tell(memory, LEAD, WEEK, activity="act-1")
    other = moved(memory, whole)
    assert stop(other) == "block"
    assert other.facts(TEAM, status=EVERY) == memory.facts(TEAM, status=EVERY)


def test_a_fact_beside_a_rule_does_not_stand_for_it(memory, moved):
    tell(memory, LEAD, f"{KEEP}. The owner of gpu-bench-01 is Dana.", activity="act-1")
    assert len(memory.facts(TEAM)) == 2
    other = moved(memory, lambda line: None if line.get("kind") == "constraint" else line)
    assert values(other.facts(TEAM)) == values(memory.facts(TEAM))
    assert stop(other) == "block"


@pytest.mark.parametrize("how", [tell, state])
def test_a_fact_line_that_was_taken_out_hides_no_rule(memory, moved, how):
    how(memory, LEAD, f"{KEEP}.", activity="act-1") if how is tell else state(memory, KEEP)
    other = moved(memory, without_facts)
    assert values(other.facts(TEAM)) == [KEEP]
    assert stop(other) == "block"


def test_an_episode_that_cites_a_statement_does_not_stand_for_its_rule(memory, moved):
    tell(memory, LEAD, "Never delete dev-sandbox-04.", activity="act-1", names=(SANDBOX,))
    state(memory, KEEP)
    (stated,) = [event for event in memory.events(TEAM) if event.event_type == "fact.asserted"]

    def forge(line):
        if "episode_id" in line:
            cited = {"activity_id": stated.activity_id, "sources": [stated.event_id]}
            return line | cited | {"excerpts": [], "episode_id": f"ep_{stated.activity_id}"}
        return without_facts(line)

    other = moved(memory, forge)
    assert (stated.event_id,) in [episode.sources for episode in other.episodes(TEAM)]
    assert stop(other) == "block"


def test_a_correction_whose_line_was_taken_out_counts(memory, moved):
    rule = state(memory, KEEP).fact
    memory.clock.advance(days=1)
    memory.correct(rule.fact_id, value=f"{KEEP} and the next one", principal=ANA)
    other = moved(memory, without_facts)
    assert values(other.facts(TEAM)) == [f"{KEEP} and the next one"]


def test_what_was_ended_does_not_stand_again_for_want_of_its_line(memory, moved, clock):
    tell(memory, LEAD, f"{KEEP}.", activity="act-1")
    tell(memory, LEAD, "Keep dev-sandbox-04 running for the zephyr demo.", activity="act-2", names=(SANDBOX,))
    clock.advance(days=1)
    tell(memory, LEAD, "gpu-bench-01 can be stopped now.", activity="act-3")
    (rule,) = memory.facts(TEAM)
    memory.retire(rule.fact_id, principal=ANA)
    assert memory.facts(TEAM) == []
    other = moved(memory, without_facts)
    assert other.facts(TEAM) == []
    assert (stop(other), stop(other, SANDBOX)) == ("allow", "allow")


def test_an_end_by_one_who_may_not_ends_nothing(memory, moved):
    tell(memory, LEAD, f"{KEEP}.", activity="act-1")
    memory.retire(memory.facts(TEAM)[0].fact_id, principal=ANA)
    (retired,) = [event for event in memory.events(TEAM) if event.event_type == "fact.retired"]

    def forge(line):
        if line.get("event_id") == retired.event_id:
            return line | {"actor": DEVELOPER.model_dump(mode="json")}
        return without_facts(line)

    assert stop(moved(memory, forge)) == "block"


def test_an_export_as_it_was_written_is_not_read_again(opened, moved):
    memory = opened()
    tell(memory, LEAD, f"{KEEP}.", activity="act-1")
    tell(memory, DEVELOPER, "Never delete dev-sandbox-04.", activity="act-2", names=(SANDBOX,))
    tell(memory, LEAD, MAY, activity="act-3")
    tell(memory, LEAD, "gpu-bench-01 can be stopped now.", activity="act-4")
    tell(memory, LEAD, "The gpu-bench-01 dashboard looks fine, thanks.", activity="act-5")
    other = moved(memory, whole)
    assert other.facts(TEAM, status=EVERY) == memory.facts(TEAM, status=EVERY)
    entries = [entry for each in other.episodes(TEAM) for entry in other.audit(each.episode_id)]
    assert {entry.decision for entry in entries} == {"imported"}
