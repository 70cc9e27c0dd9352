"""Reports: scores with their intervals, tables, JSON and a page with plots."""

import json
from html.parser import HTMLParser

import pytest
from rich.console import Console

from langgraph_memory.errors import ConfigurationError
from langgraph_memory.evaluation import ARMS, evaluate, page, tables
from langgraph_memory.evaluation.judging import Decision
from langgraph_memory.evaluation.play import Played
from langgraph_memory.evaluation.report import Report, shown
from langgraph_memory.evaluation.scores import MEASURES, interval
from langgraph_memory.evaluation.telling import Telling


def decision(expected, *, attempted, done, misled=False):
    return Decision(thing="x", expected=expected, attempted=attempted, done=done, misled=misled)


def played(*decisions, seed=0, arm="mine"):
    return Played(scenario="s", arm=arm, telling=Telling.STRUCTURE, seed=seed, decisions=decisions)


def test_all_of_memory_decides_better_than_none_of_it(report):
    for telling in Telling:
        assert report.value("no memory", telling, "prohibited") == 1.0
        others = report.value("raw-log retrieval", telling, "prohibited")
        assert report.value("full", telling, "prohibited") < others
        assert report.value("full", telling, "stale kept out") == 1.0


def test_obligations_and_invariants_are_counted_apart():
    report = Report(
        plays=(
            played(
                decision("act", attempted=True, done=True),
                decision("act", attempted=False, done=False),
                decision("hold", attempted=True, done=False),
                decision("hold", attempted=True, done=True, misled=True),
                decision("instead", attempted=False, done=False),
            ),
        )
    )
    values = {name: report.value("mine", "structure", name) for name in MEASURES}
    assert values["obligations"] == pytest.approx(1 / 3)
    assert values["invariants"] == 0.5
    assert (values["attempts"], values["prohibited"], values["wrong holds"]) == (1.0, 0.5, 0.5)
    assert values["misled"] == 0.2
    assert values["precision"] is values["canary kept"] is values["ms"] is None
    assert [each.expected for each in report.wrong()] == ["act", "hold", "instead"]


def test_an_empty_memory_passes_every_test_for_leaks_and_fails_the_other_half(report):
    assert report.value("no memory", "speech", "canary kept") == 1.0
    assert report.value("no memory", "speech", "canary found") == 0.0
    assert report.value("full", "speech", "canary found") == 1.0


def test_intervals_are_over_seeds():
    good, bad = decision("act", attempted=True, done=True), decision("act", attempted=False, done=False)
    report = Report(plays=(played(good), played(good, seed=1), played(bad, seed=2)))
    score = report.score("mine", "structure", "wrong holds")
    assert (score.value, score.seeds) == (pytest.approx(1 / 3), 3)
    low, high = interval([0.0, 0.0, 1.0])
    assert low < 0
    assert high > 1
    assert (score.low, score.high) == (0.0, 1.0)
    assert shown(score) == "0.33 ±.50"
    assert Report(plays=(played(good),)).score("mine", "structure", "wrong holds").low is None


def test_the_table_has_a_column_for_each_arm(report):
    console = Console(width=80, record=True, file=None, quiet=False)
    with console.capture() as captured:
        for table in tables(report):
            console.print(table)
    text = captured.get()
    for arm in ARMS:
        assert text.count(arm.name) == 2
    assert "Told as structure" in text
    assert "Told as speech" in text


def test_json_holds_the_plays_and_the_scores(report):
    content = json.loads(report.to_json())
    assert len(content["plays"]) == len(report.plays)
    assert {score["measure"] for score in content["scores"]} <= set(MEASURES)
    assert {"value", "low", "high"} <= set(content["scores"][0])


class Tags(HTMLParser):
    """Notes which tags are opened and what is fetched from elsewhere."""

    def __init__(self):
        super().__init__()
        self.open, self.seen, self.fetched = [], [], []

    def handle_starttag(self, tag, attrs):
        self.seen.append(tag)
        self.fetched += [value for name, value in attrs if name in ("src", "href")]
        if tag not in ("meta", "br", "rect", "line"):
            self.open.append(tag)

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_startendtag(self, tag, attrs):
        self.seen.append(tag)


def test_the_page_has_plots_and_fetches_nothing(report):
    tags = Tags()
    tags.feed(page(report))
    assert tags.open == []
    assert tags.fetched == []
    assert tags.seen.count("svg") >= 14
    assert tags.seen.count("rect") >= 4 * 14
    assert "line" in tags.seen
    assert "script" not in tags.seen


def test_names_are_escaped_on_the_page():
    text = page(Report(plays=(played(decision("act", attempted=False, done=False), arm="<script>"),)))
    assert "<script>" not in text
    assert "&lt;script&gt;" in text


def test_a_run_without_scenarios_or_with_two_arms_of_one_name_is_refused(scenario):
    with pytest.raises(ConfigurationError, match="0 scenarios"):
        evaluate([])
    with pytest.raises(ConfigurationError, match="two arms are called 'full'"):
        evaluate([scenario("date-moved")], arms=[ARMS[-1], ARMS[-1]])
