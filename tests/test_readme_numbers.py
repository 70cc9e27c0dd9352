"""The numbers of the README and of the page of measurements are those of the committed results."""

import json
import re
import runpy
from pathlib import Path

import pytest
import yaml

from langgraph_memory.bench.remembering import Remembered, table
from langgraph_memory.evaluation import ARMS, Scenario, Score, Telling, play, shipped
from langgraph_memory.evaluation.report import markdown

ROOT = Path(__file__).parent.parent
README = (ROOT / "README.md").read_text("utf-8")
MEASURED = (ROOT / "docs" / "measured.md").read_text("utf-8")
RESULTS = ROOT / "benchmarks" / "results"
TABLES = runpy.run_path(str(ROOT / "benchmarks" / "measuring.py"))


def results(name):
    return json.loads((RESULTS / f"{name}.json").read_text("utf-8"))


@pytest.mark.parametrize("telling", Telling)
def test_the_tables_of_decisions_are_those_that_were_measured(telling):
    scores = [Score.model_validate(each) for each in results("decisions")["scores"]]
    assert markdown(scores, telling) in README


def test_what_is_said_about_the_scenarios_is_what_was_measured():
    found = results("decisions")
    assert found["scenarios"] == len(shipped())
    assert f"{found['scenarios']} scenarios, {found['seeds']} seeds" in README
    right, total = found["speech"]["right"], sum(found["speech"].values())
    assert f"{right} of {total} spoken decisions" in README
    assert right / total >= 0.85


def test_times_of_memory_are_those_that_were_measured():
    rows = results("memory")
    for label, name in {"publish": "publish with redaction", "recall": "recall", "guard": "guard"}.items():
        (cells,) = re.findall(rf"^\| {label}\b.*\|$", README, re.MULTILINE)
        shown = tuple(float(cell) for cell in cells.strip("|").split("|")[1:])
        assert shown == tuple(float(f"{rows[name][key]:.2g}") for key in ("p50", "p95")), label


STORES = ("HybridStore 100,000", "InMemoryStore 100,000", "Chroma 100,000", "mnestic 2,000", "mem0 2,000")
MEASURES = {
    "put (": ("put",),
    "put, NORMAL": ("put, NORMAL",),
    "get": ("get",),
    "search in a scope": ("scope p50", "scope p95"),
    "search in everything": ("all p50", "all p95"),
    "list 10,000 namespaces": ("list", "open"),
    "bulk load": ("load",),
    "resident memory": ("memory",),
}


@pytest.mark.parametrize("label", MEASURES)
def test_times_of_stores_are_those_that_were_measured(label):
    """Each number of a row is the measured one, to the places that are shown; a dash stands for none."""
    (cells,) = re.findall(rf"^\| {re.escape(label)}.*?\|(.*)\|$", README, re.MULTILINE)
    for store, cell in zip(STORES, cells.split("|"), strict=True):
        shown = re.findall(r"[\d.]+", cell.replace(",", ""))
        found = [results("store")[store][name] for name in MEASURES[label]] if shown else []
        places = [len(number.partition(".")[2]) for number in shown]
        assert shown == [f"{value:.{at}f}" for value, at in zip(found, places, strict=True)], (label, store)


def test_how_many_times_faster_a_put_is_was_measured():
    ours, chroma = results("store")["HybridStore 10,000"], results("store")["Chroma 10,000"]["put"]
    text = " ".join(README.split())
    assert f"{chroma / ours['put, NORMAL']:.0f} times as fast as Chroma's single upsert with NORMAL" in text
    assert f"and {chroma / ours['put']:.0f} times with FULL" in text
    assert chroma / ours["put"] >= 20


def test_what_recalls_bring_back_is_what_was_measured():
    rows = [Remembered(**each) for each in results("conversations")]
    assert "\n".join(table(rows)) in README
    assert rows[0].shown >= 0.78


def test_how_well_the_store_finds_is_what_was_measured():
    found = {each["name"]: each for each in results("retrieval") if each["retriever"] == "HybridStore"}

    def shown(row, *scores):
        (cells,) = re.findall(rf"^\| {row}.*\|$", README, re.MULTILINE)
        (ours,) = re.findall(r"\*\*(.*?)\*\*", cells)
        assert [float(each) for each in re.findall(r"[\d.]+", ours)] == [round(each, 3) for each in scores]

    shown("LoCoMo", found["locomo"]["recall"]["10"], found["locomo"]["mrr"])
    shown("PrefEval", found["prefeval"]["recall"]["5"], found["prefeval"]["mrr"])
    shown("XQuAD", *(found[each]["recall"]["1"] for each in ("zh", "th", "ar", "hi", "ru", "en")))
    shown("names that differ", found["names that differ in a character"]["recall"]["1"])


@pytest.mark.parametrize(
    "shown",
    [
        TABLES["shares"](results("redaction")["shares"]),
        TABLES["numbers"]("redacting", "ms", results("redaction")["milliseconds"]),
        TABLES["numbers"]("consolidated", "activities a second", results("consolidation"), digits=0),
        TABLES["times"](results("playbooks")),
        TABLES["times"](results("graph")),
        TABLES["numbers"]("what", "seconds", results("forgetting")),
        TABLES["compared"]("superstep", results("saver")),
        TABLES["months"](results("year")),
    ],
    ids=[
        "shares of redaction",
        "times",
        "consolidation",
        "playbooks",
        "graph",
        "forgetting",
        "saver",
        "year",
    ],
)
def test_the_tables_of_the_page_are_those_that_were_measured(shown):
    assert shown in MEASURED


def test_what_the_saver_adds_to_a_superstep_is_what_the_page_says():
    rows = results("saver")
    most = max(rows[name]["mean more"] for name in ("planner", "tools", "round"))
    assert most <= 20
    assert f"adds at most {most:.0f} % to a superstep" in README


def test_what_waits_for_consolidation_makes_recall_and_guard_hardly_slower():
    rows = results("graph")
    for name in ("recall", "guard"):
        none, many = (rows[f"{name}, {count} messages waiting"]["p50"] for count in ("0", "5,000"))
        assert many < 1.5 * none


def test_a_year_of_use_costs_no_precision_and_little_time():
    months = results("year")
    assert len(months) == 12
    assert all(
        (row["precision"], row["recall"], row["stale"], row["first"]) == (1, 1, 0, 1) for row in months
    )
    assert months[-1]["recall_ms"] < 2 * months[0]["recall_ms"]


def test_redaction_takes_secrets_and_leaves_ordinary_messages_as_they_are():
    found = results("redaction")["shares"]
    told, of = found["secrets told"]
    assert told == of
    assert found["names in them lost"][0] == 0
    assert all(part <= 0.002 * of for name, (part, of) in found.items() if name.endswith("changed"))


def test_the_scenario_that_is_shown_can_be_played():
    (shown,) = re.findall(r"```yaml\n(name: .*?)```", README, re.DOTALL)
    scenario = Scenario.model_validate(yaml.safe_load(shown))
    assert [each.done for each in play(scenario, ARMS[-1]).decisions] == [True, False]
    assert [each.done for each in play(scenario, ARMS[0]).decisions] == [True, True]
