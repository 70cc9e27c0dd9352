"""What the errors of databases mean: errors of ours, which say what to do about them."""

from __future__ import annotations

import errno
from types import TracebackType

from sqlalchemy import exc

from langgraph_memory.errors import ForeignFolderError, StorageError, StorageFullError


class Translated:
    """Lets database errors out as errors of ours, with what to do about them."""

    def __init__(self, url: str, driver_error: type[Exception]) -> None:
        self._url, self._driver_error = url, driver_error

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        match error:
            case None:
                return
            case exc.DBAPIError():
                raise _meaning(self._url, error.orig) from error
            case self._driver_error():
                raise _meaning(self._url, error) from error
            case OSError(errno=errno.ENOSPC):
                raise StorageFullError(_full(self._url)) from error


def _meaning(url: str, error: object) -> StorageError:
    text = str(error)
    if "full" in text.lower() or "No space left" in text:
        return StorageFullError(_full(url))
    if "not a database" in text:
        return ForeignFolderError(f"{url!r} is not a SQLite database: name another folder or remove the file")
    if "readonly" in text or "unable to open" in text:
        return StorageError(f"the database {url!r} can't be written ({text}): give this process the right to")
    if "malformed" in text:
        return StorageError(
            f"the database {url!r} is damaged ({text}): put a backup in its place, or what "
            "sqlite3's `.recover` gets out"
        )
    return StorageError(f"the database {url!r} failed: {text}")


def _full(url: str) -> str:
    return f"the disk of {url!r} is full: free some space; everything acknowledged before is kept"
