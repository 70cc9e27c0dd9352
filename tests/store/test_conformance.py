"""HybridStore meets the whole contract on every set-up; the reference stores don't."""

import psycopg
import pytest

from langgraph_memory.testing.store_conformance import (
    CHECKS,
    Check,
    NonconformanceError,
    comparison,
    conformance,
)
from langgraph_memory.testing.store_conformance.__main__ import (
    hybrid_store,
    in_memory_store,
    postgres_store,
    sqlite_store,
)


@pytest.mark.parametrize("check", CHECKS, ids=lambda check: check.name)
def test_hybrid_store(check, open_store):
    check.run(open_store)


def test_the_report_tells_stores_apart():
    checks = [check for check in CHECKS if "expire" not in check.name and "override" not in check.name]
    reports = {
        "InMemoryStore": conformance(in_memory_store, checks),
        "SqliteStore": conformance(sqlite_store, checks),
    }
    assert "created_at_survives_updates" in reports["InMemoryStore"].failures
    assert "get_returns_what_was_put" in reports["InMemoryStore"].passed
    assert "reads_refresh" in reports["InMemoryStore"].not_offered
    assert "numbers_compare_as_numbers" in reports["SqliteStore"].failures
    table = comparison(reports, checks)
    assert "| An update keeps `created_at` and moves `updated_at` | fails | fails |" in table
    assert len(table.splitlines()) == len(checks) + 3


def test_a_store_on_a_server_gets_a_schema_of_its_own_each_time(postgres_url):
    names = ("created_at_survives_updates", "numbers_compare_as_numbers", "the_latest_update_comes_first")
    report = conformance(postgres_store(postgres_url), [check for check in CHECKS if check.name in names])
    assert [report.mark(name) for name in names] == ["passes", "fails", "passes"]
    with psycopg.connect(postgres_url) as connection:
        assert not connection.execute("SELECT 1 FROM pg_namespace WHERE nspname ~ '^conformance'").fetchall()


def test_the_command_s_own_set_up_conforms():
    assert conformance(hybrid_store, [check for check in CHECKS if "thread" not in check.name]).conforms


def test_a_check_that_breaks_is_a_failure():
    def broken(_open_store):
        """Breaks."""
        raise ZeroDivisionError

    def unmet(_open_store):
        """Is not met."""
        raise NonconformanceError("found 1, wanted 2")

    report = conformance(in_memory_store, [Check(broken), Check(unmet)])
    assert not report.conforms
    assert report.failures == {
        "broken": "ZeroDivisionError: ",
        "unmet": "NonconformanceError: found 1, wanted 2",
    }
