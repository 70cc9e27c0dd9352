"""A report as one HTML page with plots: no script, no font and no picture from elsewhere."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from html import escape

from langgraph_memory.display.markup import counted
from langgraph_memory.evaluation.report import COLUMNS, PROBES, Report, Wrong, shown
from langgraph_memory.evaluation.scores import COSTS, EXPLAINED, Score
from langgraph_memory.evaluation.telling import Telling

_STYLE = """
body{font:15px/1.5 system-ui,sans-serif;max-width:72rem;margin:2rem auto;padding:0 1rem;color:#222}
table{display:block;overflow-x:auto;border-collapse:collapse;margin:1rem 0;font-variant-numeric:tabular-nums}
td,th{padding:.25rem .5rem;text-align:right;border-bottom:1px solid #ddd}td{white-space:nowrap}
td:first-child,th:first-child{text-align:left}th{font-weight:600;vertical-align:bottom}
.plots{display:grid;grid-template-columns:repeat(auto-fill,minmax(27rem,1fr));gap:1.2rem 1.5rem}
figure{margin:0;display:flex;flex-direction:column}figcaption{font-weight:600}svg{margin-top:auto}
small{color:#666;line-height:1.3}dt{font-weight:600}dd{margin:0 0 .3rem 1rem}
"""
_COLOURS = ("#9aa5b1", "#d8a24a", "#6c9bd1", "#2f7d4f", "#a0568f", "#c0504d", "#555555")
_WIDTH, _ROW, _LABEL, _BAR = 430, 22, 150, 230
_MOST_WRONG = 200


def page(report: Report) -> str:
    """The report as the text of an HTML document."""
    tellings = list(dict.fromkeys(play.telling for play in report.plays))
    body = "\n".join(part for telling in tellings for part in _section(report, telling))
    seeds, names = {play.seed for play in report.plays}, {play.scenario for play in report.plays}
    return (
        f'<!doctype html><html lang="en"><head><meta charset="utf-8"><title>Decisions with memory</title>'
        f"<style>{_STYLE}</style></head><body><h1>Decisions with memory</h1>"
        f"<p>{counted(len(names), 'scenario')}, {counted(len(seeds), 'seed')}. Bars are means over seeds; "
        f"lines are 95 % confidence intervals.</p>\n{body}\n{_legend()}\n"
        f"{_wrong(report.wrong())}</body></html>\n"
    )


def _section(report: Report, telling: Telling) -> Iterator[str]:
    found = [score for score in report.scores if score.telling is telling]
    arms = list(dict.fromkeys(score.arm for score in found))
    yield f"<h2>Told as {escape(telling.value)}</h2>"
    yield _table(found, arms)
    yield '<div class="plots">'
    for measure in (*COLUMNS, *PROBES):
        of_measure = [score for score in found if score.measure == measure]
        if of_measure:
            yield _plot(measure, of_measure, arms)
    yield "</div>"


def _table(found: Sequence[Score], arms: Sequence[str]) -> str:
    columns = (*COLUMNS, *PROBES, *COSTS)
    head = "".join(f"<th>{escape(name)}</th>" for name in ("memory", *columns))
    rows = []
    for arm in arms:
        cells = {score.measure: score for score in found if score.arm == arm}
        shares = "".join(f"<td>{escape(shown(cells.get(name)))}</td>" for name in columns)
        rows.append(f"<tr><td>{escape(arm)}</td>{shares}</tr>")
    return f"<table><tr>{head}</tr>{''.join(rows)}</table>"


def _plot(measure: str, found: Sequence[Score], arms: Sequence[str]) -> str:
    """Bars from 0 to 1, one an arm, with their intervals."""
    height = _ROW * len(found)
    bars = "".join(
        _bar(score, row, _COLOURS[arms.index(score.arm) % len(_COLOURS)]) for row, score in enumerate(found)
    )
    return (
        f"<figure><figcaption>{escape(measure)}</figcaption><small>{escape(EXPLAINED[measure])}</small>"
        f'<svg width="{_WIDTH}" height="{height}" role="img" aria-label="{escape(measure)}">{bars}</svg>'
        "</figure>"
    )


def _bar(score: Score, row: int, colour: str) -> str:
    top, middle = row * _ROW + 3, row * _ROW + _ROW / 2
    end = _LABEL + _BAR * _clipped(score.value)
    whisker = ""
    if score.low is not None and score.high is not None:
        low, high = (_LABEL + _BAR * _clipped(value) for value in (score.low, score.high))
        whisker = f'<line x1="{low:.1f}" x2="{high:.1f}" y1="{middle}" y2="{middle}" stroke="#222"/>'
    return (
        f'<text x="{_LABEL - 6}" y="{middle + 5}" text-anchor="end" font-size="12">{escape(score.arm)}</text>'
        f'<rect x="{_LABEL}" y="{top}" width="{end - _LABEL:.1f}" height="{_ROW - 6}" fill="{colour}"/>'
        f'{whisker}<text x="{_LABEL + _BAR + 8}" y="{middle + 5}" font-size="12">{score.value:.2f}</text>'
    )


def _clipped(value: float) -> float:
    return min(max(value, 0.0), 1.0)


def _legend() -> str:
    entries = "".join(f"<dt>{escape(name)}</dt><dd>{escape(said)}</dd>" for name, said in EXPLAINED.items())
    return f"<h2>What the measures say</h2><dl>{entries}</dl>"


def _wrong(wrong: Sequence[Wrong]) -> str:
    head = "".join(
        f"<th>{name}</th>" for name in ("scenario", "memory", "told as", "seed", "thing", "expected")
    )
    rows = "".join(
        "<tr>"
        + "".join(
            f"<td>{escape(str(value))}</td>"
            for value in (each.scenario, each.arm, each.telling.value, each.seed, each.thing, each.expected)
        )
        + "</tr>"
        for each in wrong[:_MOST_WRONG]
    )
    more = f"<p>and {len(wrong) - _MOST_WRONG} more</p>" if len(wrong) > _MOST_WRONG else ""
    return f"<h2>Decisions that went wrong</h2><table><tr>{head}</tr>{rows}</table>{more}"
