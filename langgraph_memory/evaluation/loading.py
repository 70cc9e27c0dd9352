"""Scenarios from YAML files: those that are shipped, and people's own."""

from __future__ import annotations

from collections.abc import Iterator
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path
from typing import Any

import yaml
from pydantic import ValidationError

from langgraph_memory.errors import ConfigurationError
from langgraph_memory.evaluation.scenario import Scenario

_SHIPPED = files("langgraph_memory.evaluation").joinpath("scenarios")
_NOISE = "noise.yaml"


def shipped() -> list[Scenario]:
    """The scenarios that come with the package, by file and in their order.

    >>> len(shipped()) >= 24
    True
    """
    places = sorted(_SHIPPED.iterdir(), key=lambda place: place.name)
    scenarios = (place for place in places if place.name.endswith(".yaml") and place.name != _NOISE)
    return [scenario for place in scenarios for scenario in _scenarios(place, place.name)]


def load(path: str | Path) -> list[Scenario]:
    """The scenarios of a YAML file: one mapping, or a list of them.

    Raises:
        ConfigurationError: no such file, not YAML, or not a scenario; the message names the field.
    """
    return list(_scenarios(Path(path), str(path)))


def noise() -> dict[str, list[str]]:
    """Unrelated talk, by the kind of scope that it is heard in: `team` or `home`."""
    found: dict[str, list[str]] = yaml.safe_load(_SHIPPED.joinpath(_NOISE).read_text("utf-8"))
    return found


def _scenarios(place: Path | Traversable, name: str) -> Iterator[Scenario]:
    content = _content(place, name)
    entries = content if isinstance(content, list) else [content]
    for number, entry in enumerate(entries, 1):
        try:
            yield Scenario.model_validate(entry)
        except ValidationError as error:
            raise ConfigurationError(
                f"scenario {number} of {name!r} can't be read: {_faults(error)}"
            ) from error


def _faults(error: ValidationError) -> str:
    """All that is wrong, each with its field."""
    faults = []
    for each in error.errors():
        where = ".".join(str(part) for part in each["loc"])
        faults.append(": ".join(filter(None, [where, each["msg"].removeprefix("Value error, ")])))
    return "; ".join(faults)


def _content(place: Path | Traversable, name: str) -> Any:
    try:
        return yaml.safe_load(place.read_text("utf-8"))
    except OSError as error:
        raise ConfigurationError(f"no scenarios at {name!r}: {error.strerror}") from error
    except (yaml.YAMLError, UnicodeDecodeError) as error:
        raise ConfigurationError(f"{name!r} is not YAML: {' '.join(str(error).split())}") from error
