"""How records look in a notebook: one function a kind, from the fields of a record to HTML.

Records don't know this room's pieces, and this room doesn't import records: it reads their fields by name, so
that records stay plain data.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from langgraph_memory.display.markup import badge, bar, card, counted, folded, small, table, text

_SHOWN_SOURCES = 3


def html(record: Any) -> str:
    """A record as HTML: its own card where it has one, else a table of its fields."""
    draw = CARDS.get(type(record).__name__)
    return draw(record) if draw else _fields(record)


def one_line(record: Any) -> str:
    """A record of a recall in a few words, as escaped text."""
    for name in ("value", "summary", "trigger_intent"):
        if told := getattr(record, name, None):
            about = f"{record.entity}: " if hasattr(record, "entity") else ""
            return text(f"{about}{told}", 200)
    data = getattr(record, "data", {})
    return text(data.get("text", ""), 200)


def _fact(fact: Any) -> str:
    until = f"until {fact.valid_until:%Y-%m-%d}" if fact.valid_until else ""
    role = f" ({fact.authority_role})" if fact.authority_role else ""
    return card(
        f"{fact.entity} · {fact.attribute.replace('_', ' ')}",
        f"<div>{text(fact.value, 600)}</div>",
        small(
            [
                text(fact.kind),
                text(f"ends when: {fact.ends_when}") if fact.ends_when else "",
                text(f"rules out: {', '.join(fact.forbids)}") if fact.forbids else "",
                "due to be confirmed again" if fact.revalidation_due else "",
            ]
        ),
        small(
            [
                text(f"set {fact.asserted_at:%Y-%m-%d} by {fact.asserted_by or 'somebody'}{role}"),
                text(f"confirmed {fact.confirmed_at:%Y-%m-%d}"),
                text(until),
                _sources(fact.sources),
            ]
        ),
        status=str(fact.status),
    )


def _episode(episode: Any) -> str:
    quotes = [
        [text(quote.occurred_at), text(quote.speaker, 60), text(quote.text)] for quote in episode.excerpts
    ]
    return card(
        episode.episode_id,
        f"<div>{text(episode.summary, 600)}</div>",
        f"<div><i>{text(episode.resolution, 600)}</i></div>" if episode.resolution else "",
        small(
            [
                text(f"{episode.started_at:%Y-%m-%d %H:%M} – {episode.ended_at:%Y-%m-%d %H:%M}"),
                f"importance {episode.importance} of 10",
                text(f"about {', '.join(episode.entities)}") if episode.entities else "",
                text(f"follows {episode.follows}") if episode.follows else "",
            ]
        ),
        small([text(", ".join(episode.keywords))]),
        folded(f"{len(episode.actions)} actions", _list(episode.actions)) if episode.actions else "",
        folded(counted(len(quotes), "excerpt"), table(("when", "who", "said"), quotes)) if quotes else "",
        small([_sources(episode.sources)]),
        status=str(episode.status),
    )


def _wrapped(prompt: str) -> str:
    return f'<pre style="white-space:pre-wrap">{text(prompt, 20_000)}</pre>'


def _recall(recall: Any) -> str:
    rows = [
        [badge(item.kind), one_line(item.record), bar(item.score), text(", ".join(item.reasons))]
        for item in recall.items
    ]
    left_out = [[text(omission.id), text(omission.reason)] for omission in recall.omitted]
    notices = [*recall.degraded, *(f"did not fit: {fact_id}" for fact_id in recall.deferred)]
    return card(
        f"Recall · {counted(len(recall.items), 'memory', 'memories')} · {counted(recall.tokens, 'token')}",
        table(("kind", "memory", "score", "why"), rows)
        or "<div>Nothing is remembered that belongs here.</div>",
        _list(notices),
        folded(f"{len(left_out)} left out", table(("id", "why"), left_out)) if left_out else "",
        folded("as the prompt gets it", _wrapped(recall.text)) if recall.text else "",
        small([text(recall.receipt_id)]),
        status="failed" if recall.degraded else "",
    )


def _decision(decision: Any) -> str:
    return card(
        decision.action,
        f"<div>{text(decision.message, 800)}</div>" if decision.message else "",
        "".join(_fact(fact) for fact in decision.facts),
        small([text(decision.id)]),
        status=decision.outcome,
    )


def _explanation(explanation: Any) -> str:
    body: Mapping[str, Any] = explanation.body
    is_recall = explanation.kind == "recall"
    parts = _why_recalled(body) if is_recall else _why_decided(body)
    about = f"recall: “{body.get('query', '')}”" if is_recall else f"decision: {body.get('action', '')}"
    rest = {name: value for name, value in body.items() if name not in _TOLD}
    parts.append(folded("the rest of the receipt", table(("", ""), _rows(rest))) if rest else "")
    at = small([text(explanation.at), text(explanation.id)])
    return card(f"Why this {about}", *parts, at, status=str(body.get("outcome", "")))


def _why_recalled(body: Mapping[str, Any]) -> list[str]:
    offered = [
        [badge(item["kind"]), text(item["id"]), bar(item["score"]), text(", ".join(item["reasons"]))]
        for item in body.get("offered", ())
    ]
    left_out = [[text(each["id"]), text(each["reason"])] for each in body.get("omitted", ())]
    after = [[text(each["action"]), badge(each["outcome"])] for each in body.get("decisions", ())]
    return [
        table(("kind", "id", "score", "why"), offered),
        table(("decided after it", ""), after),
        folded(f"{len(left_out)} left out", table(("id", "why"), left_out)) if left_out else "",
    ]


def _why_decided(body: Mapping[str, Any]) -> list[str]:
    told = [[name, _list(body[name])] for name in ("facts", "offered", "used", "cited") if body.get(name)]
    without = [[text(fact_id), badge(str(outcome))] for fact_id, outcome in body.get("without", {}).items()]
    reason = f"<div>{text(body['reason'], 800)}</div>" if body.get("reason") else ""
    return [reason, table(("", ""), told), table(("without", "it would be"), without)]


_TOLD = ("offered", "omitted", "query", "action", "reason", "facts", "outcome", "used", "cited", "without",
         "decisions")  # fmt: skip


def _event(event: Any) -> str:
    return card(
        f"{event.actor.id} · {event.event_type}",
        f"<div>{text(event.data.get('text') or event.data, 600)}</div>",
        small([text(event.occurred_at), text(", ".join(event.entities)), text(event.source)]),
    )


def _procedure(procedure: Any) -> str:
    return card(
        f"{procedure.procedure_id} v{procedure.version}",
        f"<div>{text(procedure.trigger_intent)}</div>",
        _list(procedure.steps),
        small(
            [
                text(procedure.origin),
                text(f"approved by {procedure.approved_by}") if procedure.approved_by else "",
                text(procedure.created_at),
            ]
        ),
        status=str(procedure.status),
    )


CARDS: Mapping[str, Callable[[Any], str]] = {
    "Fact": _fact,
    "Episode": _episode,
    "Procedure": _procedure,
    "Event": _event,
    "Recall": _recall,
    "GuardDecision": _decision,
    "Explanation": _explanation,
}
"""By the name of a record's class, how it looks."""


def _fields(record: Any) -> str:
    fields = {name: getattr(record, name) for name in type(record).model_fields}
    return card(type(record).__name__, table(("", ""), _rows(fields)))


def _rows(fields: Mapping[str, Any]) -> list[list[str]]:
    return [[text(name), text(value)] for name, value in fields.items() if value not in (None, (), {}, [])]


def _list(entries: Any) -> str:
    shown = "".join(f"<li>{text(entry)}</li>" for entry in entries)
    return f"<ul style='margin:.2em 0'>{shown}</ul>" if shown else ""


def _sources(sources: Any) -> str:
    if not sources:
        return ""
    more = f" and {len(sources) - _SHOWN_SOURCES} more" if len(sources) > _SHOWN_SOURCES else ""
    return text(f"source {', '.join(sources[:_SHOWN_SOURCES])}{more}")
