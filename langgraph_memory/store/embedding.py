"""Vectors of texts: from the model that comes with the package, or from any that the user brings.

`Embedder` makes one shape of all that LangGraph's `IndexConfig` allows: a LangChain `Embeddings`, a plain
function, an async function, a provider string, or nothing (the bundled model).
"""

from __future__ import annotations

import asyncio
import logging
import os
import threading
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from concurrent.futures import Future
from functools import cache
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings
from langgraph.store.base import IndexConfig
from langgraph.store.base.embed import EmbeddingsLambda, ensure_embeddings
from numpy.typing import NDArray

from langgraph_memory.errors import ConfigurationError, EmbeddingError, MemoryRuntimeError

Vectors = NDArray[np.float32]

BUNDLED_DIMS = 256


class Embedder:
    """Texts to unit vectors.

    >>> embedder = Embedder.of(None)
    >>> embedder.name, embedder.dims, embedder.documents(["a server", "a cat"]).shape
    ('wordllama-256', 256, (2, 256))
    """

    def __init__(self, embeddings: Embeddings, name: str, dims: int | None) -> None:
        self.name = name
        self._embeddings = embeddings
        self._dims = dims

    @classmethod
    def of(cls, config: IndexConfig | None) -> Embedder:
        """The embedder that an index configuration asks for; what it leaves out is the bundled model's."""
        embed, dims = (config or {}).get("embed"), (config or {}).get("dims")
        if embed is None:
            if dims not in (None, BUNDLED_DIMS):
                raise ConfigurationError(f"dims {dims!r} without embed: the bundled model has {BUNDLED_DIMS}, give embed too")
            return cls(WordLlama(), f"wordllama-{BUNDLED_DIMS}", BUNDLED_DIMS)
        return cls(ensure_embeddings(embed), _name(embed), dims)

    @property
    def dims(self) -> int:
        """The length of the vectors; asks the model for one where the configuration doesn't say."""
        if self._dims is None:
            self._dims = int(self._vectors([self._query("dimension")]).shape[1])
        return self._dims

    def documents(self, texts: list[str]) -> Vectors:
        """Unit vectors of texts to be stored, `(len(texts), dims)`."""
        if not texts:
            return np.zeros((0, self.dims), np.float32)
        with _Failures(self.name):
            raw = _documents(self._embeddings, texts)
        return self._checked(raw, len(texts))

    def query(self, text: str) -> Vectors:
        """The unit vector of a text to search for, `(dims,)`."""
        return self._checked([self._query(text)], 1)[0]

    def _query(self, text: str) -> Sequence[float]:
        with _Failures(self.name):
            return _query(self._embeddings, text)

    def _checked(self, raw: Sequence[Sequence[float]], count: int) -> Vectors:
        vectors = self._vectors(raw)
        if self._dims is None:
            self._dims = int(vectors.shape[1])
        if vectors.shape != (count, self._dims):
            raise ConfigurationError(
                f"{self.name!r} gave vectors of shape {vectors.shape}, not {(count, self._dims)}: "
                "set dims of the index to what the model gives"
            )
        return vectors

    def _vectors(self, raw: Sequence[Sequence[float]]) -> Vectors:
        with _Failures(self.name):
            vectors = np.asarray(raw, np.float32)
        if vectors.ndim != 2 or not np.isfinite(vectors).all():
            raise EmbeddingError(f"{self.name!r} gave something that is no list of finite vectors: check the model")
        return vectors / np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)


def _name(embed: object) -> str:
    kind = embed if callable(embed) and hasattr(embed, "__qualname__") else type(embed)
    model = next((getattr(embed, a) for a in ("model", "model_name", "model_id") if getattr(embed, a, None)), None)
    if isinstance(embed, str):
        return embed
    name = f"{kind.__module__}.{kind.__qualname__}"
    return f"{name}:{model}" if isinstance(model, str) else name


def _documents(embeddings: Embeddings, texts: list[str]) -> Sequence[Sequence[float]]:
    if isinstance(embeddings, EmbeddingsLambda) and not hasattr(embeddings, "func"):
        return _run(embeddings.aembed_documents(texts))
    return embeddings.embed_documents(texts)


def _query(embeddings: Embeddings, text: str) -> Sequence[float]:
    if isinstance(embeddings, EmbeddingsLambda) and not hasattr(embeddings, "func"):
        return _run(embeddings.aembed_query(text))
    return embeddings.embed_query(text)


class _Failures:
    """Gives any error of a model the name of the model."""

    def __init__(self, name: str) -> None:
        self._name = name

    def __enter__(self) -> None:
        return None

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None) -> None:
        if isinstance(error, Exception) and not isinstance(error, MemoryRuntimeError):
            raise EmbeddingError(
                f"embedding with {self._name!r} failed: {error}; see the cause above, or leave `embed` out of the "
                "index for the bundled model"
            ) from error


_loop: asyncio.AbstractEventLoop | None = None
_loop_pid = 0
_loop_lock = threading.Lock()


def _run(coroutine: Any) -> Any:
    """Run a coroutine on a thread of its own."""
    global _loop, _loop_pid
    with _loop_lock:
        if _loop is None or _loop_pid != os.getpid():
            _loop, _loop_pid = asyncio.new_event_loop(), os.getpid()
            threading.Thread(target=_loop.run_forever, name="embedding", daemon=True).start()
        loop = _loop
    return asyncio.run_coroutine_threadsafe(coroutine, loop).result()


class WordLlama(Embeddings):
    """The static model in the wordllama package: 256 dimensions, no network."""

    def embed_documents(self, texts: list[str]) -> Any:
        return _wordllama().embed(texts)

    def embed_query(self, text: str) -> Any:
        return self.embed_documents([text])[0]


@cache
def _wordllama() -> Any:
    import wordllama

    return wordllama.WordLlama.load(cache_dir=Path(wordllama.__file__).parent, disable_download=True)
