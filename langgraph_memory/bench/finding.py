"""How well a store finds the evidence of questions, measured through LangGraph's `BaseStore` alone.

A set is a folder with `conversations.jsonl` (lines with `conversation_id` and `records`, each with `id`,
`text` and perhaps `speaker`) and `questions.jsonl` (lines with `conversation_id`, `question`, `evidence_ids`
and perhaps `category`). Each conversation is a scope; a hit is a record that the question's evidence names.
Questions without evidence, and adversarial ones, are not asked.
"""

from __future__ import annotations

import json
import random
import time
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Any, NamedTuple

from langgraph.store.base import BaseStore

from langgraph_memory.errors import ConfigurationError

CONVERSATIONS, QUESTIONS = "conversations.jsonl", "questions.jsonl"

LIMIT = 10
"""So many items are asked for; evidence that comes later counts as not found."""

_ADVERSARIAL = "adversarial"
_SHORT_LIST = 5


class Question(NamedTuple):
    """A question about one scope, with the ids of the records that answer it."""

    scope: str
    text: str
    evidence: frozenset[str]


@dataclass(frozen=True)
class EvidenceSet:
    """Texts by scope and id, and questions about them."""

    name: str
    texts: Mapping[str, Mapping[str, str]]
    questions: Sequence[Question]


@dataclass(frozen=True)
class Found:
    """How well one store finds the evidence of one set.

    Attributes:
        questions: how many were asked.
        recall: mean share of the evidence among the first 1, 5 and 10 items.
        mrr: mean of 1 / rank of the first evidence, 0 where it isn't among the first ten.
        milliseconds: median time of a search, the embedding of its query included.
    """

    name: str
    retriever: str
    questions: int
    recall: Mapping[int, float]
    mrr: float
    milliseconds: float


def folders_in(folder: Path) -> list[Path]:
    """The folders of the sets in or below a folder.

    Raises:
        ConfigurationError: there is none.
    """
    found = sorted(path.parent for path in folder.rglob(CONVERSATIONS) if (path.parent / QUESTIONS).exists())
    if not found:
        raise ConfigurationError(
            f"no set below {str(folder)!r}: a set is a folder with {CONVERSATIONS} and {QUESTIONS}"
        )
    return found


def sets_in(folder: Path) -> list[EvidenceSet]:
    """The set in a folder, or the sets in the folders below it.

    Raises:
        ConfigurationError: there is none, or a line that is no part of one.
    """
    found = folders_in(folder)
    return [
        _read(path, path.relative_to(folder).as_posix() if path != folder else path.name) for path in found
    ]


def twins() -> EvidenceSet:
    """Names that differ in a character, as machines, errors and instances have them: a set of its own.

    >>> twins().questions[7].text
    'What do we know about gpu-bench-07?'
    """
    rng = random.Random(7)  # noqa: S311 - names, not secrets
    hosts = [f"gpu-bench-{n:02d}" for n in range(60)]
    codes = [f"ERR_{a}_{b}" for a in ("RATE", "AUTH", "DISK", "POOL") for b in ("LIMIT", "TIMEOUT", "SYNC")]
    machines = [f"i-{rng.getrandbits(20):05x}" for _ in range(60)]
    names = [*hosts, *codes, *machines]
    texts = {name: f"{name} must keep running until the benchmark is done" for name in names}
    asked = [Question("twins", f"What do we know about {name}?", frozenset({name})) for name in names]
    return EvidenceSet("names that differ in a character", {"twins": texts}, asked)


