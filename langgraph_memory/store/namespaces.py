"""Namespaces: how they become text that sorts as a tree, who may name which, and how patterns match them."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import assert_never

from langgraph.store.base import (
    GetOp,
    InvalidNamespaceError,
    ListNamespacesOp,
    MatchCondition,
    Op,
    PutOp,
    SearchOp,
    validate_op_namespace,
)

from langgraph_memory.arguments import shown
from langgraph_memory.errors import ReservedNamespaceError

RESERVED_ROOT = "langgraph_memory"
"""First label of the namespaces in which memory keeps its records."""

Namespace = tuple[str, ...]

Span = tuple[str, str | None]
"""A range of encoded namespaces: from the first, included, to the second, excluded; None for no end."""

_DOT, _AFTER_DOT = ".", "/"
_END = "\x00"
"""In the place of the dot it makes text sort as its labels do: no label has a NUL, nor anything below."""


def encode(namespace: Iterable[str]) -> str:
    """A namespace as text: each label with a dot after it, so that a subtree is one range.

    >>> encode(("users", "bob"))
    'users.bob.'
    """
    return "".join(label + _DOT for label in namespace)


@lru_cache(maxsize=16_384)
def decode(text: str) -> Namespace:
    """The namespace that `encode` made this text of."""
    return tuple(text[:-1].split(_DOT)) if text else ()


def subtree(prefix: str) -> Span:
    """The range of all encoded namespaces that begin with the labels of `prefix`, itself included."""
    return (prefix, prefix[:-1] + _AFTER_DOT) if prefix else ("", None)


def ancestors(text: str) -> list[str]:
    """All encoded prefixes of an encoded namespace, from the empty one to itself."""
    ends = [i + 1 for i, character in enumerate(text) if character == _DOT]
    return ["", *(text[:end] for end in ends)]


class Territory(StrEnum):
    """The part of a store that a view reaches: all but memory's own root, or that root alone."""

    PUBLIC = "public"
    PRIVATE = "private"

    def admit(self, op: Op) -> None:
        """Refuse an operation that names what this view doesn't reach.

        Raises:
            InvalidNamespaceError: a label that no namespace can have.
            ReservedNamespaceError: a namespace beyond this view.
        """
        for labels in (*_named(op), *_suffixes(op)):
            if not isinstance(labels, tuple | list):
                raise InvalidNamespaceError(
                    f"the namespace {shown(labels)} is no tuple of labels: write ({shown(labels)},)"
                )
        try:
            validate_op_namespace(op)
        except RuntimeError as error:  # its message shows a label that can't be shown
            named = shown([*_named(op), *_suffixes(op)])
            raise InvalidNamespaceError(f"a label of {named} is no text: give texts") from error
        if isinstance(op, PutOp) and not op.namespace:
            raise InvalidNamespaceError("the namespace is empty: name at least one label")
        for labels in (*_named(op), *_suffixes(op)):
            _check_encodable(labels)
        for namespace in _named(op):
            self._check_root(namespace)

    def admit_prefix(self, namespace: Namespace) -> None:
        """The same for a namespace with all below it; the empty one, which is everything, is refused."""
        if isinstance(namespace, tuple | list) and not namespace:
            raise InvalidNamespaceError("the namespace is empty, which is the whole store: name a label")
        self.admit(SearchOp(namespace))

    def covers(self, text: str) -> bool:
        """Whether this view reaches the encoded namespace."""
        own = text.startswith(RESERVED_ROOT + _DOT)
        return own if self is Territory.PRIVATE else not own

    def narrowed(self, prefix: str) -> str:
        """The encoded prefix that is searched when this view is asked for `prefix`."""
        return prefix or (encode((RESERVED_ROOT,)) if self is Territory.PRIVATE else prefix)

    def spans(self, prefix: str) -> list[Span]:
        """The ranges of encoded namespaces below an encoded prefix that this view reaches."""
        prefix = self.narrowed(prefix)
        if prefix:
            return [subtree(prefix)]
        start, end = subtree(encode((RESERVED_ROOT,)))
        return [("", start), (end or "", None)]

    def _check_root(self, namespace: Sequence[str]) -> None:
        root = namespace[0] if namespace else None
        if self is Territory.PUBLIC and root == RESERVED_ROOT:
            raise ReservedNamespaceError(
                f"the namespace root {RESERVED_ROOT!r} holds memory's own records: "
                "read and change them through Memory, or choose another root"
            )
        if self is Territory.PRIVATE and root not in (RESERVED_ROOT, "*", None):
            raise ReservedNamespaceError(f"{namespace!r} is outside of memory's own root {RESERVED_ROOT!r}")


