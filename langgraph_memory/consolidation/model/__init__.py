"""A chat model that extracts and narrates, and what it costs. It proposes; code decides."""

from langgraph_memory.consolidation.model.chat import ModelExtractor, ModelFailureError, ModelNarrator

__all__ = ["ModelExtractor", "ModelFailureError", "ModelNarrator"]
