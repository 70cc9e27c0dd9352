"""Reports of an ending that can be taken at their word, and such as only look like one."""

import pytest

from langgraph_memory.consolidation.rules import reports_end

from .speaking import heard

RULE = "Don't delete gpu-1 until the survey is over"
SURVEY = "the survey is over"
ORDER = "order O-5 is finished"
ALL = "every crate is unpacked"

OVER = [
    ("The survey is finally over!", SURVEY),
    ("The survey on gpu-1 is over.", SURVEY),
    ("The survey was over on Friday.", SURVEY),
    ("The survey is over since Monday.", SURVEY),
    ("The survey is over as of now, thanks.", SURVEY),
    ("I can confirm that the survey is over.", SURVEY),
    ("The survey is over, so maybe we should look at the bill.", SURVEY),
    ("Lena has finished the review.", "the review is finished"),
    ("We are done with the legal review.", "the legal review is done"),
    ("O-5 is finished since this morning.", ORDER),
    ("All crates are unpacked.", ALL),
    ("Every crate was unpacked without problems.", ALL),
    ("QA moved the suite in two days.", "QA moves the suite"),
    ("Survey done!", "the survey is done"),
    ("The survey was over last Sunday.", SURVEY),
    ("We finished the survey at four in the morning.", "the survey is finished"),
    ("The survey was finished by Jonas last night.", "the survey is finished"),
    ("The survey is 100% complete.", "the survey is complete"),
]
ELSE = [
    ("Another survey is over.", SURVEY),
    ("The neighbour's survey is over.", SURVEY),
    ("The soil survey is over.", SURVEY),
    ("The survey of gpu-2 is over.", SURVEY),
    ("The survey is over budget.", SURVEY),
    ("O-5's newsletter is finished.", ORDER),
    ("Order O-6 is finished.", ORDER),
    ("The crate is unpacked.", ALL),
    ("Every crate from Leeds is unpacked.", ALL),
    ("Lena has moved the suite.", "QA moves the suite"),
    ("The legal review is postponed.", "legal review"),
    ("The live album is finished.", "the album is finished"),
    ("The refund has been paid back.", "the refund has been paid"),
    ("The vet's assistant has signed the form.", "the vet has signed the form"),
    ("The form is signed by the vet's assistant.", "the vet has signed the form"),
    ("Other farms have had the form signed.", "the form is signed"),
]
LATER = [
    ("The survey is over tomorrow.", SURVEY),
    ("The survey is over in two weeks.", SURVEY),
    ("The survey is over next Friday.", SURVEY),
    ("On Friday the survey is over.", SURVEY),
    ("The survey is over at six tonight.", SURVEY),
    ("QA used db-1 yesterday.", "the end of the time that QA uses db-1"),
]
ALMOST = [
    ("The survey is nowhere near over.", SURVEY),
    ("The survey is all but over.", SURVEY),
    ("The survey is over for today.", SURVEY),
    ("The survey is over, but only for hall 2.", SURVEY),
    ("The refund has been paid, minus the fee.", "the refund has been paid"),
    ("The survey is 99% complete.", "the survey is complete"),
    ("The vet is signing the form.", "the vet has signed the form"),
    ("Every crate but one is unpacked.", ALL),
    ("Every crate is unpacked, except the last.", ALL),
    ("All orders but O-5 are finished.", ORDER),
    ("Everything apart from order O-5 is finished.", ORDER),
]
GUESSED = [
    ("I believe the survey is over.", SURVEY),
    ("The survey is over, I believe.", SURVEY),
    ("Supposedly the survey is over.", SURVEY),
    ("To my knowledge the survey is over.", SURVEY),
    ("The survey is over, fingers crossed.", SURVEY),
]


@pytest.mark.parametrize(("text", "condition"), OVER)
def test_an_ending_is_taken_at_its_word(text, condition):
    assert reports_end(text, condition, RULE) == "stated"


@pytest.mark.parametrize(("text", "condition"), ELSE + LATER + ALMOST + GUESSED)
def test_what_only_looks_like_an_ending_states_none(text, condition):
    assert reports_end(text, condition, RULE) != "stated"


@pytest.mark.parametrize(("text", "condition"), GUESSED)
def test_a_guess_is_asked_about(text, condition):
    assert reports_end(text, condition, RULE) == "hedged"


@pytest.mark.parametrize(
    "text",
    [
        "The freeze on payments-api is over.",
        "The freeze on payments-api was lifted on Friday.",
        "We lifted the freeze on payments-api yesterday at noon.",
    ],
)
def test_a_freeze_that_was_lifted_has_ended(text):
    assert [(each.entity, each.certainty) for each in heard(text)] == [("payments-api", "stated")]


@pytest.mark.parametrize(
    "text",
    [
        "The freeze on payments-api is as good as over.",
        "The freeze on payments-api is lifted at noon.",
        "The freeze on payments-api should be over.",
        "The freeze on payments-api is lifted, I believe.",
        "The other freeze on payments-api is over.",
        "The freeze on payments-api is over for me.",
        "You can restart payments-api again in a couple of days.",
    ],
)
def test_a_freeze_that_is_to_be_lifted_is_asked_about(text):
    assert {each.certainty for each in heard(text) if each.intent != "assert"} <= {"hedged"}


@pytest.mark.parametrize(
    "text",
    [
        "You can stop gpu-bench-01 again, it looks idle.",
        "You can stop gpu-bench-01 again. See you tomorrow!",
    ],
)
def test_a_look_or_a_farewell_puts_no_release_off(text):
    assert [each.certainty for each in heard(text) if each.intent == "retire"] == ["stated"]
