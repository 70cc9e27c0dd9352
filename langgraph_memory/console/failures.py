"""How the console tells of failures: one line on stderr, exit code 2, no traceback."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

import typer

EXIT_CODE = 2
_LONGEST = 1_000


@contextmanager
def failures_told() -> Iterator[None]:
    """Turn an error of memory, or of the file system, into one line and an exit."""
    from langgraph_memory.errors import MemoryRuntimeError  # noqa: PLC0415 - slow to import

    try:
        yield
    except BrokenPipeError:
        raise
    except (MemoryRuntimeError, OSError) as error:
        told = " ".join(str(error).encode(errors="replace").decode().split())
        typer.echo(f"error: {told if len(told) <= _LONGEST else told[:_LONGEST] + '…'}", err=True)
        raise typer.Exit(EXIT_CODE) from error
