"""How fast a store puts, gets and searches, beside LangGraph's InMemoryStore and plain Chroma, in one run.

Vectors are given (the embedding model is a look-up), so that the stores are measured, not the models.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
from langgraph.store.base import BaseStore, PutOp
from langgraph.store.memory import InMemoryStore

from langgraph_memory.bench.finding import EvidenceSet, sets_in
from langgraph_memory.database import Database
from langgraph_memory.store import HybridStore
from langgraph_memory.store.embedding import WordLlama

if TYPE_CHECKING:
    from langgraph.store.base import IndexConfig

Measures = dict[str, float]
"""What was measured of one store, by the keys of `ROWS`."""

ROWS = {
    "load": "bulk load, items/s",
    "put": "put, ms",
    "put, NORMAL": "put with synchronous=NORMAL, ms",
    "get": "get, ms",
    "scope p50": "search in a scope, ms",
    "scope p95": "… 95th percentile",
    "filter p50": "… with a filter, ms",
    "filter p95": "… 95th percentile",
    "all p50": "search in everything, ms",
    "all p95": "… 95th percentile",
}
_RATES = frozenset({"load"})
_BATCH = 1000
_QUERY = slice(2, 7)
_STEP = 37
"""Queries go through the texts in steps, so that neighbours aren't asked for one after another."""


class Corpus:
    """What is stored and asked for: texts with their vectors, each in a namespace.

    Args:
        texts: what is stored, each text once.
        vectors: one row a text.
        namespaces: where each text goes; their first label is common to all.
    """

    def __init__(
        self, texts: Sequence[str], vectors: np.ndarray, namespaces: Sequence[tuple[str, ...]]
    ) -> None:
        self.texts, self.vectors, self._namespaces = texts, vectors, namespaces
        self._places = {text: place for place, text in enumerate(texts)}

    @property
    def index(self) -> IndexConfig:
        """The index of a LangGraph store over these texts."""
        return {"dims": self.vectors.shape[1], "embed": self.embed, "fields": ["text"]}

    def embed(self, texts: Sequence[str]) -> list[Any]:
        """The vectors of stored texts, and one of them for any other text."""
        return [self.vectors[self._places.get(text, 0)] for text in texts]

    def query(self, n: int) -> str:
        """Some words of a stored text."""
        return " ".join(self.texts[n * _STEP % len(self.texts)].split()[_QUERY]) or self.texts[0]

    def namespace(self, n: int) -> tuple[str, ...]:
        """Where a text goes."""
        return self._namespaces[n]

    def value(self, n: int) -> dict[str, Any]:
        """What is stored: the text, and fields to filter by."""
        return {"text": self.texts[n], "status": "current" if n % 3 else "superseded", "n": n}


def corpus_of(folder: Path, items: int) -> Corpus:
    """The texts of the sets in or below a folder, at most so many, embedded by the bundled model.

    Raises:
        ConfigurationError: there is no set, or a line that is no part of one.
    """
    placed = dict(islice(_placed(sets_in(folder)), items))
    texts = list(placed)
    return Corpus(
        texts, np.asarray(WordLlama().embed_documents(texts), dtype=np.float32), list(placed.values())
    )


def _placed(sets: Sequence[EvidenceSet]) -> Iterator[tuple[str, tuple[str, ...]]]:
    seen: set[str] = set()
    for each in sets:
        for scope, texts in each.texts.items():
            for text in texts.values():
                if text and text not in seen:
                    seen.add(text)
                    yield text, ("bench", scope)


