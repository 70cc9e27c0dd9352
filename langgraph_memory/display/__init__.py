"""How memory looks in a notebook: `html` draws a record, `Timeline` shows facts in time."""

from langgraph_memory.display.cards import html
from langgraph_memory.display.timeline import Timeline

__all__ = ["Timeline", "html"]
