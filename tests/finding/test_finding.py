"""What is found: names among their like, and the evidence of questions in the evaluation sets."""

import json
import os
import random
from collections import defaultdict
from pathlib import Path

import pytest

from .finder import Finder

HOSTS = [f"gpu-bench-{i:02d}" for i in range(60)]
CODES = [
    f"ERR_{a}_{b}"
    for a in ("RATE", "AUTH", "DISK", "POOL", "LOCK")
    for b in ("LIMIT", "TIMEOUT", "SYNC", "FULL")
]
INSTANCES = [f"i-{random.Random(i).getrandbits(20):05x}" for i in range(60)]
MAILS = [
    f"{a}.{b}@acme.io" for a in ("ana", "bob", "eva", "li") for b in ("ng", "ray", "diaz", "kim", "wolf")
]
PATHS = [
    f"services/{a}/{b}.py" for a in ("auth", "billing", "mail", "cart") for b in ("create", "remove", "sync")
]

ASKED = [
    "What do we know about {}?",
    "can I stop {} now",
    "Clean up idle servers over the weekend: stop {} to save cost",
    "Why did {} restart last night after the kernel upgrade of the staging cluster?",
]
AROUND = [
    "Idle servers are cleaned up every weekend to save cost",
    "The staging cluster was upgraded to the new kernel last night and restarted",
    "Stopping a server needs the approval of its owner",
]


@pytest.mark.parametrize("names", [HOSTS, CODES, INSTANCES, MAILS, PATHS], ids=lambda names: names[0])
@pytest.mark.parametrize("asked", ASKED)
def test_a_name_is_found_among_its_like_whatever_else_is_asked(names, asked):
    finder = Finder([f"{name} must keep running until the benchmark is done" for name in names] + AROUND)
    assert [finder.best(asked.format(name), 1)[0] for name in names] == list(range(len(names)))


def test_a_question_in_other_words_finds_the_preference():
    finder = Finder(
        [
            "I have a strong aversion to online courses and prefer classrooms",
            "I refuse to eat anything with dairy in it",
            "I dislike mobile games with microtransactions",
            "I only stay in small family-run hotels",
        ]
    )
    assert finder.best("Which cheese would go well with this wine?")[0] == 1
    assert finder.best("Where should we sleep on our trip to Lisbon?")[0] == 3


# --- evaluation sets ----------------------------------------------------------------------------------------

REACHED = {
    "locomo": {"R@10": 0.65, "MRR": 0.48},
    "prefeval": {"R@5": 0.89, "MRR": 0.725},
    "xquad/en": {"R@1": 0.91},
    "xquad/zh": {"R@1": 0.93},
    "xquad/th": {"R@1": 0.86},
    "xquad/ar": {"R@1": 0.80},
    "xquad/hi": {"R@1": 0.73},
    "xquad/ru": {"R@1": 0.81},
}


@pytest.mark.data
@pytest.mark.parametrize("name", REACHED)
def test_the_evidence_of_questions_is_found(name):
    found = measured(folder(name))
    assert {measure: found[measure] >= least for measure, least in REACHED[name].items()} == dict.fromkeys(
        REACHED[name], True
    ), found


def folder(name):
    data = os.environ.get("LANGGRAPH_MEMORY_DATA")
    if not data:
        pytest.skip("LANGGRAPH_MEMORY_DATA names no folder with the evaluation sets")
    return Path(data, name)


def measured(path):
    """Recall at 1, 5 and 10 and reciprocal rank within ten, over all questions but the adversarial ones."""
    asked = defaultdict(list)
    for question in read(path / "questions.jsonl"):
        if question["evidence_ids"] and question["category"] != "adversarial":
            asked[question["conversation_id"]].append(question)
    rows = [row for chat in read(path / "conversations.jsonl") for row in answered(chat, asked)]
    return {measure: sum(row[measure] for row in rows) / len(rows) for measure in rows[0]}


def answered(chat, asked):
    """The scores of the questions about a chat."""
    finder = Finder([text(record) for record in chat["records"]])
    ids = [record["id"] for record in chat["records"]]
    for question in asked[chat["conversation_id"]]:
        found = [ids[row] for row in finder.best(question["question"])]
        yield scored(found, question["evidence_ids"])


def scored(found, evidence):
    gold = set(evidence)
    ranks = [rank for rank, key in enumerate(found, 1) if key in gold]
    recall = {f"R@{k}": len(gold & set(found[:k])) / len(gold) for k in (1, 5, 10)}
    return recall | {"MRR": 1 / ranks[0] if ranks else 0.0}


def text(record):
    speaker = f"{record['speaker']}: " if record.get("speaker") else ""
    caption = f" [image: {record['image_caption']}]" if record.get("image_caption") else ""
    return f"{speaker}{record['text']}{caption}"


def read(path):
    with path.open(encoding="utf-8") as file:
        return [json.loads(line) for line in file]
