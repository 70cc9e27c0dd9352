"""The cast of the governance tests: people with and without authority, their scopes, and what they say."""

import hashlib
from datetime import UTC, datetime

from langgraph_memory import Actor, AuthorityRule, Policy, Principal, Scope
from langgraph_memory.answers import record_id
from langgraph_memory.records import FactStatus

ORG = Scope.of(org="acme")
TEAM = Scope.of(org="acme", workspace="staging")
OTHER_TEAM = Scope.of(org="acme", workspace="staging-2")
BOB_SCOPE = Scope.of(org="acme", user="bob")
TEAMS_BOB = Scope.of(org="acme", workspace="staging", user="bob")

LEAD = Actor("user", "ana", roles={"lead"})
SECOND_LEAD = Actor("user", "cem", roles={"lead"})
DEVELOPER = Actor("user", "dan", roles={"developer"})
BOB = Actor("user", "bob")
ROBOT = Actor("agent", "costguard")

ANA = Principal("ana", roles={"lead"}, grants=(ORG, TEAM, OTHER_TEAM, TEAMS_BOB))
DAN = Principal("dan", roles={"developer"}, grants=(TEAM,))
BOBS = Principal("bob", grants=(BOB_SCOPE, TEAM))

POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=ORG)])
START = datetime(2026, 3, 2, 9, tzinfo=UTC)
EVERY = tuple(FactStatus)

GPU, SANDBOX = "gpu-bench-01", "dev-sandbox-04"
KEEP = "Keep gpu-bench-01 running for the quixotic regression run"
KEEP_SANDBOX = "Keep dev-sandbox-04 running until the zephyr demo"


def id_of(name):
    """The id under which the cloud knows a thing."""
    return f"i-{hashlib.sha256(name.encode()).hexdigest()[:8]}7"


def say(memory, actor, text, *, activity, scope=TEAM, event_id=None, ref=None, event_type=None, thread=None):
    spoken = "message.user" if actor.kind == "user" else "message.agent"
    return memory.publish(
        scope=scope,
        activity_id=activity,
        event_type=event_type or spoken,
        actor=actor,
        evidence_ref=ref,
        data={"text": text},
        event_id=event_id,
        thread_id=thread,
    )


def look(memory, *names, activity, scope=TEAM, event_id=None):
    """A tool that lists things by id and name."""
    return memory.publish(
        scope=scope,
        activity_id=activity,
        event_type="tool.completed",
        actor=Actor("tool", "cloud"),
        event_id=event_id,
        data={
            "tool": "list_instances",
            "args": {},
            "output": [{"id": id_of(name), "name": name, "state": "running"} for name in names],
        },
    )


def end(memory, activity, scope=TEAM):
    return memory.publish(
        scope=scope,
        activity_id=activity,
        event_type="activity.completed",
        actor=Actor("system", "runtime"),
        data={"status": "completed"},
    )


def tell(memory, actor, text, *, activity, names=(GPU,), scope=TEAM, **more):
    """One activity in which things are looked at and something is said, consolidated."""
    look(memory, *names, activity=activity, scope=scope)
    said = say(memory, actor, text, activity=activity, scope=scope, **more)
    end(memory, activity, scope)
    memory.consolidate()
    return said


def state(memory, value, *, actor=LEAD, entity=GPU, attribute="lifecycle_policy", scope=TEAM, **more):
    fields = {"kind": "constraint", "forbids": ("stop",)} | more
    return memory.assert_fact(
        scope=scope, entity=entity, attribute=attribute, value=value, actor=actor, **fields
    )


def values(facts):
    return sorted(fact.value for fact in facts)


def traces(folder, *texts):
    """The files under a folder that hold one of the texts, however small."""
    wanted = [text.encode() for text in texts]
    wanted += [text.encode("utf-16-le") for text in texts]
    files = [path for path in folder.rglob("*") if path.is_file()]
    return sorted(path.name for path in files if any(part in path.read_bytes() for part in wanted))


def propose_drain(memory):
    """A draft of a playbook; the id under which it is audited."""
    draft = memory.procedures.propose(
        scope=TEAM, procedure_id="drain", trigger_intent="drain a server", steps=["Tell QA"], actor=LEAD
    )
    return record_id(draft)
