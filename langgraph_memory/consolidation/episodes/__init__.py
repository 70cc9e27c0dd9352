"""Episodes: what an activity was, derived from its events, and what repeated and old ones come to."""

from langgraph_memory.consolidation.episodes.building import Narrative, Narrator, PlainNarrator

__all__ = ["Narrative", "Narrator", "PlainNarrator"]
