"""The agent's planner: a plain policy that reads what a model would read, or a chat model."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from langchain_core.language_models import BaseChatModel
from langchain_core.messages import AIMessage, AnyMessage
from langchain_core.tools import BaseTool
from pydantic import SecretStr

from langgraph_memory.demo.reading import Remark, verdict
from langgraph_memory.demo.turn import IDLE_HOURS, Instance, Turn
from langgraph_memory.evaluation.graph import Planner
from langgraph_memory.evaluation.planner import model_planner

PLAYBOOK = (
    "You are CostGuard; you keep the costs of staging-cloud low. For a cleanup: list the instances, get the "
    "metrics of those that run, and stop those that have been idle too long: "
    f"{IDLE_HOURS['gpu']} hours for class gpu, {IDLE_HOURS['general']} hours for class general. Leave an "
    "instance running if what you know says that it has to stay, and say why. When asked for a review, "
    "report and change nothing. When ordered to start or stop an instance by name, do it. Be brief."
)
"""What the agent is for and how it works: the same with and without memory."""

TOKEN_BUDGET = 1200
"""How much of a prompt the memories may take, in tokens."""

DEFAULT_MODEL = "gpt-5-mini"

_ORDER = re.compile(
    r"\W*(?:please\s+)?(?P<verb>restart|start|stop|shut down)\s+(?P<name>[\w-]*\w)", re.IGNORECASE
)
_CLEANUP = re.compile(r"\b(?:run|do|start)\b.*\bclean-?\s?up\b", re.IGNORECASE)
_REVIEW = re.compile(r"\b(?:review|report|overview|how busy)\b", re.IGNORECASE)
_HOURS_PER_DAY = 24


def choose_planner(tools: Sequence[BaseTool], environment: Mapping[str, str]) -> Planner:
    """A chat model with the tools where there is a key for one, else the plain policy.

    Args:
        tools: what the model may call.
        environment: `OPENAI_API_KEY` decides; `OPENAI_MODEL` names another model than the default.
    """
    model = chat_model(environment)
    return plan if model is None else model_planner(model.bind_tools(tools), PLAYBOOK)


def chat_model(environment: Mapping[str, str]) -> BaseChatModel | None:
    """The chat model for which there is a key; None without one.

    Args:
        environment: `OPENAI_API_KEY` decides; `OPENAI_MODEL` names another model than the default.
    """
    key = environment.get("OPENAI_API_KEY")
    if not key:
        return None
    from langchain_openai import ChatOpenAI  # noqa: PLC0415 - slow to import, and of use with a key alone

    return ChatOpenAI(model=environment.get("OPENAI_MODEL", DEFAULT_MODEL), api_key=SecretStr(key))


def plan(messages: Sequence[AnyMessage], memory: str) -> AIMessage:
    """The next message of an agent that follows the playbook and minds what memory tells it; a pure function.

    >>> from langchain_core.messages import HumanMessage
    >>> plan([HumanMessage("Run the weekly staging cost cleanup.")], "").tool_calls[0]["name"]
    'list_instances'
    """
    turn = Turn.of(messages)
    order = _ORDER.match(turn.request)
    if order is not None:
        return _obey(turn, order["verb"].lower(), order["name"])
    if _CLEANUP.search(turn.request):
        return _look(turn) or _clean_up(turn, memory)
    if _REVIEW.search(turn.request):
        return _look(turn) or turn.say(_overview(list(turn.instances.values())))
    return turn.say("Understood.")


def _look(turn: Turn) -> AIMessage | None:
    """The next call that shows what runs and how busy it is; None when all is known."""
    if not turn.answers("list_instances"):
        return turn.call(("list_instances", {}))
    running = [instance for instance in turn.instances.values() if instance.state == "running"]
    if running and not turn.answers("get_instance_metrics"):
        return turn.call(*(("get_instance_metrics", {"instance_id": each.id}) for each in running))
    return None


def _clean_up(turn: Turn, memory: str) -> AIMessage:
    """Stop what has been idle too long, unless memory gives a reason to leave it."""
    idle = [instance for instance in turn.instances.values() if instance.idle]
    reasons = {each.id: reason for each in idle if (reason := _reason_to_stay(each, turn, memory))}
    stop = [each for each in idle if each.id not in reasons]
    if stop and not turn.answers("stop_instance"):
        return turn.call(*(("stop_instance", {"instance_id": each.id}) for each in stop))
    left = [f"Left {each.name} running: {_cited(reasons[each.id])}." for each in idle if each.id in reasons]
    return turn.say(" ".join(["Cleanup done.", *_stopped(turn), *left]))


def _reason_to_stay(instance: Instance, turn: Turn, memory: str) -> Remark | None:
    others = [name for each in turn.instances.values() if each.id != instance.id for name in each.names]
    remark = verdict(memory, instance.names, others)
    return remark if remark is not None and remark.says == "keep" else None


def _stopped(turn: Turn) -> list[str]:
    names = {each.id: each.name for each in turn.instances.values()}
    results = [(names.get(r.args["instance_id"], "it"), r) for r in turn.answers("stop_instance")]
    return [f"Could not stop {name}: {r.output}" if r.failed else f"Stopped {name}." for name, r in results]


def _cited(reason: Remark) -> str:
    return f'"{reason.words}" ({reason.date})'


def _overview(instances: Sequence[Instance]) -> str:
    return " ".join(
        f"{each.name}: {each.avg_cpu_pct} % CPU, idle for {each.idle_hours // _HOURS_PER_DAY} days."
        for each in instances
        if each.idle_hours is not None
    )


def _obey(turn: Turn, verb: str, name: str) -> AIMessage:
    tool = "start_instance" if verb.endswith("start") else "stop_instance"
    if not turn.answers("list_instances"):
        return turn.call(("list_instances", {}))
    target = next((each for each in turn.instances.values() if name in each.names), None)
    if target is None:
        return turn.say(f"There is no instance {name!r}.")
    answers = turn.answers(tool)
    if not answers:
        return turn.call((tool, {"instance_id": target.id}))
    last = answers[-1]
    return turn.say(str(last.output) if last.failed else f"{target.name} is {last.output['state']}.")
