"""What may become memory: personal data by class, consent by scope, and how long things are kept."""

from datetime import timedelta

import pytest

from langgraph_memory import Memory, MemoryFilesBackend, Policy, memory_tool
from langgraph_memory.consolidation.facts.lifecycle import revalidation
from langgraph_memory.errors import InvalidEventError, MemoryFileError, PersonalDataError, UnknownRecordError
from langgraph_memory.records import FactKind

from .world import (
    ANA,
    BOB,
    BOB_SCOPE,
    BOBS,
    DEVELOPER,
    EVERY,
    GPU,
    KEEP,
    KEEP_SANDBOX,
    LEAD,
    ORG,
    POLICY,
    SANDBOX,
    TEAM,
    say,
    state,
    tell,
    values,
)

MAIL, SSN = "ana@example.org", "536-22-8741"
LIFT = "The lift is broken again today, sadly."


@pytest.fixture
def opened(clock):
    """Opens a memory whose policy has some more rules."""
    memories = []

    def open_(**rules):
        policy = Policy(authority=POLICY.authority, **rules)
        memories.append(Memory.open(":memory:", policy=policy, clock=clock, index=None))
        return memories[-1]

    yield open_
    for memory in memories:
        memory.close()


def texts(memory):
    return " ".join(event.model_dump_json() for event in memory.events(TEAM))


def test_personal_data_is_kept_redacted_or_refused_by_class(opened):
    memory = opened(personal={"email": "redact", "us-ssn": "refuse", "phone": "keep"})
    say(memory, DEVELOPER, f"Write to {MAIL} or call +44 7700 900123.", activity="act")
    assert MAIL not in texts(memory)
    assert "[redacted:email]" in texts(memory)
    assert "900123" in texts(memory)
    with pytest.raises(PersonalDataError, match="us-ssn"):
        say(memory, DEVELOPER, f"My SSN is {SSN}.", activity="act")
    assert len(memory.events(TEAM)) == 1
    with pytest.raises(InvalidEventError):
        state(memory, f"SSN {SSN}", kind="identity")
    assert memory.facts(TEAM, status=EVERY) == []
    state(memory, f"reach her at {MAIL}", kind="identity", attribute="contact")
    assert values(memory.facts(TEAM)) == ["reach her at [redacted:email]"]


def test_without_rules_personal_data_is_kept(memory):
    say(memory, DEVELOPER, f"{MAIL} {SSN}", activity="act")
    assert MAIL in texts(memory)
    assert SSN in texts(memory)


def test_an_import_follows_the_same_rules(memory, opened, tmp_path):
    say(memory, DEVELOPER, f"My SSN is {SSN}.", activity="act-1", event_id="ev-ssn")
    say(memory, DEVELOPER, f"My mail is {MAIL}.", activity="act-2")
    memory.export(TEAM, tmp_path / "out.jsonl")
    strict = opened(personal={"email": "redact", "us-ssn": "refuse"})
    report = strict.import_(tmp_path / "out.jsonl")
    assert [left.id for left in report.left_out] == ["ev-ssn"]
    assert len(strict.events(TEAM)) == 1
    assert MAIL not in texts(strict)
    strict.export(TEAM, tmp_path / "again.jsonl")
    assert "redacted:email" in (tmp_path / "again.jsonl").read_text("utf-8")


def test_without_consent_nothing_becomes_memory(opened):
    memory = opened(consent={BOB_SCOPE: False})
    tell(memory, BOB, "I prefer short answers.", activity="act-1", scope=BOB_SCOPE)
    preference = {"entity": "user:bob", "scope": BOB_SCOPE, "actor": BOB, "kind": "preference"}
    outcome = state(memory, "likes tea", **preference)
    assert (outcome.outcome, outcome.fact) == ("ignored", None)
    assert "consent" in outcome.reason
    assert memory.facts(BOB_SCOPE, status=EVERY) == []
    assert memory.episodes(BOB_SCOPE) == []
    assert memory.backlog().due == 0
    assert "short" not in memory.recall("answers", principal=BOBS, scope=BOB_SCOPE).render()
    say(memory, BOB, "I also prefer tables.", activity="act-2", scope=BOB_SCOPE)
    assert "tables" not in memory.recall("prefer tables", principal=BOBS, scope=BOB_SCOPE).render()
    tell(memory, LEAD, f"{KEEP}.", activity="act-1")
    assert values(memory.facts(TEAM)) == [KEEP]
    assert memory.episodes(TEAM)


