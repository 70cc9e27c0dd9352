"""How fast a HybridStore is, beside LangGraph's InMemoryStore, plain Chroma and, where installed, others.

    python benchmarks/store.py [--items 100000] [--only NAME …] [--json results.json] [--plot results.png]

Prints a Markdown table. Vectors are given (the embedding model is a look-up), so that the stores are
measured, not the models. Each store runs in a process of its own. `mem0ai` and `langgraph-store-mnestic` join
in where they are installed; the plot needs matplotlib. Numbers that the JSON file holds already are kept, so
that stores can be measured one at a time (`--only`) and shown together.
"""

from __future__ import annotations

import argparse
import json
import multiprocessing
import os
import random
import sqlite3
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from importlib.util import find_spec
from pathlib import Path
from typing import Any

import numpy as np
from langgraph.store.base import PutOp
from langgraph.store.memory import InMemoryStore

from langgraph_memory.bench.storing import (
    ROWS,
    Corpus,
    Measures,
    measure_chroma,
    measure_store,
    milliseconds,
    put_without_waiting,
    table,
)
from langgraph_memory.store import HybridStore

DIMS = 256
SCOPE = 1000
NAMESPACES = 10_000


class MadeUp(Corpus):
    """Texts of a dozen made-up words, as frequent as words are, with random vectors.

    The first thousand items are one scope, the others fifty.
    """

    def __init__(self, count: int) -> None:
        rng = random.Random(11)
        words = ["".join(rng.choices("abcdefghiklmnoprstuvwz", k=rng.randint(3, 9))) for _ in range(20_000)]
        weights = [1 / (rank + 20) for rank in range(len(words))]
        texts = [f"n{n} " + " ".join(rng.choices(words, weights, k=12)) for n in range(count)]
        rows = np.random.default_rng(11).standard_normal((count, DIMS)).astype(np.float32)
        namespaces = [("all", "scope" if n < SCOPE else f"other{n % 50}") for n in range(count)]
        super().__init__(texts, rows / np.linalg.norm(rows, axis=1, keepdims=True), namespaces)