def measure_all(corpus: Corpus, times: int) -> dict[str, Measures]:
    """The same calls against each store, one store after the other.

    Args:
        corpus: what is stored.
        times: how often each call is measured.
    """
    return {
        "HybridStore": _hybrid(corpus, times),
        "InMemoryStore": measure_store(InMemoryStore(index=corpus.index), corpus, max(5, times // 10)),
        "Chroma": measure_chroma(corpus, times),
    }


def measure_store(store: BaseStore, corpus: Corpus, times: int) -> Measures:
    """What every LangGraph store can be asked."""
    found: Measures = {"load": load(store, corpus, len(corpus.texts))}
    found["get"], _ = milliseconds(lambda n: store.get(corpus.namespace(n), str(n)), times)
    found["put"], _ = milliseconds(
        lambda n: store.put(("new",), str(n), {"text": corpus.texts[n], "n": n}), times
    )
    scope = corpus.namespace(0)
    everything = scope[:1]
    found["scope p50"], found["scope p95"] = milliseconds(
        lambda n: store.search(scope, query=corpus.query(n)), 2 * times
    )
    found["filter p50"], found["filter p95"] = milliseconds(
        lambda n: store.search(scope, query=corpus.query(n), filter={"status": "current"}), times
    )
    found["all p50"], found["all p95"] = milliseconds(
        lambda n: store.search(everything, query=corpus.query(n)), times
    )
    return found


def put_without_waiting(corpus: Corpus, times: int, loaded: int) -> float:
    """Milliseconds of a put that doesn't wait for the disk (`synchronous=NORMAL`), after so many items."""
    with tempfile.TemporaryDirectory() as folder:
        database = Database(Path(folder) / "memory.sqlite3", synchronous="NORMAL")
        with HybridStore(folder, index=corpus.index, database=database) as store:
            load(store, corpus, loaded)
            found, _ = milliseconds(
                lambda n: store.put(("new",), str(n), {"text": corpus.texts[n], "n": n}), times
            )
        database.close()
    return found


def measure_chroma(corpus: Corpus, times: int) -> Measures:
    """Chroma embedded and by itself, with the namespace in the metadata."""
    import chromadb  # noqa: PLC0415 - slow to import
    from chromadb.config import Settings  # noqa: PLC0415

    found, count = Measures(), len(corpus.texts)
    with tempfile.TemporaryDirectory() as folder:
        client: Any = chromadb.PersistentClient(folder, settings=Settings(anonymized_telemetry=False))
        collection = client.create_collection(
            "items", embedding_function=None, configuration={"hnsw": {"space": "cosine"}}
        )

        def add(start: int, end: int) -> None:
            collection.upsert(
                ids=[str(n) for n in range(start, end)],
                embeddings=corpus.vectors[start:end],
                documents=list(corpus.texts[start:end]),
                metadatas=[{"namespace": corpus.namespace(n)[1]} for n in range(start, end)],
            )

        def near(n: int, **options: Any) -> object:
            vector = corpus.vectors[n * _STEP % count]
            return collection.query(query_embeddings=[vector], n_results=min(10, count), **options)

        began = time.perf_counter()
        for start in range(0, count, _BATCH):
            add(start, min(start + _BATCH, count))
        found["load"] = count / (time.perf_counter() - began)
        found["put"], _ = milliseconds(lambda n: add(n, n + 1), times // 2)
        found["get"], _ = milliseconds(lambda n: collection.get(ids=[str(n)]), times // 2)
        where = {"namespace": corpus.namespace(0)[1]}
        found["scope p50"], found["scope p95"] = milliseconds(lambda n: near(n, where=where), times // 2)
        found["all p50"], found["all p95"] = milliseconds(near, times)
        client.close()
    return found


def load(store: BaseStore, corpus: Corpus, count: int) -> float:
    """Fill a store with the first texts; items a second."""
    began = time.perf_counter()
    for start in range(0, count, _BATCH):
        numbers = range(start, min(start + _BATCH, count))
        store.batch([PutOp(corpus.namespace(n), str(n), corpus.value(n)) for n in numbers])
    return count / (time.perf_counter() - began)


def milliseconds(call: Callable[[int], object], times: int) -> tuple[float, float]:
    """Median and 95th percentile of a call's time, after one call that doesn't count."""
    call(0)
    found = []
    for n in range(times):
        began = time.perf_counter()
        call(n)
        found.append(1e3 * (time.perf_counter() - began))
    return float(np.percentile(found, 50)), float(np.percentile(found, 95))


def table(found: Mapping[str, Measures], rows: Mapping[str, str] = ROWS) -> Iterator[str]:
    """The lines of a Markdown table, one column a store."""
    yield f"| | {' | '.join(found)} |"
    yield "|---" * (len(found) + 1) + "|"
    for row, title in rows.items():
        if any(row in measures for measures in found.values()):
            cells = [f"{measures[row]:,.2f}" if row in measures else "" for measures in found.values()]
            yield f"| {title} | {' | '.join(cells)} |"


def ratios(found: Mapping[str, Measures], of: str = "HybridStore") -> Iterator[str]:
    r"""The lines of a Markdown table: how many times as fast one store is as each of the others.

    >>> print(*ratios({"HybridStore": {"put": 0.5}, "Chroma": {"put": 5.0}}), sep="\n")
    | HybridStore is … times as fast as | Chroma |
    |---|---|
    | put, ms | 10.00 |
    """
    others = [name for name in found if name != of]
    yield f"| {of} is … times as fast as | {' | '.join(others)} |"
    yield "|---" * (len(others) + 1) + "|"
    for row, title in ROWS.items():
        if row in found[of] and any(row in found[other] for other in others):
            yield f"| {title} | {' | '.join(_times(found[of], found[other], row) for other in others)} |"


def _times(own: Measures, other: Measures, row: str) -> str:
    if row not in other:
        return ""
    faster, slower = (own, other) if row in _RATES else (other, own)
    return f"{faster[row] / slower[row]:,.2f}" if slower[row] else ""


def _hybrid(corpus: Corpus, times: int) -> Measures:
    with tempfile.TemporaryDirectory() as folder, HybridStore(folder, index=corpus.index) as store:
        found = measure_store(store, corpus, times)
    found["put, NORMAL"] = put_without_waiting(corpus, times, len(corpus.texts))
    return found
