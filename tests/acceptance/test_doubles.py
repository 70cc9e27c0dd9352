"""The doubles that ship with the package."""

import asyncio
import itertools
import math
from datetime import datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage
from langchain_core.tools import tool
from pydantic import BaseModel, ValidationError

from langgraph_memory.testing import FrozenClock, HashEmbeddings, ScriptedChatModel, ScriptExhaustedError


class City(BaseModel):
    name: str
    size: int = 0


def called(**args):
    return AIMessage("", tool_calls=[{"name": "City", "args": args, "id": "call-1"}])


def test_the_clock_moves_only_when_told():
    clock = FrozenClock()
    before = clock()
    assert clock() == before
    assert clock.advance(days=1, hours=2) - before == timedelta(days=1, hours=2)
    clock.set(before)
    assert clock() == before


@pytest.mark.parametrize("take", [FrozenClock, FrozenClock().set])
def test_a_naive_moment_is_refused(take):
    with pytest.raises(ValueError, match=r"2026.*time zone"):
        take(datetime(2026, 1, 1))  # noqa: DTZ001 - the missing zone is the point


def test_answers_come_in_order_and_calls_are_recorded():
    model = ScriptedChatModel(["one", AIMessage("two"), lambda messages: f"{len(messages)} seen"])
    replies = [model.invoke([HumanMessage("a"), HumanMessage("b")]).text for _ in range(3)]
    assert replies == ["one", "two", "2 seen"]
    assert [call.text for call in model.calls] == ["a\nb"] * 3


def test_a_repeated_message_is_a_new_message_each_time():
    model = ScriptedChatModel(itertools.repeat(AIMessage("again")))
    assert len({model.invoke("x").id for _ in range(3)}) == 3


def test_exceptions_are_raised_and_their_calls_counted():
    model = ScriptedChatModel([TimeoutError("slow"), "fine"])
    with pytest.raises(TimeoutError, match="slow"):
        model.invoke("x")
    assert model.invoke("x").text == "fine"
    assert len(model.calls) == 2


def test_an_exhausted_script_says_which_call_had_no_answer():
    model = ScriptedChatModel(["only"])
    model.invoke("first")
    with pytest.raises(ScriptExhaustedError, match=r"call 2.*'second'"):
        model.invoke("second")


@pytest.mark.parametrize(
    "reply",
    [
        {"name": "Oslo", "size": 1},
        City(name="Oslo", size=1),
        called(name="Oslo", size=1),
        '{"name":"Oslo","size":1}',
    ],
)
def test_structured_output_reads_each_kind_of_entry(reply):
    assert ScriptedChatModel([reply]).with_structured_output(City).invoke("?") == City(name="Oslo", size=1)


def test_structured_output_by_a_json_schema_is_a_dict():
    schema = City.model_json_schema()
    model = ScriptedChatModel([{"name": "Oslo"}])
    assert model.with_structured_output(schema).invoke("?") == {"name": "Oslo"}
    assert model.calls[0].schema == schema


def test_a_wrong_answer_raises_or_is_handed_over_with_the_raw_message():
    model = ScriptedChatModel([{"size": "big"}, {"size": "big"}, {"name": "Oslo"}])
    with pytest.raises(ValidationError):
        model.with_structured_output(City).invoke("?")
    raw = model.with_structured_output(City, include_raw=True)
    failed, fine = raw.invoke("?"), raw.invoke("?")
    assert failed["parsed"] is None
    assert isinstance(failed["parsing_error"], ValidationError)
    assert (fine["parsed"], fine["parsing_error"]) == (City(name="Oslo"), None)
    assert isinstance(fine["raw"], AIMessage)


def test_bound_tools_are_recorded_and_share_the_script():
    @tool
    def add(a: int, b: int) -> int:
        """Add."""
        return a + b

    model = ScriptedChatModel(["one", "two"])
    assert model.bind_tools([add]).invoke("x").text == "one"
    assert asyncio.run(model.ainvoke("y")).text == "two"
    assert [len(call.tools) for call in model.calls] == [1, 0]
    assert model.calls[0].tools[0]["function"]["name"] == "add"


@given(st.text(max_size=60), st.integers(1, 80))
def test_embeddings_are_deterministic_unit_vectors(text, dims):
    vector = HashEmbeddings(dims).embed_query(text)
    assert len(vector) == dims
    assert math.isclose(math.hypot(*vector), 1.0)
    assert vector == HashEmbeddings(dims).embed_documents([text])[0]


def test_texts_that_share_words_are_nearer():
    near, far, other = HashEmbeddings(256).embed_documents(
        ["the nightly backup of the ledger", "ledger backup nightly", "a walk in the park"]
    )
    assert _dot(near, far) > _dot(near, other)


def _dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))
