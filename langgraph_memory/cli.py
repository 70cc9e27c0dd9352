"""The console command `langgraph-memory`: each sub-command is a function of `langgraph_memory.console`."""

from __future__ import annotations

import io
import sys
from importlib.metadata import version
from typing import Annotated

import typer

from langgraph_memory.console import (
    bench,
    care,
    cost,
    demo,
    evaluate,
    govern,
    ingest,
    procedures,
    read,
    review,
    worker,
)

DISTRIBUTION = "langgraph-memory-runtime"
"""The name of this package on the package index, where `langgraph-memory` belongs to someone else."""

app = typer.Typer(
    name="langgraph-memory",
    help="Memory for LangGraph agents: look into it, fill it, and take care of it.\n\n"
    "Exit codes: 0 where all went well; 2 after an error, which one line on stderr tells; 1 where a command "
    "says what it means by it.",
    no_args_is_help=True,
    add_completion=False,
    pretty_exceptions_enable=False,
    rich_markup_mode="markdown",
    context_settings={"help_option_names": ["-h", "--help"]},
)


def main() -> None:
    """Run the command line; errors of memory are told on one line and end with exit code 2."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="backslashreplace")  # a terminal may know fewer characters than memory
    app(prog_name="langgraph-memory")


def _show_version(*, wanted: bool) -> None:
    if wanted:
        typer.echo(f"{DISTRIBUTION} {version(DISTRIBUTION)}")
        raise typer.Exit


@app.callback()
def _options(
    _version: Annotated[
        bool,
        typer.Option("--version", callback=_show_version, is_eager=True, help="Show the version and leave."),
    ] = False,
) -> None:
    pass


app.command()(demo.demo)
app.command("eval")(evaluate.evaluate)
app.command()(ingest.ingest)
app.command()(read.recall)
app.command()(read.facts)
app.command()(read.episodes)
app.command()(review.review)
app.command()(cost.cost)
app.add_typer(bench.app)
app.command()(govern.forget)
app.command()(govern.export)
app.command("import")(govern.import_)
app.command()(govern.audit)
app.command()(care.doctor)
app.command()(care.rebuild)
app.command()(worker.worker)
app.command()(worker.status)
app.add_typer(procedures.app)
