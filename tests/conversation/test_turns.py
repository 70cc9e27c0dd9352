"""What stays of a conversation is a whole one."""

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.messages import AIMessage, HumanMessage, SystemMessage, ToolMessage

from langgraph_memory.conversation.turns import count_messages, cut


def call(call_id, *more):
    return AIMessage("", tool_calls=[{"name": "look", "args": {}, "id": each} for each in (call_id, *more)])


def answer(call_id):
    return ToolMessage(f"result of {call_id}", tool_call_id=call_id)


TALK = [
    SystemMessage("be kind"),
    HumanMessage("my name is Ana"),
    AIMessage("hello Ana"),
    HumanMessage("look twice"),
    call("a", "b"),
    answer("a"),
    answer("b"),
    AIMessage("looked"),
    HumanMessage("and again"),
    call("c"),
    answer("c"),
]


def kept(messages, max_messages):
    return list(cut(messages, max_messages, count=len).kept)


def test_a_conversation_that_fits_stays_as_it_is():
    parts = cut(TALK, len(TALK), count=len)
    assert list(parts.kept) == TALK
    assert parts.dropped == ()


def test_the_oldest_turns_go_whole_and_the_system_message_stays():
    assert kept(TALK, 9) == [TALK[0], *TALK[3:]]
    assert kept(TALK, 8) == [TALK[0], *TALK[8:]]  # the second turn has five messages, and only four fit


def test_the_newest_turn_is_cut_between_its_steps_where_it_alone_is_too_long():
    long = [HumanMessage("go"), call("a"), answer("a"), call("b", "c"), answer("b"), answer("c")]
    assert kept(long, 5) == [long[0], *long[3:]]
    assert kept(long, 1) == [long[0], *long[3:]]  # less than the last step is no conversation


def test_a_result_without_its_call_never_stays_even_where_all_would_fit():
    parts = cut([answer("gone"), HumanMessage("hi"), AIMessage("hello")], 100, count=len)
    assert [m.type for m in parts.kept] == ["human", "ai"]
    assert [m.type for m in parts.dropped] == ["tool"]


def test_a_conversation_without_a_person_keeps_its_last_steps():
    steps = [call("a"), answer("a"), call("b"), answer("b")]
    assert kept(steps, 3) == steps[2:]
    assert kept([], 0) == []


def test_a_very_long_conversation_is_cut_quickly():
    talk = [message for n in range(4_000) for message in (HumanMessage(f"turn {n}"), AIMessage("ok"))]
    assert len(kept(talk, 101)) == 100
    assert count_messages(cut(talk, 500).kept) <= 500


def test_a_call_without_an_id_or_with_arguments_that_can_not_be_read_keeps_its_result():
    unreadable = AIMessage(
        "", invalid_tool_calls=[{"name": "look", "args": "{", "id": "bad", "error": "no JSON"}]
    )
    for asked, told in ((call(None), answer("")), (call(""), answer("")), (unreadable, answer("bad"))):
        talk = [HumanMessage("one"), AIMessage("1"), HumanMessage("two"), asked, told]
        assert kept(talk, 3) == talk[2:]


def test_a_result_that_comes_after_the_next_request_stays_with_its_call():
    talk = [HumanMessage("one"), call("a"), HumanMessage("two"), answer("a"), AIMessage("2")]
    assert kept(talk, 5) == talk
    assert kept(talk, 4) == [talk[2], talk[4]]


PICTURE = {"type": "image_url", "image_url": {"url": "data:image/png;base64,AAAA"}}
MADE = {
    "human": lambda n: [HumanMessage(f"h{n}")],
    "ai": lambda n: [AIMessage(f"a{n}")],
    "system": lambda n: [SystemMessage(f"s{n}")],
    "orphan": lambda n: [answer(f"gone-{n}")],
    "open": lambda n: [call(f"open-{n}")],
    "pictures": lambda n: [HumanMessage([{"type": "text", "text": f"p{n}"}, PICTURE], id="same")],
    "empty": lambda _: [HumanMessage(""), AIMessage([])],
    "late": lambda n: [call(f"l{n}"), HumanMessage(f"meanwhile {n}"), answer(f"l{n}")],
    "again": lambda n: [call(f"d{n}"), answer(f"d{n}"), answer(f"d{n}")],
    "one": lambda n: [call(f"c{n}"), answer(f"c{n}")],
    "three": lambda n: [call(*"xyz"), *map(answer, "xzy")],
}
"""The messages of a piece of conversation, by its kind; calls of "three" have the same ids each time."""


def conversation(shape):
    return [message for number, each in enumerate(shape) for message in MADE[each](number)]


@settings(max_examples=300)
@given(shape=st.lists(st.sampled_from(sorted(MADE)), max_size=14), size=st.integers(0, 20))
def test_pairs_stay_together_order_stays_and_nothing_is_lost(shape, size):
    messages = conversation(shape)
    parts = cut(messages, size, count=len)
    places = {id(message): n for n, message in enumerate(messages)}
    order = [places[id(message)] for message in parts.kept]
    assert order == sorted(order)
    assert sorted([*order, *(places[id(message)] for message in parts.dropped)]) == list(range(len(messages)))
    called = {c["id"] for m in parts.kept if isinstance(m, AIMessage) for c in m.tool_calls}
    answered = {m.tool_call_id for m in parts.kept if isinstance(m, ToolMessage)}
    assert answered <= called
    assert {each for each in called if not each.startswith("open")} == answered
    least = cut(messages, 0, count=len).kept
    assert len(parts.kept) <= max(size, len(least))
    people = [m for m in messages if isinstance(m, HumanMessage)]
    assert not people or any(message is people[-1] for message in parts.kept)
