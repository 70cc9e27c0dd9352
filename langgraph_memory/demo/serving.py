"""The memory of a server that runs the demo's graphs: opened once, when something first asks for it."""

from __future__ import annotations

import os
from functools import cache

from langgraph_memory.demo.staging import POLICY
from langgraph_memory.memory import Memory

PATH_VARIABLE = "LANGGRAPH_MEMORY_PATH"
"""The environment variable that names the memory's folder or database."""

DEFAULT_PATH = "./memory"


@cache
def served_memory() -> Memory:
    """The memory of this process, in the folder that the environment names."""
    return Memory.open(os.environ.get(PATH_VARIABLE) or DEFAULT_PATH, policy=POLICY)
