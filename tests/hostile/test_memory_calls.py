"""Every public call of `Memory` takes what it can mean, or refuses it by name and leaves nothing behind."""

import inspect
import itertools

import pytest
from sqlalchemy import func, select

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope
from langgraph_memory.arguments import described
from langgraph_memory.errors import MemoryRuntimeError
from langgraph_memory.log.tables import audit

from .values import Call, offer

TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"lead"})
ANA = Principal("ana", roles={"lead"}, grants=(TEAM,))
WITHOUT_ARGUMENTS = {"close", "scopes", "tidy", "backlog", "spent"}


@pytest.fixture(scope="module")
def memory():
    policy = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
    with Memory.open(":memory:", policy=policy, index=None) as opened:
        opened.publish(
            scope=TEAM,
            activity_id="monday",
            event_type="message.user",
            actor=LEAD,
            data={"text": "Keep gpu-bench-01 running until QA has migrated."},
            wait=True,
        )
        yield opened


def _fresh(memory):
    """Makes facts that nobody has decided about yet."""
    numbers = itertools.count()

    def make():
        asserted = memory.assert_fact(
            scope=TEAM, entity=f"db-{next(numbers)}", attribute="owner", value="ana", actor=LEAD
        )
        return asserted.fact.fact_id

    return make


@pytest.fixture(scope="module")
def calls(memory, tmp_path_factory):
    place = tmp_path_factory.mktemp("files")
    (episode,) = memory.episodes(TEAM)
    recall = memory.recall("gpu-bench-01", principal=ANA, scope=TEAM)
    memory.export(TEAM, place / "export.jsonl")
    decided = {"fact_id": _fresh(memory), "principal": ANA}
    asked = {"principal": ANA, "scope": TEAM}
    given = {
        "publish": {"scope": TEAM, "activity_id": "a", "event_type": "note", "actor": LEAD},
        "consolidate": {},
        "recall": {"query": "gpu-bench-01", **asked},
        "check": {"action": "stop_instance", "args": {"name": "gpu-bench-01"}, **asked},
        "reads": {"action": "stop_instance", "args": {"name": "gpu-bench-01"}},
        "assert_fact": {"scope": TEAM, "entity": "db-1", "attribute": "owner", "value": "ana", "actor": LEAD},
        "confirm": decided,
        "retire": decided,
        "reject": decided,
        "correct": decided | {"value": "x"},
        "merge": {"fact_ids": [_fresh(memory)()], "principal": ANA},
        "questions": asked,
        "facts": {"scope": TEAM},
        "episodes": {"scope": TEAM},
        "events": {"scope": TEAM},
        "files": asked,
        "restore": {"record_id": episode.episode_id},
        "explain": {"receipt_id": recall.receipt_id},
        "explanations": {},
        "audit": {"record_id": _fresh(memory)()},
        "forget": {"scope": TEAM, "entity": "db-77", "principal": ANA},
        "related": {"record_id": _fresh(memory)(), "relation": "supported_by"},
        "export": {"scope": TEAM, "path": place / "again.jsonl"},
        "import_": {"path": place / "export.jsonl"},
    }
    return {name: Call(name, getattr(memory, name), arguments) for name, arguments in given.items()}


def test_every_public_method_is_tried(calls):
    public = {name for name, _ in inspect.getmembers(Memory, callable) if not name.startswith("_")}
    assert public - {"open"} == calls.keys() | WITHOUT_ARGUMENTS


def _kept(memory):
    with memory.log.database.read() as connection:
        audited = connection.execute(select(func.count()).select_from(audit)).scalar_one()
    return memory.log.count(), audited


NAMES = sorted(name for name, _ in inspect.getmembers(Memory, inspect.isfunction) if name[0] != "_")


@pytest.mark.parametrize("name", [name for name in NAMES if name not in WITHOUT_ARGUMENTS])
def test_a_hostile_argument_is_taken_or_refused_by_name_and_nothing_of_it_is_kept(memory, calls, name):
    wrong = []
    for parameter in calls[name].parameters():
        for value in calls[name].hostile(parameter):
            arguments = calls[name].arguments() | {parameter: value}
            before = _kept(memory)
            taken, trouble = offer(calls[name], parameter, arguments)
            if trouble:
                wrong.append(trouble)
            elif not taken and _kept(memory) != before:
                wrong.append(f"{name}({parameter}={described(value):.60}) was refused and left something")
    assert not wrong, "\n".join(wrong)


def test_entities_without_end_are_refused_at_the_first_that_is_no_text(memory):
    for work, given in (
        (memory.recall, {"query": "gpu", "principal": ANA, "scope": TEAM}),
        (
            memory.publish,
            {"scope": TEAM, "activity_id": "a", "event_type": "x", "actor": LEAD, "data": {"text": "x"}},
        ),
    ):
        before = _kept(memory)
        with pytest.raises(MemoryRuntimeError, match="entities=0 is int: give str"):
            work(**given, entities=itertools.count())
        assert _kept(memory) == before
