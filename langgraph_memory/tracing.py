"""OpenTelemetry spans of what memory does, where the application traces; elsewhere they cost nothing.

Spans carry ids, counts and outcomes, never what was said: traces go to other places than memories may.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, ParamSpec, TypeVar

from langgraph_memory.answers import ConsolidationReport, GuardDecision, Recall
from langgraph_memory.records import Event

try:
    from opentelemetry import trace
except ImportError:
    trace = None  # type: ignore[assignment]

_NAME = "langgraph_memory"
_Given = ParamSpec("_Given")
_Answer = TypeVar("_Answer")


def traced(name: str) -> Callable[[Callable[_Given, _Answer]], Callable[_Given, _Answer]]:
    """A span `langgraph_memory.<name>` around each call, with what came of it; an error marks it failed."""

    def around(work: Callable[_Given, _Answer]) -> Callable[_Given, _Answer]:
        if trace is None:
            return work

        @wraps(work)
        def run(*args: _Given.args, **options: _Given.kwargs) -> _Answer:
            if isinstance(trace.get_tracer_provider(), trace.ProxyTracerProvider):
                return work(*args, **options)  # no provider is set, so nobody would see the span
            with trace.get_tracer(_NAME).start_as_current_span(f"{_NAME}.{name}") as span:
                answer = work(*args, **options)
                if span.is_recording():
                    span.set_attributes(
                        {f"{_NAME}.{key}": value for key, value in _told(answer, options).items()}
                    )
                return answer

        return run

    return around


def _told(answer: Any, options: dict[str, Any]) -> dict[str, str | int]:
    scope: dict[str, str | int] = {"scope": str(options["scope"])} if options.get("scope") is not None else {}
    match answer:
        case Recall():
            counts = {"offered": len(answer.items), "constraints": len(answer.constraints)}
            troubles = {"deferred": len(answer.deferred), "degraded": len(answer.degraded)}
            return {**scope, "receipt_id": answer.receipt_id, "tokens": answer.tokens, **counts, **troubles}
        case GuardDecision():
            return {**scope, "decision_id": answer.id, "action": answer.action, "outcome": answer.outcome}
        case Event():
            ids = {"event_id": answer.event_id, "activity_id": answer.activity_id}
            return {**scope, **ids, "event_type": answer.event_type}
        case ConsolidationReport():
            return {
                "activities": answer.activities,
                "episodes": answer.episodes,
                "failed": answer.failed,
                **{f"outcome.{outcome}": count for outcome, count in answer.outcomes.items()},
            }
    return scope
