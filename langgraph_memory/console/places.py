"""Objects of the user's own that options name as MODULE:NAME."""

from __future__ import annotations

import sys
from importlib import import_module
from pathlib import Path
from typing import Any


def imported(option: str, place: str) -> Any:
    """The object at a place that an option gives; modules in the working folder are found first.

    Raises:
        ConfigurationError: there is none.
    """
    from langgraph_memory.errors import ConfigurationError  # noqa: PLC0415 - slow to import

    module, _, name = place.partition(":")
    if (here := str(Path.cwd())) not in sys.path:  # an installed command begins with its own folder there
        sys.path.insert(0, here)
    try:
        return getattr(import_module(module), name)
    except (ImportError, AttributeError, ValueError) as error:
        raise ConfigurationError(
            f"{option} {place!r} can't be imported ({error}): write MODULE:NAME"
        ) from error
