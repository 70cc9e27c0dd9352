"""Activities to consolidate, and what other processes do with them."""

import os
import time
from collections import Counter

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Scope, Worker

TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"lead"})
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)])
PATIENCE = 60


def opened(place, **options):
    return Memory.open(place, policy=POLICY, index=None, **options)


def say(memory, number, *, ends=True):
    """An activity in which a lead lays down a rule."""
    memory.publish(
        scope=TEAM,
        activity_id=f"act-{number}",
        event_type="message.user",
        actor=LEAD,
        data={"text": f"Keep gpu-{number} running until QA has moved."},
    )
    if ends:
        memory.publish(
            scope=TEAM,
            activity_id=f"act-{number}",
            event_type="activity.completed",
            actor=Actor("system", "runtime"),
        )


class Noting:
    """An extractor that says on a pipe which activity it reads, and never comes back from one of them."""

    def __init__(self, connection, inner, stuck=False):
        self.connection, self.inner, self.stuck = connection, inner, stuck

    def extract(self, events, known):
        self.connection.send(events[0].activity_id)
        while self.stuck:
            time.sleep(0.01)  # until the process is killed
        return self.inner.extract(events, known)


def labour(connection, place, stuck):
    """Work until told to stop, and say what was done."""
    with opened(place) as memory:
        memory.pipeline.extractor = Noting(connection, memory.pipeline.extractor, stuck)
        worker = Worker(memory, interval=0.05).start()
        connection.send("working")
        connection.recv()
        worker.close()
        connection.send(worker.status().report.activities)


def leave_running(connection, place):
    """End the interpreter while a worker is working."""
    memory = opened(place)
    memory.pipeline.extractor = Noting(connection, memory.pipeline.extractor, stuck=True)
    Worker(memory).start()
    connection.send(os.getpid())
    connection.recv()


def until(condition):
    """Wait for something that other threads or processes bring about."""
    deadline = time.monotonic() + PATIENCE
    while not (found := condition()):
        assert time.monotonic() < deadline, "it doesn't happen"
        time.sleep(0.005)
    return found


def kept(memory, count):
    """How often each of the activities' episodes was written."""
    entries = [e for n in range(count) for e in memory.audit(f"ep_act-{n}") if e.decision == "kept"]
    return Counter(entry.record_id for entry in entries)
