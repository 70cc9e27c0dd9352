"""Candidates read from what users say, by rules of language and without a model."""

from langgraph_memory.consolidation.rules.extractor import RulesExtractor

__all__ = ["RulesExtractor"]
