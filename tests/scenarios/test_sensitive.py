"""What people say of their health or faith is sensitive by the attribute under which it is kept."""

import pytest

from .cast import BOB, BOBS

SENSITIVE = [
    ("I'm allergic to penicillin.", "allergy"),
    ("I have an allergy to nuts.", "allergy"),
    ("I'm lactose intolerant.", "health"),
    ("I'm celiac.", "health"),
    ("I suffer from migraines.", "health"),
    ("Shellfish makes me break out.", "health"),
    ("I'm Muslim.", "religion"),
]


@pytest.mark.parametrize(("text", "matter"), SENSITIVE)
def test_what_is_said_of_health_or_faith_is_sensitive(session, text, matter):
    session.says(BOB, text, scope=BOBS)
    (fact,) = session.memory.facts(BOBS)
    assert fact.attribute.startswith(matter)
    assert fact.sensitivity == "sensitive"


@pytest.mark.parametrize("text", ["I prefer tea.", "I love gluten-free bread.", "I'm a morning person."])
def test_other_likings_are_not(session, text):
    session.says(BOB, text, scope=BOBS)
    (fact,) = session.memory.facts(BOBS)
    assert (fact.attribute.partition("_")[0], fact.sensitivity) == ("preference", "normal")


def test_several_allergies_stand_side_by_side(session):
    session.says(BOB, "I'm allergic to penicillin.", scope=BOBS)
    session.says(BOB, "I'm allergic to nuts.", scope=BOBS)
    assert len(session.values(BOBS)) == 2
    session.says(BOB, "I'm no longer allergic to nuts.", scope=BOBS)
    assert session.values(BOBS) == ["I'm allergic to penicillin"]
