"""What counts as decided and as open, in varied words."""

import pytest

from langgraph_memory import Actor
from langgraph_memory.conversation.wording import decisions, is_decision, open_questions
from langgraph_memory.publishing.drafts import new_event
from langgraph_memory.testing import FrozenClock

from .conftest import BOB

CLOCK = FrozenClock()


def talk(*turns):
    """Events of a conversation: a line of the user, or of the agent where it begins with `agent:`."""
    events = []
    for number, text in enumerate(turns):
        by_agent = text.startswith("agent: ")
        event = new_event(
            event_id=f"ev_{number}",
            occurred_at=CLOCK(),
            scope=BOB,
            activity_id="a",
            thread_id=None,
            actor=Actor("agent", "agent") if by_agent else Actor("user", "bob"),
            event_type="message.agent" if by_agent else "message.user",
            entities=(),
            evidence_ref=None,
            data={"text": text.removeprefix("agent: ")},
        )
        events.append(event.model_copy(update={"seq": number + 1}))
    return events


@pytest.mark.parametrize(
    "sentence",
    [
        "We decided to move the launch to May.",
        "Let's go with Postgres.",
        "OK, we'll use the blue theme.",
        "I'd recommend renting instead of buying.",
        "My recommendation is the earlier train.",
        "The plan is to paint the kitchen first.",
        "Agreed, Tuesday at ten.",
        "We settled on oak for the floor.",
        "I'm going to take the job in Lyon.",
        "We went with the cheaper insurer.",
        "I suggest weekly backups.",
        "The committee approved the budget.",
        "I'll take the morning flight.",
        "We have chosen the second contractor.",
        "It's decided: no cake this year.",
        "I picked the red one.",
        "OK, Hetzner it is then.",
        "Given the budget, the van is the better choice.",
        "Scrap the newsletter.",
        "Final answer: the blue one.",
        "The board voted for plan B.",
        "We ruled out the cellar.",
        "The launch is postponed to October.",
        "Yes, do it with Redis.",
        "We will not renew the lease.",
        "Everyone signed off on the logo.",
        "The committee chose the second bid.",
        "We're going to paint it white.",
        "Put me down for the vegetarian menu.",
        "From now on invoices go out on the first of the month.",
        "Wir haben uns für Postgres entschieden.",
        "Hemos decidido usar Postgres.",
        "Nous avons choisi le devis de Martin.",
        "Abbiamo deciso di partire lunedì.",
        "我们决定用Postgres。",
        "Postgresを使うことに決めました。",
        "Мы решили использовать Postgres.",
        "قررنا استخدام بوستجرس.",
    ],
)
def test_a_decision_is_one(sentence):
    assert is_decision(sentence)


@pytest.mark.parametrize(
    "sentence",
    [
        "Should we go with Postgres?",
        "We have not decided yet.",
        "The weather is nice today.",
        "I'm not sure whether to take the job.",
        "What do you recommend?",
        "We still need to agree on a date.",
        "He plans a party every year.",
        "I like the blue theme.",
        "How about the blue one?",
        "I haven't made a decision.",
        "They might go with plan B.",
        "Nobody has signed off yet.",
        "I'd use it if I could.",
        "I'm using my phone.",
        "We will not be long.",
        "I'll check the timetable.",
        "I can't decide between the two.",
        "can you take it from here",
        "Wir haben noch nichts entschieden.",
        "还没决定。",
    ],
)
def test_what_is_none_is_none(sentence):
    assert not is_decision(sentence)


def test_a_question_is_open_until_it_is_answered_or_settled():
    unanswered = talk("Which train is faster?", "agent: I don't know, I'll check.", "Thanks.")
    assert [sentence for _, sentence in open_questions(unanswered)] == ["Which train is faster?"]
    answered = talk("Which train is faster?", "agent: The one at nine.")
    assert open_questions(answered) == []
    settled = talk(
        "Which train do we take to Lyon?",
        "agent: I'm not sure.",
        "Let's take the nine o'clock train to Lyon.",
    )
    assert open_questions(settled) == []
    last = talk("Hello.", "agent: Hi.", "And who pays?")
    assert [sentence for _, sentence in open_questions(last)] == ["And who pays?"]


def test_a_question_that_the_person_keeps_open_is_not_answered_by_a_nod():
    asked = "Which day is the delivery? I still need an answer."
    nodded = [sentence for _, sentence in open_questions(talk(asked, "agent: Noted.", "Thanks."))]
    assert nodded == ["Which day is the delivery?", "I still need an answer."]
    told = [sentence for _, sentence in open_questions(talk(asked, "agent: The delivery day is Monday."))]
    assert "Which day is the delivery?" not in told


@pytest.mark.parametrize(
    "answer",
    [
        "I'd have to look that up.",
        "Good question, no clue.",
        "I couldn't find that.",
        "I have no information about that.",
        "I'm unable to check that.",
        "Das weiß ich leider nicht.",
        "No lo sé.",
        "我不清楚。",
        "Я не знаю.",
    ],
)
def test_an_answer_that_is_none_leaves_the_question_open(answer):
    for asked in ("Who signs the lease?", "谁来签合同？", "can you find out who signs the lease"):
        assert len(open_questions(talk(asked, f"agent: {answer}", "Thanks."))) == 1


@pytest.mark.parametrize(
    "sentence",
    [
        "We still don't know who will sign the contract.",
        "The colour is up in the air.",
        "I can't decide between the two.",
        "It remains to be seen who pays.",
        "I'm on the fence about Lyon.",
        "We're torn between two floors.",
        "The venue hasn't replied.",
        "Offen ist noch, wer unterschreibt.",
        "Falta decidir quién paga.",
        "Reste à savoir qui paie.",
        "还没决定谁来付钱。",
        "Ещё не решено, кто платит.",
    ],
)
def test_what_is_called_unsettled_in_other_words_is_open(sentence):
    assert [told for _, told in open_questions(talk(sentence, "agent: Noted."))] == [sentence.rstrip("。")]


@pytest.mark.parametrize(
    "sentence",
    [
        "The window is open.",
        "I know who pays.",
        "He sat on the fence.",
        "We settled the bill.",
        "I still like it.",
    ],
)
def test_what_is_settled_is_not_open(sentence):
    assert open_questions(talk(sentence, "agent: Noted.")) == []


def test_what_somebody_calls_unsettled_is_open():
    told = talk(
        "The colour is still to be decided.", "We need to ask the landlord.", "Remind me to call Eva."
    )
    assert len(open_questions(told)) == 3


def test_what_is_quoted_or_pasted_is_nobodys_decision():
    pasted = talk('The mail says: "We decided to close the branch in the old town of Bern."')
    assert decisions(pasted) == []
    assert len(decisions(talk("We decided to close the branch in the old town of Bern."))) == 1
