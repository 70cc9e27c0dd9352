"""`langgraph-memory doctor` and `rebuild`: whether the indexes are in order, and making them anew."""

from __future__ import annotations

import typer

from langgraph_memory.console.failures import failures_told
from langgraph_memory.console.options import DEFAULT_PATH, PathOption, require

_SOMETHING_WRONG = 1


def doctor(path: PathOption = DEFAULT_PATH) -> None:
    """Check the indexes against what is stored. Exit code 1 means that there is something to mend.

    Example: `langgraph-memory doctor --path ./memory`
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
        typer.echo("All is well.")


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
