"""What a procedure depends on in a tool: its name and the schema of its arguments, not its description."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Mapping
from typing import Any

from langchain_core.tools import BaseTool
from langchain_core.utils.function_calling import convert_to_openai_tool
from pydantic import JsonValue

from langgraph_memory.arguments import shown
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.records import Record

_WORDS = frozenset({"title", "description", "examples", "default", "deprecated", "$comment"})
"""Keywords of JSON Schema that explain and don't restrict."""

ToolLike = BaseTool | Callable[..., Any] | Mapping[str, Any] | type
"""What LangChain takes for a tool: a tool, a function, a pydantic class or a schema."""


class Signature(Record):
    """A tool's name and the schema of its arguments.

    >>> def stop_instance(name: str) -> str:
    ...     "Stop an instance."
    >>> signature = Signature.of(stop_instance)
    >>> signature.name, list(signature.parameters["properties"])
    ('stop_instance', ['name'])
    """

    name: str
    parameters: dict[str, JsonValue]

    @classmethod
    def of(cls, tool: ToolLike) -> Signature:
        """The signature of a tool, as a model is shown it: injected arguments don't count.

        Raises:
            ConfigurationError: something that is no tool.
        """
        try:
            function = convert_to_openai_tool(dict(tool) if isinstance(tool, Mapping) else tool)["function"]
        except (TypeError, ValueError, KeyError, AttributeError, RuntimeError) as error:
            raise ConfigurationError(
                f"tools={shown(tool)} is no tool ({type(error).__name__}): give a LangChain tool, a "
                "function with a docstring, or a schema"
            ) from error
        return cls(name=function["name"], parameters=_restrictions(function.get("parameters") or {}))

    @property
    def fingerprint(self) -> str:
        """A digest that changes when the name or the schema does."""
        text = json.dumps([self.name, self.parameters], sort_keys=True, ensure_ascii=False)
        return hashlib.sha256(text.encode()).hexdigest()[:16]


def difference(old: Signature, new: Signature) -> str:
    """In words, what changed between two signatures of a tool.

    >>> old = Signature(name="stop", parameters={"properties": {"name": {"type": "string"}}})
    >>> new = Signature(name="stop", parameters={"properties": {"instance_id": {"type": "string"}}})
    >>> difference(old, new)
    "argument 'name' is gone, argument 'instance_id' is new"
    """
    before, after = _arguments(old), _arguments(new)
    told = [f"argument {name!r} is gone" for name in before if name not in after]
    told += [f"argument {name!r} is new" for name in after if name not in before]
    told += [
        f"argument {name!r} takes other values"
        for name in before
        if before[name] != after.get(name, before[name])
    ]
    needed = set(_required(new)) - set(_required(old))
    told += [f"argument {name!r} is required now" for name in sorted(needed & set(before))]
    return ", ".join(told) or "its arguments changed"


def _arguments(signature: Signature) -> Mapping[str, JsonValue]:
    found = signature.parameters.get("properties")
    return found if isinstance(found, dict) else {}


def _required(signature: Signature) -> list[str]:
    found = signature.parameters.get("required")
    return [str(name) for name in found] if isinstance(found, list) else []


def _restrictions(schema: Any, *, names: bool = False) -> Any:
    """A schema without its explanations; under `properties` the keys are names of arguments."""
    if isinstance(schema, dict):
        return {
            key: _restrictions(value, names=key in ("properties", "$defs") and not names)
            for key, value in schema.items()
            if names or key not in _WORDS
        }
    if isinstance(schema, list):
        return [_restrictions(each) for each in schema]
    return schema
