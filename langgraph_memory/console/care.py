"""`langgraph-memory doctor` and `rebuild`: whether the indexes are in order, and making them anew."""

from __future__ import annotations

from typing import Annotated

import typer

from langgraph_memory.console.failures import failures_told
from langgraph_memory.console.options import DEFAULT_PATH, PathOption, require

_SOMETHING_WRONG = 1


def doctor(
    path: PathOption = DEFAULT_PATH,
    canary: Annotated[
        bool,
        typer.Option("--canary", help="Ask for facts from scopes that may not see them, and from their own."),
    ] = False,
) -> None:
    """Check the indexes against what is stored. Exit code 1 means that there is something to mend.

    Example: `langgraph-memory doctor --path ./memory --canary`
    """
    with failures_told():
        from langgraph_memory.store import HybridStore  # noqa: PLC0415 - slow to import

        require(path)
        with HybridStore(path) as store:
            findings = store.doctor()
        for finding in findings:
            typer.echo(f"{finding.name}: {finding.detail}")
        if findings:
            typer.echo(f"langgraph-memory rebuild --path {path} mends the indexes.")
            raise typer.Exit(_SOMETHING_WRONG)
        if canary:
            _ask_for_canaries(path)
        typer.echo("All is well.")


def _ask_for_canaries(path: str) -> None:
    """Tell of facts that are seen where they may not be, or not found where they are at home."""
    from langgraph_memory.console.options import opened  # noqa: PLC0415 - slow to import
    from langgraph_memory.evaluation.live import sightings  # noqa: PLC0415

    with opened(path) as memory:
        found = sightings(memory)
    wrong = [each for each in found if each.seen != each.expected]
    for each in wrong:
        told = "is seen from" if each.seen else "isn't found in"
        typer.echo(f"canary: {each.record_id} {told} {each.asked_in}")
    if wrong:
        raise typer.Exit(_SOMETHING_WRONG)
    kept = sum(not each.expected for each in found)
    typer.echo(
        f"Canaries: {len(found) - kept} facts found at home, none seen in {kept} looks from elsewhere."
    )


def rebuild(path: PathOption = DEFAULT_PATH) -> None:
    """Make all indexes anew from what is stored.

    Example: `langgraph-memory rebuild --path ./memory`
    """
    with failures_told():
        from langgraph_memory.store import HybridStore  # noqa: PLC0415 - slow to import

        require(path)
        with HybridStore(path) as store:
            done = store.rebuild()
        typer.echo(f"Indexed {done.items} items anew; {done.embedded} texts had to be embedded.")
