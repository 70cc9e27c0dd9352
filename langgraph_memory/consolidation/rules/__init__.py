"""Candidates read from what users say, by rules of language and without a model.

A message goes through these rooms: `speech` (the speaker's own words), `sentences` (clauses), `stance` (how a
clause is meant), then the readers of statements (`constraints`, `permissions`, `retractions`, `corrections`,
`cessations`, `identity`, `preferences`, `routines`, `remarks`, `languages`), and `discourse` (what it is
about). Tables are written in the notation of `wording`.
"""

from langgraph_memory.consolidation.rules.extractor import RulesExtractor
from langgraph_memory.consolidation.rules.fulfilment import reports_end
from langgraph_memory.consolidation.rules.retractions import ANY_ATTRIBUTE

__all__ = ["ANY_ATTRIBUTE", "RulesExtractor", "reports_end"]
