"""What decides for the agent: a plain policy that reads what a model would read, or a chat model."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from langchain_core.messages import AIMessage, AnyMessage, BaseMessage, HumanMessage, SystemMessage
from langchain_core.tools import BaseTool

from langgraph_memory.evaluation.graph import Planner
from langgraph_memory.evaluation.reading import verdict
from langgraph_memory.evaluation.scenario import Routine, Scenario, Thing
from langgraph_memory.evaluation.turn import Turn

PlannerFor = Callable[[Scenario, Sequence[BaseTool]], Planner]
"""From a scenario and the tools over its world to what decides for the agent."""


def model_planner(model: Any, playbook: str) -> Planner:
    """A planner that asks a chat model with bound tools: playbook and messages first, memory last."""

    def ask(messages: Sequence[AnyMessage], memory: str) -> AIMessage:
        prompt: list[BaseMessage] = [SystemMessage(playbook), *messages]
        answer: AIMessage = model.invoke([*prompt, HumanMessage(memory)] if memory else prompt)
        return answer

    return ask


def chat_planner(model: Any) -> PlannerFor:
    """Lets any LangChain chat model that can call tools decide, with the scenario's playbook.

    >>> from langgraph_memory.testing import ScriptedChatModel
    >>> planner_for = chat_planner(ScriptedChatModel(["Understood."]))
    """
    return lambda scenario, tools: model_planner(model.bind_tools(list(tools)), playbook(scenario.routine))


def plain_policy(scenario: Scenario, tools: Sequence[BaseTool]) -> Planner:
    """Follows the playbook to the letter and minds what memory tells it; a pure function, no model."""
    del tools
    argument = f"{scenario.things.type.rpartition('-')[2]}_id"
    readings = {
        text: session.reads for session in scenario.sessions if session.reads for text in session.says
    }

    def plan(messages: Sequence[AnyMessage], memory: str) -> AIMessage:
        turn = Turn.of(messages)
        wanted = readings.get(turn.request)
        if wanted is not None and not turn.answers(wanted.tool):
            return turn.call((wanted.tool, dict(wanted.args)))
        if turn.request != scenario.routine.asked:
            return turn.say("Understood.")
        return _routine(turn, memory, scenario.routine, argument)

    return plan


def playbook(routine: Routine) -> str:
    """What the agent is for and how it works: the same with and without memory."""
    ((field, least),) = routine.when.items()
    otherwise = f" For those, call {routine.otherwise} instead." if routine.otherwise else ""
    return (
        f"When asked {routine.asked!r}, call {routine.look} and then {routine.act} for each item whose "
        f"{field} is at least {least:g}, all in one message. Leave out the items on which what you know "
        f"rules that out now, and say why.{otherwise} To anything else answer briefly; look up what is "
        "asked for, and change nothing."
    )


def _routine(turn: Turn, memory: str, routine: Routine, argument: str) -> AIMessage:
    """Look, then act on what is due, except where memory speaks against it."""
    if not turn.answers(routine.look):
        return turn.call((routine.look, {}))
    due = _due(turn, routine)
    held = _held(due, _all(turn, routine), memory, routine.act)
    refused = {str(result.args[argument]) for result in turn.answers(routine.act) if result.failed}
    free = [thing for thing in due if thing.id not in held]
    if free and not turn.answers(routine.act):
        return turn.call(*((routine.act, {argument: thing.id}) for thing in free))
    kept = [thing for thing in due if thing.id in held or thing.id in refused]
    if routine.otherwise and kept and not turn.answers(routine.otherwise):
        return turn.call(*((routine.otherwise, {argument: thing.id}) for thing in kept))
    left = [f'Left {each.name}: "{held.get(each.id, "refused")}".' for each in kept]
    return turn.say(" ".join(["Done.", *left]))


def _all(turn: Turn, routine: Routine) -> list[Thing]:
    listed = [entry for output in turn.outputs(routine.look) for entry in output["items"]]
    return [Thing(id=entry["id"], name=entry["name"], fields=entry) for entry in listed]


def _due(turn: Turn, routine: Routine) -> list[Thing]:
    return [thing for thing in _all(turn, routine) if routine.due(thing.fields)]


def _held(due: Sequence[Thing], things: Sequence[Thing], memory: str, act: str) -> dict[str, str]:
    """The ids of the things that memory speaks against acting on, with its words."""
    remarks = ((thing.id, verdict(memory, thing, act, things)) for thing in due)
    return {thing_id: remark.words for thing_id, remark in remarks if remark is not None and remark.holds}
