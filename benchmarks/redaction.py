"""How well secrets and personal data are told, and how fast.

usage: python benchmarks/redaction.py FOLDER [--json FILE]

FOLDER holds `secrets/secrets.jsonl`, `secrets/pii.jsonl` and `tau-airline-traj/`; other folders with
`conversations.jsonl` count as ordinary messages. Made-up secrets in many syntaxes need no data.
"""

from __future__ import annotations

import argparse
import base64
import json
import random
import re
import string
import time
import uuid
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from measuring import keep, numbers, options, shares

from langgraph_memory.redaction import redact, redact_text, tokens
from langgraph_memory.redaction.kinds import KINDS
from langgraph_memory.redaction.personal import PersonalKind, find_personal

Shares = dict[str, tuple[int, int]]
"""How many of how many, by what was counted."""

LEFT_OUT = "ip_public"
"""An address is an entity, not a secret."""
PERSONAL = {
    "EMAIL_ADDRESS": PersonalKind.EMAIL,
    "CREDIT_CARD": PersonalKind.PAYMENT_CARD,
    "IBAN_CODE": PersonalKind.IBAN,
    "US_SSN": PersonalKind.US_SSN,
    "PHONE_NUMBER": PersonalKind.PHONE,
}
STOP = {
    "key",
    "token",
    "api",
    "access",
    "secret",
    "legacy",
    "workspace",
    "client",
    "id",
    "admin",
    "ad",
    "app",
    "service",
}


def lines(path: Path) -> list[dict[str, Any]]:
    return [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]


def told(text: str) -> bool:
    return bool(redact_text(text)[1])


# Secrets


def secrets(folder: Path) -> Shares:
    """Secrets told, near misses taken, and what is told of each kind without the rules for its issuer."""
    rows = lines(folder / "secrets" / "secrets.jsonl")
    for row in rows:
        row["text"] = base64.b64decode(row["text_b64"]).decode()
    positive = [row for row in rows if row["should_flag"] and row["kind"] != LEFT_OUT]
    negative = [row for row in rows if not row["should_flag"]]
    return {
        "secrets told": (sum(told(row["text"]) for row in positive), len(positive)),
        "… without the rules for their issuer": (told_by_form(positive), len(positive)),
        "near misses taken for secrets": (sum(told(row["text"]) for row in negative), len(negative)),
    }


def told_by_form(positive: list[dict[str, Any]]) -> int:
    """How many are told where the named rules that share their issuer's name are left out."""
    by_kind = defaultdict(list)
    for row in positive:
        by_kind[row["kind"]].append(row["text"])
    caught = 0
    for kind, texts in sorted(by_kind.items()):
        with named_rules_without(issuer(kind)):
            caught += sum(map(told, texts))
    return caught


def issuer(kind: str) -> set[str]:
    return set(kind.replace("_", "-").split("-")) - STOP


@contextmanager
def named_rules_without(words: set[str]) -> Iterator[None]:
    kept = tuple(kind for kind in KINDS if words.isdisjoint(kind.name.split("-")))
    hinted = tuple((hint, kind) for kind in kept for hint in kind.hints)
    with mock.patch.object(tokens, "_HINTED", hinted):
        yield


# What must be left alone


def ordinary(folder: Path) -> Shares:
    """Ordinary messages that were changed, and names of entities that were lost from them."""
    chats = lines(folder / "tau-airline-traj" / "chats.jsonl")
    gold = lines(folder / "tau-airline-traj" / "gold.jsonl")
    entities = {row["conversation_id"]: row["entities"] for row in gold}
    changed = lost = count = named = 0
    for chat in chats:
        for message in chat["messages"]:
            before, after = json.dumps(message), json.dumps(redact(message).value)
            names = entities[chat["conversation_id"]]
            named += sum(name in before for name in names)
            lost += sum(before.count(name) != after.count(name) for name in names)
            changed += before != after
            count += 1
    found = {"airline messages changed": (changed, count), "names in them lost": (lost, named)}
    for path in sorted(folder.glob("*/conversations.jsonl")):
        texts = [record["text"] for row in lines(path) for record in row["records"]]
        found[f"{path.parent.name}: messages changed"] = sum(map(told, texts)), len(texts)
    return found


# Personal data


def personal(folder: Path) -> Shares:
    """Personal data of each labelled kind that was found, and how much of what was found is none."""
    right, labelled, wrong, found_of = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for row in lines(folder / "secrets" / "pii.jsonl"):
        gold = [(PERSONAL[s["type"]], s["start"], s["end"]) for s in row["spans"] if s["type"] in PERSONAL]
        found: list[tuple[Any, ...]] = [tuple(span) for span in find_personal(row["text"])]
        labelled.update(span[0].value for span in gold)
        right.update(span[0].value for span in gold if any(overlap(span, other) for other in found))
        found_of.update(span[0].value for span in found)
        wrong.update(span[0].value for span in found if not any(overlap(span, other) for other in gold))
    rows: Shares = {}
    for kind in sorted(kind.value for kind in PERSONAL.values()):
        rows[f"personal data found: {kind}"] = right[kind], labelled[kind]
        rows[f"… wrongly: {kind}"] = wrong[kind], found_of[kind]
    return rows