def test_without_consent_no_rule_of_behaviour_is_learnt(opened, memory, tmp_path):
    wish, asked = "Stop giving me three options", {"scope": BOB_SCOPE, "actor": BOB}
    closed = opened(consent={BOB_SCOPE: False})
    assert closed.behaviour.learn(wish, **asked) is None
    assert closed.audit(closed.events(BOB_SCOPE)[0].event_id)[0].decision == "skipped"
    assert memory.behaviour.learn(wish, **asked)
    memory.export(BOB_SCOPE, tmp_path / "out.jsonl")
    assert closed.import_(tmp_path / "out.jsonl").procedures == 0
    for each, told in ((closed, False), (memory, True)):
        recall = each.recall("options", principal=BOBS, scope=BOB_SCOPE)
        assert ("three options" in recall.render()) is told


@pytest.mark.parametrize("scope", [BOB_SCOPE, TEAM], ids=["personal", "shared"])
def test_without_consent_no_note_is_written_and_those_there_can_be_read_and_deleted(tmp_path, clock, scope):
    def kept(consent):
        policy = Policy(authority=POLICY.authority, consent=consent)
        return Memory.open(tmp_path / "memory", policy=policy, clock=clock, index=None)

    with kept({}) as memory:
        memory.files(principal=BOBS, scope=scope).create("/memories/a.md", "Bob likes tea.")
    with kept({ORG: False}) as memory:
        notes = memory.files(principal=BOBS, scope=scope)
        for write in (
            lambda: notes.create("/memories/b.md", "Bob likes tables."),
            lambda: notes.write("/memories/b.md", "Bob likes tables."),
            lambda: notes.str_replace("/memories/a.md", "tea", "tables"),
            lambda: notes.insert("/memories/a.md", 0, "Bob likes tables."),
            lambda: notes.rename("/memories/a.md", "/memories/bob-likes-tables.md"),
        ):
            with pytest.raises(MemoryFileError, match="no consent"):
                write()
        tool = memory_tool(memory, principal=BOBS, scope=scope)
        told = tool.invoke({"command": "create", "path": "/memories/b.md", "file_text": "Bob likes tables."})
        assert "no consent" in told
        backend = MemoryFilesBackend(memory, principal=BOBS, scope=scope)
        assert "no consent" in backend.write("/memories/b.md", "Bob likes tables.").error
        assert [entry.path for entry in notes.entries()] == ["/memories/a.md"]
        assert notes.read("/memories/a.md") == "Bob likes tea."
        notes.delete("/memories/a.md")
        assert notes.entries() == []


def test_with_consent_the_same_words_become_memory(opened):
    memory = opened(consent={ORG: False, BOB_SCOPE: True, TEAM: True})
    tell(memory, BOB, "I prefer short answers.", activity="act-1", scope=BOB_SCOPE)
    assert memory.facts(BOB_SCOPE)
    assert memory.episodes(BOB_SCOPE)
    assert state(memory, KEEP).outcome == "established"
    assert state(memory, KEEP, scope=ORG).outcome == "ignored"


def test_an_import_brings_nothing_where_there_is_no_consent(memory, opened, tmp_path):
    tell(memory, LEAD, f"{KEEP}.", activity="act-1")
    memory.export(TEAM, tmp_path / "out.jsonl")
    closed, opened_ = opened(consent={TEAM: False}), opened()
    closed.import_(tmp_path / "out.jsonl")
    opened_.import_(tmp_path / "out.jsonl")
    assert closed.facts(TEAM, status=EVERY) == closed.episodes(TEAM) == []
    assert values(opened_.facts(TEAM)) == [KEEP]


