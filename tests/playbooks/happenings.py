"""What happens in the learning tests: activities of an agent, told as events."""

from langgraph_memory import Actor

from .conftest import LEAD, STAGING

RUNTIME = Actor("system", "runtime")


def use(memory, activity, tool, args=None, output="ok", *, error=None, scope=STAGING, entities=()):
    """One tool call."""
    data = {"tool": tool, "args": args or {}} | ({"error": error} if error else {"output": output})
    memory.publish(
        scope=scope,
        activity_id=activity,
        event_type="tool.failed" if error else "tool.completed",
        actor=Actor("tool", tool),
        entities=entities,
        data=data,
    )


def say(memory, activity, text, *, actor=LEAD, kind="message.user", entities=()):
    """Someone says something."""
    memory.publish(
        scope=STAGING,
        activity_id=activity,
        event_type=kind,
        actor=actor,
        entities=entities,
        data={"text": text},
    )


def end(memory, activity, kind="activity.completed", **data):
    """The activity ends, and is consolidated."""
    memory.publish(scope=STAGING, activity_id=activity, event_type=kind, actor=RUNTIME, data=data)
    memory.consolidate()


def incident(memory, activity, *said, actor=LEAD, ticket=None, **data):
    """An instance is stopped, and something that depends on it breaks."""
    instance = f"i-{activity}"
    say(memory, activity, "Run the weekly cleanup of idle compute.")
    use(memory, activity, "list_instances", output=[{"id": instance, "note": ticket or "idle"}])
    use(memory, activity, "stop_instance", {"name": instance}, entities=(instance,))
    for text in said:
        say(memory, activity, text, actor=actor, kind="feedback.correction")
    end(memory, activity, "activity.failed", status="failed", **data)


def cleanup(memory, activity, **data):
    """The same without harm."""
    say(memory, activity, "Run the weekly cleanup of idle compute.")
    use(memory, activity, "list_instances", output=[{"id": "i-1"}])
    use(memory, activity, "stop_instance", {"name": "i-1"})
    end(memory, activity, status="completed", **data)
