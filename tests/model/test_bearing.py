"""What a model proposes counts as the cited words have it: polarity, amounts, its entity, its end."""

import pytest

from langgraph_memory.consolidation.facts.bearing import bears, names_deeds, names_end

from .scene import FACTS, TEAM, TOLD, scene

TWO = "Boiler BO-1 runs at 60 degrees, boiler BO-2 runs at 80 degrees."
SAID_OTHERWISE = [
    ("Never wax board BD-3.", "Wax board BD-3", "bd-3"),
    ("Shed SH-1 isn't dry.", "dry", "sh-1"),
    ("BD-3 gets no varnish.", "gets varnish", "bd-3"),
    ("Nobody may ride BK-2.", "may ride BK-2", "bk-2"),
    ("The margin of FU-1 is -40 euros.", "margin 40 euros", "fu-1"),
    ("The margin of FU-1 is 40 euros.", "margin -40 euros", "fu-1"),
    ("Mix MX-1 has 30 mg.", "has 30 g", "mx-1"),
    ("Mix MX-1 costs 30 dollars.", "costs 30 euros", "mx-1"),
    (TWO, "80 degrees", "bo-1"),
    ("Loft LO-1 is let, loft LO-2 is not.", "is let", "lo-2"),
]
SAID = [
    ("Never wax board BD-3.", "Never wax board BD-3", "bd-3"),
    ("Shed SH-1 isn't dry but it is clean.", "clean", "sh-1"),
    ("Shed SH-1 isn't dry.", "not dry", "sh-1"),
    ("The margin of FU-1 is -40 euros.", "margin -40 euros", "fu-1"),
    ("Mix MX-1 has 30 mg.", "has 30 milligrams", "mx-1"),
    (TWO, "80 degrees", "bo-2"),
    ("Lofts LO-1 and LO-2 open at 9.", "open at 9", "lo-1"),
    ("Move crate CR-1 to bay BA-2.", "Move to bay BA-2", "cr-1"),
    ("Nobody but Ida may ride BK-2.", "only Ida may ride BK-2", "bk-2"),
    ("No problem, BK-2 is blue.", "BK-2 is blue", "bk-2"),
]


@pytest.mark.parametrize(("text", "value", "own"), SAID_OTHERWISE)
def test_words_in_common_are_not_enough(text, value, own):
    assert not bears(value, text, {own})


@pytest.mark.parametrize(("text", "value", "own"), SAID)
def test_what_is_said_is_borne(text, value, own):
    assert bears(value, text, {own})


def test_an_end_and_deeds_have_to_be_named():
    assert names_end("the audit ends", "Don't close it until the audit ends.")
    assert not names_end("the bank is sold", "Don't close it.")
    assert names_deeds(["close"], "Don't close it.")
    assert not names_deeds(["close", "pay"], "Don't close it.")
    assert names_deeds(["stop", "delete"], "Don't shut it down.")
    assert names_deeds(["*"], "Hands off.")


@pytest.mark.parametrize("made_up", [{"ends_when": "the moon is full"}, {"forbids": ["pay", "delete"]}])
def test_what_the_words_do_not_carry_is_asked_about(made_up):
    (proposed,) = FACTS["facts"]
    said = "Don't rotate the keys of db-7."
    fact = {**proposed, "value": "don't rotate the keys of db-7", "forbids": ["rotate"], "ends_when": None}
    with scene({"facts": [fact | made_up]}, TOLD) as s:
        s.say(said)
        s.end()
        s.memory.consolidate()
        assert not [fact for fact in s.memory.facts(TEAM) if fact.ends_when or "pay" in fact.forbids]
        assert s.memory.facts(TEAM, status=("candidate",))


def test_a_dropped_not_never_holds():
    (proposed,) = FACTS["facts"]
    opposite = {**proposed, "value": "touch db-7 before the audit on 12 May is over", "ends_when": None}
    with scene({"facts": [{**opposite, "kind": "fact", "attribute": "plan", "forbids": []}]}, TOLD) as s:
        s.heard()
        assert not s.memory.facts(TEAM, attribute="plan")
