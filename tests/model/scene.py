"""A memory whose chat model is `langchain-openai` against a scripted server on loopback."""

from contextlib import contextmanager

from langchain_openai import ChatOpenAI

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Scope
from langgraph_memory.testing import FrozenClock, ScriptedModelServer

TEAM = Scope.of(org="acme", workspace="staging")
LEAD = Actor("user", "ana", roles={"lead"})
POLICY = Policy(authority=[AuthorityRule(roles={"lead"}, scope=TEAM)], max_attempts=3)
SAID = "We agreed that nobody touches db-7 before the audit on 12 May is over."

FACTS = {
    "facts": [
        {
            "entity": "db-7",
            "attribute": "lifecycle_policy",
            "value": "nobody touches db-7",
            "kind": "constraint",
            "forbids": ["*"],
            "ends_when": "the audit on 12 May is over",
            "intent": "assert",
            "certainty": "stated",
            "event_ids": ["said"],
        }
    ]
}
NOTHING = {"facts": []}
TOLD = {"summary": "The team froze db-7.", "resolution": None, "importance": 9}


class Scene:
    """The server, the memory over it, and its clock."""

    def __init__(self, server, memory, clock):
        self.server, self.memory, self.clock = server, memory, clock

    def say(self, text=SAID, *, activity="a", event_id="said", actor=LEAD):
        self.memory.publish(
            scope=TEAM,
            activity_id=activity,
            event_type="message.user",
            actor=actor,
            data={"text": text},
            event_id=event_id,
        )

    def end(self, activity="a"):
        self.memory.publish(
            scope=TEAM, activity_id=activity, event_type="activity.completed", actor=Actor("agent", "bot")
        )

    def heard(self):
        """One sentence, consolidated once."""
        self.say()
        self.end()
        return self.memory.consolidate()


@contextmanager
def scene(*script, place=":memory:", timeout=5, max_retries=0, policy=POLICY, **options):
    clock = FrozenClock()
    with ScriptedModelServer(script) as server:
        model = ChatOpenAI(
            model="gpt-test",
            base_url=server.url,
            api_key="none",
            timeout=timeout,
            max_retries=max_retries,
            **options,
        )
        with Memory.open(place, model=model, policy=policy, clock=clock, index=None) as memory:
            yield Scene(server, memory, clock)
        model.root_client.close()
