"""Test doubles for applications that use the package, and for its own tests."""

from langgraph_memory.testing.doubles import (
    FrozenClock,
    HashEmbeddings,
    ModelCall,
    ScriptedChatModel,
    ScriptExhaustedError,
)
from langgraph_memory.testing.model_server import (
    Dropped,
    Failure,
    Refusal,
    ScriptedModelServer,
    ServedCall,
    Silence,
    Slow,
    Truncated,
)

__all__ = [
    "Dropped",
    "Failure",
    "FrozenClock",
    "HashEmbeddings",
    "ModelCall",
    "Refusal",
    "ScriptExhaustedError",
    "ScriptedChatModel",
    "ScriptedModelServer",
    "ServedCall",
    "Silence",
    "Slow",
    "Truncated",
]
