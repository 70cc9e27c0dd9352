# ruff: noqa: INP001 - a server loads this file by its path; it belongs to no package
"""A personal assistant for a LangGraph server, or for `graph.invoke`: sessions know what earlier ones said.

    session = {"configurable": {"thread_id": "monday"}}
    graph.invoke({"messages": [("user", "My name is Ana.")]}, session, context=MemoryContext(ana, scope))
    graph.invoke({"session": "ended"}, session, context=MemoryContext(ana, scope))

Memory is in the folder that LANGGRAPH_MEMORY_PATH names, `./memory` by default; the scope is the user's own
(`Scope.of(org="acme", user="ana")`). A chat model answers where OPENAI_API_KEY is set, else rules do.
"""

import os

from langgraph_memory.demo.assistant import assistant_graph
from langgraph_memory.demo.planner import chat_model
from langgraph_memory.demo.serving import served_memory

graph = assistant_graph(served_memory, chat_model(os.environ))
