"""Objects of the user's own that options name as MODULE:NAME."""

from __future__ import annotations

from importlib import import_module
from typing import Any


def imported(option: str, place: str) -> Any:
    """The object at a place that an option gives.

    Raises:
        ConfigurationError: there is none.
    """
    from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import

    module, _, name = place.partition(":")
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigurationError(
            f"{option} {place!r} can't be imported ({error}): write MODULE:NAME"
        ) from error
