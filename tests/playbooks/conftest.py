"""A tenant with a lead who may decide on procedures and a developer who may not."""

import pytest
from langgraph.store.memory import InMemoryStore

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope
from langgraph_memory.log import EventLog
from langgraph_memory.testing import FrozenClock

STAGING = Scope.of(org="acme", workspace="staging-cloud")
POLICY = Policy(authority=[AuthorityRule(roles={"infra_lead"}, scope=Scope.of(workspace="staging-cloud"))])
ANA = Principal("ana", roles={"infra_lead"}, grants=(STAGING,))
DAN = Principal("dan", roles={"developer"}, grants=(STAGING,))
LEAD = Actor("user", "ana", roles={"infra_lead"})
DEVELOPER = Actor("user", "dan", roles={"developer"})
ROBOT = Actor("agent", "costguard")

CLEANUP = {
    "scope": STAGING,
    "procedure_id": "cleanup_idle_compute",
    "trigger_intent": "weekly cleanup of idle compute",
    "steps": ["List the running instances.", "Stop those that were idle for 72 hours."],
}
NAME = CLEANUP["procedure_id"]


@pytest.fixture
def clock():
    return FrozenClock()


@pytest.fixture
def memory(clock):
    with Memory.open(":memory:", index=None, policy=POLICY, clock=clock) as opened:
        yield opened


@pytest.fixture(params=["folder", "foreign"])
def any_memory(request, clock, tmp_path):
    if request.param == "foreign":
        with (
            EventLog.open(":memory:") as log,
            Memory(store=InMemoryStore(), log=log, policy=POLICY, clock=clock) as opened,
        ):
            yield opened
    else:
        with Memory.open(tmp_path / "memory", index=None, policy=POLICY, clock=clock) as opened:
            yield opened


@pytest.fixture
def adopt(memory):
    """Proposes a procedure as an engineer and approves it; fields of the cleanup may be replaced."""

    def adopt(**fields):
        proposed = memory.procedures.propose(**CLEANUP | fields, actor=LEAD)
        ana = ANA.model_copy(update={"grants": (proposed.scope,)})
        return memory.procedures.approve(
            proposed.procedure_id, proposed.version, scope=proposed.scope, principal=ana
        )

    return adopt


@pytest.fixture
def offered(memory):
    """The procedures that a recall offers, and what it left out."""

    def offered(query="run the weekly cleanup of idle compute", scope=STAGING, principal=ANA):
        return memory.recall(query, principal=principal, scope=scope, kinds=["procedure"])

    return offered
