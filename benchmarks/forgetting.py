"""How long forgetting takes in a large store, its rows apart from the renewal of the vector index.

usage: python benchmarks/forgetting.py [--json FILE] [--memories N] [--per-entity N] [--exact-limit N]

Fills a folder with facts on many entities, each stated in an event of its own, then forgets one entity, one
fact and one actor. `purge` is the removal of the vector index with what it still held; `renewal` is making it
anew, which goes on in the background while searches compare vector by vector. Times are seconds.
"""

from __future__ import annotations

import tempfile
from argparse import Namespace
from pathlib import Path

from measuring import keep, numbers, options, seconds
from topics import TOPICS

from langgraph_memory import Actor, AuthorityRule, HybridStore, Memory, Policy, Principal, Scope
from langgraph_memory.log import EventLog

ORG = Scope.of(org="acme")
LEAD = Actor("user", "ana", roles={"lead"})
GUEST = Actor("user", "guest-7", roles={"lead"})
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=ORG)])
ANA = Principal("ana", roles={"lead"}, grants=(ORG,))
_AT_ONCE = 500
_SCOPES = 100


def main() -> None:
    """Measure, print a table, and write it as JSON where a file is named."""
    given = options(__doc__, memories=100_000, per_entity=10, exact_limit=20_000)
    with tempfile.TemporaryDirectory() as folder:
        rows = measured(Path(folder) / "memory", given)
    print(numbers("what", "seconds", rows))
    keep(rows, given.json)


def measured(folder: Path, given: Namespace) -> dict[str, float]:
    """Seconds of each step."""
    rows: dict[str, float] = {}
    with HybridStore(folder, exact_limit=given.exact_limit, background=False) as store:
        memory = Memory(store, EventLog(store.database), policy=POLICY)
        rows["fill"] = seconds(lambda: fill(memory, given.memories, given.per_entity))
        rows["index"] = seconds(store.flush)
        fact = memory.facts(team(3), entity="host-3")[0]
        rows["forget an entity"] = seconds(lambda: forgotten(memory, team(7), entity="host-7"))
        rows["forget a fact"] = seconds(lambda: forgotten(memory, team(3), fact_id=fact.fact_id))
        rows["forget an actor"] = seconds(lambda: forgotten(memory, ORG, actor_id="guest-7"))
        rows["purge the index"] = seconds(store.purge)
        rows["renew the index"] = seconds(store.flush)
    return rows


def team(number: int) -> Scope:
    return Scope.of(org="acme", workspace=f"team-{number % _SCOPES}")


def fill(memory: Memory, memories: int, per_entity: int) -> None:
    """Facts in a hundred scopes; committed by the hundreds, since only the size matters here."""
    hosts = max(1, memories // per_entity)
    for start in range(0, memories, _AT_ONCE):
        with memory.log.database.write():
            for number in range(start, min(start + _AT_ONCE, memories)):
                state(memory, number % hosts, number)


def state(memory: Memory, host: int, number: int) -> None:
    topic, other = TOPICS[number // _SCOPES % len(TOPICS)], TOPICS[(number * 7 + 3) % len(TOPICS)]
    memory.assert_fact(
        scope=team(host),
        entity=f"host-{host}",
        attribute=f"{topic}_policy_{number}",
        value=f"The {topic} of host-{host} waits for the {other} team, ticket {number * 13}",
        actor=GUEST if number % 5_000 == 1 else LEAD,
    )


def forgotten(memory: Memory, scope: Scope, **selector: str) -> None:
    receipt = memory.forget(scope, **selector, principal=ANA)
    assert receipt.facts, selector
    assert receipt.proven, receipt.left


if __name__ == "__main__":
    main()
