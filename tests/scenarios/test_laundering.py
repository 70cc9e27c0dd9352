"""A value that was rejected stays out, in whatever dress, by whatever door, until someone confirms it."""

import pytest

from langgraph_memory.testing import FrozenClock

from .cast import AGENT, ANA, DEVELOPER, GPU, KEEP, LEAD, Session

CYRILLIC = str.maketrans("eopa", "\u0435\u043e\u0440\u0430")
DRESSES = {
    "same": KEEP,
    "louder": KEEP.upper() + "!!!",
    "spaced": KEEP.replace(" ", "   "),
    "full width": "".join(chr(ord(c) + 0xFEE0) if c.isalpha() else c for c in KEEP),
    "cyrillic": KEEP.translate(CYRILLIC),
    "zero width": "\u200b".join(KEEP),
    "soft hyphens": KEEP.replace("running", "run\u00adning"),
    "accents": KEEP.replace("e", "\u00e9"),
}


@pytest.fixture
def rejected(session):
    """A session in which the lead has rejected the rule."""
    fact = session.rule().fact
    session.memory.reject(fact.fact_id, principal=ANA, reason="a misunderstanding")
    session.fact_id = fact.fact_id
    return session


@pytest.mark.parametrize("value", DRESSES.values(), ids=DRESSES)
def test_in_other_letters(rejected, value):
    assert rejected.rule(value=value).outcome == "rejected"
    assert rejected.rule(DEVELOPER, value=value).outcome == "rejected"
    assert rejected.values(status=("current", "candidate", "unverified")) == []


def test_under_another_attribute_or_name_of_the_entity(rejected):
    assert rejected.rule(attribute="power_policy").outcome == "rejected"
    assert rejected.rule(entity=f"vm:{GPU}").outcome == "rejected"
    assert rejected.rule(entity="db-1", value="Keep db-1 running").outcome == "established"


def test_said_again_and_again_by_everybody(rejected):
    for actor in (LEAD, DEVELOPER, AGENT, LEAD):
        rejected.later(days=1)
        rejected.says(actor, f"{KEEP}.")
    assert rejected.values() == []
    assert rejected.stopping() == "allow"
    rejected.memory.confirm(rejected.fact_id, principal=ANA)
    assert rejected.stopping() == "block"


def test_after_another_value_has_come_and_gone(rejected):
    other = rejected.rule(value="Stop it on Sundays").fact
    rejected.later(days=1)
    assert rejected.rule().outcome == "rejected"
    assert rejected.values() == ["Stop it on Sundays"]
    rejected.memory.retire(other.fact_id, principal=ANA, evidence_ref="t://1")
    assert rejected.rule().outcome == "rejected"


def test_years_later_after_every_interval(rejected):
    for _ in range(5):
        rejected.later(days=400)
        rejected.memory.consolidate()
        assert rejected.rule().outcome == "rejected"
    assert rejected.rule(value="Keep it on weekends").outcome == "established"


def test_after_a_restart_and_a_rebuild(tmp_path):
    first = Session(tmp_path / "memory")
    fact = first.rule().fact
    first.memory.reject(fact.fact_id, principal=ANA, reason="no")
    first.memory.close()
    again = Session(tmp_path / "memory")
    again.clock.advance(days=1)
    again.memory.store.rebuild()
    assert again.rule().outcome == "rejected"
    again.memory.confirm(fact.fact_id, principal=ANA)
    assert again.values() == [KEEP]
    again.memory.close()


def test_by_merging_or_correcting(rejected):
    other = rejected.rule(value="Keep it on weekends").fact
    assert rejected.memory.correct(other.fact_id, value=KEEP, principal=ANA).outcome == "rejected"
    assert rejected.values() == ["Keep it on weekends"]


def test_by_corroborating_guesses(rejected):
    for _ in range(3):
        rejected.later(hours=1)
        rejected.says(LEAD, f"I think we should {KEEP[0].lower()}{KEEP[1:]}.")
    held = rejected.values()
    assert held == [] or KEEP not in held


def test_a_negation_or_another_number_is_another_value(rejected):
    assert rejected.rule(value=f"Do not keep {GPU} running").outcome == "established"
    assert rejected.rule(value=f"Keep {GPU} running for 3 days", entity="db-2").outcome == "established"
    assert FrozenClock() is not None
