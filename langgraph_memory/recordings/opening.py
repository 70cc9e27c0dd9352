"""Which kind of recording a file is, by its first bytes; its name doesn't matter."""

from __future__ import annotations

from pathlib import Path

from langgraph_memory.errors import IngestError
from langgraph_memory.recordings.chats import ChatFile
from langgraph_memory.recordings.checkpoints import CheckpointFile
from langgraph_memory.recordings.conversation import Recording

_SQLITE = b"SQLite format 3\x00"


def open_recording(path: Path) -> Recording:
    """The recording in a file.

    Raises:
        IngestError: there is no such file, or it can't be opened.
    """
    try:
        with path.open("rb") as file:
            start = file.read(len(_SQLITE))
    except OSError as error:
        raise IngestError(f"{path}: {error.strerror}: name a file of recorded conversations") from error
    return CheckpointFile(path) if start == _SQLITE else ChatFile(path)
