"""The contract of a LangGraph store as a suite: point it at any `BaseStore`.

>>> from contextlib import contextmanager
>>> from langgraph.store.memory import InMemoryStore
>>> @contextmanager
... def open_store(*, index=None, ttl=None):
...     if ttl:
...         raise NotImplementedError("no time to live")
...     yield InMemoryStore(index=index)
>>> report = conformance(open_store)
>>> report.mark("get_returns_what_was_put"), report.mark("created_at_survives_updates")
('passes', 'fails')

`python -m langgraph_memory.testing.store_conformance` prints how this package's store and LangGraph's own do.

In a test suite of your own, run each check as a test:

    @pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
    def test_contract(check):
        check.run(open_store)
"""

from collections.abc import Sequence

from langgraph_memory.testing.store_conformance import (
    batches,
    expiry,
    filtering,
    items,
    kit,
    listings,
    searches,
)
from langgraph_memory.testing.store_conformance.kit import (
    Check,
    HashEmbeddings,
    NonconformanceError,
    OpenStore,
    Report,
    comparison,
)

CHECKS: tuple[Check, ...] = tuple(
    Check(run) for room in (items, batches, searches, filtering, listings, expiry) for run in room.CHECKS
)
"""All requirements."""


def conformance(open_store: OpenStore, checks: Sequence[Check] = CHECKS) -> Report:
    """How a store does: each check is run on empty stores that `open_store` gives."""
    return kit.conformance(open_store, checks)


__all__ = [
    "CHECKS",
    "Check",
    "HashEmbeddings",
    "NonconformanceError",
    "OpenStore",
    "Report",
    "comparison",
    "conformance",
]
