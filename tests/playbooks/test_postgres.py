"""Notes, playbooks and learning on PostgreSQL, with two memories at once."""

import threading

import pytest
from store.servers import postgres

from langgraph_memory import Memory

from .conftest import ANA, CLEANUP, LEAD, NAME, POLICY, STAGING
from .happenings import incident


@pytest.fixture(scope="module")
def url():
    with postgres() as location:
        yield location


def opened(url, clock):
    return Memory.open(url, index=None, policy=POLICY, clock=clock)


def test_no_edit_of_a_note_is_lost(url, clock):
    def write(memory, name):
        notes = memory.files(principal=ANA, scope=STAGING)
        for number in range(10):
            notes.insert("/memories/shared.md", 0, f"{name} {number}\n")

    with opened(url, clock) as one, opened(url, clock) as two:
        one.files(principal=ANA, scope=STAGING).create("/memories/shared.md", "")
        threads = [threading.Thread(target=write, args=pair) for pair in ((one, "a"), (two, "b"))]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        lines = two.files(principal=ANA, scope=STAGING).read("/memories/shared.md").splitlines()
        assert sorted(lines) == sorted(f"{name} {number}" for name in "ab" for number in range(10))


def test_of_many_approvals_at_once_one_version_is_current(url, clock):
    with opened(url, clock) as one, opened(url, clock) as two:
        for number in range(6):
            fields = {"steps": [f"Do {number}."], "trigger_intent": f"task {number}"}
            one.procedures.propose(**CLEANUP | fields, actor=LEAD)
        threads = [
            threading.Thread(
                target=(one, two)[version % 2].procedures.approve,
                args=(NAME, version),
                kwargs={"scope": STAGING, "principal": ANA},
            )
            for version in range(1, 7)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join(30)
        found = [each.status.value for each in two.procedures.versions(STAGING, NAME)]
        assert sorted(found) == ["current", *["deprecated"] * 5]


def test_incidents_become_a_draft_and_tools_are_known(url, clock):
    with opened(url, clock) as memory:
        memory.procedures.use_tools([{"title": "stop_instance", "description": "x", "properties": {}}])
        memory.procedures.use_tools([{"title": "stop_instance", "description": "x", "properties": {}}])
        for number in range(3):
            incident(memory, f"week-{number}", "It broke QA. Check the batch schedule before stopping.")
        (draft,) = memory.procedures.versions(STAGING, status=["draft"])
        assert "Check the batch schedule before stopping." in draft.steps
        assert all(draft.tool_fingerprints.values())
