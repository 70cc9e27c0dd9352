"""Records in a notebook: everything that matters is shown, and nothing stored becomes markup."""

from html.parser import HTMLParser

import pytest

from langgraph_memory import Actor, AuthorityRule, Memory, Policy, Principal, Scope, answers
from langgraph_memory import records as kinds
from langgraph_memory.display import Timeline, html
from langgraph_memory.display.cards import CARDS
from langgraph_memory.records import FactStatus, Record
from langgraph_memory.testing import FrozenClock

TEAM = Scope.of(org="acme", workspace="staging")
ANA = Actor("user", "ana", roles={"infra_lead"})
AGENT = Principal("costguard", grants=(TEAM,))
NASTY = "<script>alert('x')</script> & \"quotes\""


class Reader(HTMLParser):
    """Takes HTML apart: the tags, whether they close, and the text."""

    def __init__(self, markup):
        super().__init__()
        self.open, self.tags, self.text = [], set(), ""
        self.feed(markup)

    def handle_starttag(self, tag, attrs):
        self.tags.add(tag)
        self.open.append(tag)
        assert not [name for name, _ in attrs if name.startswith("on")]

    def handle_endtag(self, tag):
        assert self.open.pop() == tag

    def handle_data(self, data):
        self.text += data


def read(shown):
    reader = Reader(shown._repr_html_())
    assert reader.open == []
    assert not reader.tags & {"script", "img", "iframe", "a", "link", "style"}
    return reader.text


@pytest.fixture
def memory():
    clock = FrozenClock()
    policy = Policy(authority=[AuthorityRule(roles={"infra_lead"}, scope=TEAM)])
    with Memory.open(":memory:", policy=policy, clock=clock) as opened:
        yield opened


def rule(memory, value):
    return memory.assert_fact(
        scope=TEAM, entity="gpu-bench-01", attribute="lifecycle_policy", value=value, actor=ANA,
        kind="constraint", ends_when="QA has migrated", forbids=("stop",),
    ).fact  # fmt: skip


def test_a_fact_shows_value_status_condition_date_and_source(memory):
    fact = rule(memory, "Keep it running")
    shown = read(fact)
    for part in ("gpu-bench-01", "lifecycle policy", "Keep it running", "current", "QA has migrated", "stop",
                 "2026-03-02", "ana (infra_lead)", fact.sources[0]):  # fmt: skip
        assert part in shown


def test_an_episode_shows_summary_importance_keywords_and_excerpts(memory):
    memory.publish(scope=TEAM, activity_id="a", event_type="message.user", actor=ANA,
                   data={"text": "Why did the nightly benchmark fail?"})  # fmt: skip
    memory.publish(scope=TEAM, activity_id="a", event_type="activity.failed", actor=ANA, wait=True)
    (episode,) = memory.episodes(TEAM)
    shown = read(episode)
    for part in ("ep_a", "failed", "Why did the nightly benchmark fail?", f"importance {episode.importance}",
                 episode.keywords[0], "1 excerpt"):  # fmt: skip
        assert part in shown


def test_a_recall_its_explanation_and_a_decision_show_what_and_why(memory):
    fact = rule(memory, "Keep it running")
    recall = memory.recall("cleanup", principal=AGENT, scope=TEAM, entities=["gpu-bench-01"])
    shown = read(recall)
    for part in ("1 memory", f"{recall.tokens} tokens", "Keep it running", "entity", recall.receipt_id):
        assert part in shown
    assert "<memory" in shown  # as the prompt gets it, escaped
    why = read(memory.explain(recall.receipt_id))
    assert "cleanup" in why
    assert fact.fact_id in why
    decision = memory.check("stop_instance", {"name": "gpu-bench-01"}, principal=AGENT, scope=TEAM)
    assert "block" in read(decision)
    assert "Keep it running" in read(decision)
    story = read(memory.explain(decision.id))
    for part in ("stop_instance", fact.fact_id, "without", "allow"):
        assert part in story
    nothing = memory.recall("cleanup", principal=AGENT, scope=TEAM, kinds=["episode"])
    assert "Nothing is remembered" in read(nothing)


def test_what_is_stored_never_becomes_markup(memory):
    fact = rule(memory, NASTY)
    recall = memory.recall(NASTY, principal=AGENT, scope=TEAM, entities=["gpu-bench-01"])
    (event,) = memory.events(TEAM)
    for shown in (fact, recall, memory.explain(recall.receipt_id), event, Timeline([fact])):
        assert "alert(" in read(shown)


def test_what_can_not_be_seen_is_not_shown(memory):
    fact = rule(memory, "paid\u202e001\u2066 \x1b[2Jשלום עולם\x00")
    recall = memory.recall("paid", principal=AGENT, scope=TEAM, entities=["gpu-bench-01"])
    for shown in (fact, recall, memory.explain(recall.receipt_id), Timeline([fact])):
        markup = shown._repr_html_()
        assert [c for c in markup if not (c.isprintable() or c == "\n")] == []
    assert "שלום עולם" in read(fact)


def test_a_record_without_a_card_of_its_own_is_a_table_of_its_fields(memory):
    report = memory.consolidate()
    assert "ConsolidationReport" in read(report)
    assert "activities" in read(report)


def test_every_card_belongs_to_a_record_and_reads_fields_that_it_has():
    for name in CARDS:
        kind = getattr(kinds, name, None) or getattr(answers, name)
        assert issubclass(kind, Record)
    assert html(Actor("user", "ana")).count("ana") == 1


def test_a_timeline_shows_the_values_in_turn_and_the_decisions_about_them(memory):
    first = rule(memory, "Keep it running until QA has moved")
    memory.clock.advance(days=10)
    second = rule(memory, "Keep it through the final benchmark")
    memory.clock.advance(days=5)
    facts = memory.facts(TEAM, entity="gpu-bench-01", status=tuple(FactStatus))
    line = Timeline(facts, memory.audit(first.fact_id) + memory.audit(second.fact_id), until=memory.clock())
    shown = read(line)
    assert shown.index("until QA has moved") < shown.index("final benchmark")
    assert "2026-03-02 – 2026-03-12, superseded" in shown
    assert "2026-03-12 – now, current" in shown
    assert "established" in shown
    assert repr(line).splitlines()[0].startswith("2026-03-02 – 2026-03-12  superseded")
    assert Timeline([])._repr_html_() == "<div>No facts.</div>"
