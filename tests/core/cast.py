"""The lead of a tenant, who may lay down and lift all that holds there."""

from langgraph_memory import Actor, AuthorityRule, Policy, Principal, Scope

ACME = Scope.of(org="acme")
TEAM = Scope.of(org="acme", workspace="staging")
ANA = Actor("user", "ana", roles={"lead"})
LEAD = Principal("ana", roles={"lead"}, grants=(ACME,))
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=ACME)])
