"""Entities: which ones a tool call names, and where the known ones are touched. No model, no I/O."""

from langgraph_memory.entities.declarations import EntityDeclaration, EntityRule
from langgraph_memory.entities.discovery import Discovered, discover, discover_event
from langgraph_memory.entities.identifiers import identifiers_in, is_identifier
from langgraph_memory.name_index import NameIndex, touches
from langgraph_memory.names import normalise

__all__ = [
    "Discovered",
    "EntityDeclaration",
    "EntityRule",
    "NameIndex",
    "discover",
    "discover_event",
    "identifiers_in",
    "is_identifier",
    "normalise",
    "touches",
]
