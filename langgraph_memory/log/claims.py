"""`Claim`: the lease of one worker on one activity."""

from __future__ import annotations

from langgraph_memory.records import Record
from langgraph_memory.scope import Scope


class Claim(Record):
    """A lease on one activity: the events after `done_seq` are the holder's to consolidate.

    `fence` grows with every claim; a commit under an older one is refused.
    """

    scope: Scope
    activity_id: str
    done_seq: int
    owner: str
    fence: int
    attempts: int


class LostLeaseError(Exception):
    """The claim was taken over by another worker; what it was about to commit is dropped."""