def overlap(one: tuple[Any, ...], other: tuple[Any, ...]) -> bool:
    return bool(one[0] == other[0] and one[1] < other[2] and other[1] < one[2])


# Made-up secrets in many syntaxes

ALPHANUMERIC = string.ascii_letters + string.digits
SYNTAXES = {
    "json": '{{"{name}":"{value}","b":2}}',
    "escaped json": '{{\\"{name}\\": \\"{value}\\"}}',
    "code": '{name} = "{value}"',
    "environment": "export {name}={value}\n",
    "yaml": "  {name}: {value}\n",
    "go": "{name} := `{value}`",
    "ruby": ":{name} => '{value}',",
    "xml": "<{name}>{value}</{name}>",
    "xml attribute": '<add key="{name}" value="{value}" />',
    "option": "run --{name} {value} --verbose",
    "query": "https://a.example.net/p?x=1&{name}={value}&y=2",
    "header": "{name}: {value}\r\nAccept: */*",
    "prose": "my {words} is {value}, thanks",
    "markdown": "**{name}**: `{value}`",
    "table": "| {name} | {value} |",
    "connection string": "Server=db;User Id=sa;{name}={value};Timeout=3",
    "setter": 'client.set_{name}("{value}");',
    "name and value": '[{{"name": "{name}", "value": "{value}"}}]',
    "default": 'variable "{name}" {{ default = "{value}" }}',
}
MACHINE_NAMES = (
    "API_KEY",
    "clientSecret",
    "access-token",
    "SIGNING_KEY",
    "X-Auth-Token",
    "storage_account_key",
)
HUMAN_NAMES = ("password", "DB_PASSWORD", "smtpPass", "redis.password", "passphrase")


def machine_made(rng: random.Random) -> str:
    makers: tuple[Callable[[], str], ...] = (
        lambda: rng.randbytes(rng.choice((16, 20, 32))).hex(),
        lambda: "".join(rng.choices(ALPHANUMERIC, k=rng.choice((20, 32, 40)))),
        lambda: base64.b64encode(rng.randbytes(32)).decode(),
        lambda: str(uuid.UUID(bytes=rng.randbytes(16))),
        lambda: "acme_" + "".join(rng.choices(ALPHANUMERIC, k=32)),
    )
    return rng.choice(makers)()


def human_made(rng: random.Random) -> str:
    word = rng.choice(("Summer", "winter", "Falcon", "dragon", "Lisbon"))
    return rng.choice(
        (f"{word}{rng.randint(100, 9999)}!", "".join(rng.choices(ALPHANUMERIC + "!@#%^*-_+", k=14)))
    )


def syntaxes(rng: random.Random, rounds: int = 200) -> Shares:
    """Made-up secrets that leave the text, whatever syntax names them."""
    rows: Shares = {}
    makers = {"machines": (MACHINE_NAMES, machine_made), "people": (HUMAN_NAMES, human_made)}
    for made_by, (names, make) in makers.items():
        found = {
            syntax: sum(is_found(form, rng.choice(names), make(rng)) for _ in range(rounds))
            for syntax, form in SYNTAXES.items()
        }
        weakest = min(found, key=lambda syntax: found[syntax])
        rows[f"made up as by {made_by}, in {len(found)} syntaxes"] = sum(found.values()), rounds * len(found)
        rows[f"… in the weakest, {weakest}"] = found[weakest], rounds
    return rows


def is_found(form: str, name: str, value: str) -> bool:
    words = " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)).lower()
    return value not in redact_text(form.format(name=name, words=words, value=value))[0]


# Time


def times(folder: Path) -> dict[str, float]:
    """Milliseconds for texts of one and of ten KB, and for a JSON value of one."""
    chats = lines(folder / "tau-airline-traj" / "chats.jsonl")
    contents = [message["content"] for chat in chats for message in chat["messages"] if message["content"]]
    texts = {
        "prose": " ".join(text for text in contents if not text.startswith("{")),
        "json": "".join(text for text in contents if text.startswith("{")),
        "code": Path(argparse.__file__).read_text(encoding="utf-8"),
        "a secret a line": " ".join(f"API_KEY=aB3dE5gH7jK9mN1pQ3sT{number}" for number in range(500)),
    }
    rows = {
        f"{kilobytes} KB of {title}": milliseconds(partial(redact_text, text[: 1024 * kilobytes]))
        for title, text in texts.items()
        for kilobytes in (1, 10)
    }
    values = [json.loads(text) for text in contents if text.startswith("{") and 900 < len(text) < 1200][:20]
    of_values = milliseconds(lambda: [redact(value) for value in values]) / len(values)
    return {**rows, "1 KB of JSON value": of_values}


def milliseconds(run: Callable[[], object], rounds: int = 20) -> float:
    """Of the processor, the quickest of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time_ns()
        run()
        best = min(best, (time.process_time_ns() - start) / 1e6)
    return best


def main() -> None:
    """Measure, print two tables, and write the numbers where a file is named."""
    given = options(__doc__, folder="where the evaluation sets are")
    folder = given.folder
    found = secrets(folder) | ordinary(folder) | personal(folder) | syntaxes(random.Random(11))
    took = times(folder)
    print(shares(found), numbers("redacting", "ms", took), sep="\n\n")
    keep({"shares": found, "milliseconds": took}, given.json)


if __name__ == "__main__":
    main()
