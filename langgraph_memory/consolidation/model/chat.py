"""Extraction and narration by a chat model with structured output. The model proposes; code decides."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from email.utils import parsedate_to_datetime
from typing import Literal, TypeVar

from langchain_core.exceptions import LangChainException
from langchain_core.language_models import BaseChatModel
from langchain_core.messages import HumanMessage, SystemMessage
from langchain_core.runnables import RunnableConfig
from pydantic import BaseModel, Field, ValidationError

from langgraph_memory.actions import ActionClass
from langgraph_memory.consolidation.candidates import Candidate
from langgraph_memory.consolidation.episodes.building import Narrative
from langgraph_memory.consolidation.model.prompts import (
    EXTRACT,
    EXTRACT_VERSION,
    IMPORTANCE,
    IMPORTANCE_VERSION,
    NARRATE,
    NARRATE_VERSION,
)
from langgraph_memory.consolidation.model.spending import Meter
from langgraph_memory.consolidation.model.windows import named_in, shortened, windows
from langgraph_memory.errors import MemoryRuntimeError
from langgraph_memory.records import Episode, Event, FactKind

_Answer = TypeVar("_Answer", bound=BaseModel)


class ModelFailureError(MemoryRuntimeError, RuntimeError):
    """The model could not be reached or gave no usable answer; the activity waits and is tried again."""

    @property
    def retry_after(self) -> timedelta | None:
        """For how long the server asked to be left alone; None if it didn't say."""
        cause = self.__cause__
        while cause is not None:
            headers = getattr(getattr(cause, "response", None), "headers", None)
            if headers is not None and (asked := headers.get("retry-after")):
                return _wait(asked)
            cause = cause.__cause__
        return None


class _Extracted(BaseModel):
    entity: str | None = Field(description="id or name as known; null for the speaker")
    attribute: str
    value: str
    kind: FactKind = FactKind.FACT
    forbids: list[ActionClass] = Field(default_factory=list)
    ends_when: str | None = None
    intent: Literal["assert", "retire", "retract"] = "assert"
    certainty: Literal["stated", "hedged"] = "stated"
    event_ids: list[str] = Field(min_length=1)


class _Extraction(BaseModel):
    """What the users of an activity laid down for the future."""

    facts: list[_Extracted]


class _Told(BaseModel):
    """The narrative of an activity."""

    summary: str
    resolution: str | None = None
    importance: int | None = Field(default=None, description="from 1 to 10")


class ModelExtractor:
    """An `Extractor` that asks a chat model for candidates.

    Args:
        model: any LangChain chat model that supports `with_structured_output`.
        meter: counts what the calls take.
        most: how many prompts it may take to read one activity.
    """

    version = f"extract@{EXTRACT_VERSION}"

    def __init__(self, model: BaseChatModel, meter: Meter | None = None, *, most: int = 12) -> None:
        self._model = model
        self._meter = meter
        self._most = most

    def left_out(self, events: Sequence[Event]) -> frozenset[str]:
        """Ids of the events that it does not show the model to their end: together they are too long."""
        return windows(events, self._most).left_out

    def extract(self, events: Sequence[Event], known: Mapping[str, str]) -> list[Candidate]:
        """Candidates that the model read from the events.

        Raises:
            ModelFailureError: no usable answer.
        """
        prompt = EXTRACT.format(actions=", ".join(action.value for action in ActionClass))
        facts: list[_Extracted] = []
        for part in windows(events, self._most).parts:
            material = {"known_entities": named_in(part, known), "events": part}
            facts += ask(self._model, _Extraction, prompt, material, self._meter).facts
        return [
            Candidate(**fact.model_dump(exclude={"event_ids", "forbids"}), **_tuples(fact)) for fact in facts
        ]


class ModelNarrator:
    """A `Narrator` that asks a chat model for summary, resolution and importance."""

    version = f"narrate@{NARRATE_VERSION}, importance@{IMPORTANCE_VERSION}"

    def __init__(self, model: BaseChatModel, meter: Meter | None = None) -> None:
        self._model = model
        self._meter = meter

    def narrate(self, events: Sequence[Event], draft: Episode) -> Narrative:
        """The narrative as the model tells it.

        Raises:
            ModelFailureError: no usable answer.
        """
        material = {"status": draft.status, "events": shortened(events)}
        told = ask(self._model, _Told, f"{NARRATE}\n\n{IMPORTANCE}", material, self._meter)
        rated = None if told.importance is None else min(max(told.importance, 1), 10)
        return Narrative(summary=told.summary, resolution=told.resolution, importance=rated)


def ask(
    model: BaseChatModel,
    schema: type[_Answer],
    prompt: str,
    material: Mapping[str, object],
    meter: Meter | None = None,
) -> _Answer:
    """What the model answers to a prompt and its material, in the form of the schema.

    Raises:
        ModelFailureError: no usable answer.
    """
    messages = [SystemMessage(prompt), HumanMessage(json.dumps(material, ensure_ascii=False))]
    counted: RunnableConfig = {"callbacks": [meter]} if meter else {}
    try:
        answer = model.with_structured_output(schema).invoke(messages, counted)
    except (LangChainException, ValidationError, ValueError, OSError) as error:
        raise ModelFailureError(f"{type(model).__name__} gave no answer: {error}") from error
    if not isinstance(answer, schema):
        raise ModelFailureError(f"{type(model).__name__} answered {answer!r} instead of {schema.__name__}")
    return answer


def _tuples(fact: _Extracted) -> dict[str, tuple[str, ...]]:
    return {"event_ids": tuple(fact.event_ids), "forbids": tuple(action.value for action in fact.forbids)}


def _wait(asked: str) -> timedelta | None:
    """A Retry-After header: seconds, or the date until when."""
    try:
        return timedelta(seconds=max(float(asked), 0.0))
    except ValueError:
        pass
    try:
        return max(parsedate_to_datetime(asked) - datetime.now(UTC), timedelta())
    except (ValueError, TypeError):
        return None
