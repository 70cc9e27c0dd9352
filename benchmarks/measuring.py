"""How a benchmark is called, how it takes times, and how it tells and keeps what it measured."""

from __future__ import annotations

import argparse
import json
import math
import time
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any


def options(about: str | None, *, folder: str | None = None, **numbers: int) -> argparse.Namespace:
    """The command line: `--json FILE`, a number for each of `numbers`, and a folder where one is read.

    Args:
        about: the docstring of the benchmark.
        folder: what is in the folder that it reads; None if it reads none.
        numbers: defaults by name; `scope_size=1_000` makes `--scope-size 1000`.
    """
    parser = argparse.ArgumentParser(description=about, formatter_class=argparse.RawDescriptionHelpFormatter)
    if folder is not None:
        parser.add_argument("folder", type=Path, help=folder)
    parser.add_argument("--json", type=Path, help="where the numbers are written")
    for name, default in numbers.items():
        parser.add_argument(f"--{name.replace('_', '-')}", type=int, default=default)
    return parser.parse_args()


def keep(found: object, path: Path | None) -> None:
    """Write numbers as JSON where a file is named."""
    if path is not None:
        path.write_text(json.dumps(found, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def seconds(work: Callable[[], object]) -> float:
    """How long a piece of work takes."""
    started = time.perf_counter()
    work()
    return time.perf_counter() - started


def interleaved(works: Mapping[str, Callable[[int], object]], repeat: int) -> dict[str, dict[str, float]]:
    """Milliseconds of each work, taken in turn so that a slow moment hits all of them."""
    times: dict[str, list[float]] = {name: [] for name in works}
    for number in range(repeat):
        for name, work in works.items():
            times[name].append(1000 * seconds(lambda work=work, number=number: work(number)))
    return {name: summary(values) for name, values in times.items()}


def summary(values: Sequence[float]) -> dict[str, float]:
    """Median and 95th percentile."""
    ordered = sorted(values)
    return {"p50": ordered[len(ordered) // 2], "p95": ordered[math.ceil(0.95 * len(ordered)) - 1]}


def months(rows: Sequence[Mapping[str, float]]) -> str:
    """What was measured month by month as a Markdown table."""
    head = [
        "| month | precision | recall | stale | episodes | recall ms | MB |",
        "|---|---|---|---|---|---|---|",
    ]
    shares = ("precision", "recall", "stale")
    return "\n".join(
        head
        + [
            f"| {row['month']} | {' | '.join(f'{row[name]:.3f}' for name in shares)} | {row['episodes']:,} | "
            f"{row['recall_ms']:.1f} | {row['size']:.0f} |"
            for row in rows
        ]
    )


def times(rows: Mapping[str, Mapping[str, float]], digits: int = 2) -> str:
    """Medians and 95th percentiles as a Markdown table."""
    return table(
        ["what", "p50 ms", "p95 ms"],
        [(name, *(f"{row[at]:.{digits}f}" for at in ("p50", "p95"))) for name, row in rows.items()],
    )


def compared(what: str, rows: Mapping[str, Mapping[str, float]]) -> str:
    """Medians alone and captured, and by how much the second is more, also of the means."""
    told = [
        (
            name,
            *(f"{row[which]:.2f}" for which in ("alone", "captured")),
            *(f"{row[which]:.0f} %" for which in ("more", "mean more")),
        )
        for name, row in rows.items()
    ]
    return table([what, "alone (ms)", "captured (ms)", "more", "more, mean"], told)


def shares(rows: Mapping[str, Sequence[int]]) -> str:
    """How many of how many as a Markdown table."""
    told = [
        (name, f"{part} of {whole}", f"{part / max(1, whole):.3f}") for name, (part, whole) in rows.items()
    ]
    return table(["what", "of", "share"], told)


def numbers(what: str, unit: str, rows: Mapping[str, float], digits: int = 2) -> str:
    """One number a row as a Markdown table."""
    return table([what, unit], [(name, f"{number:.{digits}f}") for name, number in rows.items()])


def table(head: Sequence[str], rows: Sequence[Sequence[Any]]) -> str:
    """Rows as a Markdown table."""
    told = [f"| {' | '.join(map(str, line))} |" for line in (head, *rows)]
    return "\n".join([told[0], f"|{'---|' * len(head)}", *told[1:]])
