"""What the tests look at in states, questions and logs."""

from langchain_core.messages import ToolMessage


def results(state):
    """Status of the tool messages by call id."""
    return {m.tool_call_id: m.status for m in state["messages"] if isinstance(m, ToolMessage)}


def errors(state):
    return [m for m in state["messages"] if isinstance(m, ToolMessage) and m.status == "error"]


def asked(state):
    """The calls that a person is asked about, by interrupt."""
    return [[call["id"] for call in i.value["calls"]] for i in state["__interrupt__"]]


def types(memory, scope):
    return sorted(event.event_type for event in memory.events(scope))


def of_type(memory, scope, event_type):
    return [event for event in memory.events(scope) if event.event_type == event_type]
