"""The staging cloud of the demo: its machines, who needs them when, and the people around it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta

from langgraph_memory.demo.cloud import Cloud, Job, Machine
from langgraph_memory.policy import AuthorityRule, Policy
from langgraph_memory.scope import Principal, Scope

FRIDAY = datetime(2026, 10, 30, 14, 0, tzinfo=UTC)
"""The Friday afternoon on which the story begins."""

THURSDAY = FRIDAY + timedelta(days=5, hours=19)
"""The Thursday morning after it: the GPU machine and a sandbox have been idle too long."""

STAGING = Scope.of(org="acme", workspace="staging-cloud")
LEADS = frozenset({"infra_lead"})
"""The roles that decide what holds in staging."""

POLICY = Policy(authority=(AuthorityRule(roles=LEADS, scope=STAGING),))

SCHEDULER = Principal("scheduler", grants=(STAGING,))
LEAD = Principal("ana", roles=LEADS, grants=(STAGING,))
DEVELOPER = Principal("dev", roles=frozenset({"developer"}), grants=(STAGING,))

MACHINES = (
    Machine(id="i-09a8f", name="gpu-bench-01", kind="gpu", hourly_usd=3.06),
    Machine(id="i-1c77e", name="dev-sandbox-04", kind="general", hourly_usd=0.38),
    Machine(id="i-2d40b", name="web-staging-02", kind="general", hourly_usd=0.19),
    Machine(id="i-5e913", name="db-staging-01", kind="general", hourly_usd=0.77),
    Machine(id="i-7f0aa", name="ci-runner-07", kind="general", hourly_usd=0.38),
)

_BEFORE = timedelta(days=45)
_AFTER = timedelta(days=30)
_DAY = timedelta(days=1)
_HOUR = timedelta(hours=1)


def staging_cloud(clock: Callable[[], datetime], friday: datetime = FRIDAY) -> Cloud:
    """The cloud as it stands around a Friday afternoon.

    Args:
        clock: the present moment, aware.
        friday: two o'clock in the afternoon of the Friday on which the story begins.
    """
    return Cloud(MACHINES, _jobs(friday), since=friday - _BEFORE, clock=clock)


def _jobs(friday: datetime) -> Iterator[Job]:
    """Who needs what: QA's benchmarks until they move away, a sandbox that was left, and steady work."""
    begin, night, morning = friday - _BEFORE, friday + 8 * _HOUR, friday - 6 * _HOUR
    for week in range(-6, 2):
        yield _job("regression benchmark", "QA", "gpu-bench-01", night + 7 * week * _DAY, 32 * _HOUR, 94)
    for day in range(-44, -3):
        yield _job("work on the suite", "QA", "gpu-bench-01", morning + day * _DAY, 10 * _HOUR, 41)
    yield _job("prototype", "development", "dev-sandbox-04", begin, _BEFORE - 8 * _DAY - 6 * _HOUR, 35)
    yield _job("web", "platform", "web-staging-02", begin, _BEFORE + _AFTER, 31)
    yield _job("database", "platform", "db-staging-01", begin, _BEFORE + _AFTER, 22)
    for day in range(-44, 30):
        yield _job("builds", "platform", "ci-runner-07", morning + day * _DAY, 10 * _HOUR, 57)


def _job(name: str, team: str, machine: str, starts_at: datetime, lasts: timedelta, cpu_pct: float) -> Job:
    (machine_id,) = (each.id for each in MACHINES if each.name == machine)
    return Job(
        name=name,
        team=team,
        machine_id=machine_id,
        starts_at=starts_at,
        ends_at=starts_at + lasts,
        cpu_pct=cpu_pct,
    )
