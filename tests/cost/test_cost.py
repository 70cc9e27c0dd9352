"""Store or recompute: the arithmetic, what is measured, and the command that tells it."""

import json
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from typer.testing import CliRunner

from langgraph_memory import Actor, Memory, Principal, Scope
from langgraph_memory.cli import app
from langgraph_memory.cost import Load, Prices, compare
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.testing import FrozenClock
from langgraph_memory.usage import measured

DESK = Scope.of(org="acme", user="lena")
LENA = Principal("lena", grants=(DESK,))
USER = Actor("user", "lena")

amounts = st.floats(min_value=0, max_value=1e5, allow_nan=False)
shares = st.floats(min_value=0, max_value=1, allow_nan=False)


def test_the_example_of_the_article():
    week = compare(Load(injected=800, recomputed=4_000, needed=0.2), Prices())
    assert week.crossover == pytest.approx(0.2)
    assert 200 * week.tokens_stored == 160_000_000  # 10,000 users with 20 turns each, a week
    assert week.stored == pytest.approx(week.recomputed)


def test_maintenance_moves_the_crossover_up():
    bare = compare(Load(injected=800, recomputed=4_000), Prices(input=2, output=8))
    kept = compare(Load(injected=800, recomputed=4_000, read=400, written=50), Prices(input=2, output=8))
    assert bare.crossover == pytest.approx(0.2)
    assert kept.crossover == pytest.approx((800 * 2 + 400 * 2 + 50 * 8) / (4_000 * 2))
    assert not compare(Load(injected=1, recomputed=0), Prices(input=1)).crossover


@given(
    injected=amounts,
    recomputed=st.floats(min_value=1, max_value=1e5),
    needed=shares,
    price=st.floats(0.01, 100),
)
def test_storing_wins_from_the_crossover_on(injected, recomputed, needed, price):
    verdict = compare(Load(injected=injected, recomputed=recomputed, needed=needed), Prices(input=price))
    if needed > verdict.crossover * 1.0001:
        assert verdict.storing_wins
    if needed < verdict.crossover * 0.9999:
        assert not verdict.storing_wins


def test_every_price_counts():
    load = Load(
        injected=1e6, recomputed=1e6, read=1e6, written=1e6, embedded=1e6, gigabytes=10, turns_per_month=100
    )
    assert compare(load, Prices(input=1)).stored == pytest.approx(2_000)
    assert compare(load, Prices(input=1, maintenance_input=3)).stored == pytest.approx(4_000)
    assert compare(load, Prices(output=1)).stored == pytest.approx(1_000)
    assert compare(load, Prices(embedding=1)).stored == pytest.approx(1_000)
    assert compare(load, Prices(storage=1)).stored == pytest.approx(100)


@pytest.fixture
def folder(tmp_path):
    """A memory that answered ten turns, half of them with something, the last two a month later."""
    path = tmp_path / "memory"
    clock = FrozenClock(datetime.now(UTC) - timedelta(days=40))
    with Memory.open(path, clock=clock) as memory:
        for n, text in enumerate(("I prefer parcels on Mondays.", "I moved to Berlin.")):
            memory.publish(
                scope=DESK, activity_id=f"a{n}", event_type="message.user", actor=USER, data={"text": text}
            )
            memory.publish(scope=DESK, activity_id=f"a{n}", event_type="activity.completed", actor=USER)
        memory.consolidate()
        for n in range(10):
            if n == 8:
                clock.advance(days=31)
            entities = ["user:lena"] if n % 2 else []
            memory.recall("zebra stripes", principal=LENA, scope=DESK, entities=entities, kinds=["fact"])
    return path


def test_what_is_measured_is_what_the_receipts_say(folder):
    with Memory.open(folder) as memory:
        usage = measured(memory)
        sizes = [receipt.body["tokens"] for receipt in memory.explanations("recall")]
        facts = memory.facts(DESK)
    assert usage.turns == len(sizes) == 10
    assert usage.injected == pytest.approx(sum(sizes) / 10)
    assert usage.helped == 0.5
    assert usage.recomputed > 0
    assert [(tenure.month, tenure.turns) for tenure in usage.by_tenure] == [(0, 8), (1, 2)]
    assert usage.events == 4
    assert len(facts) == 2
    assert usage.load(modelled=True).read > usage.load(modelled=False).read == 0


