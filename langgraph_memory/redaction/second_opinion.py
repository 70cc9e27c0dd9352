"""A second pass by a detector of others, off the hot path: `chain(redact, SecondOpinion(detect_secrets))`."""

from __future__ import annotations

import importlib
import re
import threading
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from pydantic import JsonValue

from langgraph_memory.errors import ConfigurationError
from langgraph_memory.redaction.redactor import Redacted
from langgraph_memory.redaction.spans import Span, apart, replaced
from langgraph_memory.redaction.strings import rewritten

Detector = Callable[[str], Iterable[tuple[str, str]]]
"""Reads one line; gives the kind and the exact text of each secret in it."""

_REPLACED = re.compile(r"\[redacted:[^\]\s]*\]")
_NOT_IN_KIND = re.compile(r"[^a-z0-9]+")


@dataclass(frozen=True)
class SecondOpinion:
    """A `Redactor` that takes out what a detector finds, line by line.

    What an earlier redactor replaced is left alone, whatever the detector thinks of it.

    >>> SecondOpinion(lambda line: [("Door code", "4711")])("code 4711, code 4711").value
    'code [redacted:door-code], code [redacted:door-code]'

    Args:
        detector: what reads the lines.
    """

    detector: Detector

    def __call__(self, value: JsonValue, /) -> Redacted:
        """The value without what the detector finds, and the kinds found."""
        kinds: set[str] = set()

        def rewrite(_key: str, text: str) -> str:
            return "".join(self._line(line, kinds) for line in text.splitlines(keepends=True))

        return Redacted(rewritten(value, rewrite), tuple(sorted(kinds)))

    def _line(self, line: str, kinds: set[str]) -> str:
        known = [match.span() for match in _REPLACED.finditer(line)]
        spans = [
            Span(match.start(), match.end(), _NOT_IN_KIND.sub("-", kind.lower()).strip("-"))
            for kind, secret in self.detector(line)
            for match in (re.finditer(re.escape(secret), line) if secret else ())
            if all(match.end() <= start or end <= match.start() for start, end in known)
        ]
        kinds.update(span.kind for span in spans)
        return replaced(line, apart(spans))


_SKIPPED = {"Base64HighEntropyString", "HexHighEntropyString", "IPPublicDetector"}
"""Plugins that take digests, ids and addresses for secrets; those are what memory is about."""
_SETTINGS = threading.Lock()
"""Settings of detect-secrets are of the process."""


def detect_secrets(line: str) -> list[tuple[str, str]]:
    """What the package `detect-secrets` finds in a line, by its plugins for named kinds and key names.

    Raises:
        ConfigurationError: the package is not installed.
    """
    plugins, scan, settings = map(_module, ("core.plugins.util", "core.scan", "settings"))
    with _SETTINGS:
        names = {plugin.__name__ for plugin in plugins.get_mapping_from_secret_type_to_class().values()}
        with settings.transient_settings(
            {"plugins_used": [{"name": name} for name in sorted(names - _SKIPPED)]}
        ):
            return [(found.type, found.secret_value or "") for found in scan.scan_line(line)]


def _module(name: str) -> Any:
    try:
        return importlib.import_module(f"detect_secrets.{name}")
    except ModuleNotFoundError as error:
        raise ConfigurationError(
            "a second opinion needs detect-secrets: pip install 'detect-secrets>=1.5'"
        ) from error
