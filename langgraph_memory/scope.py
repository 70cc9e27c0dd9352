"""Who asks and about what: scopes, principals, and the labels that carry a scope into a storage key."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator, Mapping
from functools import cached_property, lru_cache
from typing import Any, Self
from urllib.parse import quote, unquote

from pydantic import BaseModel, ConfigDict, ValidationError

from langgraph_memory.arguments import first_wrong, keepable, shown
from langgraph_memory.errors import AccessDeniedError, ConfigurationError, InvalidScopeError

LEVELS = ("org", "workspace", "user", "agent")
"""The levels of a scope, from the widest to the narrowest."""

MAX_LABEL = 256
"""The longest value of a level, in characters."""

_WILD = frozenset("*?")


class Scope(BaseModel):
    """Where a memory belongs: `org › workspace › user › agent`, any of them left out.

    A scope is a part of every storage key, so that a forgotten filter can't leak.

    >>> Scope.of(org="acme", workspace="staging-cloud")
    Scope.of(org='acme', workspace='staging-cloud')
    >>> Scope.parse("org=acme,user=bob@example.com").labels
    ('org=acme', 'user=bob@example%2Ecom')

    Raises:
        InvalidScopeError: no level at all, an unknown level, or a value that is empty, wild or has
            control characters.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    org: str | None = None
    workspace: str | None = None
    user: str | None = None
    agent: str | None = None

    def __init__(self, **levels: object) -> None:
        unknown = [level for level in levels if level not in LEVELS]
        if unknown:
            raise InvalidScopeError(f"unknown scope level {unknown[0]!r}: the levels are {', '.join(LEVELS)}")
        for level, value in levels.items():
            if value is not None:
                _check_label(level, value)
        if all(value is None for value in levels.values()):
            raise InvalidScopeError("an empty scope: name at least one of " + ", ".join(LEVELS))
        super().__init__(**levels)

    @classmethod
    def of(cls, **levels: str | None) -> Scope:
        """The scope with these levels."""
        return cls(**levels)

    @classmethod
    def parse(cls, text: str) -> Scope:
        """The scope that `org=acme,workspace=staging-cloud` names, as the console takes it."""
        levels: dict[str, str] = {}
        if not isinstance(text, str):
            raise InvalidScopeError(f"scope {shown(text)} is {type(text).__name__}: give str")
        for part in text.split(","):
            level, equals, value = part.strip().partition("=")
            if not equals:
                raise InvalidScopeError(
                    f"{part!r} in scope {text!r} is not LEVEL=VALUE: write it like org=acme,user=bob"
                )
            if level in levels:
                raise InvalidScopeError(f"scope {text!r} names the level {level!r} twice")
            levels[level] = value
        return cls(**levels)

    @classmethod
    def from_labels(cls, labels: tuple[str, ...]) -> Scope:
        """The scope whose `labels` these are."""
        pairs = [decode_label(label).partition("=") for label in labels]
        return cls(**{level: value for level, _, value in pairs})

    @classmethod
    def from_key(cls, key: str) -> Scope:
        """The scope whose `key` this is."""
        return cls.from_labels(tuple(key.split(".")))

    @cached_property
    def levels(self) -> tuple[tuple[str, str], ...]:
        """The levels that are set, widest first."""
        values = ((level, getattr(self, level)) for level in LEVELS)
        return tuple((level, value) for level, value in values if value is not None)

    @cached_property
    def labels(self) -> tuple[str, ...]:
        """Namespace labels, one a level, encoded so that they contain no dot and can be decoded."""
        return _labels(self.levels)

    @cached_property
    def key(self) -> str:
        """The labels as one string; labels contain no dot, so it is as unique as the scope."""
        return ".".join(self.labels)

    @cached_property
    def entity(self) -> str:
        """The id under which the scope as a whole is an entity: what a rule without a target is about."""
        levels = (f"{level}={value.translate(_SEPARATORS)}" for level, value in self.levels)
        return f"scope:{','.join(levels)}"

    @cached_property
    def top(self) -> Scope:
        """The widest level alone: everything under it belongs to one tenant."""
        level, value = self.levels[0]
        return Scope(**{level: value})

    @property
    def personal(self) -> bool:
        """Whether the scope belongs to one user."""
        return self.user is not None

    def covers(self, other: Scope) -> bool:
        """Whether `other` has all levels of this scope with equal values (as an authority rule covers)."""
        return set(self.levels) <= set(other.levels)

    def model_copy(self, *, update: Mapping[str, Any] | None = None, deep: bool = False) -> Self:
        """A copy, with other levels where some are given: what was worked out of these doesn't go along."""
        copied = super().model_copy(update=update, deep=deep)
        for name in copied.__dict__.keys() - type(self).model_fields.keys():
            del copied.__dict__[name]
        return copied

    def ancestors(self) -> Iterator[Scope]:
        """This scope and those that are its first levels, narrowest first."""
        yield self
        yield from self._above

    @cached_property
    def _above(self) -> tuple[Scope, ...]:
        levels = self.levels
        return tuple(Scope(**dict(levels[:length])) for length in range(len(levels) - 1, 0, -1))

    def __str__(self) -> str:
        return ",".join(f"{level}={value}" for level, value in self.levels)

    def __repr__(self) -> str:
        return f"Scope.of({', '.join(f'{level}={value!r}' for level, value in self.levels)})"


