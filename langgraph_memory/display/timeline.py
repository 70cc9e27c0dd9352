"""The life of facts along time: which value held from when to when, and what ended it."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime
from typing import Any

from langgraph_memory.display.markup import card, colour, table, text

_WIDTH, _ROW, _LEFT = 560, 26, 8
_SHOWN = 90


class Timeline:
    """Facts as bars along time, with the decisions about them below; show it as a notebook cell's last value.

    Args:
        facts: the values of an entity's attribute, or any facts: `memory.facts(scope, entity=…, status=all)`.
        decisions: what was decided about them, as `memory.audit(fact_id)` lists it.
        until: where a value that still holds ends; by default the latest moment among all of these.

    Example:
        >>> Timeline([])._repr_html_()
        '<div>No facts.</div>'
    """

    def __init__(
        self, facts: Iterable[Any], decisions: Iterable[Any] = (), *, until: datetime | None = None
    ) -> None:
        self.facts = tuple(sorted(facts, key=lambda fact: (fact.valid_from, fact.fact_id)))
        self.decisions = tuple(sorted(decisions, key=lambda entry: entry.seq))
        moments = [moment for fact in self.facts for moment in _moments(fact)]
        moments += [entry.at for entry in self.decisions]
        self.until = until or max(moments, default=None)

    def __repr__(self) -> str:
        return "\n".join(
            f"{fact.valid_from:%Y-%m-%d} – {_end(fact)}  {fact.status:<10}  {fact.value}"
            for fact in self.facts
        )

    def _repr_html_(self) -> str:
        if not self.facts or self.until is None:
            return "<div>No facts.</div>"
        entries = [
            [text(entry.at), text(entry.decision), text(entry.actor), text(entry.reason)]
            for entry in self.decisions
        ]
        names = dict.fromkeys(f"{fact.entity} · {fact.attribute.replace('_', ' ')}" for fact in self.facts)
        return card("; ".join(names), self._bars(), table(("when", "decision", "by", "why"), entries))

    def _bars(self) -> str:
        first = self.facts[0].valid_from
        height = _ROW * len(self.facts) + 4
        rows = "".join(self._bar(fact, row, first) for row, fact in enumerate(self.facts))
        return (
            f'<svg width="{_WIDTH + 2 * _LEFT}" height="{height}" font-size="11" fill="currentColor">'
            f"{rows}</svg>"
        )

    def _bar(self, fact: Any, row: int, first: datetime) -> str:
        last = self.until or first
        span = max((last - first).total_seconds(), 1.0)
        start = (fact.valid_from - first).total_seconds() / span
        end = ((fact.valid_until or last) - first).total_seconds() / span
        x = _LEFT + start * _WIDTH
        width = max((min(end, 1.0) - start) * _WIDTH, 3.0)
        y = row * _ROW
        label = text(f"{fact.valid_from:%Y-%m-%d} – {_end(fact)}, {fact.status}: {fact.value}", _SHOWN)
        shift, anchor = (x, "start") if start < 0.5 else (_LEFT + _WIDTH, "end")  # noqa: PLR2004 - the middle
        return (
            f'<text x="{shift:.0f}" y="{y + 11}" text-anchor="{anchor}">{label}</text>'
            f'<rect x="{x:.1f}" y="{y + 15}" width="{width:.1f}" height="7" rx="3" '
            f'fill="{colour(str(fact.status))}"></rect>'
        )


def _moments(fact: Any) -> list[datetime]:
    return [moment for moment in (fact.valid_from, fact.valid_until, fact.confirmed_at) if moment is not None]


def _end(fact: Any) -> str:
    return f"{fact.valid_until:%Y-%m-%d}" if fact.valid_until else "now"
