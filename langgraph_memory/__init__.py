"""Memory for LangGraph agents that can be trusted."""