def test_a_memory_without_a_recall_says_that_there_is_nothing_to_measure(tmp_path):
    with Memory.open(tmp_path / "memory") as memory:
        usage = measured(memory)
        assert (usage.turns, usage.injected, usage.by_tenure) == (0, 0, ())
    told = run("cost", "--path", str(tmp_path / "memory"))
    assert told.exit_code == 0
    assert "nothing to measure" in told.stdout


def test_the_95th_percentile_of_a_few_turns_is_the_largest(tmp_path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.assert_fact(scope=DESK, entity="user:lena", attribute="city", value="Oslo", actor=USER)
        for entities in ([], ["user:lena"]):
            memory.recall("zebra stripes", principal=LENA, scope=DESK, entities=entities)
        usage = measured(memory)
        assert usage.injected_p95 == max(r.body["tokens"] for r in memory.explanations("recall")) > 0
    assert usage.injected_p95 >= usage.injected


def test_a_tie_is_told_as_one(tmp_path):
    with Memory.open(tmp_path / "memory") as memory:
        memory.recall("zebra stripes", principal=LENA, scope=DESK)
    assert "Both cost the same" in run("cost", "--path", tmp_path / "memory").stdout


def run(*arguments):
    return CliRunner().invoke(app, [str(argument) for argument in arguments])


def test_the_command_tells_the_cost_by_the_users_prices(folder, tmp_path):
    table = tmp_path / "prices.toml"
    table.write_text('currency = "EUR"\ninput = 2.5\noutput = 10\n', encoding="utf-8")
    told = run("cost", "--path", folder, "--prices", table)
    assert told.exit_code == 0, told.output
    assert "1,000 turns with memory" in told.stdout
    assert "EUR" in told.stdout
    assert "month 2" in told.stdout
    as_json = json.loads(run("cost", "--path", folder, "--prices", table, "--json", "--needed", "0.1").stdout)
    assert as_json["load"]["needed"] == 0.1
    assert as_json["verdict"]["stored"] == pytest.approx(1_000 * as_json["usage"]["injected"] * 2.5 / 1e6)
    by_model = json.loads(run("cost", "--path", folder, "--prices", table, "--json", "--by-model").stdout)
    assert by_model["verdict"]["stored"] > as_json["verdict"]["stored"]


def test_measuring_leaves_no_receipt_of_its_own(folder):
    before = run("cost", "--path", folder).stdout
    assert run("cost", "--path", folder).stdout == before
    assert "tokens" in before


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("p.toml", "input = -1"),
        ("p.toml", "inputs = 1"),
        ("p.toml", "input = inf"),
        ("p.toml", "input = nan"),
        ("p.toml", "input = 1e300"),
        ("p.toml", 'input = "x"'),
        ("p.json", "[]"),
        ("p.json", "{"),
        ("p.toml", "= ="),
        ("x", None),
    ],
)
def test_what_is_no_price_table_is_told_on_one_line(folder, tmp_path, name, text):
    path = tmp_path / name
    if text is not None:
        path.write_text(text, encoding="utf-8")
    told = run("cost", "--path", folder, "--prices", path)
    assert told.exit_code == 2
    assert "is no price table" in told.output
    assert told.output.count("\n") == 1
    assert "pydantic" not in told.output
    with pytest.raises(ConfigurationError, match="maintenance_input"):
        Prices.read(path)


@pytest.mark.parametrize("text", ["", "input = 0", 'currency = "EUR"'])
def test_a_table_without_a_price_compares_tokens_and_labels_them_so(folder, tmp_path, text):
    table = tmp_path / "prices.toml"
    table.write_text(text, encoding="utf-8")
    told = run("cost", "--path", folder, "--prices", table).stdout
    assert told == run("cost", "--path", folder).stdout
    assert "EUR" not in told


def test_a_table_by_which_deriving_costs_nothing_says_so(folder, tmp_path):
    table = tmp_path / "prices.toml"
    table.write_text("embedding = 0.00001", encoding="utf-8")
    told = run("cost", "--path", folder, "--prices", table).stdout
    assert "at these prices deriving costs nothing" in told
    assert "0.0000 USD" in told
    assert "e-" in told  # the other amount is small, and no zero


def test_amounts_stand_in_a_column_of_their_own(folder):
    lines = run("cost", "--path", folder, "--needed", "1").stdout.splitlines()
    assert [line for line in lines if line.startswith("  ") and "  " not in line.strip()] == []
