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


turns = st.lists(
    st.one_of(
        st.just("human"),
        st.just("ai"),
        st.integers(1, 3),
        st.just("orphan"),
        st.just("system"),
        st.just("open"),
    ),
    max_size=14,
)


def conversation(shape):
    messages = []
    for number, each in enumerate(shape):
        if each == "human":
            messages.append(HumanMessage(f"h{number}"))
        elif each == "ai":
            messages.append(AIMessage(f"a{number}"))
        elif each == "system":
            messages.append(SystemMessage(f"s{number}"))
        elif each == "orphan":
            messages.append(answer(f"gone-{number}"))
        elif each == "open":
            messages.append(call(f"open-{number}"))
        else:
            ids = [f"c{number}-{n}" for n in range(each)]
            messages += [call(*ids), *map(answer, ids)]
    return messages


@settings(max_examples=300)
@given(shape=turns, size=st.integers(0, 20))
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
    people = [m for m in messages if isinstance(m, HumanMessage)]
    assert not people or people[-1] in parts.kept
