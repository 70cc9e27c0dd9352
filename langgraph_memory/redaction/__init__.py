"""Secrets taken out of what memory is about to write: pure rules, no I/O, no model."""

from langgraph_memory.redaction.redactor import Redacted, Redactor, chain, redact, redact_text
from langgraph_memory.redaction.scan import find_secrets, secret_in_ids
from langgraph_memory.redaction.spans import Span

__all__ = ["Redacted", "Redactor", "Span", "chain", "find_secrets", "redact", "redact_text", "secret_in_ids"]