class Principal(BaseModel):
    """Who is asking, as the application authenticated them.

    `roles` give authority to set facts (through `Policy.authority`), `grants` give the right to read.
    A grant covers the scopes that begin with its levels, but reaches a `user=` or `agent=` level only
    if it names it.

    >>> bob = Principal("bob", grants=(Scope.of(org="acme"),))
    >>> bob.may_read(Scope.of(org="acme", workspace="web")), bob.may_read(Scope.of(org="acme", user="eve"))
    (True, False)
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    user_id: str
    roles: frozenset[str] = frozenset()
    grants: tuple[Scope, ...] = ()

    def __init__(self, user_id: str | None = None, **fields: object) -> None:
        label = _check_label("user_id", user_id)
        try:
            super().__init__(user_id=label, **fields)
        except ValidationError as error:
            raise ConfigurationError(f"Principal {label!r} with {first_wrong(error)}") from error

    @classmethod
    def anonymous(cls) -> Principal:
        """A principal that nobody authenticated: no roles, no grants."""
        return cls("anonymous")

    def may_read(self, scope: Scope) -> bool:
        """Whether one of the grants covers `scope`."""
        return any(_grant_covers(grant, scope) for grant in self.grants)

    def readable(self, scope: Scope) -> tuple[Scope, ...]:
        """The requested scope and those ancestors that a grant covers, narrowest first.

        Raises:
            AccessDeniedError: no grant covers the requested scope itself.
        """
        if not self.may_read(scope):
            raise AccessDeniedError(
                f"{self.user_id!r} has no grant for the scope {str(scope)!r} (grants: "
                f"{[str(g) for g in self.grants]}): add a Scope that covers it to Principal.grants"
            )
        return tuple(s for s in scope.ancestors() if self.may_read(s))


class MemoryContext(BaseModel):
    """What a run knows from its caller: who asks, in which scope, and optionally as which activity.

    Hand it to a graph as `graph.invoke(..., context=MemoryContext(principal=…, scope=…))`.
    """

    model_config = ConfigDict(frozen=True, extra="forbid")

    principal: Principal
    scope: Scope
    activity_id: str | None = None

    def __init__(
        self, principal: Principal | None = None, scope: Scope | None = None, activity_id: str | None = None
    ) -> None:
        try:
            super().__init__(principal=principal, scope=scope, activity_id=activity_id)
        except ValidationError as error:
            raise ConfigurationError(f"MemoryContext with {first_wrong(error)}") from error
        if activity_id is not None:
            keepable("activity_id", activity_id)


_SEPARATORS = str.maketrans({"%": "%25", ",": "%2C", "=": "%3D"})


@lru_cache(maxsize=4_096)
def _labels(levels: tuple[tuple[str, str], ...]) -> tuple[str, ...]:
    return tuple(encode_label(f"{level}={value}") for level, value in levels)


def encode_label(text: str) -> str:
    """Any non-empty text as a namespace label, without dots, slashes or control characters; reversible.

    >>> encode_label("a.b/c@d é"), decode_label(encode_label("a.b/c@d é"))
    ('a%2Eb%2Fc@d é', 'a.b/c@d é')
    """
    if not text:
        raise InvalidScopeError("an empty text can't be a namespace label")
    return "".join(_encoded(character) for character in text)


def decode_label(label: str) -> str:
    """The text that `encode_label` made this label of."""
    return unquote(label, errors="surrogatepass")


def _encoded(character: str) -> str:
    if character in "./%\\" or (not character.isprintable() and character != " "):
        plain = quote(character, safe="", errors="surrogatepass")
        return f"%{ord(character):02X}" if plain == character else plain
    return character


def _grant_covers(grant: Scope, scope: Scope) -> bool:
    first = scope.levels[: len(grant.levels)]
    rest = scope.levels[len(grant.levels) :]
    return first == grant.levels and not any(level in ("user", "agent") for level, _ in rest)


def _check_label(level: str, value: object) -> str:
    if not isinstance(value, str):
        raise InvalidScopeError(f"{level}={shown(value)} is not a text: give a str")
    if not value.strip():
        raise InvalidScopeError(f"{level}={shown(value)} is empty: leave the level out or name it")
    if _WILD & set(value):
        raise InvalidScopeError(
            f"{level}={shown(value)} has a wildcard: name one scope, there are no patterns"
        )
    if value != value.strip() or any(unicodedata.category(c) in ("Cc", "Cf", "Cs") for c in value):
        raise InvalidScopeError(
            f"{level}={shown(value)} has control or invisible characters or outer spaces: strip them first"
        )
    if len(value) > MAX_LABEL:
        raise InvalidScopeError(f"{level}={value[:40]!r}… is longer than {MAX_LABEL} characters")
    return value
