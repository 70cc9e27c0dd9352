"""What people say without a model to read it: the forms of instruction, each with a twin that is none."""

import pytest

from langgraph_memory import Actor, Principal, Scope

from .world import DAN, GPU, LEAD, STAGING, end, hear, say

BOB = Scope.of(org="acme", user="bob")

RULES = [
    "Keep gpu-bench-01 running until the audit is over.",
    "Please keep gpu-bench-01 up until the auditors have left.",
    "Don't stop gpu-bench-01 until the audit is over.",
    "Do not shut down gpu-bench-01 until finance has signed off.",
    "Never terminate gpu-bench-01 before the auditors have left.",
    "From now on, don't stop gpu-bench-01.",
    "gpu-bench-01 must not be stopped until the audit is over.",
    "Leave gpu-bench-01 running until further notice.",
]
NO_RULES = [
    "Should we keep gpu-bench-01 running until the audit is over?",
    "We used to keep gpu-bench-01 running until the audit was over.",
    "Stop gpu-bench-01.",
    "What is the load of gpu-bench-01?",
    "If we ever get an audit, we might keep gpu-bench-01 running until it is over.",
    "Just for this one run, leave gpu-bench-01 alone.",
    'The ticket says "keep gpu-bench-01 running until the audit is over", which is nonsense.',
]


def stop(memory):
    return memory.check("stop_instance", {"instance": GPU}, principal=DAN, scope=STAGING).outcome


@pytest.mark.parametrize("text", RULES)
def test_an_instruction_becomes_a_constraint(memory, text):
    hear(memory, LEAD, text)
    (fact,) = memory.facts(STAGING, entity=GPU)
    assert fact.kind == "constraint"
    assert stop(memory) == "block"


@pytest.mark.parametrize(
    "text",
    [
        "I wonder whether gpu-bench-01 is needed until the audit is over.",
        "Maybe we ought to keep gpu-bench-01 running for a while.",
    ],
)
def test_what_may_be_one_is_asked_about(memory, text):
    hear(memory, LEAD, text)
    assert memory.facts(STAGING, entity=GPU) == []
    assert stop(memory) == "defer"


@pytest.mark.parametrize("text", NO_RULES)
def test_what_is_no_instruction_becomes_none(memory, text):
    hear(memory, LEAD, text)
    assert memory.facts(STAGING, entity=GPU) == []
    assert stop(memory) == "allow"


@pytest.mark.parametrize(
    ("text", "condition"),
    [
        (RULES[0], "audit is over"),
        (RULES[2], "audit is over"),
        (RULES[3], "finance has signed off"),
    ],
)
def test_the_condition_is_kept_in_the_speakers_words(memory, text, condition):
    hear(memory, LEAD, text)
    (fact,) = memory.facts(STAGING, entity=GPU)
    assert condition in fact.ends_when


@pytest.mark.parametrize(
    "release",
    [
        "The audit is over, gpu-bench-01 may be stopped again.",
        "gpu-bench-01 no longer needs to be kept running.",
        "You can stop gpu-bench-01 from now on, the audit is over.",
    ],
)
def test_a_release_lifts_the_constraint(memory, release):
    hear(memory, LEAD, RULES[0], activity="act-rule")
    assert stop(memory) == "block"
    hear(memory, LEAD, release, activity="act-release")
    assert stop(memory) == "allow"
    assert len(memory.facts(STAGING, status=("retired",))) == 1


@pytest.mark.parametrize(
    "remark",
    [
        "Is the audit over? Can gpu-bench-01 be stopped?",
        "The audit is not over yet, gpu-bench-01 can't be stopped.",
        "Once the audit is over, gpu-bench-01 may be stopped again.",
        "gpu-bench-01 has been idle for two weeks.",
    ],
)
def test_what_is_no_release_lifts_nothing(memory, remark):
    hear(memory, LEAD, RULES[0], activity="act-rule")
    hear(memory, LEAD, remark, activity="act-remark")
    assert stop(memory) == "block"
    assert memory.facts(STAGING, status=("retired",)) == []


def tell(memory, text, speaker="bob", activity="act-chat"):
    say(memory, Actor("user", speaker), text, activity=activity, scope=BOB)
    end(memory, activity, scope=BOB)
    memory.consolidate()
    return [fact for fact in memory.facts(BOB) if fact.status == "current"]


@pytest.mark.parametrize(
    ("text", "word", "kinds"),
    [
        ("I prefer aisle seats.", "aisle", {"preference"}),
        ("Remember that my standup is at 9:30.", "9:30", {"fact", "project", "identity", "preference"}),
        ("From now on, answer me in French.", "French", {"preference", "constraint"}),
        (
            "Please remember that I am allergic to nuts.",
            "nuts",
            {"fact", "identity", "preference", "constraint"},
        ),
    ],
)
def test_what_a_person_says_of_themselves_is_kept_in_their_own_scope(memory, text, word, kinds):
    (fact,) = tell(memory, text)
    assert word in fact.value
    assert fact.kind in kinds
    assert fact.asserted_by == "bob"
    recall = memory.recall(text, principal=Principal("bob", grants=(BOB,)), scope=BOB)
    assert word in recall.render()


@pytest.mark.parametrize(
    "text",
    [
        "Do you remember what seats I prefer?",
        "My colleague said that he prefers aisle seats.",
        "I would prefer it if you hurried up this time.",
        "Thanks, that was all.",
    ],
)
def test_small_talk_and_questions_leave_nothing(memory, text):
    assert tell(memory, text) == []


def test_a_new_preference_replaces_the_old_one(memory):
    (old,) = tell(memory, "I prefer aisle seats.", activity="act-1")
    (new,) = tell(memory, "Actually, I prefer window seats now.", activity="act-2")
    assert "window" in new.value
    assert new.supersedes == old.fact_id


def test_an_instruction_about_something_never_seen_is_not_guessed_at(memory):
    hear(memory, LEAD, "Keep the big one running until the audit is over.")
    assert memory.facts(STAGING, entity=GPU) == []
