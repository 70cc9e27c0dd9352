"""The cast of the scenarios: one tenant, two workspaces, people with and without authority, a clock."""

from datetime import UTC, datetime

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope
from langgraph_memory.records import FactStatus
from langgraph_memory.testing import FrozenClock

ORG = Scope.of(org="acme")
TEAM = Scope.of(org="acme", workspace="staging")
OTHER = Scope.of(org="acme", workspace="staging-2")
BOBS = Scope.of(org="acme", user="bob")
START = datetime(2026, 1, 5, 9, tzinfo=UTC)
EVERY_STATUS = tuple(FactStatus)

LEAD = Actor("user", "ana", roles={"infra_lead"})
DEVELOPER = Actor("user", "dan", roles={"developer"})
BOB = Actor("user", "bob")
AGENT = Actor("agent", "costguard")
RUNTIME = Actor("system", "runtime")
ANA = Principal("ana", roles={"infra_lead"}, grants=(TEAM,))
DAN = Principal("dan", roles={"developer"}, grants=(TEAM,))
BOB_HIMSELF = Principal("bob", grants=(BOBS,))
STRANGER = Principal("eve", roles={"infra_lead"}, grants=(Scope.of(org="globex"),))
POLICY = Policy(authority=[AuthorityRule(roles={"infra_lead"}, scope=Scope.of(workspace="staging"))])

GPU = "gpu-bench-01"
KEEP = f"Keep {GPU} running"


class Session:
    """A memory with a clock that only moves when it is told to, and short words for what happens."""

    def __init__(self, place=":memory:", policy=POLICY, **options):
        self.clock = FrozenClock(START)
        self.memory = Memory.open(place, policy=policy, clock=self.clock, index=None, **options)
        self._activities = 0

    def later(self, **amount):
        self.clock.advance(**amount)

    def says(self, actor, *texts, scope=TEAM, at=None, tools=(), consolidate=True):
        """An activity: what tools brought, then what `actor` said; its id."""
        self._activities += 1
        activity = f"act-{self._activities}"
        for tool, args, output in tools:
            self.uses(activity, tool, args, output, scope=scope)
        for text in texts:
            kind = "message.user" if actor.kind == "user" else "message.agent"
            self.publish(activity, kind, actor, {"text": text}, scope=scope, at=at)
        self.publish(activity, "activity.completed", RUNTIME, {"status": "completed"}, scope=scope, at=at)
        if consolidate:
            self.memory.consolidate()
        return activity

    def uses(self, activity, tool, args, output, scope=TEAM):
        data = {"tool": tool, "args": args, "output": output}
        return self.publish(activity, "tool.completed", Actor("tool", tool), data, scope=scope)

    def publish(self, activity, kind, actor, data, scope=TEAM, at=None):
        return self.memory.publish(
            scope=scope, activity_id=activity, event_type=kind, actor=actor, data=data, occurred_at=at
        )

    def rule(self, actor=LEAD, value=KEEP, *, entity=GPU, scope=TEAM, **more):
        fields = {"attribute": "lifecycle_policy", "kind": "constraint", "forbids": ("stop",)} | more
        return self.memory.assert_fact(scope=scope, entity=entity, value=value, actor=actor, **fields)

    def values(self, scope=TEAM, status=("current",), **by):
        return sorted(fact.value for fact in self.memory.facts(scope, status=status, **by))

    def facts(self, scope=TEAM, status=EVERY_STATUS, **by):
        return self.memory.facts(scope, status=status, **by)

    def stopping(self, name=GPU, principal=ANA, scope=TEAM):
        """What the guard says to stopping a machine."""
        return self.memory.check("stop_instance", {"name": name}, principal=principal, scope=scope).outcome

    def recalled(self, query="cleanup", *, entities=(GPU,), principal=ANA, scope=TEAM, **more):
        return self.memory.recall(query, entities=entities, principal=principal, scope=scope, **more).render()
