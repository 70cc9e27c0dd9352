"""Whether a folder's files are as they were left, down to the last byte.

Chroma's native code trusts its files: what a killed process left half written, or a disk lost, can take the
whole process down. So a folder is sealed when it is closed in order, and opened only with its seal.
"""

from __future__ import annotations

import json
import zlib
from pathlib import Path

_SEAL = "sealed.json"
_AT_ONCE = 1 << 22


def close(folder: Path) -> None:
    """Seal a folder that nothing writes to any more."""
    coming = folder / f"{_SEAL}.coming"
    coming.write_text(json.dumps(_contents(folder)))
    coming.replace(folder / _SEAL)


def holds(folder: Path) -> bool:
    """Whether the folder was sealed and is as it was then."""
    try:
        return bool(json.loads((folder / _SEAL).read_bytes()) == _contents(folder))
    except (OSError, ValueError):
        return False


def open_(folder: Path) -> None:
    """Break the seal: from now on the files change."""
    (folder / _SEAL).unlink(missing_ok=True)


def _contents(folder: Path) -> dict[str, int]:
    """A checksum of each file."""
    files = (path for path in folder.rglob("*") if path.is_file() and not path.name.startswith(_SEAL))
    return {path.relative_to(folder).as_posix(): _checksum(path) for path in sorted(files)}


def _checksum(path: Path) -> int:
    found = 0
    with path.open("rb") as file:
        while some := file.read(_AT_ONCE):
            found = zlib.crc32(some, found)
    return found
