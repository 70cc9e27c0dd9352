"""The bars on public sets of secrets, ordinary messages and personal data."""

import base64
import json
import os
from pathlib import Path

import pytest

from langgraph_memory.redaction import redact, redact_text
from langgraph_memory.redaction.personal import PersonalKind, find_personal

pytestmark = pytest.mark.data


def rows(name):
    folder = os.environ.get("LANGGRAPH_MEMORY_DATA")
    if folder is None or not (Path(folder) / name).exists():
        pytest.skip(f"LANGGRAPH_MEMORY_DATA has no {name}")
    return [json.loads(line) for line in (Path(folder) / name).read_text(encoding="utf-8").splitlines()]


def share_redacted(secrets):
    texts = [base64.b64decode(row["text_b64"]).decode() for row in secrets]
    assert len(texts) > 50
    return sum(bool(redact_text(text)[1]) for text in texts) / len(texts)


def test_most_secrets_are_told():
    secrets = rows("secrets/secrets.jsonl")
    assert (
        share_redacted([row for row in secrets if row["should_flag"] and row["kind"] != "ip_public"]) >= 0.85
    )


def test_few_near_misses_are_taken():
    assert share_redacted([row for row in rows("secrets/secrets.jsonl") if not row["should_flag"]]) <= 0.30


def test_messages_and_entities_stay():
    entities = {row["conversation_id"]: row["entities"] for row in rows("tau-airline-traj/gold.jsonl")}
    messages = [
        (chat["conversation_id"], m)
        for chat in rows("tau-airline-traj/chats.jsonl")
        for m in chat["messages"]
    ]
    changed = [(chat, m, redact(m).value) for chat, m in messages if redact(m).kinds]
    assert len(changed) <= 0.002 * len(messages)
    for chat, before, after in changed:
        assert all(name in json.dumps(after) for name in entities[chat] if name in json.dumps(before))


@pytest.mark.parametrize(
    ("kind", "label"),
    [
        (PersonalKind.EMAIL, "EMAIL_ADDRESS"),
        (PersonalKind.PAYMENT_CARD, "CREDIT_CARD"),
        (PersonalKind.IBAN, "IBAN_CODE"),
        (PersonalKind.US_SSN, "US_SSN"),
        (PersonalKind.PHONE, "PHONE_NUMBER"),
    ],
)
def test_personal_data_is_found_and_little_else(kind, label):
    right = labelled = reported = 0
    for row in rows("secrets/pii.jsonl"):
        gold = [span for span in row["spans"] if span["type"] == label]
        spans = find_personal(row["text"], {kind})
        right += sum(any(s.start < g["end"] and g["start"] < s.end for s in spans) for g in gold)
        labelled, reported = labelled + len(gold), reported + len(spans)
    assert right >= 0.85 * labelled > 0
    assert right >= 0.85 * reported
