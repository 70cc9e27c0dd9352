"""Run as a process: says its rule on one entity many times, as a worker of a shared folder would."""

import sys
import time
from pathlib import Path

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Scope

TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"infra_lead"})
POLICY = Policy(authority=[AuthorityRule(roles={"infra_lead"}, scope=TEAM)])


def main(folder: str, name: str, starts: str, rounds: str) -> None:
    """Wait for the common start, then publish and consolidate `rounds` statements."""
    with Memory.open(folder, policy=POLICY, index=None) as memory:
        Path(folder, f"ready-{name}").touch()
        while not Path(starts).exists():
            time.sleep(0.005)
        for number in range(int(rounds)):
            text = f"Keep gpu-bench-01 running until plan {name}{number} is done."
            memory.publish(
                scope=TEAM, activity_id=f"act-{name}-{number}", event_type="feedback.correction", actor=LEAD,
                data={"text": text}, entities=("gpu-bench-01",),
            )  # fmt: skip
            memory.consolidate()


if __name__ == "__main__":
    main(*sys.argv[1:])
