"""What a tool's output is: JSON or text, a result or the report of a failure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any


def parsed(output: Any) -> Any:
    """An output with the JSON in it read; text that is not a JSON object or list stays as it is.

    >>> parsed('{"id": "i-09a8f"}'), parsed("42"), parsed("[not json")
    ({'id': 'i-09a8f'}, '42', '[not json')
    """
    if not isinstance(output, str) or output.lstrip()[:1] not in ("{", "["):
        return output
    try:
        return json.loads(output, parse_constant=_refuse)
    except (ValueError, RecursionError):
        return output


def reports_failure(output: Any) -> bool:
    """Whether an output reports that the call failed, by the signs that tools agree on.

    >>> reports_failure("Error: user not found"), reports_failure("Error rate is 0.2 %")
    (True, False)
    >>> reports_failure({"error": "no seats"}), reports_failure({"error": None, "id": "x1"})
    (True, False)
    """
    if isinstance(output, str):
        return _FAILURE.match(output) is not None
    return isinstance(output, Mapping) and any(output.get(k) is v for k, v in _FLAGS) or _has_error(output)


def failure_text(output: Any) -> str:
    """What a failed output says went wrong."""
    if isinstance(output, Mapping):
        for key in _ERROR_KEYS:
            if isinstance(output.get(key), str) and output[key]:
                return str(output[key])
    return output if isinstance(output, str) else json.dumps(output, ensure_ascii=False, default=str)


_ERROR_KEYS = ("error", "error_message", "errorMessage", "message", "detail")
_FLAGS = (("success", False), ("ok", False), ("isError", True), ("is_error", True))
_FAILURE = re.compile(
    r"""\s*(?:[\w.]*\s?(?:error|exception)\s*(?:[:(\[!.-]|$|\d{3}\b|executing|invoking|calling|while|when|in\b|during)
      | traceback\ \(most\ recent\ call\ last\))""",
    re.IGNORECASE | re.VERBOSE,
)


def _has_error(output: Any) -> bool:
    if not isinstance(output, Mapping):
        return False
    return isinstance(output.get("error"), str | Mapping) and bool(output["error"])


def _refuse(constant: str) -> Any:
    raise ValueError(f"{constant} is not JSON")
