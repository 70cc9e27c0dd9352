"""`langgraph-memory ingest`: recorded conversations become memory."""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from langgraph_memory.console.failures import failures_told
from langgraph_memory.console.options import DEFAULT_PATH, PathOption, ScopeOption

if TYPE_CHECKING:
    from rich.progress import Progress

    from langgraph_memory.answers import ConsolidationReport
    from langgraph_memory.memory import Memory
    from langgraph_memory.recordings.ingest import IngestReport
    from langgraph_memory.records import Event
    from langgraph_memory.scope import Scope


def ingest(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="The recorded conversations.")],
    scope: ScopeOption,
    path: PathOption = DEFAULT_PATH,
    user: Annotated[
        str, typer.Option(metavar="ID", help="The id of users whom the recording doesn't name.")
    ] = "recorded-user",
    skip_bad: Annotated[
        bool, typer.Option("--skip-bad", help="Leave out what can't be read instead of stopping there.")
    ] = False,
) -> None:
    """Read conversations that were recorded elsewhere, and remember them.

    FILE holds one conversation a line, as chat messages with tool calls and results in OpenAI's form, or is
    a LangGraph SQLite checkpointer. A second run adds only what is new. What recorded users say has no
    authority in a shared scope.

    Example: `langgraph-memory ingest chats.jsonl --scope org=airline,workspace=desk`
    """
    with failures_told():
        from langgraph_memory.memory import Memory  # noqa: PLC0415 - slow to import
        from langgraph_memory.recordings import open_recording  # noqa: PLC0415
        from langgraph_memory.scope import Scope  # noqa: PLC0415

        started, place = time.perf_counter(), Scope.parse(scope)
        open_recording(file)  # before a folder is made for what can't be read
        with _progress() as progress, Memory.open(path) as memory:
            run = _Run(memory, place, progress)
            before = _held(memory, place)
            report = run.read(file, user=user, skip_bad=skip_bad)
            consolidated = run.consolidate()
            after = _held(memory, place)
        typer.echo(f"Read {file} into {place} in {time.perf_counter() - started:.1f} s.")
        _tell(report, consolidated, before, after)


@dataclass(frozen=True)
class _Held:
    """How much there is: events in the whole log, episodes and facts in the scope."""

    events: int
    episodes: int
    facts: int
    unverified: int


class _Run:
    """One ingest. It consolidates the activities that it brings, and leaves others to whom they belong.

    Consolidating needs the policy of the application, which the console doesn't know; for what it brings
    itself there is none to know, since recorded users have no roles.
    """

    def __init__(self, memory: Memory, scope: Scope, progress: Progress) -> None:
        self._memory = memory
        self._scope = scope
        self._progress = progress
        self._activities: dict[str, None] = {}
        self._events = 0

    def publish(self, **event: Any) -> Event:
        """Publish an event of the recording, noting its activity."""
        published = self._memory.publish(**event)
        self._activities[published.activity_id] = None
        self._events += 1
        return published

    def read(self, file: Path, *, user: str, skip_bad: bool) -> IngestReport:
        """Publish all conversations; those before one that can't be read are consolidated all the same."""
        from langgraph_memory.errors import IngestError  # noqa: PLC0415
        from langgraph_memory.recordings import ingest  # noqa: PLC0415 - slow to import

        bar = self._progress.add_task("reading", total=None)
        try:
            return ingest.ingest(
                self,
                file,
                scope=self._scope,
                user=user,
                skip_bad=skip_bad,
                progress=lambda at: self._progress.update(bar, completed=at.done, total=at.total),
            )
        except IngestError:
            self.consolidate()
            kept = f"kept: {self._events} events of {len(self._activities)} conversations before the error"
            typer.echo(kept, err=True)
            raise

    def consolidate(self) -> ConsolidationReport:
        """Consolidate what was read."""
        from langgraph_memory.answers import ConsolidationReport  # noqa: PLC0415 - slow to import

        report = ConsolidationReport()
        bar = self._progress.add_task("consolidating", total=len(self._activities))
        for activity in self._activities:
            report = report.plus(self._memory.pipeline.run_one(self._scope, activity))
            self._progress.advance(bar)
        return report


def _held(memory: Memory, scope: Scope) -> _Held:
    facts = Counter(fact.status.value for fact in memory.facts(scope, status=("current", "unverified")))
    episodes = len(memory.episodes(scope))
    return _Held(memory.log.count(), episodes, facts["current"], facts["unverified"])


def _tell(report: IngestReport, consolidated: ConsolidationReport, before: _Held, after: _Held) -> None:
    """Show the counts: of the file, of what the scope holds now, of conversations that were mere routine."""
    rows: list[tuple[str, int, int | None]] = [
        ("conversations", report.conversations, None),
        ("events", report.events, after.events - before.events),
        ("episodes", after.episodes, after.episodes - before.episodes),
        ("facts", after.facts, after.facts - before.facts),
        ("unverified", after.unverified, after.unverified - before.unverified),
        ("entities", len(report.entities), None),
        ("tool errors", report.failed, None),
        ("routine", consolidated.skipped, None),
        ("skipped", len(report.skipped), None),
        ("failed", consolidated.failed, None),
    ]
    for name, count, new in rows:
        typer.echo(f"  {name:<14}{count:>8}" + ("" if new is None else f"  ({new} new)"))
    for place in report.skipped:
        typer.echo(f"skipped {place.where}: {place.reason}", err=True)


def _progress() -> Progress:
    """Bars on stderr, for people only."""
    from rich.console import Console  # noqa: PLC0415 - slow to import
    from rich.progress import Progress  # noqa: PLC0415

    console = Console(stderr=True)
    return Progress(console=console, transient=True, disable=not console.is_terminal)
