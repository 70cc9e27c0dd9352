"""Procedures as files that engineers keep under version control: YAML, or Markdown with a YAML head."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any, Literal

import yaml
from pydantic import ConfigDict, Field, ValidationError

from langgraph_memory.errors import InvalidProcedureError
from langgraph_memory.records import Procedure, Record

SUFFIXES = (".yaml", ".yml", ".md")
"""The endings of files that are read as procedures."""

MAX_STEPS = 50
MAX_STEP = 2_000

_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)])\s+(.*)$")
_HEADING = re.compile(r"^#{1,6}\s+(.*?)\s*#*$")
_ALIASES = {"id": "procedure_id", "trigger": "trigger_intent", "intent": "trigger_intent"}


class Document(Record):
    """What a file says about a procedure.

    Attributes:
        version: the number that the file claims; None for the next one.
        tools: names of the tools that the steps use.
        status: `current` asks for it to be used, `draft` for it to be looked at.
    """

    model_config = ConfigDict(frozen=True, extra="forbid", str_strip_whitespace=True)

    procedure_id: str = Field(min_length=1, max_length=128, pattern=r"^[\w.\-]+$")
    version: int | None = Field(None, ge=1)
    trigger_intent: str = Field(min_length=1, max_length=MAX_STEP)
    steps: tuple[str, ...] = Field(min_length=1, max_length=MAX_STEPS)
    checks: tuple[str, ...] = Field((), max_length=MAX_STEPS)
    tools: tuple[str, ...] = ()
    status: Literal["current", "draft"] = "current"
    reason: str = ""


def read(path: Path) -> Document:
    """The procedure in a file.

    Raises:
        InvalidProcedureError: it can't be read; names the file and what is wrong.
    """
    text = path.read_text(encoding="utf-8")
    try:
        fields = _of_markdown(text) if path.suffix == ".md" else yaml.safe_load(text)
        return document(fields, default_id=path.stem)
    except (yaml.YAMLError, InvalidProcedureError) as error:
        raise InvalidProcedureError(
            f"{str(path)!r} is not a procedure: {' '.join(str(error).split())}"
        ) from error


def document(fields: Any, *, default_id: str | None = None) -> Document:
    """The procedure with these fields.

    Raises:
        InvalidProcedureError: something is missing, unknown or too long.
    """
    if not isinstance(fields, dict):
        raise InvalidProcedureError(f"{fields!r} has no fields: give procedure_id, trigger_intent and steps")
    named = {_ALIASES.get(str(name), str(name)): value for name, value in fields.items()}
    if default_id is not None:
        named.setdefault("procedure_id", default_id)
    for name in ("steps", "checks", "tools"):
        if name in named:
            named[name] = _texts(name, named[name])
    try:
        return Document(**named)
    except ValidationError as error:
        first = error.errors()[0]
        where = ".".join(str(part) for part in first["loc"])
        raise InvalidProcedureError(f"{where}: {first['msg']} (got {first['input']!r:.120})") from error


def to_markdown(procedure: Procedure) -> str:
    """A procedure as a Markdown file that `read` understands; versions are compared in this form."""
    head: dict[str, object] = {"procedure_id": procedure.procedure_id, "version": procedure.version}
    head["trigger_intent"] = procedure.trigger_intent
    if procedure.tool_fingerprints:
        head["tools"] = list(procedure.tool_fingerprints)
    lines = [
        "---",
        yaml.safe_dump(head, sort_keys=False, allow_unicode=True, width=10_000).rstrip(),
        "---",
        "",
    ]
    lines += ["## Steps", "", *(f"{n}. {step}" for n, step in enumerate(procedure.steps, 1))]
    if procedure.checks:
        lines += ["", "## Checks", "", *(f"- {check}" for check in procedure.checks)]
    return "\n".join(lines) + "\n"


def _texts(name: str, value: Any) -> tuple[str, ...]:
    """A list of one-line texts."""
    if not isinstance(value, list | tuple) or not all(isinstance(each, str) for each in value):
        raise InvalidProcedureError(f"{name}: {value!r:.120} is not a list of texts")
    flat = tuple(" ".join(each.split()) for each in value)
    wrong = next((each for each in flat if not each or len(each) > MAX_STEP), None)
    if wrong is not None:
        raise InvalidProcedureError(f"{name}: {wrong[:80]!r} is empty or longer than {MAX_STEP} characters")
    return flat


def _of_markdown(text: str) -> dict[str, Any]:
    """The fields in the YAML head, and the lists under the headings Steps and Checks."""
    head, body = _parted(text)
    fields = yaml.safe_load(head) if head else {}
    if not isinstance(fields, dict):
        raise InvalidProcedureError(f"the head between --- lines is {fields!r}, not fields")
    section: str | None = None
    lists: dict[str, list[str]] = {"steps": [], "checks": []}
    for line in body.splitlines():
        heading, item = _HEADING.match(line), _ITEM.match(line)
        if heading:
            section = heading[1].strip().casefold()
            if section not in lists and "trigger_intent" not in fields and "trigger" not in fields:
                fields["trigger_intent"] = heading[1].strip()
        elif section in lists and item:
            lists[section].append(item[1])
        elif section in lists and line.strip() and lists[section]:
            lists[section][-1] += f" {line.strip()}"
    return {**fields, **{name: found for name, found in lists.items() if found}}


def _parted(text: str) -> tuple[str, str]:
    lines = text.removeprefix("\ufeff").splitlines()
    if not lines or lines[0].strip() != "---":
        return "", text
    end = next((n for n, line in enumerate(lines[1:], 1) if line.strip() == "---"), None)
    if end is None:
        raise InvalidProcedureError("the head that begins with --- has no end: close it with ---")
    return "\n".join(lines[1:end]), "\n".join(lines[end + 1 :])
