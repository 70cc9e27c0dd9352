"""Texts to vectors, whatever makes them: the bundled model, or the one that the user brings.

`Embedder` gives one shape to all that LangGraph's `IndexConfig` allows: a LangChain `Embeddings`, a plain
function, an async function, a provider string such as `openai:text-embedding-3-small`, or nothing.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from time import perf_counter
from types import TracebackType
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings
from langgraph.store.base import IndexConfig
from langgraph.store.base.embed import EmbeddingsLambda, ensure_embeddings
from numpy.typing import NDArray

from langgraph_memory.errors import ConfigurationError, EmbeddingError, MemoryRuntimeError
from langgraph_memory.store.event_loop import awaited
from langgraph_memory.store.local_models import MiniLM, WordLlama

__all__ = ["Embedder", "MiniLM", "WordLlama"]

Vectors = NDArray[np.float32]

_ROUNDING = 1e-6
"""How far from 1 the square of a unit vector may be."""

_MEASURED = 100
_QUICK_SECONDS = 1e-4


class Embedder:
    """Makes unit vectors of texts, and names the model that they come from.

    >>> embedder = Embedder.of(None)
    >>> embedder.dims, embedder.documents(["a server", "a cat"]).shape
    (256, (2, 256))
    >>> Embedder.of({"embed": lambda texts: [[3.0, 4.0] for _ in texts]}).query("a server").tolist()
    [0.6000000238418579, 0.800000011920929]

    Attributes:
        name: says which model it is; vectors of different names can't be compared.
        embeddings: what makes the vectors.
    """

    def __init__(self, embeddings: Embeddings, name: str, dims: int | None = None) -> None:
        self.name = name
        self.embeddings = embeddings
        self._dims = dims
        self._texts, self._seconds = 0, 0.0

    @classmethod
    def of(cls, config: IndexConfig | None) -> Embedder:
        """The embedder for an index configuration; what it leaves out is taken from the bundled model.

        Raises:
            ConfigurationError: `dims` without `embed` that the bundled model doesn't have, or no number.
            EmbeddingError: a provider string whose provider isn't installed.
        """
        embed, dims = (config or {}).get("embed"), (config or {}).get("dims")
        if dims is not None and (not isinstance(dims, int) or isinstance(dims, bool) or dims < 1):
            raise ConfigurationError(f"dims {dims!r} of the index is no number of dimensions: leave it out")
        if embed is None:
            if dims not in (None, WordLlama.dims):
                raise ConfigurationError(
                    f"dims {dims!r} of the index, but no embed: leave dims out for the bundled model "
                    f"({WordLlama.dims}), or give the embed that makes such vectors"
                )
            return cls(WordLlama(), _name(WordLlama()), WordLlama.dims)
        name = embed if isinstance(embed, str) else _name(embed)
        with _Failures(name):
            return cls(_embeddings(embed), name, dims)

    @property
    def known_dims(self) -> int | None:
        """The length of the vectors, if it is known without asking the model."""
        return self._dims

    @property
    def dims(self) -> int:
        """The length of the vectors; the model is asked for one where the configuration doesn't say.

        Raises:
            EmbeddingError: the model failed.
        """
        return self._dims or len(self.query("dimensions"))

    @property
    def quick(self) -> bool:
        """Whether to embed a text again is quicker than to look up its vector, as far as was measured."""
        return self._texts >= _MEASURED and self._seconds < _QUICK_SECONDS * self._texts

    def documents(self, texts: Sequence[str]) -> Vectors:
        """The unit vectors of texts to be found, `(len(texts), dims)`; zeros where the model gives zeros.

        Raises:
            EmbeddingError: the model is missing, failed, or gave something else than a vector a text.
            ConfigurationError: the vectors are not `dims` long.
        """
        if not texts:
            return np.zeros((0, self.dims), np.float32)
        encodable = [_encodable(text) for text in texts]
        began = perf_counter()
        with _Failures(self.name):
            if isinstance(self.embeddings, _Local):
                given: Any = self.embeddings.vectors(encodable)
            else:
                given = self.embeddings.embed_documents(encodable)
            found = self._checked(given, len(texts))
        self._texts, self._seconds = self._texts + len(texts), self._seconds + perf_counter() - began
        return found

    def query(self, text: str) -> Vectors:
        """The unit vector of a text to search for, `(dims,)`; fails as `documents` does."""
        if isinstance(self.embeddings, _Local):
            vectors = self.documents([text])
        else:
            with _Failures(self.name):
                vectors = self._checked([self.embeddings.embed_query(_encodable(text))], 1)
        return vectors.reshape(-1)

    def _checked(self, given: Any, count: int) -> Vectors:
        """What the model gave as unit vectors."""
        vectors = np.asarray(given, np.float32)
        fits = vectors.ndim == 2 and len(vectors) == count and vectors.size > 0  # noqa: PLR2004
        unit = _unit(vectors) if fits else None
        if unit is None:
            raise EmbeddingError(
                f"{self.name!r} gave {vectors.shape} numbers for {count} texts, or some that are not finite: "
                "it has to give one list of floats for each text"
            )
        if self._dims not in (None, vectors.shape[1]):
            raise ConfigurationError(
                f"{self.name!r} gives {vectors.shape[1]} dimensions, but dims of the index is {self._dims}: "
                "set it to what the model gives, or leave it out"
            )
        self._dims = vectors.shape[1]
        return unit


_Local = WordLlama | MiniLM
"""Models that give arrays and make no difference between queries and documents."""


class _Function(Embeddings):
    """A function of texts, plain or async, as LangChain embeddings."""

    def __init__(self, function: Callable[[list[str]], Any]) -> None:
        self._function = function

    def embed_documents(self, texts: list[str]) -> Any:
        given = self._function(texts)
        return awaited(given) if inspect.isawaitable(given) else given

    def embed_query(self, text: str) -> Any:
        return self.embed_documents([text])[0]


class _Failures:
    """Lets any error of a model out as an `EmbeddingError` that names the model; errors of ours pass."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        pass

    def __exit__(
        self, _kind: type[BaseException] | None, error: BaseException | None, _trace: TracebackType | None
    ) -> None:
        if isinstance(error, Exception) and not isinstance(error, MemoryRuntimeError):
            raise EmbeddingError(
                f"embedding with {self._name!r} failed: {type(error).__name__}: {error}; mend the cause, or "
                "leave embed out of the index for the bundled model"
            ) from error


