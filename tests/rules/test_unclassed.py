"""A prohibition whose verb no class of actions has is asked about, and calls that may be it wait."""

import pytest

from langgraph_memory import Memory, Policy, Principal
from langgraph_memory.inflections import base_form
from langgraph_memory.policy import ToolRule
from langgraph_memory.testing import FrozenClock
from langgraph_memory.verbs import free, said_in, stem_of

from .speaking import heard
from .test_decisions import ANA, POLICY, TEAM, publish

LEAD = Principal("ana", roles=frozenset({"lead"}), grants=(TEAM,))
FORBIDDEN = [
    ("Never engrave plate PL-4.", "engrave"),
    ("PL-4 must not be engraved.", "engrave"),
    ("Nobody may engrave PL-4.", "engrave"),
    ("I forbid you to engrave PL-4.", "engrave"),
    ("Engraving PL-4 is forbidden.", "engrave"),
    ("Don't let anyone engrave PL-4.", "engrave"),
    ("Only Ida may engrave PL-4.", "engrave"),
    ("No engraving of PL-4, please.", "engrave"),
    ("We don't lend PL-4.", "lend"),
    ("PL-4 is not to be lent.", "lend"),
]
WHOLLY_KNOWN = [
    "Don't take PL-4 offline.",
    "PL-4 isn't to be powered down.",
    "Don't issue a refund on PL-4.",
    "Please don't let the cleanup job delete PL-4.",
]
ASKS_NOTHING = [
    "Don't worry about PL-4.",
    "I don't recognise PL-4.",
    "We never saw PL-4 before.",
    "PL-4 didn't arrive.",
    "PL-4 doesn't rattle.",
    "Don't you find PL-4 odd?",
    "We couldn't engrave PL-4.",
    "PL-4 must not be late.",
]


@pytest.fixture
def memory():
    with Memory.open(":memory:", policy=POLICY, clock=FrozenClock(), index=None) as memory:
        yield memory


def say(memory, text, activity="a", *, done=True):
    publish(memory, activity, "message.user", {"text": text}, ANA)
    if done:
        publish(memory, activity, "activity.completed", {"status": "completed"})
        memory.consolidate()


def outcome(memory, tool, **args):
    return memory.check(tool, args or {"id": "PL-4"}, principal=LEAD, scope=TEAM).outcome


@pytest.mark.parametrize(("text", "verb"), FORBIDDEN)
def test_the_verb_itself_is_ruled_out(text, verb):
    (found,) = [each for each in heard(text) if each.forbids]
    assert (found.entity, found.forbids, found.intent) == ("PL-4", (verb,), "assert")


@pytest.mark.parametrize("text", ASKS_NOTHING)
def test_what_forbids_nothing_leaves_nothing(text):
    assert not [each for each in heard(text) if each.forbids]


@pytest.mark.parametrize("text", WHOLLY_KNOWN)
def test_verbs_of_several_words_leave_nothing_over(text):
    (found,) = heard(text)
    assert not free(found.forbids)


def test_it_waits_for_a_person_and_holds_what_may_be_it(memory):
    say(memory, "Never engrave plate PL-4.")
    (fact,) = memory.facts(TEAM, status=("candidate", "current"))
    assert (fact.status, fact.asks_first, fact.forbids) == ("candidate", True, ("engrave",))
    held = [
        outcome(memory, tool) for tool in ("engrave_plate", "startEngraving", "frobnicate", "delete_plate")
    ]
    assert held == ["defer"] * 4
    assert [outcome(memory, tool) for tool in ("rename_plate", "get_plate")] == ["allow"] * 2
    assert outcome(memory, "engrave_plate", id="PL-5") == "allow"


def test_it_holds_before_it_is_consolidated(memory):
    say(memory, "PL-4 must not be engraved.", done=False)
    assert outcome(memory, "engrave_plate") == "defer"


def test_a_word_too_long_for_a_verb_is_taken_as_it_stands():
    long = "re" * 10_000 + "starting"
    assert base_form(long) == stem_of(long) == long
    assert said_in(long) == {long}
    assert stem_of("anonymising") != "anonymising"


def test_once_confirmed_it_blocks_its_verb_alone(memory):
    say(memory, "Never engrave plate PL-4.")
    (fact,) = memory.facts(TEAM, status=("candidate",))
    memory.confirm(fact.fact_id, principal=LEAD)
    assert [outcome(memory, tool) for tool in ("engrave_plate", "update_engravings")] == ["block", "block"]
    assert outcome(memory, "update_plate", id="PL-4", status="engraved") == "block"
    assert outcome(memory, "rename_plate") == "allow"


def test_what_a_tool_declares_blocks_at_once():
    policy = POLICY.model_copy(update={"tools": {"press": ToolRule(actions=frozenset({"engrave"}))}})
    assert isinstance(policy, Policy)
    with Memory.open(":memory:", policy=policy, clock=FrozenClock(), index=None) as memory:
        say(memory, "Never engrave plate PL-4.")
        assert outcome(memory, "press") == "block"


def test_a_release_answers_it_and_another_one_does_not(memory):
    say(memory, "Never engrave plate PL-4.")
    say(memory, "You may stop PL-4 again.", "b")
    assert outcome(memory, "engrave_plate") == "defer"
    say(memory, "You may engrave PL-4 now.", "c")
    assert outcome(memory, "engrave_plate") == "allow"


def test_a_known_class_beside_it_holds_at_once(memory):
    say(memory, "PL-4 must not be deleted or engraved.")
    assert [outcome(memory, tool) for tool in ("delete_plate", "engrave_plate")] == ["block", "defer"]


def test_a_rule_of_work_about_a_thing_does_not_hold_and_forbid_nothing(memory):
    say(memory, "Never escalate PL-4.")
    assert not [fact for fact in memory.facts(TEAM) if fact.kind == "constraint" and not fact.forbids]


@pytest.mark.parametrize(
    ("said", "base"),
    [
        ("sold", "sell"),
        ("anonymising", "anonymise"),
        ("expelled", "expel"),
        ("carries", "carry"),
        ("triaged", "triage"),
        ("installing", "install"),
        ("printed", "print"),
        ("hedges", "hedge"),
    ],
)
def test_forms_of_a_verb_are_one(said, base):
    assert base_form(said) == base
    assert stem_of(said) == stem_of(base)
