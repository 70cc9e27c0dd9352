"""Which entities a tool call names, read from its structured arguments and output.

Ids are taken as they stand in the data, without a type: `i-09a8f`. Where an object says more about itself,
its display name and its typed form (`cloud-instance:i-09a8f`) are aliases of the id.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from langgraph_memory.entities.declarations import EntityDeclaration
from langgraph_memory.entities.identifiers import (
    identifiers_in,
    is_compound,
    is_identifier,
    is_name,
    is_number,
    is_slug,
    is_telling,
    is_token,
    is_weak_number,
)
from langgraph_memory.entities.keys import Announces, announced_by, key_words, kind_of
from langgraph_memory.outputs import parsed, reports_failure
from langgraph_memory.records import Event, Record


class Discovered(Record):
    """The entities that a tool call named.

    Attributes:
        entities: ids in the order in which they turned up, each once.
        names: pairs of a display name or typed form and the id (`("gpu-bench-01", "i-09a8f")`); a name that
            several entities have stands with each of them.
    """

    entities: tuple[str, ...] = ()
    names: tuple[tuple[str, str], ...] = ()

    @property
    def aliases(self) -> dict[str, str]:
        """Ids by name; of several the first."""
        return dict(reversed(self.names))


def discover(
    args: Mapping[str, Any] | None,
    output: Any,
    *,
    declaration: EntityDeclaration | None = None,
    artifact: Any = None,
    failed: bool = False,
) -> Discovered:
    """The entities in a tool's arguments and output.

    The output may be JSON, a JSON text or plain text. One that reports a failure names nothing that the
    arguments didn't. With a declaration its rules apply instead of the general ones, or besides.

    >>> found = discover({"user_id": "mia_li_3668"}, '[{"id": "i-09a8f", "name": "gpu-bench-01"}]')
    >>> found.entities, found.aliases
    (('mia_li_3668', 'i-09a8f'), {'gpu-bench-01': 'i-09a8f'})
    """
    content = _structured(output)
    if failed or reports_failure(content):
        content = artifact = None
    found = _Found()
    if declaration is not None:
        sources = {"args": args, "output": content, "artifact": _structured(artifact)}
        for rule in declaration.rules:
            found.declared(rule.entities(sources[rule.source]))
    if declaration is None or declaration.generic:
        found.walk(dict(args or {}))
        found.walk(content)
    return found.result()


def discover_event(event: Event, *, declaration: EntityDeclaration | None = None) -> Discovered:
    """The entities in the data of a tool event."""
    args = event.data.get("args")
    return discover(
        args if isinstance(args, Mapping) else None,
        event.data.get("output"),
        declaration=declaration,
        artifact=event.data.get("artifact"),
        failed=event.event_type == "tool.failed",
    )


MAX_DEPTH = 60
"""What is nested deeper is not looked at."""

MAX_MENTIONS = 50
"""At most so many identifiers are taken from one text; one with more of them is a document."""

_LONGEST_LITERAL = 200_000
_LONGEST_PROSE = 20_000
_LONG_NUMBER = 8
_FEWEST_NAMED = 3
_LISTS = (list, tuple)
_IDS = (str, int)
_TEXTS = (dict, list, str)
_OWN_ID = ("id", "_id", "Id", "ID", "uid", "uuid", "guid", "arn", "Arn", "ARN")
_NAME = ("name", "Name", "display_name", "displayName", "label")
_TYPE = ("type", "kind", "resource_type", "resourceType")


def _structured(output: Any) -> Any:
    """An output with its JSON read, or what Python prints for a dict or list."""
    found = parsed(output)
    if isinstance(found, str) and found.lstrip()[:1] in ("{", "[") and len(found) <= _LONGEST_LITERAL:
        return parsed(_PYTHON.sub(_as_json, found))
    return found


_PYTHON = re.compile(r"'((?:[^'\\]|\\.)*)'|\"(?:[^\"\\]|\\.)*\"|\b(?:True|False|None)\b|[()]", re.DOTALL)
_JSON = {"True": "true", "False": "false", "None": "null", "(": "[", ")": "]"}


def _as_json(match: re.Match[str]) -> str:
    if match[1] is not None:
        return json.dumps(re.sub(r"\\(.)", r"\1", match[1]))
    return _JSON.get(match[0], match[0])


class _Found:
    """What a walk through the data of a call has gathered so far.

    Attributes:
        entities: ids, each with whether a key announced it.
        names: pairs of name and id.
    """

    def __init__(self) -> None:
        self.entities: dict[str, bool] = {}
        self.names: dict[tuple[str, str], None] = {}

    def result(self) -> Discovered:
        """What was found; what has the shape of an id and turned out to be a display name is no entity."""
        display = {name for name, _ in self.names}
        ids = (entity for entity, announced in self.entities.items() if announced or entity not in display)
        return Discovered(entities=tuple(ids), names=tuple(self.names))

    def declared(self, entities: Iterator[tuple[str, str | None]]) -> None:
        for entity, name in entities:
            self._add(entity, name)

    def walk(self, value: Any, key: str = "", container: str = "", depth: int = 0) -> None:
        if depth > MAX_DEPTH:
            return
        if isinstance(value, dict):
            self._object(value, key, depth)
        elif isinstance(value, _LISTS):
            self._list(value, key, container, depth)
        else:
            for entity, announced in _of_scalar(value, key, container):
                self.entities[entity] = announced or self.entities.get(entity, False)

    def _object(self, value: dict[Any, Any], key: str, depth: int) -> None:
        own = _own_id(value, key)
        if own is not None:
            self._add(own, *_names_of(value, own))
        named, keyed = _is_directory(value), _is_keyed_by_id(value)
        for inner_key, inner in value.items():
            text = str(inner_key)
            if own is not None and text in _NAME:
                continue
            if named:
                self._add(inner, text)
            elif keyed:
                self._under_id(text, inner, key, depth)
            else:
                self.walk(inner, text, key, depth + 1)

    def _under_id(self, entity: str, value: Any, key: str, depth: int) -> None:
        """An object whose keys are ids: what stands under one is about it."""
        itself = isinstance(value, dict) and _own_id(value, key) is None
        self._add(entity, *(_names_of(value, entity) if itself else ()))
        self.walk(value, key, "", depth + 1)

    def _list(self, values: list[Any] | tuple[Any, ...], key: str, container: str, depth: int) -> None:
        if _is_list_of_codes(values) and announced_by(key) is not Announces.OTHER:
            self.entities |= dict.fromkeys(values, True)
            return
        for value in values:
            self.walk(value, key, container, depth + 1)

    def _add(self, entity: str, *names: str | None) -> None:
        self.entities[entity] = True
        self.names |= {(name, entity): None for name in names if name and name != entity and is_name(name)}


def _of_scalar(value: Any, key: str, container: str) -> Iterator[tuple[str, bool]]:
    """The entities that one value names, each with whether its key announced it."""
    announced = announced_by(key)
    if isinstance(value, bool | float) or value is None or announced is Announces.OTHER:
        return
    text = str(value).strip()
    if announced is Announces.IDENTIFIER and is_token(text):
        yield from ((entity, True) for entity in _announced(text, key, container))
    elif isinstance(value, int):
        return
    elif is_identifier(text) or _is_resource_name(text, key) or _is_long_number(text):
        yield text, False
    else:
        yield from ((entity, False) for entity in islice(identifiers_in(text[:_LONGEST_PROSE]), MAX_MENTIONS))


def _is_long_number(text: str) -> bool:
    return len(text) >= _LONG_NUMBER and is_number(text)


def _is_resource_name(text: str, key: str) -> bool:
    if announced_by(key) is Announces.RESOURCE:
        return is_slug(text)
    return key_words(key) == ("name",) and is_compound(text)


def _announced(text: str, key: str, container: str) -> Iterator[str]:
    if not is_weak_number(text):
        yield text
    elif kind := kind_of(key, container):
        yield f"{kind}:{text}"


def _own_id(value: dict[Any, Any], key: str) -> str | None:
    """The id of the thing that an object describes, as against ids of what it refers to."""
    for candidate in _own_keys(value, key):
        found = value[candidate]
        if isinstance(found, _IDS) and not isinstance(found, bool) and is_token(str(found)):
            return next(_announced(str(found), candidate, key), None)
    return None


def _own_keys(value: dict[Any, Any], key: str) -> Iterator[str]:
    """`id`; `instance_id` under `instances`; an identifier that the object begins with, before its name."""
    yield from (candidate for candidate in _OWN_ID if candidate in value)
    keys = [k for k in value if isinstance(k, str) and announced_by(k) is Announces.IDENTIFIER]
    kind = key_words(key)
    yield from (k for k in keys if kind and key_words(k)[:-1] == kind)
    first, second = (*islice(value, 2), None, None)[:2]
    yield from (k for k in keys[:1] if k == first and second in _NAME)


def _names_of(value: dict[Any, Any], own: str) -> Iterator[str]:
    for key in _NAME:
        if isinstance(value.get(key), str):
            yield value[key].strip()
    for tags in (value.get("Tags"), value.get("tags")):
        yield from _name_tags(tags)
    for key in _TYPE:
        kind = value.get(key)
        if isinstance(kind, str) and is_slug(kind) and ":" not in own:
            yield f"{kind}:{own}"


def _name_tags(tags: Any) -> Iterator[str]:
    """The display name among tags, as clouds keep it: `{"Name": …}` or `[{"Key": "Name", "Value": …}]`."""
    if isinstance(tags, dict) and isinstance(tags.get("Name"), str):
        yield tags["Name"]
    for tag in tags if isinstance(tags, list) else ():
        if isinstance(tag, dict) and tag.get("Key") == "Name" and isinstance(tag.get("Value"), str):
            yield tag["Value"]


def _is_keyed_by_id(value: dict[Any, Any]) -> bool:
    """Whether keys are ids and not field names: `{"pay_4421486": {…}}`, not `{"p95_ms": 7}`."""
    return bool(value) and all(
        isinstance(inner, _TEXTS) and (is_telling(str(key)) or is_number(str(key)))
        for key, inner in value.items()
    )


def _is_directory(value: dict[Any, Any]) -> bool:
    """Whether an object maps display names to ids of one form: `{"Wall Clock": "2344688344", …}`."""
    return (
        len(value) >= _FEWEST_NAMED
        and _is_list_of_codes(tuple(value.values()))
        and all(announced_by(str(key)) is Announces.NOTHING for key in value)
    )


def _is_list_of_codes(values: list[Any] | tuple[Any, ...]) -> bool:
    """Whether values are codes of one form, of which at least one has the shape of an identifier."""
    if not values or not all(isinstance(v, str) and is_token(v) and v.isalnum() for v in values):
        return False
    same = len({(len(v), v.upper() == v) for v in values}) == 1
    return same and any(is_identifier(v) or is_number(v) for v in values)
