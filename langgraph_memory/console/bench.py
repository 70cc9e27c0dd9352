"""`langgraph-memory bench …`: how well, and how fast, this package does on data of yours."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from langgraph_memory.console.failures import failures_told

if TYPE_CHECKING:
    from _typeshed import DataclassInstance
    from langgraph.store.base import BaseStore

_Data = Annotated[
    Path,
    typer.Option(
        metavar="DIR",
        exists=True,
        file_okay=False,
        help="A folder with conversations.jsonl and questions.jsonl, or with folders that have them.",
    ),
]
_Json = Annotated[Path | None, typer.Option("--json", metavar="FILE", help="Write the numbers here.")]

app = typer.Typer(name="bench", help="Measure how well and how fast memory does.", no_args_is_help=True)


@app.callback()
def _bench() -> None:
    """Measure how well and how fast memory does, on data of yours.

    Example: `langgraph-memory bench retrieval --data ./sets`
    """


@app.command()
def retrieval(
    data: _Data,
    minilm: Annotated[
        Path | None,
        typer.Option(metavar="FOLDER", help="An ONNX export of all-MiniLM-L6-v2, to be measured as well."),
    ] = None,
    sha256: Annotated[
        str | None, typer.Option(metavar="DIGEST", help="What model.onnx in that folder must hash to.")
    ] = None,
    json_file: _Json = None,
) -> None:
    """Measure how well stores find the evidence of questions: HybridStore, its words alone, vectors alone.

    Vectors alone are LangGraph's InMemoryStore with the bundled embedding model. The last rows are about
    names that differ in a character.

    Example: `langgraph-memory bench retrieval --data ./sets --json found.json`
    """
    with failures_told():
        from langgraph_memory.bench.finding import measure, sets_in, table, twins  # noqa: PLC0415 - slow to import

        stores = _stores(minilm, sha256)
        found = [
            measure(s, name, opened) for s in (*sets_in(data), twins()) for name, opened in stores.items()
        ]
        for line in table(found):
            typer.echo(line)
        _keep(json_file, found)


@app.command()
def memory(
    data: _Data,
    json_file: _Json = None,
) -> None:
    """Measure how well recalls bring back what was said in conversations, within 800 tokens.

    Beside it single turns, found by a HybridStore and packed into the same budget.

    Example: `langgraph-memory bench memory --data ./sets --json remembered.json`
    """
    with failures_told():
        from langgraph_memory.bench.remembering import remembered, table  # noqa: PLC0415 - slow to import

        rows = remembered(data)
        for line in table(rows):
            typer.echo(line)
        _keep(json_file, rows)


@app.command()
def store(
    data: _Data,
    items: Annotated[int, typer.Option(min=10, help="Store at most so many of the texts.")] = 10_000,
    times: Annotated[int, typer.Option(min=10, help="How often each call is measured.")] = 100,
    json_file: _Json = None,
) -> None:
    """Measure how fast a HybridStore puts, gets and searches, beside InMemoryStore and plain Chroma.

    The texts are those of the conversations, their vectors given, so that stores are measured, not models.
    The second table has the ratios.

    Example: `langgraph-memory bench store --data ./sets --items 5000`
    """
    with failures_told():
        from langgraph_memory.bench.storing import corpus_of, measure_all, ratios, table  # noqa: PLC0415 - slow

        corpus = corpus_of(data, items)
        found = measure_all(corpus, min(times, len(corpus.texts)))
        typer.echo(f"{len(corpus.texts):,} texts\n")
        for line in (*table(found), "", *ratios(found)):
            typer.echo(line)
        if json_file is not None:
            json_file.write_text(f"{json.dumps(found, indent=1)}\n", encoding="utf-8")


def _keep(json_file: Path | None, rows: Sequence[DataclassInstance]) -> None:
    if json_file is not None:
        text = json.dumps([asdict(row) for row in rows], indent=1)
        json_file.write_text(f"{text}\n", encoding="utf-8")


def _stores(
    minilm: Path | None, sha256: str | None
) -> dict[str, Callable[[], AbstractContextManager[BaseStore]]]:
    """What is measured, each opened empty."""
    from langgraph.store.memory import InMemoryStore  # noqa: PLC0415 - slow to import

    from langgraph_memory.store import HybridStore  # noqa: PLC0415
    from langgraph_memory.store.embedding import MiniLM, WordLlama  # noqa: PLC0415

    fields = ["text"]
    bundled = WordLlama()
    stores: dict[str, Callable[[], AbstractContextManager[BaseStore]]] = {
        "HybridStore": lambda: HybridStore(":memory:", index={"fields": fields}),
        "words alone": lambda: HybridStore(":memory:", index=None),
        "vectors alone": lambda: nullcontext(
            InMemoryStore(index={"dims": bundled.dims, "embed": bundled, "fields": fields})
        ),
    }
    if minilm is not None:
        model = MiniLM(minilm, sha256=sha256)
        stores["HybridStore, MiniLM"] = lambda: HybridStore(
            ":memory:", index={"embed": model, "fields": fields}
        )
        stores["vectors alone, MiniLM"] = lambda: nullcontext(
            InMemoryStore(index={"dims": len(model.embed_query("a")), "embed": model, "fields": fields})
        )
    return stores
