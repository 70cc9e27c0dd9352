"""What a tool's output is: JSON or text, a result or the report of a failure."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import Any

from langgraph_memory import strict_json


def parsed(output: Any) -> Any:
    """An output with the JSON in it read; a text that is no JSON object or list stays as it is.

    >>> parsed('{"id": "i-09a8f"}'), parsed("42"), parsed("[not json")
    ({'id': 'i-09a8f'}, '42', '[not json')
    """
    if not isinstance(output, str) or output.lstrip()[:1] not in ("{", "["):
        return output
    try:
        return strict_json.loads(output)
    except ValueError:
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
    if not isinstance(output, Mapping):
        return False
    return _has_flag(output) or _has_code(output) or _has_error(output)


def failure_text(output: Any) -> str:
    """What a failed output says went wrong.

    >>> failure_text({"error": {"message": "no seats"}}), failure_text("Error: no seats")
    ('no seats', 'Error: no seats')
    """
    if isinstance(output, str):
        return output
    if isinstance(output, Mapping):
        for key in _MESSAGES:
            if output.get(key):
                return failure_text(output[key])
    return json.dumps(output, ensure_ascii=False, default=str)


_MESSAGES = ("error", "errors", "error_message", "errorMessage", "message", "detail", "stderr")
_FLAGS = (("success", False), ("ok", False), ("isError", True), ("is_error", True))
_EXITS = ("exit_code", "exitCode", "returncode", "return_code")
_STATUS_CODES = ("status_code", "statusCode")
_BAD_REQUEST = 400
_FAILURE = re.compile(
    r"""\s*+\W{0,3}(?!no\ )(?:
        [\w.]*(?:error|exception)\W*$                                          # Error
      | (?:[\w.-]+\ ){0,2}[\w.]*(?:error|exception)(?:\ \d{3})?\s?[:(\[!—]     # HTTP error 404: …
      | (?:tool\ |http\ )?error\ (?:\d{3}\b|executing|invoking|calling|running|while|when|during|occurred)
      | traceback\ \(most\ recent\ call\ last\)
    )""",
    re.IGNORECASE | re.VERBOSE,
)


def _has_flag(output: Mapping[Any, Any]) -> bool:
    return any(output.get(key) is bad for key, bad in _FLAGS) or (
        output.get("status") == "error" and any(output.get(key) for key in _MESSAGES)
    )


def _has_code(output: Mapping[Any, Any]) -> bool:
    exits = (output.get(key) for key in _EXITS)
    codes = (output.get(key) for key in _STATUS_CODES)
    return any(type(code) is int and code != 0 for code in exits) or any(
        type(code) is int and code >= _BAD_REQUEST for code in codes
    )


def _has_error(output: Mapping[Any, Any]) -> bool:
    """Whether there is an error in words; a number under `error` is a measurement."""
    if isinstance(output.get("error"), str | Mapping) and output["error"]:
        return True
    return isinstance(output.get("errors"), list) and bool(output["errors"]) and not output.get("data")