def test_what_is_personal_or_sensitive_is_asked_about_sooner(memory, clock):
    def months(attribute, value):
        fact = state(memory, value, attribute=attribute, kind="identity", entity=f"user:{attribute}").fact
        return fact.sensitivity, (fact.revalidate_after - clock()) / timedelta(days=30)

    assert months("nickname", "Ana") == ("normal", 24)
    assert months("contact", f"mail {MAIL}") == ("personal", 12)
    assert months("tax", f"SSN {SSN}") == ("sensitive", 6)
    assert months("allergy", "peanuts") == ("sensitive", 6)
    assert revalidation(
        FactKind.IDENTITY, "explicit", clock(), Policy(sensitivity_share={}), "sensitive"
    ) == (clock() + timedelta(days=720))


def test_sensitivity_shortens_how_long_an_ended_fact_is_kept(opened, clock):
    memory = opened(retention={"ended": timedelta(days=100)})
    for number in (1, 2):
        state(memory, f"colour {number}", attribute="colour", kind="fact", forbids=())
        state(memory, f"mail {number}{MAIL}", attribute="contact", kind="fact", forbids=())
        state(memory, f"allergic to {number}", attribute="allergen", kind="fact", forbids=())
    ended = lambda: values(memory.facts(TEAM, status=["superseded"]))  # noqa: E731
    for days, left in ((20, 3), (10, 2), (30, 1), (50, 0)):
        clock.advance(days=days)
        memory.consolidate()
        assert len(ended()) == left, days
    assert len(memory.facts(TEAM, status=["current", "candidate"])) == 3
    assert memory.audit(memory.facts(TEAM)[0].supersedes or "")[-1].decision == "expired"


def test_each_class_is_kept_for_its_own_time(opened, clock):
    week = timedelta(days=7)
    memory = opened(
        retention={"event": 8 * week, "episode": 4 * week, "unverified": 2 * week, "receipt": week}
    )
    tell(memory, LEAD, f"{KEEP}.", activity="act-1")
    tell(memory, DEVELOPER, LIFT, activity="act-2", names=(SANDBOX,), event_type="feedback.correction")
    state(memory, KEEP_SANDBOX, entity=SANDBOX, actor=DEVELOPER)
    receipt = memory.recall("lift", principal=ANA, scope=TEAM).receipt_id

    def held():
        return (
            len(memory.events(TEAM)),
            len(memory.episodes(TEAM)),
            len(memory.facts(TEAM, status=["unverified"])),
            len(memory.facts(TEAM)),
        )

    assert memory.explain(receipt)
    events = len(memory.events(TEAM))
    assert held() == (events, 2, 1, 1)
    clock.advance(days=8)
    memory.consolidate()
    assert held() == (events, 2, 1, 1)
    with pytest.raises(UnknownRecordError):
        memory.explain(receipt)
    clock.advance(days=7)
    memory.consolidate()
    assert held() == (events, 2, 0, 1)
    clock.advance(days=14)
    memory.consolidate()
    assert held() == (events, 0, 0, 1)
    clock.advance(days=28)
    memory.consolidate()
    assert held() == (1, 0, 0, 1)
    assert KEEP in texts(memory)
    assert "lift" not in texts(memory)
    assert memory.check("stop_instance", {"name": GPU}, principal=ANA, scope=TEAM).outcome == "block"


def test_nothing_expires_where_the_policy_names_no_time(memory, clock):
    tell(memory, DEVELOPER, LIFT, activity="act-1", event_type="feedback.correction")
    state(memory, KEEP, actor=DEVELOPER)
    clock.advance(days=3_650)
    memory.consolidate()
    assert memory.events(TEAM)
    assert memory.episodes(TEAM)
    assert memory.facts(TEAM, status=["unverified"])
