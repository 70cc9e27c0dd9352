"""A small agent over a pretended cloud, with memory put in by the three nodes."""

from dataclasses import dataclass, field

from langchain_core.messages import AIMessage, SystemMessage
from langchain_core.runnables import RunnableLambda
from langchain_core.tools import tool
from langgraph._internal._runnable import coerce_to_runnable
from langgraph.graph import END, START, StateGraph
from langgraph.prebuilt import ToolNode
from langgraph.types import RetryPolicy

from langgraph_memory import MemoryContext, MemoryState, guard_node, publish_node, recall_node
from langgraph_memory.testing import ScriptedChatModel

from .world import GPU, SANDBOX


@dataclass
class Cloud:
    """What the tools did, in order."""

    stopped: list[str] = field(default_factory=list)
    ran: list[str] = field(default_factory=list)

    def tools(self):
        @tool
        def list_instances() -> dict:
            """The running instances."""
            self.ran.append("list_instances")
            return {"instances": [{"name": GPU, "cpu": 0.0}, {"name": SANDBOX, "cpu": 0.0}]}

        @tool
        def get_instance_metrics(instance: str) -> dict:
            """The load of an instance."""
            self.ran.append("get_instance_metrics")
            return {"name": instance, "cpu": 0.0}

        @tool
        def stop_instance(instance: str) -> dict:
            """Stop an instance."""
            self.ran.append("stop_instance")
            self.stopped.append(instance)
            return {"name": instance, "state": "stopped"}

        @tool
        def run_command(command: str) -> str:
            """Run a command on the bastion host."""
            self.ran.append("run_command")
            return "ok"

        @tool
        def resize_instance(instance: str) -> dict:
            """A tool that always fails."""
            self.ran.append("resize_instance")
            raise RuntimeError(f"quota exceeded for {instance}")

        return [list_instances, get_instance_metrics, stop_instance, run_command, resize_instance]


@dataclass
class Run:
    """An agent's graph, and what its planner was shown and told in each step."""

    cloud: Cloud
    graph: object
    seen: list[str]
    notices: list[str]


def calls(*pairs):
    """A planner's reply that calls tools: `(name, arguments)` each."""
    return AIMessage(
        "",
        tool_calls=[
            {"name": name, "args": args, "id": f"call-{name}-{number}"}
            for number, (name, args) in enumerate(pairs)
        ],
    )


CLEANUP = [
    calls(("list_instances", {})),
    calls(("stop_instance", {"instance": GPU}), ("stop_instance", {"instance": SANDBOX})),
    "I have finished the cleanup.",
]


COMMANDS = calls(
    ("run_command", {"command": f"poweroff {GPU}"}),
    ("run_command", {"command": f"reboot {GPU}"}),
    ("get_instance_metrics", {"instance": GPU}),
)
OFF, REBOOT = (call["id"] for call in COMMANDS.tool_calls[:2])


def agent(
    memory,
    script,
    *,
    forge=None,
    identify=None,
    fail_once=(),
    checkpointer=None,
    pause=None,
    context=MemoryContext,
    token_budget=800,
):
    """The graph: recall → planner → guard → tools → publish → recall …

    `forge` puts a node of that function before ("start") or after ("planner") the recall; `fail_once` names
    nodes that raise after their work at the first try; `pause` is a node between publish and the next recall.
    """
    cloud, seen, notices, model = Cloud(), [], [], ScriptedChatModel(script)
    tools = cloud.tools()
    builder = StateGraph(MemoryState, context_schema=context)
    add = _adder(builder, set(fail_once))
    add("recall", recall_node(memory, identify=identify, token_budget=token_budget))
    add("planner", _planner(model, seen, notices))
    add("guard", guard_node(memory, tools="tools", otherwise="publish", identify=identify))
    add("tools", ToolNode(tools, handle_tool_errors=True))
    add("publish", publish_node(memory, identify=identify))
    _connect(builder, forge or {}, pause)
    return Run(cloud, builder.compile(checkpointer=checkpointer), seen, notices)


def _planner(model, seen, notices):
    def planner(state):
        remembered = state.get("memory") or ""
        seen.append(remembered)
        notices.append(state.get("notice") or "")
        return {
            "messages": [
                model.invoke([SystemMessage("You clean up."), *state["messages"], SystemMessage(remembered)])
            ]
        }

    return planner


def _connect(builder, forge, pause):
    first = _between(builder, "forge_start", forge.get("start"), "recall")
    second = _between(builder, "forge_planner", forge.get("planner"), "planner")
    third = _between(builder, "pause", pause, "recall")
    builder.add_edge(START, first)
    builder.add_edge("recall", second)
    builder.add_conditional_edges("planner", _wants_tools, ["guard", "publish"])
    builder.add_edge("tools", "publish")
    builder.add_conditional_edges("publish", lambda state: END if _finished(state) else third, [third, END])


def _between(builder, name, node, target):
    if node is None:
        return target
    builder.add_node(name, node)
    builder.add_edge(name, target)
    return name


def _wants_tools(state):
    return "guard" if state["messages"][-1].tool_calls else "publish"


def _finished(state):
    last = state["messages"][-1]
    return isinstance(last, AIMessage) and not last.tool_calls


def _adder(builder, failing):
    retry = RetryPolicy(initial_interval=0.0, jitter=False, max_attempts=2, retry_on=ConnectionError)

    def add(name, node):
        action = _fails_once(node) if name in failing else node
        builder.add_node(name, action, retry_policy=retry if name in failing else None)

    return add


def _fails_once(node):
    """The node, but its first result is lost: it did its work and then the connection broke."""
    tries = []

    def lose_the_first(result):
        tries.append(result)
        if len(tries) == 1:
            raise ConnectionError("the connection broke after the work was done")
        return result

    return coerce_to_runnable(node, name="work", trace=False) | RunnableLambda(lose_the_first)
