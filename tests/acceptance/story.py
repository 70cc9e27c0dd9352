"""The CostGuard week, told to a memory as a runtime would: one function a day."""

from .world import DEVELOPER, GPU, LEAD, SANDBOX, end, say, use

VAGUE = "Run the weekly staging cost cleanup."
CORRECTION = (
    "Please restart gpu-bench-01: stopping it on Friday broke the weekend regression run. "
    "Keep gpu-bench-01 running until QA has moved its suite to the shared Kubernetes cluster."
)
REMARK = "Looks like gpu-bench-01 is probably not used any more, I guess we could stop it."
CHANGE = (
    "Change of plan: keep gpu-bench-01 running until the final benchmark is done, "
    "instead of waiting for the Kubernetes move."
)
RELEASE = "The final benchmark is done. gpu-bench-01 no longer needs to stay up, it can be stopped again."


def friday(memory):
    """The agent stops an idle server."""
    say(memory, DEVELOPER, VAGUE, activity="act-friday")
    _metrics(memory, "act-friday", 0.2, 72)
    use(memory, "stop_instance", {"instance": GPU}, {"name": GPU, "state": "stopped"}, activity="act-friday",
        entities=(GPU,))  # fmt: skip
    end(memory, "act-friday")


def monday(memory):
    """An infrastructure lead corrects it."""
    say(memory, LEAD, CORRECTION, activity="act-monday", ref="trace://act-monday/message")
    use(memory, "start_instance", {"instance": GPU}, {"name": GPU, "state": "running"}, activity="act-monday",
        entities=(GPU,))  # fmt: skip
    end(memory, "act-monday")


def midweek(memory):
    """Idle metrics, and a developer's guess."""
    say(memory, DEVELOPER, "How does staging look this week?", activity="act-midweek")
    _metrics(memory, "act-midweek", 0.0, 48)
    say(memory, DEVELOPER, REMARK, activity="act-midweek")
    end(memory, "act-midweek")


def change(memory):
    """The lead changes the condition."""
    _metrics(memory, "act-change", 0.0, 24)
    say(memory, LEAD, CHANGE, activity="act-change", ref="trace://act-change/message")
    end(memory, "act-change")


def release(memory, actor=LEAD):
    """Someone says that the condition is met."""
    activity = f"act-release-{actor.id}"
    _metrics(memory, activity, 0.0, 24)
    say(memory, actor, RELEASE, activity=activity, ref=f"trace://{activity}/message")
    end(memory, activity)


def _metrics(memory, activity, load, hours):
    use(memory, "list_instances", {}, {"instances": [{"name": GPU}, {"name": SANDBOX}]}, activity=activity,
        entities=(GPU, SANDBOX))  # fmt: skip
    use(memory, "get_instance_metrics", {"instance": GPU}, {"name": GPU, "cpu": load, "hours": hours},
        activity=activity, entities=(GPU,))  # fmt: skip
