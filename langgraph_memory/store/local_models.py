"""The embedding models that run in this process, without a network: wordllama and MiniLM."""

from __future__ import annotations

import hashlib
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from threading import Lock
from typing import Any

import numpy as np
from langchain_core.embeddings import Embeddings
from numpy.typing import NDArray

from langgraph_memory.errors import EmbeddingError

Vectors = NDArray[np.float32]


class WordLlama(Embeddings):
    """The static model inside the wordllama package: the mean of its tokens' vectors, 256 dimensions.

    It is loaded at the first use, once a process.

    >>> len(WordLlama().embed_query("a server"))
    256
    """

    dims = 256
    model = f"l2_supercat_{dims}"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """A vector a text; texts without a token give zeros.

        Raises:
            EmbeddingError: the package came without its model.
        """
        vectors: list[list[float]] = self.vectors(texts).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """The vector of a text."""
        return self.embed_documents([text])[0]

    def vectors(self, texts: list[str]) -> Vectors:
        """The vectors as one array, `(len(texts), 256)`."""
        tokenizer, table = _wordllama()
        at_once = len(texts) if len(texts) > _FEW else 1
        return np.stack(
            [
                _mean(encoding.ids, table)
                for start in range(0, len(texts), at_once)
                for encoding in tokenizer.encode_batch_fast(
                    texts[start : start + at_once], add_special_tokens=False
                )
            ]
        )


_FEW = 16
"""So many texts are read sooner one by one than by threads that have to be woken for them."""

_SHORT = 1_000


def _mean(ids: list[int], table: Vectors) -> Vectors:
    """The mean of these rows; a long text costs no more memory than the table."""
    if 0 < len(ids) <= _SHORT:
        mean: Vectors = table[ids].mean(axis=0)
        return mean
    distinct, times = np.unique(np.array(ids, np.intp), return_counts=True)
    shares: Vectors = (times / max(1, len(ids))).astype(np.float32)
    return shares @ table[distinct]


_loading = Lock()
_loaded: list[tuple[Any, Vectors]] = []


def _wordllama() -> tuple[Any, Vectors]:
    """The tokenizer and the table of token vectors."""
    with _loading:
        if not _loaded:
            _loaded.append(_load_wordllama())
        return _loaded[0]


def _load_wordllama() -> tuple[Any, Vectors]:
    try:
        with _logging_kept():
            import wordllama  # noqa: PLC0415  (0.7 s that a store with another model needn't wait)
        model = wordllama.WordLlama.load(
            cache_dir=Path(wordllama.__file__).parent, dim=WordLlama.dims, disable_download=True
        )
    except (ImportError, OSError) as error:
        raise EmbeddingError(
            f"the bundled model can't be loaded: {error}; install it anew with "
            "`pip install --force-reinstall wordllama`, or give an `embed` of your own in the index"
        ) from error
    model.tokenizer.no_padding()
    return model.tokenizer, model.embedding


@contextmanager
def _logging_kept() -> Iterator[None]:
    """Importing wordllama configures the root logger, which is the application's to do."""
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    try:
        yield
    finally:
        root.handlers[:] = handlers
        root.setLevel(level)


class MiniLM(Embeddings):
    """all-MiniLM-L6-v2, or a model of its kind, through onnxruntime: 384 dimensions.

    Nothing is downloaded: the folder holds `model.onnx` (or `onnx/model.onnx`) and `tokenizer.json`, as the
    sentence-transformers repositories lay them out. A vector is the mean over a text's tokens.

    Args:
        folder: where the files are.
        sha256: the digest that `model.onnx` must have, in hex; without one any file is taken. Either way the
            digest is part of the model's name, so that an index notices when the file changes.
        max_tokens: texts are cut after so many tokens, which is what the model was trained on.

    Raises:
        EmbeddingError: a file is missing, or isn't the one that was named.
    """

    _BATCH = 32

    def __init__(self, folder: str | Path, *, sha256: str | None = None, max_tokens: int = 256) -> None:
        self._folder, self._max_tokens = Path(folder), max_tokens
        self._model = self._file("model.onnx", "onnx/model.onnx")
        with self._model.open("rb") as file:
            digest = hashlib.file_digest(file, "sha256").hexdigest()
        if sha256 is not None and digest != sha256.lower():
            raise EmbeddingError(
                f"{str(self._model)!r} has the SHA-256 {digest}, not {sha256!r}: get the file anew, or name "
                "the digest that it has"
            )
        self.model = f"{digest[:16]}-{max_tokens}"

    def embed_documents(self, texts: list[str]) -> list[list[float]]:
        """A vector a text."""
        vectors: list[list[float]] = self.vectors(texts).tolist()
        return vectors

    def embed_query(self, text: str) -> list[float]:
        """The vector of a text."""
        return self.embed_documents([text])[0]

    def vectors(self, texts: list[str]) -> Vectors:
        """The vectors as one array; texts of like length go together, padded no further than needed."""
        ids = [encoding.ids for encoding in self._tokenizer.encode_batch_fast(texts)]
        order = sorted(range(len(ids)), key=lambda i: len(ids[i]))
        vectors = [np.zeros(0, np.float32)] * len(ids)
        for start in range(0, len(order), self._BATCH):
            rows = order[start : start + self._BATCH]
            for row, vector in zip(rows, self._run([ids[i] for i in rows]), strict=True):
                vectors[row] = vector
        return np.stack(vectors)

    def _run(self, ids: list[list[int]]) -> Vectors:
        """The mean over each text's tokens."""
        mask = np.zeros((len(ids), max(map(len, ids))), np.int64)
        tokens = np.zeros_like(mask)
        for row, each in enumerate(ids):
            tokens[row, : len(each)], mask[row, : len(each)] = each, 1
        inputs = {"input_ids": tokens, "attention_mask": mask, "token_type_ids": np.zeros_like(mask)}
        wanted = {given.name: inputs[given.name] for given in self._session.get_inputs()}
        states = self._session.run(None, wanted)[0]
        pooled: Vectors = (states * mask[..., None]).sum(1) / np.maximum(mask.sum(1, keepdims=True), 1)
        return pooled.astype(np.float32)

    @cached_property
    def _session(self) -> Any:
        import onnxruntime  # type: ignore[import-untyped]  # noqa: PLC0415  (0.2 s for this model alone)

        return onnxruntime.InferenceSession(str(self._model), providers=["CPUExecutionProvider"])

    @cached_property
    def _tokenizer(self) -> Any:
        from tokenizers import Tokenizer  # noqa: PLC0415

        tokenizer = Tokenizer.from_file(str(self._file("tokenizer.json")))
        tokenizer.no_padding()
        tokenizer.enable_truncation(self._max_tokens)
        return tokenizer

    def _file(self, *names: str) -> Path:
        for name in names:
            if (self._folder / name).is_file():
                return self._folder / name
        raise EmbeddingError(
            f"no {names[0]} in {str(self._folder)!r}: name the folder of an ONNX export of all-MiniLM-L6-v2"
        )
