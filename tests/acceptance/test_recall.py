"""What comes back to the planner: the right records, constraints first, within the budget, with a receipt."""

import pytest

from langgraph_memory import Memory, Scope
from langgraph_memory.errors import ConfigurationError

from .world import (
    ANA,
    DAN,
    DEVELOPER,
    GPU,
    KEEP,
    LEAD,
    SANDBOX,
    STAGING,
    constrain,
    end,
    fact_ids,
    hear,
    leads_policy,
    say,
    use,
    values,
)

FILLER = "The {n}th review of staging spend found that nightly report number {n} costs {n} euros a month."


def know(memory, count, entity="billing-report"):
    """`count` ordinary facts that a query on staging spend finds."""
    for number in range(count):
        memory.assert_fact(
            scope=STAGING,
            entity=entity,
            attribute=f"note_{number}",
            value=FILLER.format(n=number),
            actor=LEAD,
        )


def ask(memory, query="review of staging spend", entities=(), **more):
    return memory.recall(query, principal=DAN, scope=STAGING, entities=entities, **more)


def reasons(recall):
    return {entry.id: entry.reason for entry in recall.omitted}


def test_an_exact_entity_is_found_whatever_the_words(any_memory):
    constrain(any_memory)
    know(any_memory, 5)
    assert values(ask(any_memory, "zebra", (GPU,)).constraints) == [KEEP]
    assert (
        ask(any_memory, "zebra", (SANDBOX,)).constraints == ask(any_memory, "zebra", ("nothing",)).constraints
    )


def test_words_find_a_fact_without_an_entity(any_memory):
    know(any_memory, 1)
    any_memory.assert_fact(
        scope=STAGING,
        entity="parking",
        attribute="place",
        value="The parking garage closes at nine",
        actor=LEAD,
    )
    found = ask(any_memory, "when does the parking garage close?").items
    assert "garage" in found[0].record.value


def test_constraints_come_first_even_when_other_records_fit_the_words_better(any_memory):
    know(any_memory, 10)
    constrain(any_memory)
    recall = ask(any_memory, entities=(GPU, "billing-report"))
    kinds = [item.record.kind for item in recall.items if item.kind == "fact"]
    assert kinds[0] == "constraint"
    assert len(kinds) > 1
    assert recall.render().index(KEEP) < recall.render().index("report number")


def test_each_item_tells_why_it_is_here(memory):
    know(memory, 3)
    constrain(memory)
    items = ask(memory, entities=(GPU,)).items
    assert items
    assert all(item.reasons for item in items)
    assert all(item.kind in {"fact", "episode", "procedure", "event"} for item in items)
    assert len({item.record.model_dump_json() for item in items}) == len(items)


@pytest.mark.parametrize("budget", [60, 120, 300])
def test_the_budget_covers_all_that_is_rendered(memory, budget):
    know(memory, 40)
    recall = ask(memory, token_budget=budget)
    assert len(recall.render().split()) <= budget
    assert "budget" in reasons(recall).values()


def test_a_larger_budget_shows_more(memory):
    know(memory, 40)
    small, large = ask(memory, token_budget=200), ask(memory, token_budget=600)
    assert 0 < len(small.items) < len(large.items)
    assert set(fact_ids(small)) | set(reasons(small)) >= set(fact_ids(large))


def test_constraints_are_never_trimmed_other_records_are(memory):
    know(memory, 30)
    for number in range(5):
        constrain(memory, attribute=f"rule_{number}", value=f"Rule {number}: leave the server alone")
    recall = ask(memory, entities=(GPU, "billing-report"), token_budget=400)
    assert not recall.deferred
    assert len(recall.constraints) == 5
    assert all(f"Rule {number}:" in recall.render() for number in range(5))
    assert "budget" in reasons(recall).values()
    assert not set(reasons(recall)) & {fact.fact_id for fact in recall.constraints}


def test_constraints_that_do_not_fit_are_said_to_be_deferred(memory):
    for number in range(30):
        constrain(memory, attribute=f"rule_{number}", value=f"Rule {number}: leave this server alone " * 3)
    assert not ask(memory, entities=(GPU,), token_budget=8000).deferred
    tight = ask(memory, entities=(GPU,), token_budget=150)
    known = {fact.fact_id for fact in memory.facts(STAGING)}
    assert tight.deferred
    assert {fact.fact_id for fact in tight.constraints} | set(tight.deferred) == known
    assert len(tight.render().split()) <= 150


def test_a_budget_below_zero_is_refused_by_value(memory):
    with pytest.raises(ConfigurationError, match="-5"):
        ask(memory, token_budget=-5)
    assert ask(memory, token_budget=100).items == ()


def test_superseded_and_unverified_facts_stay_out_and_the_receipt_says_so(any_memory):
    constrain(any_memory)
    constrain(any_memory, value="Keep gpu-bench-01 through the final benchmark")
    constrain(any_memory, DEVELOPER, value="gpu-bench-01 may be stopped")
    recall = ask(any_memory, "gpu-bench-01 benchmark", (GPU,))
    (current,) = any_memory.facts(STAGING)
    assert fact_ids(recall) == [current.fact_id]
    for status in ("superseded", "unverified"):
        (past,) = any_memory.facts(STAGING, status=(status,))
        assert past.value not in recall.render()
        assert reasons(recall)[past.fact_id] == status


