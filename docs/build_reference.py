# ruff: noqa: INP001 - a script beside the pages; it belongs to no package
"""Writes `reference.md` and `house.md` from the docstrings of names and modules: `make docs`. Offline."""

from __future__ import annotations

import inspect
import re
import tomllib
from importlib import import_module
from pathlib import Path
from typing import Any

ROOMS = (
    "langgraph_memory",
    "langgraph_memory.conversation",
    "langgraph_memory.conversation.middleware",
    "langgraph_memory.policy",
    "langgraph_memory.entities.declarations",
    "langgraph_memory.cost",
    "langgraph_memory.usage",
    "langgraph_memory.display",
    "langgraph_memory.evaluation",
    "langgraph_memory.testing",
)
"""The modules whose public names are listed: those of `__all__`, or what the module defines."""

PAGE = Path(__file__).parent / "reference.md"
HOUSE = Path(__file__).parent / "house.md"
_HEADING = re.compile(r"^(Args|Attributes|Returns|Raises|Example|Examples|Yields):$")


def page() -> str:
    """The whole page."""
    parts = ["# Reference", "Made from the docstrings by `make docs`; the tests hold it to them."]
    for room in ROOMS:
        module = import_module(room)
        parts += [f"## `{room}`", inspect.getdoc(module) or ""]
        parts += [_entry(name, getattr(module, name)) for name in _names(module)]
    return "\n\n".join(part for part in parts if part) + "\n"


def house() -> str:
    """The page of the rooms: floor by floor, as the import contract of `pyproject.toml` orders them."""
    settings = tomllib.loads((HOUSE.parents[1] / "pyproject.toml").read_text(encoding="utf-8"))
    contracts = settings["tool"]["importlinter"]["contracts"]
    floors = [floor.split(" | ") for floor in next(each["layers"] for each in contracts if "layers" in each)]
    lines = [
        "# The house",
        "",
        "Every room of the package with the first line of what it says of itself, the top floor first. A",
        "room imports only what lies below it; an import contract holds that. Made by `make docs`.",
    ]
    for number, rooms in zip(range(len(floors), 0, -1), floors, strict=True):
        lines += ["", f"**{number}**", ""]
        lines += [f"- `{room.partition('.')[2]}` – {_first_line(room)}" for room in rooms]
    return "\n".join(lines) + "\n"


def _first_line(module: str) -> str:
    return (inspect.getdoc(import_module(module)) or "").partition("\n")[0]


def _names(module: Any) -> list[str]:
    listed = getattr(module, "__all__", None)
    if listed is not None:
        return sorted(listed)
    own = (
        name for name, value in vars(module).items() if getattr(value, "__module__", "") == module.__name__
    )
    return sorted(name for name in own if not name.startswith("_"))


def _entry(name: str, value: Any) -> str:
    lines = [f"### `{name}{_signature(value)}`", _described(value)]
    if inspect.isclass(value):
        for method, inner in _methods(value):
            lines += [f"#### `{name}.{method}{_signature(inner)}`", _described(inner)]
    return "\n\n".join(line for line in lines if line)


def _methods(kind: type) -> list[tuple[str, Any]]:
    """Its own public methods and properties, in the order of the source."""
    found = []
    for name, value in vars(kind).items():
        inner = value.__func__ if isinstance(value, classmethod | staticmethod) else value
        if not name.startswith("_") and (inspect.isfunction(inner) or isinstance(inner, property)):
            documented = inner.fget if isinstance(inner, property) else inner
            if documented is not None and documented.__doc__:
                found.append((name, inner))
    return found


def _signature(value: Any) -> str:
    """The names of the arguments; types and defaults stand in the source."""
    if isinstance(value, property) or (inspect.isclass(value) and issubclass(value, BaseException)):
        return ""
    if inspect.isclass(value) and hasattr(value, "model_fields"):
        return f"({', '.join(value.model_fields)})"
    try:
        parameters = list(inspect.signature(value).parameters.values())
    except (TypeError, ValueError):
        return ""
    return f"({', '.join(_shown(each) for each in parameters if each.name not in ('self', 'cls'))})"


def _shown(parameter: inspect.Parameter) -> str:
    stars = {inspect.Parameter.VAR_POSITIONAL: "*", inspect.Parameter.VAR_KEYWORD: "**"}
    return f"{stars.get(parameter.kind, '')}{parameter.name}"


def _described(value: Any) -> str:
    """A docstring as Markdown: sections as bold lines, their entries as a list, examples as code."""
    document = inspect.getdoc(value.fget if isinstance(value, property) else value) or ""
    lines, example, section = [], False, ""
    for line in document.splitlines():
        if match := _HEADING.match(line.strip()):
            section = match[1]
            lines += ["", f"**{section}**", ""]
        elif line.strip().startswith(">>>") and not example:
            example = True
            lines += ["", "```pycon", line.strip()]
        elif example and not line.strip():
            example = False
            lines += ["```", ""]
        elif example:
            lines.append(line[4:] if section.startswith("Example") else line)
        elif section and re.match(r" {4}\S", line):
            lines.append(f"- {line.strip()}" if section not in ("Returns", "Yields") else line.strip())
        else:
            lines.append(line.strip() if not section else f"  {line.strip()}" if line.strip() else "")
    return "\n".join([*lines, "```"] if example else lines).strip()


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    HOUSE.write_text(house(), encoding="utf-8")
