# ruff: noqa: INP001 - a server loads this file by its path; it belongs to no package
"""What a LangGraph server needs beside its graphs: a store, a checkpointer that captures, and who is asking.

`langgraph.json` names them. The people are in the JSON file that LANGGRAPH_MEMORY_USERS names: bearer tokens,
each with an identity, and the roles and grants that memory goes by:

    {"some-long-token": {"identity": "ana", "roles": ["infra_lead"],
                         "grants": ["org=acme,workspace=staging-cloud"]}}

Without such a file everybody is anonymous: no roles, no grants. Your own server authenticates in its own way;
what counts for memory is that the user has `roles` and `grants`.
"""

import asyncio
import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import cache
from pathlib import Path
from typing import Any

from langgraph.store.base import BaseStore
from langgraph_sdk import Auth

from langgraph_memory import CapturingSaver
from langgraph_memory.demo.serving import served_memory

USERS_VARIABLE = "LANGGRAPH_MEMORY_USERS"
CHECKPOINTS_VARIABLE = "LANGGRAPH_MEMORY_CHECKPOINTS"
_UNAUTHORISED = 401

auth = Auth()


@asynccontextmanager
async def store() -> AsyncIterator[BaseStore]:
    """The store that graphs and the store API use; memory's own records are out of its reach."""
    memory = await asyncio.to_thread(served_memory)
    yield memory.store


@asynccontextmanager
async def checkpointer() -> AsyncIterator[CapturingSaver]:
    """A SQLite checkpointer that captures what passes, for graphs with memory in them and without."""
    memory = await asyncio.to_thread(served_memory)
    place = os.environ.get(CHECKPOINTS_VARIABLE) or "./memory"
    saver = await asyncio.to_thread(CapturingSaver.open, place, memory)
    with saver:
        yield saver


@auth.authenticate
async def who(authorization: str | None) -> Any:
    """The user whose token the request bears.

    Raises:
        HTTPException: a token that nobody has.
    """
    users = await asyncio.to_thread(_users)
    if not users:
        return {"identity": "anonymous", "is_authenticated": False, "roles": [], "grants": []}
    token = (authorization or "").removeprefix("Bearer ")
    if token not in users:
        raise Auth.exceptions.HTTPException(status_code=_UNAUTHORISED, detail="no user has this token")
    return users[token]


@cache
def _users() -> dict[str, dict[str, Any]]:
    place = os.environ.get(USERS_VARIABLE)
    return json.loads(Path(place).read_text(encoding="utf-8")) if place else {}