def test_every_recall_leaves_a_receipt_of_its_own(memory):
    constrain(memory)
    first, second = ask(memory, entities=(GPU,)), ask(memory, entities=(GPU,))
    assert first.receipt_id
    assert first.receipt_id != second.receipt_id
    assert first.render() == second.render()


def test_a_receipt_can_be_explained_later(memory):
    constrain(memory)
    constrain(memory, value="Keep gpu-bench-01 through the final benchmark")
    recall = ask(memory, entities=(GPU,))
    told = str(memory.explain(recall.receipt_id))
    (current,) = memory.facts(STAGING)
    (past,) = memory.facts(STAGING, status=("superseded",))
    assert current.fact_id in told
    assert past.fact_id in told


def test_kinds_narrow_the_recall(any_memory):
    use(
        any_memory,
        "start_instance",
        {"instance": GPU},
        {"state": "running"},
        activity="act-said",
        entities=(GPU,),
    )
    hear(any_memory, LEAD, "Keep gpu-bench-01 running until QA has moved its suite to Kubernetes.")
    both = {item.kind for item in ask(any_memory, "gpu-bench-01", (GPU,)).items}
    assert {"fact", "episode"} <= both
    assert {item.kind for item in ask(any_memory, "gpu-bench-01", (GPU,), kinds=("episode",)).items} == {
        "episode"
    }
    assert {item.kind for item in ask(any_memory, "gpu-bench-01", (GPU,), kinds=("fact",)).items} == {"fact"}


def test_what_was_just_said_is_recalled_before_consolidation(any_memory):
    text = "Keep gpu-bench-01 running until QA has moved its suite to Kubernetes."
    assert text not in ask(any_memory, "gpu-bench-01", (GPU,)).render()
    event = say(any_memory, LEAD, text, activity="act-now")
    recall = ask(any_memory, "gpu-bench-01", (GPU,), thread_id="another-thread")
    assert text in recall.render()
    assert any_memory.facts(STAGING) == []
    assert any(getattr(item.record, "event_id", None) == event.event_id for item in recall.items)


def test_a_consolidated_statement_is_not_shown_twice(any_memory):
    text = "Keep gpu-bench-01 running until QA has moved its suite to Kubernetes."
    hear(any_memory, LEAD, text)
    assert not [item for item in ask(any_memory, "gpu-bench-01", (GPU,)).items if item.kind == "event"]
    assert len(ask(any_memory, "gpu-bench-01", (GPU,)).constraints) == 1


def test_the_events_of_another_scope_are_not_recalled(memory):
    say(
        memory,
        LEAD,
        "the vault code is under the mat",
        activity="x",
        scope=Scope.of(org="acme", workspace="prod"),
    )
    assert "vault" not in ask(memory, "vault code").render()
    say(memory, LEAD, "the vault code is under the mat", activity="x")
    assert "vault" in ask(memory, "vault code").render()


def test_an_episode_shows_what_happened_with_date_and_status(any_memory, clock):
    use(
        any_memory,
        "stop_instance",
        {"instance": GPU},
        {"state": "stopped"},
        activity="act-1",
        entities=(GPU,),
    )
    end(any_memory, "act-1", status="failed")
    any_memory.consolidate()
    rendered = ask(any_memory, "what happened", (GPU,)).render()
    assert "stop_instance" in rendered
    assert clock().date().isoformat() in rendered
    assert "failed" in rendered


def test_a_routine_read_only_activity_is_kept_as_evidence_only(any_memory):
    use(
        any_memory,
        "get_instance_metrics",
        {"instance": GPU},
        {"cpu": 0.1},
        activity="act-read",
        entities=(GPU,),
    )
    end(any_memory, "act-read")
    use(
        any_memory,
        "stop_instance",
        {"instance": GPU},
        {"state": "stopped"},
        activity="act-stop",
        entities=(GPU,),
    )
    end(any_memory, "act-stop")
    any_memory.consolidate()
    assert [episode.activity_id for episode in any_memory.episodes(STAGING)] == ["act-stop"]
    assert "act-read" in {event.activity_id for event in any_memory.events(STAGING)}


def test_an_activity_in_which_a_rule_was_set_is_no_routine(any_memory):
    hear(any_memory, DEVELOPER, "Thanks, that is all I wanted to know.", activity="act-read")
    hear(any_memory, LEAD, "Keep gpu-bench-01 running until QA has moved its suite.", activity="act-rule")
    assert len(any_memory.facts(STAGING)) == 1
    assert [episode.activity_id for episode in any_memory.episodes(STAGING)] == ["act-rule"]


def test_recall_is_the_same_after_reopening(tmp_path, clock):
    place = tmp_path / "memory"
    with Memory.open(place, policy=leads_policy(), clock=clock) as memory:
        know(memory, 5)
        constrain(memory)
        before = ask(memory, entities=(GPU,)).render()
    with Memory.open(place, policy=leads_policy(), clock=clock) as memory:
        assert ask(memory, entities=(GPU,)).render() == before
        assert KEEP in before


def test_a_query_of_any_text_is_answered(memory):
    constrain(memory)
    for query in ("", " ", "?!", "\x00", "a" * 100_000, "日本語", "' OR 1=1 --", "\ud800"):
        assert values(memory.recall(query, principal=ANA, scope=STAGING, entities=(GPU,)).constraints) == [
            KEEP
        ]
