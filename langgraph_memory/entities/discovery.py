"""Which entities a tool call names, read from its structured arguments and output.

Ids are taken as they stand in the data, without a type: `i-09a8f`. Where an object says more about itself,
its display name and its typed form (`cloud-instance:i-09a8f`) are aliases of the id.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from itertools import islice
from typing import Any

from pydantic import Field

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
        aliases: ids by display name or typed form (`{"gpu-bench-01": "i-09a8f"}`).
    """

    entities: tuple[str, ...] = ()
    aliases: dict[str, str] = Field(default_factory=dict)


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

    >>> discover({"user_id": "mia_li_3668"}, '[{"id": "i-09a8f", "name": "gpu-bench-01"}]')
    Discovered(entities=('mia_li_3668', 'i-09a8f'), aliases={'gpu-bench-01': 'i-09a8f'})
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
        found.walk(args)
        found.walk(content)
    return found.result()


def discover_event(event: Event, *, declaration: EntityDeclaration | None = None) -> Discovered:
    """The entities in the data of a tool event."""
    args = event.data.get("args")
    return discover(
        args if isinstance(args, Mapping) else None,
        event.data.get("output"),
        declaration=declaration,
        failed=event.event_type == "tool.failed",
    )


MAX_DEPTH = 60
"""What is nested deeper is not looked at."""

MAX_MENTIONS = 50
"""At most so many identifiers are taken from one text; a longer list is a document, not the names of things."""

_LONGEST_LITERAL = 200_000
_LONGEST_PROSE = 20_000
_FEWEST_NAMED = 3
_OWN_ID = ("id", "_id", "Id", "ID", "uid", "uuid", "guid", "arn", "Arn", "ARN")
_NAME = ("name", "Name", "display_name", "displayName", "label")
_TYPE = ("type", "kind", "resource_type", "resourceType", "object")


def _structured(output: Any) -> Any:
    """An output with its JSON read, or what Python prints for a dict or list."""
    found = parsed(output)
    if not isinstance(found, str) or found.lstrip()[:1] not in ("{", "[") or len(found) > _LONGEST_LITERAL:
        return found
    try:
        return ast.literal_eval(found.strip())
    except (ValueError, SyntaxError, MemoryError, RecursionError):
        return found


class _Found:
    """What a walk through the data of a call has gathered so far."""

    def __init__(self) -> None:
        self.entities: dict[str, None] = {}
        self.aliases: dict[str, str] = {}

    def result(self) -> Discovered:
        """What was found; a name that turned out to be an alias counts as its id."""
        ids = dict.fromkeys(self.aliases.get(entity, entity) for entity in self.entities)
        return Discovered(entities=tuple(ids), aliases=self.aliases)

    def declared(self, entities: Iterator[tuple[str, str | None]]) -> None:
        for entity, name in entities:
            self.entities.setdefault(entity)
            self._alias(name, entity)

    def walk(self, value: Any, key: str = "", container: str = "", depth: int = 0) -> None:
        if depth > MAX_DEPTH:
            return
        if isinstance(value, Mapping):
            self._object(value, key, depth)
        elif isinstance(value, list | tuple):
            self._list(value, key, container, depth)
        else:
            self.entities.update(dict.fromkeys(_of_scalar(value, key, container)))

    def _object(self, value: Mapping[Any, Any], key: str, depth: int) -> None:
        own = _own_id(value, key)
        if own is not None:
            self.entities.setdefault(own)
            for name in _names_of(value, own):
                self._alias(name, own)
        named, keyed = _is_directory(value), _is_keyed_by_id(value)
        for inner_key, inner in value.items():
            text = str(inner_key)
            if own is not None and text in _NAME:
                continue
            if named:
                self.entities.setdefault(inner)
                self._alias(text, inner)
            elif keyed:
                self._under_id(text, inner, key, depth)
            else:
                self.walk(inner, text, key, depth + 1)

    def _under_id(self, entity: str, value: Any, key: str, depth: int) -> None:
        """An object whose keys are ids: what stands under one is about it."""
        self.entities.setdefault(entity)
        if isinstance(value, Mapping) and _own_id(value, key) is None:
            for name in _names_of(value, entity):
                self._alias(name, entity)
        self.walk(value, key, "", depth + 1)

    def _list(self, values: list[Any] | tuple[Any, ...], key: str, container: str, depth: int) -> None:
        if _is_list_of_codes(values) and announced_by(key) is not Announces.OTHER:
            self.entities.update(dict.fromkeys(values))
            return
        for value in values:
            self.walk(value, key, container, depth + 1)

    def _alias(self, name: str | None, entity: str) -> None:
        if name and name != entity and is_name(name):
            self.aliases.setdefault(name, entity)


