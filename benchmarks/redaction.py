"""How well secrets and personal data are told, and how fast: `python benchmarks/redaction.py FOLDER`.

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
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any
from unittest import mock

from langgraph_memory.redaction import redact, redact_text, tokens
from langgraph_memory.redaction.kinds import KINDS
from langgraph_memory.redaction.personal import PersonalKind, find_personal

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


def share(part: int, whole: int) -> str:
    return f"{part}/{whole} = {part / max(1, whole):.3f}"


def told(text: str) -> bool:
    return bool(redact_text(text)[1])


# Secrets


def measure_secrets(folder: Path) -> None:
    rows = lines(folder / "secrets" / "secrets.jsonl")
    for row in rows:
        row["text"] = base64.b64decode(row["text_b64"]).decode()
    positive = [row for row in rows if row["should_flag"] and row["kind"] != LEFT_OUT]
    negative = [row for row in rows if not row["should_flag"]]
    print("secrets told           ", share(sum(told(row["text"]) for row in positive), len(positive)))
    print("near misses taken      ", share(sum(told(row["text"]) for row in negative), len(negative)))
    taken = Counter(row["kind"] for row in negative if told(row["text"]))
    print("  by rule kind         ", dict(taken))
    leave_kind_out(positive)


def leave_kind_out(positive: list[dict[str, Any]]) -> None:
    """Each kind without the named rules that share its issuer's name; and all without any named rule."""
    by_kind = defaultdict(list)
    for row in positive:
        by_kind[row["kind"]].append(row["text"])
    shares, caught = [], 0
    for kind, texts in sorted(by_kind.items()):
        with named_rules_without(issuer(kind)):
            found = sum(map(told, texts))
        shares.append(found / len(texts))
        caught += found
    print("  without own rule     ", share(caught, len(positive)), f"by kind {sum(shares) / len(shares):.3f}")


def issuer(kind: str) -> set[str]:
    return set(kind.replace("_", "-").split("-")) - STOP


@contextmanager
def named_rules_without(words: set[str]) -> Iterator[None]:
    kept = tuple(kind for kind in KINDS if words.isdisjoint(kind.name.split("-")))
    hinted = tuple((hint, kind) for kind in kept for hint in kind.hints)
    with mock.patch.object(tokens, "_HINTED", hinted):
        yield


# What must be left alone


def measure_ordinary(folder: Path) -> None:
    chats, gold = (
        lines(folder / "tau-airline-traj" / "chats.jsonl"),
        lines(folder / "tau-airline-traj" / "gold.jsonl"),
    )
    entities = {row["conversation_id"]: row["entities"] for row in gold}
    redacted = lost = count = 0
    for chat in chats:
        for message in chat["messages"]:
            result = redact(message)
            before, after = json.dumps(message), json.dumps(result.value)
            lost += sum(before.count(name) != after.count(name) for name in entities[chat["conversation_id"]])
            redacted += before != after
            count += 1
    print("airline messages taken ", share(redacted, count), "entities lost", lost)
    for path in sorted(folder.glob("*/conversations.jsonl")):
        texts = [record["text"] for row in lines(path) for record in row["records"]]
        print(f"{path.parent.name:23}", share(sum(map(told, texts)), len(texts)))


# Personal data


def measure_personal(folder: Path) -> None:
    right, missed, wrong = Counter[str](), Counter[str](), Counter[str]()
    for row in lines(folder / "secrets" / "pii.jsonl"):
        gold = [
            (PERSONAL[span["type"]], span["start"], span["end"])
            for span in row["spans"]
            if span["type"] in PERSONAL
        ]
        found: list[tuple[Any, ...]] = [tuple(span) for span in find_personal(row["text"])]
        for span in gold:
            (right if any(overlap(span, other) for other in found) else missed)[span[0].value] += 1
        wrong.update(span[0].value for span in found if not any(overlap(span, other) for other in gold))
    for kind in PersonalKind:
        known = kind in PERSONAL.values()
        recall = share(right[kind], right[kind] + missed[kind]) if known else "not labelled"
        print(
            f"personal {kind.value:14}",
            "recall",
            recall,
            "wrong",
            wrong[kind] if known else f"({wrong[kind]} found)",
        )


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


def measure_syntaxes(rng: random.Random, rounds: int = 200) -> None:
    for title, names, make in (("machine", MACHINE_NAMES, machine_made), ("human", HUMAN_NAMES, human_made)):
        found = {
            syntax: sum(is_found(form, rng.choice(names), make(rng)) for _ in range(rounds))
            for syntax, form in SYNTAXES.items()
        }
        low = {syntax: count / rounds for syntax, count in found.items() if count < 0.95 * rounds}
        print(f"made-up, {title:14}", share(sum(found.values()), rounds * len(found)), "below 0.95:", low)


def is_found(form: str, name: str, value: str) -> bool:
    words = " ".join(re.findall(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+", name)).lower()
    return value not in redact_text(form.format(name=name, words=words, value=value))[0]


# Time


def measure_time(folder: Path) -> None:
    chats = lines(folder / "tau-airline-traj" / "chats.jsonl")
    contents = [message["content"] for chat in chats for message in chat["messages"] if message["content"]]
    prose = " ".join(text for text in contents if not text.startswith("{"))
    data = "".join(text for text in contents if text.startswith("{"))
    source = Path(argparse.__file__).read_text(encoding="utf-8")
    dense = " ".join(f"API_KEY={'aB3dE5gH7jK9mN1pQ3sT'}{number}" for number in range(500))
    for title, text in (("prose", prose), ("json", data), ("code", source), ("one secret a line", dense)):
        timings = [
            f"{size} chars {milliseconds(partial(redact_text, text[:size])):.3f} ms" for size in (1024, 10240)
        ]
        print(f"time, {title:17}", *timings, sep="  ")
    values = [json.loads(text) for text in contents if text.startswith("{") and 900 < len(text) < 1200][:20]
    print(
        "time, 1 KB of JSON value ",
        f"{milliseconds(lambda: [redact(value) for value in values]) / len(values):.3f} ms",
    )


def milliseconds(run: Callable[[], object], rounds: int = 20) -> float:
    """Of the processor, the quickest of several rounds."""
    best = float("inf")
    for _ in range(rounds):
        start = time.process_time_ns()
        run()
        best = min(best, (time.process_time_ns() - start) / 1e6)
    return best


def main(arguments: Iterable[str] | None = None) -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("folder", type=Path, help="where the evaluation sets are")
    folder = parser.parse_args(arguments if arguments is None else list(arguments)).folder
    measure_secrets(folder)
    measure_ordinary(folder)
    measure_personal(folder)
    measure_syntaxes(random.Random(11))
    measure_time(folder)


if __name__ == "__main__":
    main()
