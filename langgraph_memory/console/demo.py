"""`langgraph-memory demo`: a week of an agent, with and without memory."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from langgraph_memory.console.failures import failures_told

if TYPE_CHECKING:
    from rich.console import Console

    from langgraph_memory.demo.script import Session
    from langgraph_memory.demo.story import Story

_ONE_FOLDER = typer.Option(
    metavar="FOLDER", help="Keep the memory of the full configuration in this new folder, to look into it."
)


def demo(
    path: Annotated[str | None, _ONE_FOLDER] = None,
    correction: Annotated[
        bool, typer.Option(help="Whether someone tells the agent on Monday what to leave alone.")
    ] = True,
    by_developer: Annotated[
        bool, typer.Option("--by-developer", help="Let someone without authority give the correction.")
    ] = False,
) -> None:
    """Play a week of a cleanup agent with four amounts of memory, and count its wrong decisions.

    No server and no network are needed. With OPENAI_API_KEY set, a chat model plans in place of the plain
    policy.

    Example: `langgraph-memory demo --path ./demo-memory`, then
    `langgraph-memory facts --path ./demo-memory --scope org=acme,workspace=staging-cloud`
    """
    with failures_told():
        from rich.console import Console  # noqa: PLC0415 - slow to import, as what follows

        from langgraph_memory.demo.script import script  # noqa: PLC0415
        from langgraph_memory.demo.show import show_table  # noqa: PLC0415
        from langgraph_memory.demo.staging import DEVELOPER, LEAD  # noqa: PLC0415

        console = Console(highlight=False)
        sessions = script(correction=correction, corrected_by=DEVELOPER if by_developer else LEAD)
        with tempfile.TemporaryDirectory() as scratch:
            kept = _new(path) if path is not None else Path(scratch) / "kept"
            show_table(console, _played(console, sessions, Path(scratch), kept))


def _played(console: Console, sessions: list[Session], scratch: Path, kept: Path) -> list[Story]:
    """The stories of all configurations, each shown when it is over."""
    from langgraph_memory.demo.planner import choose_planner  # noqa: PLC0415
    from langgraph_memory.demo.show import show_cleanups, show_story  # noqa: PLC0415
    from langgraph_memory.demo.story import play  # noqa: PLC0415
    from langgraph_memory.evaluation.amounts import Amount  # noqa: PLC0415 - slow to import

    stories = []
    for arm in Amount:
        folder = kept if arm is Amount.FULL else scratch / arm.name
        story = play(
            arm, sessions, folder=folder, planner_for=lambda tools: choose_planner(tools, os.environ)
        )
        (show_story if arm is Amount.FULL else show_cleanups)(console, story)
        stories.append(story)
    return stories


def _new(path: str) -> Path:
    from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import

    folder = Path(path)
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise ConfigurationError(
            f"{path!r} holds something already: name a new folder, for the demo plays its week from the start"
        )
    return folder