def _of_scalar(value: Any, key: str, container: str) -> Iterator[str]:
    announced = announced_by(key)
    if isinstance(value, bool | float) or value is None or announced is Announces.OTHER:
        return
    text = str(value).strip()
    if announced is Announces.IDENTIFIER and is_token(text):
        yield from _announced(text, key, container)
    elif isinstance(value, int):
        return
    elif is_identifier(text) or (announced is Announces.RESOURCE and is_slug(text)):
        yield text
    elif key_words(key) == ("name",) and is_compound(text):
        yield text
    else:
        yield from islice(identifiers_in(text[:_LONGEST_PROSE]), MAX_MENTIONS)


def _announced(text: str, key: str, container: str) -> Iterator[str]:
    if not is_weak_number(text):
        yield text
    elif kind := kind_of(key, container):
        yield f"{kind}:{text}"


def _own_id(value: Mapping[Any, Any], key: str) -> str | None:
    """The id of the thing that an object describes, as against ids of what it refers to."""
    for candidate in (*_OWN_ID, *_keys_named_after(value, key), *_first_id_before_name(value)):
        found = value.get(candidate)
        if isinstance(found, str | int) and not isinstance(found, bool) and is_token(str(found)):
            return next(_announced(str(found), candidate, key), None)
    return None


def _keys_named_after(value: Mapping[Any, Any], key: str) -> Iterator[str]:
    """`instance_id` in an object that stands under `instances`."""
    kind = key_words(key)
    for candidate in value:
        words = key_words(str(candidate))
        if kind and words[:-1] == kind and announced_by(str(candidate)) is Announces.IDENTIFIER:
            yield candidate


def _first_id_before_name(value: Mapping[Any, Any]) -> Iterator[str]:
    """The identifier that an object begins with, if its display name comes next to it."""
    keys = [str(k) for k in value]
    if len(keys) > 1 and keys[1] in _NAME and announced_by(keys[0]) is Announces.IDENTIFIER:
        yield keys[0]


def _names_of(value: Mapping[Any, Any], own: str) -> Iterator[str]:
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
    if isinstance(tags, Mapping) and isinstance(tags.get("Name"), str):
        yield tags["Name"]
    for tag in tags if isinstance(tags, list) else ():
        if isinstance(tag, Mapping) and tag.get("Key") == "Name" and isinstance(tag.get("Value"), str):
            yield tag["Value"]


def _is_keyed_by_id(value: Mapping[Any, Any]) -> bool:
    """Whether the keys of an object are ids and not field names: `{"pay_4421486": {…}}`, not `{"p95_ms": 7}`."""
    return bool(value) and all(
        isinstance(inner, Mapping | list | str) and (is_telling(str(key)) or is_number(str(key)))
        for key, inner in value.items()
    )


def _is_directory(value: Mapping[Any, Any]) -> bool:
    """Whether an object maps display names to ids of one form: `{"Wall Clock": "2344688344", …}`."""
    return len(value) >= _FEWEST_NAMED and _is_list_of_codes(tuple(value.values())) and all(
        announced_by(str(key)) is Announces.NOTHING for key in value
    )


def _is_list_of_codes(values: list[Any] | tuple[Any, ...]) -> bool:
    """Whether values are codes of one form, of which at least one has the shape of an identifier."""
    if not values or not all(isinstance(v, str) and is_token(v) and v.isalnum() for v in values):
        return False
    same = len({(len(v), v.upper() == v) for v in values}) == 1
    return same and any(is_identifier(v) or is_number(v) for v in values)
