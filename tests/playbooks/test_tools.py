"""A procedure belongs to the tools that it was made for."""

from typing import Annotated

import pytest
from langchain_core.tools import tool
from langgraph.prebuilt import InjectedState
from pydantic import BaseModel

from langgraph_memory.answers import record_id
from langgraph_memory.errors import ConfigurationError
from langgraph_memory.playbooks.signatures import Signature, difference

from .conftest import ANA, CLEANUP, LEAD, NAME, STAGING


@tool
def stop_instance(name: str) -> str:
    """Stop an instance."""
    return name


class Renamed(BaseModel):
    """Stop an instance by its id."""

    instance_id: str


@tool("stop_instance", args_schema=Renamed)
def stop_instance_by_id(instance_id: str) -> str:
    """Stop an instance by its id."""
    return instance_id


@tool("stop_instance")
def stop_instance_told_otherwise(name: str) -> str:
    """Halt a machine; use with care."""
    return name


@tool
def list_instances() -> str:
    """List."""
    return ""


USING = {"tools": ["stop_instance", "list_instances"]}


def test_a_fingerprint_is_name_and_arguments_and_not_the_description():
    def stop(name: str, state: Annotated[dict, InjectedState]) -> str:
        """Stop."""
        return name

    same = [Signature.of(each).fingerprint for each in (stop_instance, stop_instance_told_otherwise)]
    assert len(set(same)) == 1
    assert Signature.of(stop_instance_by_id).fingerprint not in same
    assert list(Signature.of(tool(stop)).parameters["properties"]) == ["name"]
    schema = {
        "title": "stop_instance",
        "description": "x",
        "type": "object",
        "properties": {"name": {"type": "string"}},
        "required": ["name"],
    }
    assert Signature.of(schema).fingerprint == same[0]


@pytest.mark.parametrize(
    ("old", "new", "told"),
    [
        ({"a": {"type": "string"}}, {"b": {"type": "string"}}, "argument 'a' is gone, argument 'b' is new"),
        ({"a": {"type": "string"}}, {"a": {"type": "integer"}}, "argument 'a' takes other values"),
    ],
)
def test_what_changed_is_told_in_words(old, new, told):
    signatures = [Signature(name="t", parameters={"properties": each}) for each in (old, new)]
    assert difference(*signatures) == told


def test_a_renamed_argument_takes_the_procedure_out_of_the_offer_and_says_why(memory, adopt, offered):
    memory.procedures.use_tools([stop_instance, list_instances])
    current = adopt(**USING)
    assert set(current.tool_fingerprints) == {"stop_instance", "list_instances"}
    assert len(offered().items) == 1
    (stale,) = memory.procedures.use_tools([stop_instance_by_id])
    assert stale[0] == current
    why = "the tool 'stop_instance' changed: argument 'name' is gone, argument 'instance_id' is new"
    assert stale[1] == why
    recall = offered()
    assert recall.items == ()
    assert [(each.id, each.reason) for each in recall.omitted] == [(record_id(current), f"stale: {why}")]
    assert "stale" in [entry.decision for entry in memory.audit(record_id(current))]
    assert memory.procedures.stale(current) == why


def test_the_old_tool_back_or_a_new_approval_brings_it_back(memory, adopt, offered):
    memory.procedures.use_tools([stop_instance])
    adopt(tools=["stop_instance"])
    memory.procedures.use_tools([stop_instance_by_id])
    assert offered().items == ()
    memory.procedures.use_tools([stop_instance])
    assert len(offered().items) == 1
    memory.procedures.use_tools([stop_instance_by_id])
    memory.procedures.approve(NAME, scope=STAGING, principal=ANA)
    assert len(offered().items) == 1


def test_a_description_alone_changes_nothing(memory, adopt, offered):
    memory.procedures.use_tools([stop_instance])
    adopt(tools=["stop_instance"])
    assert memory.procedures.use_tools([stop_instance_told_otherwise]) == []
    assert len(offered().items) == 1


def test_a_tool_that_is_gone_makes_it_stale(memory, adopt, offered):
    memory.procedures.use_tools([stop_instance, list_instances])
    adopt(**USING)
    memory.procedures.use_tools([], gone=["list_instances"])
    assert [each.reason for each in offered().omitted] == ["stale: the tool 'list_instances' is gone"]


def test_tools_that_were_unknown_at_the_approval_are_bound_when_they_are_first_known(memory, adopt, offered):
    current = adopt(tools=["stop_instance"])
    assert current.tool_fingerprints == {"stop_instance": ""}
    assert memory.procedures.use_tools([stop_instance]) == []
    assert len(offered().items) == 1
    memory.procedures.use_tools([stop_instance_by_id])
    assert offered().items == ()


def test_tools_themselves_may_be_given(memory, adopt, offered):
    adopt(tools=[stop_instance])
    assert len(offered().items) == 1
    memory.procedures.use_tools([stop_instance_by_id])
    assert offered().items == ()


def test_the_tools_of_a_narrower_scope_count_there_alone(memory, adopt, offered):
    other = STAGING.model_copy(update={"agent": "other"})
    memory.procedures.use_tools([stop_instance])
    adopt(tools=["stop_instance"])
    memory.procedures.use_tools([stop_instance_by_id], scope=other)
    assert len(offered().items) == 1
    bot = ANA.model_copy(update={"grants": (STAGING, other)})
    assert offered(scope=other, principal=bot).items == ()


def test_a_version_that_would_not_be_offered_is_not_rolled_back_to(memory, adopt):
    memory.procedures.use_tools([stop_instance])
    adopt(tools=["stop_instance"])
    memory.procedures.use_tools([stop_instance_by_id])
    adopt(tools=["stop_instance"], steps=["Stop it by its id."])
    with pytest.raises(ConfigurationError, match="'name' is gone"):
        memory.procedures.rollback(NAME, scope=STAGING, principal=ANA)
    assert memory.procedures.get(NAME, scope=STAGING).version == 2
    assert CLEANUP["steps"] == list(memory.procedures.get(NAME, 1, scope=STAGING).steps)
    assert memory.procedures.propose(**CLEANUP | {"tools": ["stop_instance"]}, actor=LEAD).version == 1
