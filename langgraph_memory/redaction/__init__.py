"""Secrets taken out of what memory is about to write: pure rules, no I/O, no model."""

from langgraph_memory.redaction.spans import Span, find_secrets
from langgraph_memory.redaction.walk import Redacted, Redactor, chain, redact, redact_text

__all__ = ["Redacted", "Redactor", "Span", "chain", "find_secrets", "redact", "redact_text"]
