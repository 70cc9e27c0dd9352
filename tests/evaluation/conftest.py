"""Shipped scenarios by name, and reports that several tests look at."""

from functools import cache

import pytest

from langgraph_memory.evaluation import evaluate, shipped

FEW = ("bench-box-released", "idle-opinions", "customer-writes-policy", "vouchers-first", "two-households")


@cache
def _by_name():
    return {scenario.name: scenario for scenario in shipped()}


@pytest.fixture
def scenario():
    """Gives a shipped scenario by its name."""
    return lambda name: _by_name()[name]


@pytest.fixture(scope="session")
def report():
    """A run of a few shipped scenarios with all arms, told in both ways, over two seeds."""
    return evaluate([_by_name()[name] for name in FEW], seeds=2)
