"""The options that sub-commands share, and the memory and scope that they name."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from langgraph_memory.memory import Memory

PathOption = Annotated[
    str, typer.Option("--path", metavar="FOLDER", help="The folder of the memory, or a PostgreSQL URL.")
]
ScopeOption = Annotated[
    str,
    typer.Option("--scope", metavar="LEVEL=VALUE,…", help="Where, as in org=acme,workspace=staging-cloud."),
]

DEFAULT_PATH = "./memory"


@contextmanager
def opened(path: str) -> Iterator[Memory]:
    """A memory that is there already; a missing folder is not made.

    Raises:
        ConfigurationError: the folder is not a memory.
    """
    from langgraph_memory.memory import Memory  # noqa: PLC0415 - slow to import

    require(path)
    with Memory.open(path) as memory:
        yield memory


def require(path: str) -> None:
    """Refuse a folder that is not a memory, so that looking into one never makes one.

    Raises:
        ConfigurationError: it isn't.
    """
    from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import
    from langgraph_memory.store.hybrid import DATABASE_FILE  # noqa: PLC0415

    if "://" not in path and not (Path(path) / DATABASE_FILE).is_file():
        raise ConfigurationError(
            f"there is no memory at {path!r}: name its folder with --path, or fill one with ingest"
        )
