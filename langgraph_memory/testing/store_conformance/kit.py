"""What the checks of the suite are made of: expectations, an embedding double, and the report."""

from __future__ import annotations

import time
import zlib
from collections.abc import Callable, Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from typing import Any, Protocol

from langchain_core.embeddings import Embeddings
from langgraph.store.base import BaseStore, IndexConfig, TTLConfig

_PATIENCE_SECONDS = 30.0
_PAUSE_SECONDS = 0.02


class OpenStore(Protocol):
    """Opens an empty store that shares nothing with the ones before, and closes it at the end."""

    def __call__(
        self, *, index: IndexConfig | None = None, ttl: TTLConfig | None = None
    ) -> AbstractContextManager[BaseStore]:
        """The store; raises NotImplementedError for what it doesn't offer."""


class NonconformanceError(AssertionError):
    """A store did something else than the contract says."""


class HashEmbeddings(Embeddings):
    """Words hashed into a vector: equal words make texts similar. Remembers what it was asked for.

    >>> HashEmbeddings().embed_query("a b") == HashEmbeddings().embed_query("b a")
    True
    """

    def __init__(self, dims: int = 64) -> None:
        self.dims = dims
        self.documents: list[str] = []
        self.queries: list[str] = []

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """A vector a text."""
        self.documents += texts
        return [self._vector(text) for text in texts]

    def embed_query(self, text: str) -> list[float]:
        """The vector of a query."""
        self.queries.append(text)
        return self._vector(text)

    def _vector(self, text: str) -> list[float]:
        vector = [0.01] * self.dims
        for word in text.lower().split():
            vector[zlib.crc32(word.encode()) % self.dims] += 1.0
        return vector


def index(*fields: str, embed: Embeddings | None = None) -> IndexConfig:
    """An index configuration over these fields."""
    embeddings = embed or HashEmbeddings()
    return {"dims": getattr(embeddings, "dims", 64), "embed": embeddings, "fields": list(fields)}


def expect(found: object, wanted: object, what: str) -> None:
    """Fail unless both are equal."""
    if found != wanted:
        raise NonconformanceError(f"{what}: found {found!r}, wanted {wanted!r}")


def expect_true(good: object, what: str) -> None:
    """Fail unless the condition holds."""
    if not good:
        raise NonconformanceError(what)


def expect_error(
    kinds: type[Exception] | tuple[type[Exception], ...], call: Callable[[], object], what: str
) -> None:
    """Fail unless the call raises one of these errors."""
    try:
        result = call()
    except kinds:
        return
    raise NonconformanceError(f"{what}: no error, but {result!r}")


def wait_until(met: Callable[[], bool], what: str) -> None:
    """Wait until a condition holds; fail if it never does."""
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not met():
        if time.monotonic() > deadline:
            raise NonconformanceError(f"{what}: not within {_PATIENCE_SECONDS:.0f} seconds")
        time.sleep(_PAUSE_SECONDS)


def keys(items: Iterable[Any]) -> list[str]:
    """The keys of some items."""
    return [item.key for item in items]


@dataclass(frozen=True)
class Check:
    """One requirement: a function that opens a store and raises if the store doesn't meet it."""

    run: Callable[[OpenStore], None]

    @property
    def name(self) -> str:
        """A name to pick it by."""
        return self.run.__name__

    @property
    def about(self) -> str:
        """The requirement in words."""
        return (self.run.__doc__ or "").strip().splitlines()[0]


@dataclass(frozen=True)
class Report:
    """How a store did: for each check the name of what went wrong, or nothing."""

    failures: Mapping[str, str] = field(default_factory=dict)
    passed: Sequence[str] = ()
    not_offered: Sequence[str] = ()

    @property
    def conforms(self) -> bool:
        """Whether every check passed."""
        return not self.failures and not self.not_offered

    def mark(self, name: str) -> str:
        """One word for the result of a check."""
        if name in self.failures:
            return "fails"
        return "not offered" if name in self.not_offered else "passes"


def conformance(open_store: OpenStore, checks: Sequence[Check]) -> Report:
    """Run checks against a store.

    An error of any kind counts as a failure: a store that breaks doesn't conform.
    """
    failures: dict[str, str] = {}
    passed, not_offered = [], []
    for check in checks:
        try:
            check.run(open_store)
        except NotImplementedError:
            not_offered.append(check.name)
        except Exception as error:  # noqa: BLE001 - what a foreign store raises is unknown, and is its result
            failures[check.name] = f"{type(error).__name__}: {error}"
        else:
            passed.append(check.name)
    return Report(failures, passed, not_offered)


def comparison(reports: Mapping[str, Report], checks: Sequence[Check]) -> str:
    """A Markdown table of several stores' reports, one line a check, with a line of sums at the end."""
    lines = [f"| requirement | {' | '.join(reports)} |", "|---|" + "---|" * len(reports)]
    for check in checks:
        marks = " | ".join(report.mark(check.name) for report in reports.values())
        lines.append(f"| {check.about.rstrip('.')} | {marks} |")
    sums = " | ".join(f"{len(report.passed)} of {len(checks)}" for report in reports.values())
    return "\n".join([*lines, f"| **passed** | {sums} |"])
