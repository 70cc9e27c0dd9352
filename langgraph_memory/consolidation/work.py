"""`Work`: one claimed activity on its way through the steps of consolidation."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from functools import cached_property
from typing import TypeVar

from langgraph_memory.consolidation.facts.grounding import Ungrounded
from langgraph_memory.consolidation.facts.name_book import Pair, observed
from langgraph_memory.consolidation.facts.statements import Statement
from langgraph_memory.consolidation.model import ModelFailureError
from langgraph_memory.log.claims import Claim
from langgraph_memory.records import Episode, Event, Record
from langgraph_memory.redaction import redact

_LONGEST_FAILURE = 500
_Made = TypeVar("_Made")


class Work(Record):
    """One claimed activity and what has been made of it so far.

    `earlier` is what was said just before in its thread: it tells what "it" means, and is read elsewhere.
    `left_out` are events that the model was not shown to their end.
    """

    claim: Claim
    events: tuple[Event, ...]
    earlier: tuple[Event, ...] = ()
    episode: Episode | None = None
    statements: tuple[Statement, ...] = ()
    vouched: tuple[tuple[str, str], ...] = ()
    dropped: tuple[Ungrounded, ...] = ()
    revision: int = -1
    failure: str | None = None
    retry_after: timedelta | None = None
    made_with: tuple[str, ...] = ()
    left_out: tuple[str, ...] = ()
    why_skipped: str = "nothing in it but routine"

    @cached_property
    def observed(self) -> list[Pair]:
        """The names and ids in the data of its events."""
        return observed(self.events)

    def failed(self, error: ModelFailureError) -> Work:
        """The same work, put off; the first failure counts."""
        if self.failure is not None:
            return self
        told = str(redact(str(error)).value)[:_LONGEST_FAILURE]
        return self.model_copy(update={"failure": told, "retry_after": error.retry_after})


def made_by_others(work: Callable[[], _Made]) -> _Made:
    """What an extractor or a narrator makes; whatever theirs raises is a failure that is tried again."""
    try:
        return work()
    except ModelFailureError:
        raise
    except Exception as error:  # the model and the code of others may raise anything
        raise ModelFailureError(f"{type(error).__name__}: {error}") from error


def version_of(maker: object) -> tuple[str, ...]:
    """The version of the prompts that a maker uses, where it has one."""
    version = getattr(maker, "version", None)
    return (version,) if isinstance(version, str) else ()
