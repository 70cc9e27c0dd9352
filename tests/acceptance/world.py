"""The cast of the acceptance tests: one tenant, one workspace, people with and without authority."""

from datetime import UTC, datetime

from langgraph_memory import Actor, AuthorityRule, MemoryContext, Policy, Principal, Scope
from langgraph_memory.records import FactStatus

STAGING = Scope.of(org="acme", workspace="staging-cloud")
FRIDAY = datetime(2026, 3, 6, 17, 0, tzinfo=UTC)

ANA = Principal("ana", roles={"infra_lead"}, grants=(STAGING,))
DAN = Principal("dan", roles={"developer"}, grants=(STAGING,))
LEAD = Actor("user", "ana", roles={"infra_lead"})
DEVELOPER = Actor("user", "dan", roles={"developer"})
ROBOT = Actor("agent", "costguard")
RUNTIME = Actor("system", "runtime")

LEADS_RULE = AuthorityRule(roles={"infra_lead"}, scope=Scope.of(workspace="staging-cloud"), attributes="*")
EVERY_STATUS = tuple(FactStatus)

GPU = "gpu-bench-01"
SANDBOX = "dev-sandbox-04"
KEEP = "Keep gpu-bench-01 running for the weekend regression run"
EVIDENCE = "trace://act-monday/message"


def leads_policy(*more: AuthorityRule) -> Policy:
    """Infrastructure leads decide in staging; `more` rules may be added."""
    return Policy(authority=[LEADS_RULE, *more])


def ana_in(activity_id, principal=ANA, scope=STAGING):
    return MemoryContext(principal=principal, scope=scope, activity_id=activity_id)


def say(memory, actor, text, *, activity, scope=STAGING, event_id=None, entities=(), ref=None):
    """One message of an activity."""
    return memory.publish(
        scope=scope,
        activity_id=activity,
        event_type="message.user" if actor.kind == "user" else "message.agent",
        actor=actor,
        entities=entities,
        evidence_ref=ref,
        data={"text": text},
        thread_id=f"thread-{activity}",
        event_id=event_id,
    )


def use(memory, tool, args, output, *, activity, scope=STAGING, entities=(), event_id=None):
    """One tool call that went well."""
    return memory.publish(
        scope=scope,
        activity_id=activity,
        event_type="tool.completed",
        actor=Actor("tool", tool),
        entities=entities,
        data={"tool": tool, "args": args, "output": output},
        thread_id=f"thread-{activity}",
        event_id=event_id,
    )


def end(memory, activity, *, scope=STAGING, status="completed"):
    """The checkpoint that ends an activity."""
    return memory.publish(
        scope=scope,
        activity_id=activity,
        event_type=f"activity.{status}",
        actor=RUNTIME,
        data={"status": status},
        thread_id=f"thread-{activity}",
    )


def hear(memory, actor, text, *, activity="act-said", entity=GPU, scope=STAGING):
    """An activity in which `entity` was looked at and `actor` said `text`, consolidated."""
    use(memory, "get_instance", {"instance": entity}, {"name": entity}, activity=activity, scope=scope,
        entities=(entity,))  # fmt: skip
    say(memory, actor, text, activity=activity, scope=scope)
    end(memory, activity, scope=scope)
    memory.consolidate()


def constrain(memory, actor=LEAD, *, entity=GPU, value=KEEP, scope=STAGING, ends_when="QA has moved", **more):
    """A standing rule against stopping `entity`, set as structure."""
    fields = {"attribute": "lifecycle_policy", "kind": "constraint", "forbids": ("stop",)} | more
    return memory.assert_fact(
        scope=scope, entity=entity, value=value, actor=actor, ends_when=ends_when, **fields
    )


def values(facts):
    return sorted(fact.value for fact in facts)


def fact_ids(recall):
    return [item.record.fact_id for item in recall.items if hasattr(item.record, "fact_id")]


def wide(text):
    """The same letters in their full-width form, which look alike and compare otherwise."""
    return "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in text)
