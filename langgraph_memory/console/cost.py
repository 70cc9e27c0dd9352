"""`langgraph-memory cost`: what memory costs a turn, and whether deriving the same would be cheaper."""

from __future__ import annotations

import math
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from langgraph_memory.console.failures import failures_told
from langgraph_memory.console.options import DEFAULT_PATH, PathOption, opened
from langgraph_memory.console.plain import plain

if TYPE_CHECKING:
    from langgraph_memory.cost import Prices, Verdict
    from langgraph_memory.usage import Usage

_GIGABYTE = 1_000_000_000
_WIDTH = 32
_SMALL = 0.001


def cost(
    path: PathOption = DEFAULT_PATH,
    prices: Annotated[
        Path | None,
        typer.Option(
            metavar="FILE",
            help="A price table, TOML or JSON: currency, input, output, maintenance_input, embedding (per "
            "million tokens) and storage (a gigabyte and month). Without one, tokens are compared.",
        ),
    ] = None,
    needed: Annotated[
        float | None,
        typer.Option(min=0, max=1, help="The share of turns that need memory; as measured by default."),
    ] = None,
    by_model: Annotated[
        bool,
        typer.Option("--by-model", help="Estimate a chat model that consolidates, where none has."),
    ] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the numbers as JSON.")] = False,
) -> None:
    """Show what memory costs for 1,000 turns, against deriving the same from the evidence when it is needed.

    All numbers are measured from the receipts of the recalls that this memory answered.

    Example: `langgraph-memory cost --path ./memory --prices prices.toml`
    """
    with failures_told():
        from langgraph_memory.cost import Prices, compare  # noqa: PLC0415 - slow to import
        from langgraph_memory.usage import measured  # noqa: PLC0415

        table = Prices.read(prices) if prices else Prices()
        with opened(path) as memory:
            usage = measured(memory)
        load = usage.load(modelled=by_model, needed=needed, gigabytes=_size(path))
        verdict = compare(load, table)
        if as_json:
            parts = {"usage": usage, "load": load, "prices": table, "verdict": verdict}
            typer.echo(_json({name: part.model_dump(mode="json") for name, part in parts.items()}))
            return
        _tell(usage, load.needed, table, verdict)


def _tell(usage: Usage, needed: float, prices: Prices, verdict: Verdict) -> None:
    priced = prices.any
    unit = plain(prices.currency) if priced else "tokens"
    rows = [
        ("turns measured", f"{usage.turns:,}"),
        ("tokens added to a turn", f"{usage.injected:,.0f} (95th percentile {usage.injected_p95:,.0f})"),
        ("turns that memory helped", f"{usage.helped:.0%}"),
        ("tokens to derive the same", f"{usage.recomputed:,.0f} on such a turn"),
        ("1,000 turns with memory", f"{_amount(verdict.stored, priced=priced)} {unit}"),
        (f"1,000 turns that derive {needed:.0%}", f"{_amount(verdict.recomputed, priced=priced)} {unit}"),
        ("crossover", _crossover(usage, verdict)),
    ]
    for name, value in rows:
        typer.echo(f"  {name:<{_WIDTH}}{value}")
    for tenure in usage.by_tenure if len(usage.by_tenure) > 1 else ():
        typer.echo(
            f"  {f'month {tenure.month + 1}':<{_WIDTH}}{tenure.injected:,.0f} tokens a turn, "
            f"{tenure.turns:,} turns"
        )
    typer.echo(_conclusion(usage, verdict))


def _crossover(usage: Usage, verdict: Verdict) -> str:
    if verdict.crossover is None and usage.recomputed:
        return "none: at these prices deriving costs nothing"
    if verdict.crossover is None:
        return "none: nothing was recalled that could be derived"
    if verdict.crossover > 1:
        return f"none: memory costs {verdict.crossover:.1f} times what deriving does, even on every turn"
    return f"{verdict.crossover:.0%} of the turns need memory"


def _conclusion(usage: Usage, verdict: Verdict) -> str:
    if not usage.turns:
        return "No recall has been answered yet: there is nothing to measure."
    if math.isclose(verdict.stored, verdict.recomputed):
        return "Both cost the same at this share of turns."
    if verdict.storing_wins:
        return "Storing is cheaper: more turns need memory than the crossover asks for."
    return "Deriving is cheaper at this share: a smaller token budget, or recall on fewer turns, would pay."


def _amount(value: float, *, priced: bool) -> str:
    if not priced:
        return f"{value:,.0f}"
    return f"{value:,.4f}" if value >= _SMALL or not value else f"{value:.3g}"


def _size(path: str) -> float:
    """Gigabytes of the folder; a database elsewhere is not measured."""
    folder = Path(path)
    if not folder.is_dir():
        return 0.0
    return sum(file.stat().st_size for file in folder.rglob("*") if file.is_file()) / _GIGABYTE


def _json(parts: object) -> str:
    import json  # noqa: PLC0415 - rarely wanted

    return json.dumps(parts, indent=2)
