"""An answer kept between the steps of a run is what a search would find now, whoever wrote meanwhile."""

import pytest

from langgraph_memory import Memory
from langgraph_memory.errors import StorageError

from .cast import ACME, ANA, LEAD, POLICY

QUESTION = "Where are the nightly reports kept?"


@pytest.fixture
def one(tmp_path):
    with Memory.open(tmp_path / "memory", policy=POLICY) as memory:
        yield memory


@pytest.fixture
def other(one, tmp_path):
    """The same folder as another process has it open."""
    with Memory.open(tmp_path / "memory", policy=POLICY) as memory:
        yield memory


def say(memory, entity, value):
    return memory.assert_fact(
        scope=ACME, entity=entity, attribute="nightly_reports", value=value, actor=ANA
    ).fact_id


def found(memory, question=QUESTION):
    return {item.id for item in memory.recall(question, principal=LEAD, scope=ACME).items}


def searches(memory, monkeypatch):
    """The batches that memory's store is asked for from now on."""
    asked, batch = [], type(memory.store).batch

    def noted(store, operations):
        asked.append(list(operations))
        return batch(store, asked[-1])

    monkeypatch.setattr(type(memory.repository.contents._store), "batch", noted)
    return asked


@pytest.mark.parametrize("writer", ["one", "other"])
def test_what_is_written_meanwhile_is_found(one, other, writer):
    kept = say(one, "archive", "the reports lie in bucket-7")
    assert found(one) == {kept}
    new = say({"one": one, "other": other}[writer], "warehouse", "the reports lie in bucket-8")
    assert found(one) == {kept, new}


@pytest.mark.parametrize("writer", ["one", "other"])
def test_what_changes_or_is_forgotten_meanwhile_is_found_no_more(one, other, writer):
    old, stays = say(one, "archive", "in bucket-7"), say(one, "warehouse", "in bucket-8")
    assert found(one) == {old, stays}
    new = say({"one": one, "other": other}[writer], "archive", "in bucket-9")
    assert found(one) == {new, stays}
    {"one": one, "other": other}[writer].forget(scope=ACME, entity="warehouse", principal=LEAD)
    assert found(one) == {new}


def test_the_same_question_is_searched_once_another_one_anew(one, monkeypatch):
    say(one, "archive", "in bucket-7")
    found(one)
    asked = searches(one, monkeypatch)
    assert found(one)
    assert not asked
    assert found(one, "Are the nightly reports in bucket-7?")
    assert asked


def undone(memory):
    """A statement in a transaction that fails, and what was found before it did."""
    with memory.log.database.write():
        say(memory, "warehouse", "in bucket-8")
        found(memory)
        raise StorageError("undone")


def test_what_was_undone_is_not_found(one):
    kept = say(one, "archive", "in bucket-7")
    with pytest.raises(StorageError, match="undone"):
        undone(one)
    assert found(one) == {kept}