def _named(op: Op) -> list[Sequence[str]]:
    """The namespaces that an operation names from the root on (a suffix names none)."""
    match op:
        case GetOp() | PutOp():
            return [op.namespace]
        case SearchOp():
            return [op.namespace_prefix]
        case ListNamespacesOp():
            return [c.path for c in op.match_conditions or () if c.match_type == "prefix"]
        case _:
            assert_never(op)


def _suffixes(op: Op) -> list[Sequence[str]]:
    """The ends of namespaces that an operation asks for."""
    if not isinstance(op, ListNamespacesOp):
        return []
    return [c.path for c in op.match_conditions or () if c.match_type == "suffix"]


def _check_encodable(namespace: Sequence[str]) -> None:
    try:
        encode(namespace).encode()
    except UnicodeEncodeError as error:
        raise InvalidNamespaceError(
            f"the namespace {tuple(namespace)!r} has a lone surrogate, which no database stores: replace it"
        ) from error


def listed(
    found: Iterable[str],
    conditions: Sequence[MatchCondition],
    max_depth: int | None,
    limit: int,
    offset: int,
) -> list[Namespace]:
    """Those encoded namespaces that meet all conditions: cut to `max_depth`, each once, sorted, one page.

    >>> listed(["a.b.c.", "a.d.", "e."], [MatchCondition("prefix", ("a",))], 2, 10, 0)
    [('a', 'b'), ('a', 'd')]
    """
    kept = list(found)
    for condition in conditions:
        if _is_plain(condition):
            prefix = encode(condition.path)
            kept = [text for text in kept if text.startswith(prefix)]
        else:
            kept = [text for text in kept if matches(decode(text), condition)]
    if max_depth is not None:
        kept = list({encode(decode(text)[:max_depth]) for text in kept})
    ordered = sorted([text.replace(_DOT, _END) for text in kept])
    return [decode(text.replace(_END, _DOT)) for text in ordered[offset : offset + limit]]


def _is_plain(condition: MatchCondition) -> bool:
    return condition.match_type == "prefix" and "*" not in condition.path


def matches(namespace: Namespace, condition: MatchCondition) -> bool:
    """Whether the namespace begins (or ends) with the labels of the condition; `*` stands for any one label.

    >>> matches(("a", "x", "c"), MatchCondition("suffix", ("*", "c")))
    True
    """
    length = len(condition.path)
    if length > len(namespace):
        return False
    part = namespace[:length] if condition.match_type == "prefix" else namespace[len(namespace) - length :]
    return all(pattern in ("*", label) for label, pattern in zip(part, condition.path, strict=True))


def literal_prefix(conditions: Sequence[MatchCondition]) -> str:
    """The longest encoded prefix without a wildcard that all matching namespaces begin with."""
    deepest: Namespace = ()
    for condition in conditions:
        prefix = _before_wildcard(condition.path)
        if condition.match_type == "prefix" and len(prefix) > len(deepest):
            deepest = prefix
    return encode(deepest)


def _before_wildcard(path: Sequence[str]) -> Namespace:
    return tuple(path[: path.index("*")] if "*" in path else path)
