"""From what a caller gives to an event that the log can take, or one clear error."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pydantic import ValidationError

from langgraph_memory import strict_json
from langgraph_memory.arguments import expect, first_wrong, keepable, shown, texts
from langgraph_memory.errors import (
    ConfigurationError,
    InvalidArgumentError,
    InvalidEventError,
    RedactionError,
)
from langgraph_memory.records import ActorKind, Event
from langgraph_memory.redaction import Redactor, secret_in_ids

_TRUST = {ActorKind.USER: "user", ActorKind.AGENT: "agent"}


def check_names(
    event_id: str | None, activity_id: str, entities: Iterable[str], **names: str | None
) -> tuple[str, ...]:
    """The entities of an event, when they and what else names it are texts that a database keeps.

    Raises:
        InvalidArgumentError: entities that are no collection of texts.
        InvalidEventError: another one isn't, or holds what no database keeps.
    """
    found = texts("entities", entities)
    given: dict[str, Any] = {"event_id": event_id, "activity_id": activity_id, **names}
    try:
        for name, text in given.items():
            if text is not None or name == "activity_id":
                keepable(name, text)
        for entity in found:
            keepable("entities", entity)
    except (InvalidArgumentError, ConfigurationError) as error:
        raise InvalidEventError(
            f"event {shown(event_id)} of activity {shown(activity_id)} can't be published: {error}"
        ) from error
    return found


def check_ids(**ids: str | None) -> None:
    """Refuse ids that hold a secret: they are kept as they are given, for others find the event by them.

    Raises:
        InvalidEventError: one does; the error names the argument and the kind, not the secret.
    """
    found = secret_in_ids({name: text for name, text in ids.items() if text})
    if found is not None:
        name, kind = found
        raise InvalidEventError(
            f"the {name} of an event holds a secret ({kind}), and is kept as it is: give one that opens "
            "nothing, such as a digest of it"
        )


def new_event(**fields: Any) -> Event:
    """The event with these fields, trusted as its actor is.

    Raises:
        InvalidEventError: the fields are not those of an event.
    """
    try:
        actor = fields["actor"]
        return Event(**fields, trust=_TRUST.get(actor.kind, "untrusted"))
    except ValidationError as error:
        raise InvalidEventError(
            f"event {shown(fields.get('event_id'))} of activity {shown(fields.get('activity_id'))} can't be "
            f"published: {first_wrong(error)}"
        ) from error


def plain_json(data: Mapping[str, Any]) -> Any:
    """The data as plain JSON.

    Raises:
        InvalidArgumentError: it is no mapping.
        InvalidEventError: it can't be written as JSON.
    """
    expect(Mapping, data=data)
    try:
        text = json.dumps(dict(data), allow_nan=False, ensure_ascii=False)
        plain = strict_json.loads(text)
    except Exception as error:  # mappings and their values may be of classes of others
        raise InvalidEventError(
            f"the data of an event must be JSON, and {_wrong_in(data)} is not: {error}; convert it first"
        ) from error
    return plain


def without_secrets(redactor: Redactor, value: Any, found: set[str] | None = None) -> Any:
    """The value as the redactor leaves it; the kinds of what it took out are added to `found`.

    Raises:
        RedactionError: it failed; nothing may be written that it has not seen.
    """
    try:
        redacted = redactor(value)
        if found is not None:
            found.update(redacted.kinds)
        return redacted.value  # noqa: TRY300 - what a redactor of others gives may fail here, too
    except Exception as error:  # a redactor of others may raise anything
        raise RedactionError(
            f"the redactor {redactor!r:.80} failed ({type(error).__name__}: {error}), so the event was not "
            "written: mend it, then publish again"
        ) from error


def _wrong_in(data: Mapping[str, Any]) -> str:
    """Those entries of the data that are not JSON, shortened."""
    try:
        return shown({name: wrong for name, value in data.items() if (wrong := _if_wrong(value)) is not None})
    except Exception:  # noqa: BLE001 - a mapping of others that can't be walked is wrong as a whole
        return shown(data)


def _if_wrong(value: object) -> str | None:
    """What is said of a value that is not JSON; None for one that is."""
    try:
        json.dumps(value, allow_nan=False)
    except RecursionError:
        return "nested too deeply"
    except Exception:  # noqa: BLE001 - whatever a class of others raises, it is not JSON
        return shown(value)
    return None


def display_names(entities: Sequence[str], data: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The display names that an event about exactly one entity gives for it."""
    if len(entities) != 1:
        return []
    names = (data.get(key) for key in ("resource", "name", "display_name"))
    return [(name, entities[0]) for name in names if isinstance(name, str) and name]
