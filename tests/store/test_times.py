"""Times of a store: its clock, times to live, the sweeper."""

import threading
from datetime import UTC, datetime, timedelta

import pytest
from langgraph.store.base import PutOp

from langgraph_memory.errors import ConfigurationError
from langgraph_memory.store import HybridStore

NS = ("docs",)


def keys(items):
    return [item.key for item in items]


class Clock:
    def __init__(self):
        self.now = datetime(2026, 1, 1, tzinfo=UTC)

    def __call__(self):
        return self.now

    def advance(self, **spans):
        self.now += timedelta(**spans)


def test_times_come_from_the_clock(open_store):
    clock = Clock()
    with open_store(clock=clock) as store:
        store.put(NS, "k", {})
        clock.advance(days=1)
        store.put(NS, "k", {"n": 1})
        item = store.get(NS, "k")
        assert item.created_at == datetime(2026, 1, 1, tzinfo=UTC)
        assert item.updated_at == datetime(2026, 1, 2, tzinfo=UTC)


def test_a_clock_without_a_zone_is_refused(open_store):
    with open_store(clock=lambda: datetime(2026, 1, 1)) as store, pytest.raises(ConfigurationError):  # noqa: DTZ001
        store.put(NS, "k", {})


def test_ties_are_broken_by_the_order_of_puts(open_store):
    with open_store(clock=Clock()) as store:
        store.batch([PutOp(NS, str(n), {"text": "same"}) for n in range(5)])
        assert keys(store.search(NS)) == keys(store.search(NS, query="same")) == ["4", "3", "2", "1", "0"]


def test_the_sweeper_deletes_what_has_expired(open_store):
    clock = Clock()
    with open_store(clock=clock, ttl={"default_ttl": 10}) as store:
        store.put(NS, "short", {})
        store.put(NS, "long", {}, ttl=60)
        assert store.sweep_ttl() == 0
        clock.advance(minutes=11)
        assert store.get(NS, "short") is None
        assert store.sweep_ttl() == 1
        assert keys(store.search(NS)) == ["long"]


def test_the_sweeper_starts_by_itself(open_store):
    clock = Clock()
    with open_store(clock=clock, ttl={"sweep_interval_minutes": 0.0005}) as store:
        swept = threading.Event()
        store.put(NS, "k", {}, ttl=1)
        clock.advance(minutes=2)
        for _ in range(1000):
            with store.database.read() as connection:
                if not connection.exec_driver_sql("SELECT count(*) FROM store_items").scalar():
                    break
            swept.wait(0.01)
        else:
            pytest.fail("nothing was swept")
        assert store.stop_ttl_sweeper(10)
        store.start_ttl_sweeper()


def test_a_read_in_another_store_puts_an_expiry_off(tmp_path):
    clock = Clock()
    with HybridStore(tmp_path, clock=clock) as one, HybridStore(tmp_path, clock=clock) as other:
        one.put(NS, "k", {"text": "words"}, ttl=10)
        assert keys(one.search(NS, query="words", refresh_ttl=False)) == ["k"]
        clock.advance(minutes=8)
        other.get(NS, "k")
        clock.advance(minutes=8)
        assert keys(one.search(NS, query="words", refresh_ttl=False)) == ["k"]
        clock.advance(minutes=8)
        assert one.search(NS, query="words") == []


@pytest.mark.parametrize("ttl", [-1, float("nan"), float("inf")])
def test_impossible_times_to_live_are_refused(store, ttl):
    with pytest.raises(ValueError, match="ttl"):
        store.put(NS, "k", {}, ttl=ttl)


def test_a_ttl_is_a_number(store):
    with pytest.raises(TypeError, match="ttl"):
        store.put(NS, "k", {}, ttl="5")
