"""Conversations: keep them within a budget, sum up what leaves, archive a session when it ends.

`langgraph_memory.conversation.middleware` has the same for `langchain.agents.create_agent`; it needs the
package `langchain`.
"""

from langgraph_memory.conversation.compaction import Compaction, compactions
from langgraph_memory.conversation.nodes import compaction_node, window_node
from langgraph_memory.conversation.session import by_session, end_session, end_session_node
from langgraph_memory.conversation.summaries import ModelSummariser, RulesSummariser, Summariser, Summary

__all__ = [
    "Compaction",
    "ModelSummariser",
    "RulesSummariser",
    "Summariser",
    "Summary",
    "by_session",
    "compaction_node",
    "compactions",
    "end_session",
    "end_session_node",
    "window_node",
]
