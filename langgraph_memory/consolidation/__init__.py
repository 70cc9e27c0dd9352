"""Consolidation: what happened in finished activities becomes episodes and facts, by evidence."""