def measure(
    evidence: EvidenceSet, retriever: str, open_store: Callable[[], AbstractContextManager[BaseStore]]
) -> Found:
    """Put all texts of a set into an empty store and ask its questions.

    Args:
        evidence: the set.
        retriever: what to call the store in the result.
        open_store: opens an empty store that searches the field `text`.

    >>> from langgraph_memory import HybridStore
    >>> measure(twins(), "HybridStore", lambda: HybridStore(":memory:", index={"fields": ["text"]})).recall[1]
    1.0
    """
    with open_store() as store:
        for scope, texts in evidence.texts.items():
            for key, text in texts.items():  # one by one: some stores fail where a batch repeats a text
                store.put(("bench", scope), key, {"text": text})
        answers, times = [], []
        for question in evidence.questions:
            began = time.perf_counter()
            items = store.search(("bench", question.scope), query=question.text, limit=LIMIT)
            times.append(1000 * (time.perf_counter() - began))
            answers.append([item.key for item in items])
    return _summed(evidence, retriever, answers, times)


def table(found: Sequence[Found]) -> Iterator[str]:
    """The lines of a Markdown table, one row a set and store."""
    yield "| set | store | questions | R@1 | R@5 | R@10 | MRR | ms |"
    yield "|---|---|---|---|---|---|---|---|"
    for row in found:
        scores = " | ".join(f"{score:.3f}" for score in (*row.recall.values(), row.mrr))
        yield f"| {row.name} | {row.retriever} | {row.questions} | {scores} | {row.milliseconds:.2f} |"


def _summed(
    evidence: EvidenceSet, retriever: str, answers: Sequence[Sequence[str]], times: Sequence[float]
) -> Found:
    asked = list(zip(answers, (question.evidence for question in evidence.questions), strict=True))
    recall = {
        first: fmean(len(gold.intersection(keys[:first])) / len(gold) for keys, gold in asked)
        for first in (1, _SHORT_LIST, LIMIT)
    }
    mrr = fmean(_reciprocal_rank(keys, gold) for keys, gold in asked)
    middle = sorted(times)[len(times) // 2]
    return Found(evidence.name, retriever, len(asked), recall, mrr, middle)


def _reciprocal_rank(keys: Sequence[str], gold: frozenset[str]) -> float:
    return next((1 / rank for rank, key in enumerate(keys, 1) if key in gold), 0.0)


def _read(folder: Path, name: str) -> EvidenceSet:
    texts: dict[str, dict[str, str]] = defaultdict(dict)
    for chat in lines_in(folder / CONVERSATIONS, "conversation_id", "records"):
        for record in chat["records"]:
            texts[label_of(chat["conversation_id"])][str(record["id"])] = text_of(record)
    asked = [
        Question(
            label_of(line["conversation_id"]), line["question"], frozenset(map(str, line["evidence_ids"]))
        )
        for line in lines_in(folder / QUESTIONS, "conversation_id", "question", "evidence_ids")
        if line["evidence_ids"] and line.get("category") != _ADVERSARIAL
    ]
    if not asked:
        raise ConfigurationError(f"{str(folder / QUESTIONS)!r} has no question with evidence to be found")
    return EvidenceSet(name, texts, asked)


def lines_in(path: Path, *needed: str) -> Iterator[dict[str, Any]]:
    """The JSON lines of a file.

    Raises:
        ConfigurationError: a line that is no JSON object with the needed keys.
    """
    with path.open(encoding="utf-8") as file:
        for number, text in enumerate(file, 1):
            try:
                line = json.loads(text)
            except ValueError as error:
                raise ConfigurationError(f"line {number} of {str(path)!r} is no JSON: {error}") from error
            missing = [key for key in needed if not isinstance(line, dict) or key not in line]
            if missing:
                raise ConfigurationError(f"line {number} of {str(path)!r} has no {missing[0]!r}")
            yield line


def label_of(conversation: object) -> str:
    """A conversation's id as a namespace label, which has no dots."""
    return str(conversation).replace(".", "-")


def text_of(record: Mapping[str, Any]) -> str:
    """A turn as a plain system would index it."""
    speaker = f"{record['speaker']}: " if record.get("speaker") else ""
    image = f" [image: {record['image_caption']}]" if record.get("image_caption") else ""
    return f"{speaker}{record.get('text') or ''}{image}"
