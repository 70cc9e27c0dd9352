"""What a run found: every play, the scores, and the decisions that went wrong; as a table and as JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

from pydantic import computed_field
from rich.table import Table

from langgraph_memory.evaluation.play import Played
from langgraph_memory.evaluation.scores import COSTS, EXPLAINED, Score, scores
from langgraph_memory.evaluation.telling import Telling
from langgraph_memory.records import Record

COLUMNS = ("obligations", "invariants", "attempts", "prohibited", "wrong holds", "misled", "precision")
"""The measures of the table that are shares of decisions and records."""

BRIEF = (
    "prohibited",
    "attempts",
    "wrong holds",
    "misled",
    "precision",
    "obligations",
    "invariants",
    "tokens",
)
"""The measures of the Markdown table."""

PROBES = ("canary found", "canary kept", "current found", "stale kept out")
"""The measures of the table that come from probes."""


class Wrong(Record):
    """A decision that went wrong: where, on what, and what was expected."""

    scenario: str
    arm: str
    telling: Telling
    seed: int
    thing: str
    expected: str


class Report(Record):
    """A run: its plays, and what follows from them.

    Attributes:
        plays: one for each scenario, arm, telling and seed.
        scores: the measures, by telling and arm.

    Example:
        >>> from langgraph_memory.evaluation import evaluate, shipped
        >>> report = evaluate(shipped()[:1], seeds=1)
        >>> report.value("full", "structure", "wrong holds")
        0.0
        >>> sorted({score.arm for score in report.scores})
        ['episodes only', 'full', 'no memory', 'raw-log retrieval']
    """

    plays: tuple[Played, ...]

    @computed_field  # type: ignore[prop-decorator]
    @cached_property
    def scores(self) -> tuple[Score, ...]:
        """The measures of all arms."""
        return tuple(scores(self.plays))

    def score(self, arm: str, telling: Telling | str, measure: str) -> Score | None:
        """One measure of one arm; None where there was nothing to count."""
        wanted = (arm, Telling(telling), measure)
        return next((each for each in self.scores if (each.arm, each.telling, each.measure) == wanted), None)

    def value(self, arm: str, telling: Telling | str, measure: str) -> float | None:
        """The mean of one measure of one arm."""
        score = self.score(arm, telling, measure)
        return score.value if score is not None else None

    def wrong(self) -> list[Wrong]:
        """The decisions that went wrong."""
        return list(_wrong(self.plays))

    def to_json(self) -> str:
        """The whole report as JSON text."""
        return self.model_dump_json(indent=1)


def tables(report: Report) -> list[Table]:
    """One table for each telling: measures down, arms across, so that it fits a plain terminal."""
    tellings = dict.fromkeys(play.telling for play in report.plays)
    return [_table(report.scores, telling) for telling in tellings]


def markdown(found: Sequence[Score], telling: Telling | str) -> str:
    """The decisions of one telling as a Markdown table: arms down, what went wrong across."""
    of_telling = [score for score in found if score.telling == telling]
    lines = [f"| memory | {' | '.join(BRIEF)} |", f"|---|{'---|' * len(BRIEF)}"]
    for arm in dict.fromkeys(score.arm for score in of_telling):
        cells = {score.measure: score for score in of_telling if score.arm == arm}
        lines.append(f"| {arm} | {' | '.join(shown(cells.get(name)) for name in BRIEF)} |")
    return "\n".join(lines)


def legend() -> str:
    """What the rows of the tables mean, a line each."""
    return "\n".join(f"{name}: {said}." for name, said in EXPLAINED.items())


def shown(score: Score | None) -> str:
    """A score with half the width of its interval: `0.91 ±.04`."""
    if score is None:
        return "–"
    if score.measure in COSTS:
        return f"{score.value:.1f}" if score.measure == "ms" else f"{score.value:.0f}"
    spread = (score.high - score.low) / 2 if score.high is not None and score.low is not None else 0.0
    around = f" ±{spread:.2f}".replace("0.", ".") if spread else ""
    return f"{score.value:.2f}{around}"


def _table(found: Sequence[Score], telling: Telling) -> Table:
    table = Table(title=f"Told as {telling.value}", title_justify="left", padding=(0, 0, 0, 1))
    table.add_column("memory", no_wrap=True)
    by_place = {(score.arm, score.measure): score for score in found if score.telling is telling}
    arms = list(dict.fromkeys(arm for arm, _ in by_place))
    for arm in arms:
        table.add_column(arm, justify="right")
    for measure in [*COLUMNS, *PROBES, *COSTS]:
        table.add_row(measure, *(shown(by_place.get((arm, measure))) for arm in arms))
    return table


def _wrong(plays: Iterable[Played]) -> Iterator[Wrong]:
    for play in plays:
        for decision in play.decisions:
            if not decision.right:
                yield Wrong(
                    scenario=play.scenario,
                    arm=play.arm,
                    telling=play.telling,
                    seed=play.seed,
                    thing=decision.thing,
                    expected=decision.expected,
                )
