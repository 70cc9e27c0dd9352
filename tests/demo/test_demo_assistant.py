"""The personal assistant: two sessions, and right answers from an empty list of messages."""

import pytest
from langgraph.checkpoint.memory import InMemorySaver

from langgraph_memory import Memory, MemoryContext, Principal, Scope
from langgraph_memory.demo.assistant import PERSONA, assistant_graph
from langgraph_memory.demo.replies import reply
from langgraph_memory.testing import FrozenClock, ScriptedChatModel

BOB = Scope.of(org="home", user="bob")
EVE = Scope.of(org="home", user="eve")

MONDAY = (
    "Hi! My name is Aadhil and my favorite language is Python.",
    "I'm a data engineer working on a legal CRM side project with React and Tailwind.",
    "I prefer code examples without semicolons.",
    "Always pick one option for me, never three.",
    "What's the weather like?",
    "Which PDF library should I use for the invoice export?",
)


class Sessions:
    """A user's sessions with an assistant; each is a thread."""

    def __init__(self, memory, model=None, **options):
        self.memory = memory
        self.graph = assistant_graph(lambda: memory, model, checkpointer=InMemorySaver(), **options)

    def say(self, text, thread, scope=BOB):
        return self._run({"messages": [("user", text)]}, thread, scope)

    def end(self, thread, scope=BOB):
        return self._run({"session": "ended"}, thread, scope)

    def ask(self, text, thread="thursday", scope=BOB):
        """The answer to the first message of a session."""
        state = self.say(text, thread, scope)
        assert len(state["messages"]) == 2
        return state["messages"][-1].text

    def _run(self, given, thread, scope):
        context = MemoryContext(Principal(scope.user, grants=(scope,)), scope)
        return self.graph.invoke(given, {"configurable": {"thread_id": thread}}, context=context)


@pytest.fixture
def memory():
    with Memory.open(":memory:", clock=FrozenClock()) as opened:
        yield opened


@pytest.fixture
def sessions(memory):
    """An assistant whose user talked on Monday and left."""
    assistant = Sessions(memory)
    for text in MONDAY:
        assistant.say(text, "monday")
    assert assistant.end("monday")["messages"] == []
    memory.clock.advance(days=3)
    return assistant


@pytest.mark.parametrize(
    ("question", "answer"),
    [
        ("What's my name and favorite language?", "Your name is Aadhil. Your favorite language is Python."),
        ("Do I like semicolons?", "You prefer code examples without semicolons."),
        (
            "Which date picker should I use?",
            "I recommend one, since you use React: react-aria is accessible.",
        ),
        ("What is my cat called?", "I don't know that yet."),
        ("Who am I?", "Your name is Aadhil."),
    ],
)
def test_a_new_session_answers_from_what_the_user_told(sessions, question, answer):
    said = sessions.ask(question)
    assert sorted(said.split(". ")) == sorted(answer.split(". ")) or said == answer


def test_a_new_session_knows_what_the_user_does(sessions):
    assert "a data engineer working on a legal CRM" in sessions.ask("What do I do for a living?")


def test_a_new_session_tells_its_recommendation_again(sessions):
    answer = sessions.ask("What was your recommendation again?")
    assert (
        answer
        == 'On 2026-03-02 I said: "I recommend one, since you use React: react-pdf draws it from components."'
    )


def test_a_new_session_tells_what_was_merely_said(memory):
    assistant = Sessions(memory)
    assistant.say("The invoice number was 4711.", "monday")
    assistant.say("Nice weather.", "monday")
    assistant.end("monday")
    assert assistant.ask("What was the invoice number again?").endswith(
        'you said: "The invoice number was 4711."'
    )


def test_what_was_told_in_passing_and_what_was_agreed_is_told_again(memory):
    assistant = Sessions(memory)
    for text in (
        "I live in Utrecht and work as a nurse.",
        "We decided to plant tomatoes in the north bed.",
        "I still don't know who will water the plants in July.",
    ):
        assistant.say(text, "monday")
    assistant.end("monday")
    assert "work as a nurse" in assistant.ask("What's my job?", "t1")
    assert "plant tomatoes" in assistant.ask("Remind me what we agreed on.", "t2")
    assert "who will water the plants" in assistant.ask("What is still open?", "t3")
    assert assistant.ask("Remind me to call Eva.", "t4") == "Noted."


def test_the_archived_session_has_importance_keywords_and_what_is_open(sessions, memory):
    (episode,) = memory.episodes(BOB)
    assert episode.importance >= 7
    assert episode.keywords
    assert "Open: What's the weather like?" in episode.resolution


def test_without_a_first_session_it_knows_nothing(memory):
    fresh = Sessions(memory)
    assert fresh.ask("What's my name and favorite language?") == "I don't know that yet."
    assert fresh.ask("What was your recommendation again?", "t2") == "I don't know that yet."
    assert "one of three: flatpickr" in fresh.ask("Which date picker should I use?", "t3")


def test_another_user_gets_nothing_of_it(sessions):
    assert sessions.ask("What's my name?", "eve", EVE) == "I don't know that yet."
    assert sessions.ask("What's my name?", "bob") == "Your name is Aadhil."


def test_a_changed_mind_is_what_counts(sessions):
    sessions.say("My favorite language is Rust now.", "tuesday")
    sessions.end("tuesday")
    answer = sessions.ask("What's my favorite language?")
    assert "Rust" in answer
    assert "Python" not in answer


def test_a_long_session_is_compacted_and_still_archived_whole(memory):
    assistant = Sessions(memory, conversation_tokens=400)
    for text in (
        *MONDAY,
        *(f"Remark {n}: the day was long, and nothing came of it at all." for n in range(12)),
    ):
        state = assistant.say(text, "monday")
    assert len(state["messages"]) < 20
    assert "of 2" in state["messages"][0].text.splitlines()[0]
    assert "My name is Aadhil" in state["messages"][0].text
    assistant.end("monday")
    (episode,) = memory.episodes(BOB)
    assert "react-pdf" in episode.resolution


def test_a_model_reads_the_persona_first_and_memory_last(sessions, memory):
    model = ScriptedChatModel(["react-pdf, Aadhil."])
    assistant = Sessions(memory, model)
    assert assistant.ask("What was your recommendation again?") == "react-pdf, Aadhil."
    (call,) = model.calls
    assert [message.type for message in call.messages] == ["system", "human", "human"]
    assert call.messages[0].text == PERSONA
    assert "My name is Aadhil" in call.messages[-1].text
    assert "I recommend one, since you use React" in call.messages[-1].text
    assert sessions is not None


def test_statements_are_noted_and_what_is_not_known_is_said():
    assert reply("My name is Ana.", "") == "Noted."
    assert reply("What's my name?", "") == "I don't know that yet."
    assert reply("What's my name?", "", ["My name is Ana."]) == "Your name is Ana."
