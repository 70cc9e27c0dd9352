"""`langgraph-memory worker` and `status`: consolidation as a process of its own, and what waits for it."""

from __future__ import annotations

import json
import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING, Annotated

import typer

from langgraph_memory.console.failures import failures_told
from langgraph_memory.console.options import DEFAULT_PATH, PathOption, opened
from langgraph_memory.console.places import imported
from langgraph_memory.console.plain import plain

if TYPE_CHECKING:
    from langgraph_memory.answers import ConsolidationReport
    from langgraph_memory.consolidation.model.spending import Spent
    from langgraph_memory.log.backlog import Backlog
    from langgraph_memory.memory import Memory

AppOption = Annotated[
    str | None,
    typer.Option(
        "--app",
        metavar="MODULE:NAME",
        help="The application's Memory, or a function that opens it: with its policy and model.",
    ),
]


def worker(
    path: PathOption = DEFAULT_PATH,
    app: AppOption = None,
    interval: Annotated[float, typer.Option(min=0.01, help="Seconds between looks.")] = 1.0,
    once: Annotated[bool, typer.Option("--once", help="Do what is due, and leave.")] = False,
    revive: Annotated[bool, typer.Option("--revive", help="Try the dead letters again.")] = False,
) -> None:
    """Consolidate what is due until told to stop (SIGTERM, Ctrl-C); what is in hand is finished.

    Any number may run at once on one folder or database. Without --app there is no policy: nobody has
    authority in shared scopes, and what people say there stays unverified.

    Example: `langgraph-memory worker --app myapp.memory:open_memory`
    """
    with failures_told(), _memory(path, app) as memory:
        if revive:
            typer.echo(f"{memory.log.activities.revive()} dead letters are due again.")
        if once:
            _tell(memory.consolidate())
            return
        _run(memory, interval)


def status(
    path: PathOption = DEFAULT_PATH,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Show what waits for consolidation, for how long, what is tried again and what failed too often.

    Exit code 1 means that there are dead letters.

    Example: `langgraph-memory status --path ./memory`
    """
    with failures_told():
        with opened(path) as memory:
            backlog, spent = memory.backlog(), memory.spent()
        if as_json:
            told = backlog.model_dump(mode="json") | {"model": spent.model_dump()}
            typer.echo(json.dumps(told, ensure_ascii=False))
        else:
            _show(backlog, spent)
        if backlog.dead:
            raise typer.Exit(1)


def _run(memory: Memory, interval: float) -> None:
    from langgraph_memory.worker import Worker  # noqa: PLC0415 - slow to import

    told_to_stop = threading.Event()
    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, lambda *_: told_to_stop.set())
    running = Worker(memory, interval=interval).start()
    typer.echo("Working. SIGTERM or Ctrl-C ends it.")
    told_to_stop.wait()
    running.close(drain=False)
    _tell(running.status().report)


@contextmanager
def _memory(path: str, app: str | None) -> Iterator[Memory]:
    """The application's memory, or that of the path."""
    if app is None:
        with opened(path) as memory:
            typer.echo("No --app: nobody has authority in shared scopes.", err=True)
            yield memory
        return
    with _of_application(app) as memory:
        yield memory


def _of_application(app: str) -> Memory:
    """The memory that an application names, or opens.

    Raises:
        ConfigurationError: it names something else.
    """
    from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import
    from langgraph_memory.memory import Memory  # noqa: PLC0415

    found = imported("--app", app)
    if callable(found) and found is not Memory:
        found = found()
    if not isinstance(found, Memory):
        raise ConfigurationError(f"--app {app!r} gives {found!r:.80}: name a Memory, or what opens one")
    return found


def _tell(report: ConsolidationReport) -> None:
    typer.echo(
        f"{report.activities} activities consolidated, {report.episodes} episodes, {report.failed} failed."
    )


def _show(backlog: Backlog, spent: Spent) -> None:
    rows: dict[str, object] = {
        "due": backlog.due,
        "lag": f"{backlog.lag:.0f} s",
        "waiting": backlog.waiting,
        "working": backlog.working,
        "retrying": len(backlog.retrying),
        "dead letters": len(backlog.dead),
        "model calls": spent.calls,
        "tokens read": spent.input_tokens,
        "written": spent.output_tokens,
    }
    for name, value in rows.items():
        typer.echo(f"  {name:<14}{value:>8}")
    for retry in backlog.retrying:
        again = f"attempt {retry.attempts + 1} from {retry.not_before[:19]}"
        typer.echo(f"retrying {plain(retry.activity_id)} ({again}): {plain(retry.error)}")
    for _, activity, error in backlog.dead:
        typer.echo(f"dead {plain(activity)}: {plain(error)}")
