"""`langgraph-memory eval`: scenarios played with several amounts of memory, and what went right and wrong."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from langgraph_memory.console.failures import failures_told
from langgraph_memory.console.places import imported

if TYPE_CHECKING:
    from langgraph_memory.evaluation import Arm, Report, Scenario
    from langgraph_memory.evaluation.planner import PlannerFor

Files = Annotated[
    list[Path] | None,
    typer.Argument(
        metavar="FILE…", help="YAML files with scenarios of your own; the shipped ones by default."
    ),
]
Only = Annotated[
    list[str] | None, typer.Option("--only", metavar="NAME", help="Only scenarios of this name or domain.")
]
Seeds = Annotated[int, typer.Option(min=1, help="How many times each is played, in other words and order.")]
Told = Annotated[str | None, typer.Option(metavar="structure|speech", help="Only this telling.")]
Own = Annotated[
    list[str] | None,
    typer.Option("--arm", metavar="MODULE:NAME", help="An Arm of your own, compared with the built-in ones."),
]
Model = Annotated[
    str | None,
    typer.Option(metavar="MODULE:NAME", help="A chat model that decides, in place of the plain policy."),
]


def evaluate(
    files: Files = None,
    only: Only = None,
    seeds: Seeds = 3,
    telling: Told = None,
    arm: Own = None,
    model: Model = None,
    json_file: Annotated[Path | None, typer.Option("--json", help="Write the whole report here.")] = None,
    html_file: Annotated[Path | None, typer.Option("--html", help="Write a page with plots here.")] = None,
    failures: Annotated[bool, typer.Option(help="List what went wrong with all of memory.")] = True,
) -> None:
    """Play scenarios without memory, with raw-log retrieval, with episodes only and with all of memory.

    Offline and without a key, a plain policy decides. The run without memory, probes for statements that no
    longer hold and canaries in other scopes are part of it.

    Example: `langgraph-memory eval --seeds 5 --html report.html`
    """
    with failures_told():
        from langgraph_memory.evaluation import ARMS, Telling  # noqa: PLC0415 - slow to import
        from langgraph_memory.evaluation import evaluate as run  # noqa: PLC0415

        tellings = tuple(Telling) if telling is None else (_telling(telling),)
        arms = [*ARMS, *(_own(place) for place in arm or ())]
        report = run(
            _chosen(files or [], only or []),
            arms=arms,
            tellings=tellings,
            seeds=seeds,
            planner_for=_planner(model),
        )
        _show(report, failures=failures)
        if json_file is not None:
            json_file.write_text(report.to_json(), "utf-8")
        if html_file is not None:
            from langgraph_memory.evaluation import page  # noqa: PLC0415

            html_file.write_text(page(report), "utf-8")


def _chosen(files: list[Path], only: list[str]) -> list[Scenario]:
    from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import
    from langgraph_memory.evaluation import load, shipped  # noqa: PLC0415

    scenarios = [scenario for file in files for scenario in load(file)] if files else shipped()
    chosen = [each for each in scenarios if not only or {each.name, each.domain} & set(only)]
    if not chosen:
        known = ", ".join(sorted({each.domain for each in scenarios}))
        raise ConfigurationError(f"no scenario is called {only!r}: the domains are {known}")
    return chosen


def _telling(name: str) -> str:
    from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import
    from langgraph_memory.evaluation import Telling  # noqa: PLC0415

    if name not in list(Telling):
        raise ConfigurationError(f"--telling {name!r} is not one of {', '.join(Telling)}")
    return name


def _own(place: str) -> Arm:
    from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import
    from langgraph_memory.evaluation import Arm  # noqa: PLC0415

    found = imported("--arm", place)
    if not isinstance(found, Arm):
        raise ConfigurationError(
            f"{place!r} is no langgraph_memory.evaluation.Arm but {type(found).__name__}"
        )
    return found


def _planner(place: str | None) -> PlannerFor:
    from langgraph_memory.evaluation import chat_planner, plain_policy  # noqa: PLC0415 - slow to import

    return plain_policy if place is None else chat_planner(imported("--model", place))


def _show(report: Report, *, failures: bool) -> None:
    from rich.console import Console  # noqa: PLC0415 - slow to import

    from langgraph_memory.evaluation import tables  # noqa: PLC0415
    from langgraph_memory.evaluation.report import legend  # noqa: PLC0415

    console = Console(highlight=False)
    for table in tables(report):
        console.print(table)
    console.print(legend(), style="dim")
    wrong = [each for each in report.wrong() if each.arm == "full"] if failures else []
    for each in wrong:
        told = f"{each.scenario}, told as {each.telling.value}, seed {each.seed}"
        console.print(f"wrong with all of memory: {told}: {each.thing}, expected to {each.expected}")