def resident() -> float:
    """Memory of this process, in MB."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def hybrid(count: int, times: int) -> Measures:
    imported = resident()
    corpus = MadeUp(count)
    given = resident() - imported  # the corpus is not the store's
    index = corpus.index
    with tempfile.TemporaryDirectory() as folder:
        with HybridStore(folder, index=index) as store:
            found = measure_store(store, corpus, times)
            store.flush()
            store.search(("all",), query=corpus.query(0))
            found["flushed p50"], found["flushed p95"] = milliseconds(
                lambda n: store.search(("all",), query=corpus.query(n)), times
            )
            found["memory"] = resident() - given
        began = time.perf_counter()
        with HybridStore(folder, index=index) as store:
            found["open"] = 1e3 * (time.perf_counter() - began)
            store.batch([PutOp(("list", str(n)), "k", {}, index=False) for n in range(NAMESPACES)])
            found["list"], _ = milliseconds(
                lambda _: store.list_namespaces(prefix=("list",), limit=NAMESPACES), 20
            )
    found["put, NORMAL"] = put_without_waiting(corpus, times, min(10_000, count))
    return found


def in_memory(count: int, times: int) -> Measures:
    corpus = MadeUp(count)
    return measure_store(InMemoryStore(index=corpus.index), corpus, max(5, times // 10))


def mnestic(count: int, times: int) -> Measures:
    from langgraph_store_mnestic import MnesticStore  # noqa: PLC0415 - where it is installed

    corpus = MadeUp(count)
    with tempfile.TemporaryDirectory() as folder:
        store = MnesticStore(engine="sqlite", path=f"{folder}/memory.db", index=corpus.index)
        try:
            return measure_store(store, corpus, times)
        finally:
            store.close()


def bare_sql(count: int, times: int) -> Measures:
    """One INSERT of the value and its vector, committed to the disk."""
    corpus = MadeUp(min(count, 10 * times))
    with tempfile.TemporaryDirectory() as folder:
        connection = sqlite3.connect(f"{folder}/bare.sqlite3", isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE items (key INTEGER PRIMARY KEY, value TEXT, vector BLOB)")
        statement = "INSERT OR REPLACE INTO items VALUES (?, ?, ?)"
        put, _ = milliseconds(
            lambda n: connection.execute(statement, (n, corpus.texts[n], corpus.vectors[n].tobytes())),
            times,
        )
        connection.close()
    return {"put": put}


def chroma(count: int, times: int) -> Measures:
    return measure_chroma(MadeUp(count), times)


def mem0(count: int, times: int) -> Measures:
    """mem0 over Chroma, without its model calls."""
    os.environ["MEM0_TELEMETRY"] = "False"
    os.environ.setdefault("OPENAI_API_KEY", "none is called")
    from mem0 import Memory  # noqa: PLC0415 - where it is installed

    corpus, found, times = MadeUp(count), Measures(), times // 5
    with tempfile.TemporaryDirectory() as folder:
        os.environ["MEM0_DIR"] = folder
        memory = Memory.from_config(
            {
                "vector_store": {
                    "provider": "chroma",
                    "config": {"path": folder, "collection_name": "items"},
                },
                "embedder": {"provider": "openai", "config": {"embedding_dims": DIMS}},
                "history_db_path": f"{folder}/history.db",
            }
        )
        memory.embedding_model.embed = lambda text, *_: corpus.embed([text])[0].tolist()
        began = time.perf_counter()
        for n in range(count):
            memory.add(corpus.texts[n], user_id=corpus.namespace(n)[1], infer=False)
        found["load"] = count / (time.perf_counter() - began)
        found["put"], _ = milliseconds(
            lambda n: memory.add(corpus.texts[n], user_id="new", infer=False), times
        )
        options: dict[str, Any] = {"filters": {"user_id": "scope"}}
        found["scope p50"], found["scope p95"] = milliseconds(
            lambda n: memory.search(corpus.query(n), **options), times
        )
    return found


SUBJECTS: dict[str, tuple[Callable[[int, int], Measures], str | None, int]] = {
    "HybridStore": (hybrid, None, 10**9),
    "InMemoryStore": (in_memory, None, 10**9),
    "Chroma": (chroma, None, 10**9),
    "bare SQL": (bare_sql, None, 10**9),
    "mnestic": (mnestic, "langgraph_store_mnestic", 2_000),
    "mem0": (mem0, "mem0", 2_000),
}
"""How each is measured, the package that it needs, and up to how many items it is worth the wait."""

MORE = {
    "flushed p50": "search through the vector index, ms",
    "flushed p95": "… 95th percentile",
    "list": f"list_namespaces over {NAMESPACES}, ms",
    "open": "open, ms",
    "memory": "resident memory, MB",
}
"""What is measured of a HybridStore alone."""


def run(items: int, times: int, only: list[str], found: dict[str, Measures]) -> None:
    """Each subject at two sizes, in a process of its own; adds to what was found before."""
    context = multiprocessing.get_context("spawn")
    for count in sorted({min(10_000, items), items}):
        for name, (subject, package, most) in SUBJECTS.items():
            if (not only or name in only) and (package is None or find_spec(package)):
                with context.Pool(1) as pool:
                    measured = min(count, most)
                    found[f"{name} {measured:,}"] = pool.apply(subject, (measured, times))
                print(f"measured {name} at {measured:,}", file=sys.stderr, flush=True)


def verdicts(found: dict[str, Measures], items: int) -> Iterator[str]:
    """The limits that the store has to keep, with what was measured, as far as all of it was."""
    small, large = found[f"HybridStore {min(10_000, items):,}"], found[f"HybridStore {items:,}"]
    chroma_small, chroma_large = found[f"Chroma {min(10_000, items):,}"], found[f"Chroma {items:,}"]
    plain, bare = found[f"InMemoryStore {items:,}"], found[f"bare SQL {items:,}"]
    limits = [
        (
            "put, NORMAL, against Chroma's upsert, times faster",
            chroma_small["put"] / small["put, NORMAL"],
            ">=",
            20,
        ),
        ("put, FULL, against Chroma's upsert, times faster", chroma_small["put"] / small["put"], ">=", 20),
        ("put, FULL, against a bare INSERT, times as long", small["put"] / bare["put"], "<=", 4),
        ("search in a scope, p50 ms", large["scope p50"], "<=", 1.5),
        ("search in a scope, p95 ms", large["scope p95"], "<=", 5),
        ("search in everything, p95 ms", large["all p95"], "<=", 60),
        ("search against InMemoryStore, times as long", large["all p50"] / plain["all p50"], "<=", 1),
        (
            "search against Chroma with where, times faster",
            chroma_large["scope p50"] / large["scope p50"],
            ">=",
            10,
        ),
        ("get, p50 ms", large["get"], "<=", 0.2),
        ("list_namespaces, ms", large["list"], "<=", 20),
        ("open, ms", large["open"], "<=", 1000),
        ("resident memory, MB", large["memory"], "<=", 600),
        ("bulk load, items/s", large["load"], ">=", 2000),
        ("p95 in a scope against a tenth of the store", large["scope p95"] / small["scope p95"], "<=", 2),
    ]
    yield "| limit | wanted | measured | |"
    yield "|---|---|---|---|"
    for name, value, sign, bound in limits:
        kept = value >= bound if sign == ">=" else value <= bound
        yield f"| {name} | {sign} {bound} | {value:,.2f} | {'kept' if kept else 'missed'} |"


def plot(found: dict[str, Measures], file: Path) -> None:
    import matplotlib.pyplot as plt  # noqa: PLC0415 - only where a plot is wanted

    figure, axes = plt.subplots(1, 3, figsize=(13, 4), layout="constrained")
    for axis, row in zip(axes, ("put", "scope p50", "all p50"), strict=True):
        chosen = {name: measures[row] for name, measures in found.items() if row in measures}
        bars = axis.barh(list(chosen), list(chosen.values()))
        axis.bar_label(bars, fmt="{:.3g}", padding=2, fontsize=8)
        axis.set(title=ROWS[row], xscale="log")
        axis.margins(x=0.15)
        axis.invert_yaxis()
    figure.savefig(file, dpi=80)


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--items", type=int, default=100_000, help="size of the large store")
    parser.add_argument("--times", type=int, default=100, help="how often each call is measured")
    parser.add_argument("--only", nargs="*", default=[], choices=SUBJECTS, help="measure these alone")
    parser.add_argument("--json", type=Path, help="read earlier numbers from this file, and write all there")
    parser.add_argument("--plot", type=Path, help="draw a plot into this file")
    args = parser.parse_args()
    found: dict[str, Measures] = json.loads(args.json.read_text()) if args.json and args.json.exists() else {}
    run(args.items, args.times, args.only, found)
    if args.json:
        args.json.write_text(json.dumps(found, indent=1) + "\n")
    print(*table(found, ROWS | MORE), "", sep="\n")
    needed = {f"{name} {args.items:,}" for name in ("HybridStore", "InMemoryStore", "Chroma", "bare SQL")}
    if needed <= found.keys():
        print(*verdicts(found, args.items), sep="\n")
    if args.plot:
        plot(found, args.plot)


if __name__ == "__main__":
    main()
