"""Files that callers name: what the file system says about them, as one clear error."""

from __future__ import annotations

import errno
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from langgraph_memory.arguments import shown
from langgraph_memory.errors import FileAccessError, MemoryRuntimeError, StorageFullError


@contextmanager
def reaching(path: Path) -> Iterator[None]:
    """Tell what the file system refuses by the path that it is about.

    Raises:
        StorageFullError: there is no room for it.
        FileAccessError: it can't be read or written.
    """
    try:
        yield
    except MemoryRuntimeError:
        raise
    except OSError as error:
        where = f"path={shown(str(path))}"
        if error.errno == errno.ENOSPC:
            raise StorageFullError(f"the disk of {where} is full: free some space, then try again") from error
        if error.errno is None:
            raise  # no word of the file system: a part of someone else's failed meanwhile
        raise FileAccessError(
            f"{where} can't be used ({error.strerror}): name a file in a folder that is there, with the "
            "rights to it"
        ) from error
