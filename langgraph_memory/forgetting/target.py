"""What a person asks to be forgotten."""

from __future__ import annotations

from typing import Literal

from langgraph_memory.arguments import expect
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.records import Record
from langgraph_memory.scope import Scope

Selector = Literal["scope", "entity", "fact_id", "episode_id", "source", "actor_id"]


class Target(Record):
    """A scope as a whole, or one thing in it and in the scopes under it."""

    scope: Scope
    by: Selector = "scope"
    value: str = ""

    @classmethod
    def of(cls, scope: Scope, **selectors: str | None) -> Target:
        """The target that the arguments of `Memory.forget` name.

        Raises:
            ConfigurationError: several selectors, or an empty one.
            InvalidArgumentError: one that is no text.
        """
        expect(Scope, scope=scope)
        given = {name: value for name, value in selectors.items() if value is not None}
        expect(str, **given)
        if len(given) > 1:
            raise ConfigurationError(
                f"{', '.join(given)} can't be forgotten in one call: name one of them, and call again"
            )
        for name, value in given.items():
            if not value.strip():
                raise ConfigurationError(
                    f"{name}={value!r} names nothing: leave it out to forget all of {scope}"
                )
            return cls.model_validate({"scope": scope, "by": name, "value": value})
        return cls(scope=scope)