def _embeddings(embed: Any) -> Embeddings:
    if isinstance(embed, EmbeddingsLambda):
        return _Function(getattr(embed, "afunc", None) or embed.func)
    return ensure_embeddings(embed) if isinstance(embed, str | Embeddings) else _Function(embed)


def _name(embed: object) -> str:
    """What the model's code is called, and which model it runs, as far as it says so.

    Not in which module: code moves, and a script's functions are in `__main__` only while it is the script.
    """
    code = embed if inspect.isroutine(embed) else type(embed)
    model = next((m for a in ("model", "model_name", "model_id") if (m := getattr(embed, a, None))), "")
    return code.__qualname__ + (f":{model}" if isinstance(model, str) and model else "")


def _unit(vectors: Vectors) -> Vectors | None:
    """The vectors with the length 1, those of zeros as they are; None where a number isn't finite.

    Most models give unit vectors, which stay what they are. No square is too large or too small.
    """
    wide = vectors.astype(np.float64)
    squares = [float(vector.dot(vector)) for vector in wide]
    if all(abs(square - 1) < _ROUNDING for square in squares):
        return vectors
    if not all(map(math.isfinite, squares)):
        return None
    return (wide / np.sqrt([[square or 1.0] for square in squares])).astype(np.float32)


def _encodable(text: str) -> str:
    """The text with a question mark for each half of a surrogate pair, which no model takes."""
    return text if text.isascii() else text.encode(errors="replace").decode()
