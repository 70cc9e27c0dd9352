"""The present turn of an agent, as its messages show it: the request, and what the tools have answered."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, Self

from langchain_core.messages import AIMessage, AnyMessage, HumanMessage, ToolMessage

from langgraph_memory.records import Record


class Result(Record):
    """A tool's answer; `output` is JSON, or the text of a refusal or failure."""

    tool: str
    args: dict[str, Any]
    output: Any
    failed: bool


class Turn(Record):
    """What a person asked last, and what the tools have answered since.

    `position` is the number of messages so far: ids are made from it, so that they are the same each time.
    """

    position: int
    request: str
    results: tuple[Result, ...]

    @classmethod
    def of(cls, messages: Sequence[AnyMessage]) -> Self:
        """The turn that begins with the last human message."""
        start = max((i for i, message in enumerate(messages) if isinstance(message, HumanMessage)), default=0)
        results = tuple(_results(messages[start:]))
        return cls(position=len(messages), request=messages[start].text if messages else "", results=results)

    def answers(self, tool: str) -> list[Result]:
        """The answers of one tool, refusals among them."""
        return [result for result in self.results if result.tool == tool]

    def outputs(self, tool: str) -> list[Any]:
        """What one tool answered, without refusals."""
        return [result.output for result in self.answers(tool) if not result.failed]

    def call(self, *calls: tuple[str, dict[str, Any]]) -> AIMessage:
        """The agent's next message: it calls tools."""
        numbered = [
            {"name": name, "args": args, "id": f"call-{self.position}-{number}"}
            for number, (name, args) in enumerate(calls)
        ]
        return AIMessage("", tool_calls=numbered, id=f"plan-{self.position}")

    def say(self, text: str) -> AIMessage:
        """The agent's last message of the turn."""
        return AIMessage(text, id=f"plan-{self.position}")


def _results(messages: Sequence[AnyMessage]) -> Iterator[Result]:
    calls: dict[str | None, Any] = {}
    for message in messages:
        if isinstance(message, AIMessage):
            calls |= {call["id"]: call for call in message.tool_calls}
        elif isinstance(message, ToolMessage):
            call, failed = calls[message.tool_call_id], message.status == "error"
            output = message.text if failed else json.loads(message.text)
            yield Result(tool=call["name"], args=call["args"], output=output, failed=failed)
