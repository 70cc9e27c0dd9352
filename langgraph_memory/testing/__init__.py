"""Test doubles for applications that use the package, and for its own tests."""

from langgraph_memory.testing.doubles import (
    FrozenClock,
    HashEmbeddings,
    ModelCall,
    ScriptedChatModel,
    ScriptExhaustedError,
)

__all__ = [
    "FrozenClock",
    "HashEmbeddings",
    "ModelCall",
    "ScriptExhaustedError",
    "ScriptedChatModel",
]
