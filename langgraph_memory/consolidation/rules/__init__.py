"""Candidates read from what users say, by rules of language and without a model.

A message goes through these files: `speech` (the speaker's own words), `sentences` (clauses), `stance` (how
a clause is meant), `kinds` (what it states, read by `constraints`, `permissions`, `retractions`, `identity`,
`preferences`, `attributes`, `routines` and `remarks`; what those don't read is for `corrections`,
`cessations`, `unclassed` and `languages`), `discourse` (what it is about), `doubts` (whether it is asked
about) and `unsettled` (what is left to ask). `fulfilment` reads whether an end has come about. Tables are
written in the notation of `wording`.
"""

from langgraph_memory.consolidation.rules.extractor import RulesExtractor
from langgraph_memory.consolidation.rules.fulfilment import reports_end
from langgraph_memory.consolidation.rules.retractions import ANY_ATTRIBUTE

__all__ = ["ANY_ATTRIBUTE", "RulesExtractor", "reports_end"]
