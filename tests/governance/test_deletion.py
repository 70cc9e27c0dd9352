"""Forgetting one thing: what goes, what stays, and what rests on other evidence afterwards."""

import pytest
from langgraph.checkpoint.base import empty_checkpoint
from langgraph.checkpoint.memory import InMemorySaver

from langgraph_memory import Actor, AuthorityRule, Policy, Principal, Scope
from langgraph_memory.errors import AccessDeniedError, ConfigurationError, UnknownRecordError
from langgraph_memory.repository.passages import place_of

from .world import (
    ANA,
    BOB,
    BOB_SCOPE,
    BOBS,
    DAN,
    DEVELOPER,
    EVERY,
    GPU,
    KEEP,
    KEEP_SANDBOX,
    LEAD,
    ORG,
    OTHER_TEAM,
    ROBOT,
    SANDBOX,
    SECOND_LEAD,
    TEAM,
    TEAMS_BOB,
    end,
    id_of,
    look,
    say,
    state,
    tell,
    values,
)


def stop(memory, name, principal=ANA, scope=TEAM):
    return memory.check("stop_instance", {"name": name}, principal=principal, scope=scope).outcome


def shown(memory, query="regression run zephyr demo", scope=TEAM, principal=ANA, entities=(GPU, SANDBOX)):
    return memory.recall(query, principal=principal, scope=scope, entities=entities).render()


def words(memory, scope=TEAM):
    return " ".join(event.model_dump_json() for event in memory.events(scope))


@pytest.fixture
def two_rules(any_memory):
    """Rules on two machines, said in two activities, and one listing of both."""
    tell(any_memory, LEAD, f"{KEEP}.", activity="act-gpu", names=(GPU, SANDBOX))
    tell(any_memory, LEAD, f"{KEEP_SANDBOX}.", activity="act-box", names=(SANDBOX,))
    assert len(any_memory.facts(TEAM)) == 2
    assert (stop(any_memory, GPU), stop(any_memory, SANDBOX)) == ("block", "block")
    assert KEEP in shown(any_memory)
    return any_memory


def test_an_entity_goes_with_all_that_concerns_it_and_others_stay(two_rules):
    memory = two_rules
    receipt = memory.forget(TEAM, entity=GPU, principal=ANA)
    assert receipt.proven
    assert receipt.facts
    assert receipt.events
    assert GPU not in words(memory)
    assert "quixotic" not in words(memory)
    assert GPU not in shown(memory)
    assert [fact.value for fact in memory.facts(TEAM, status=EVERY)] == [KEEP_SANDBOX]
    assert all(GPU not in e.model_dump_json() for e in memory.episodes(TEAM))
    assert (stop(memory, GPU), stop(memory, SANDBOX)) == ("allow", "block")
    assert KEEP_SANDBOX in shown(memory)


def test_an_entity_is_forgotten_by_its_id_and_by_its_own_name_alike(memory):
    for name in (GPU, id_of(GPU)):
        tell(memory, LEAD, f"{KEEP}.", activity=f"act-{name}")
        assert memory.facts(TEAM)
        assert memory.forget(TEAM, entity=name, principal=ANA).facts
        assert memory.facts(TEAM, status=EVERY) == []
        assert id_of(GPU) not in words(memory)
        assert GPU not in words(memory)


def test_a_name_of_several_things_is_not_taken_for_one_of_them(memory):
    for number, activity in ((1, "act-1"), (2, "act-2")):
        memory.publish(
            scope=TEAM, activity_id=activity, event_type="tool.completed", actor=ROBOT,
            data={"tool": "get", "args": {}, "output": {"id": f"i-0000000{number}", "name": "bench"}},
        )  # fmt: skip
        state(memory, f"keep machine number {number} up", entity=f"i-0000000{number}")
    memory.forget(TEAM, entity="i-00000001", principal=ANA)
    assert values(memory.facts(TEAM, status=EVERY)) == ["keep machine number 2 up"]
    assert "i-00000002" in words(memory)
    assert "i-00000001" not in words(memory)


def test_an_event_that_others_rest_on_stays_without_what_is_forgotten(memory):
    tell(memory, LEAD, f"{KEEP}. {KEEP_SANDBOX}.", activity="act-both", names=(GPU, SANDBOX))
    assert len(memory.facts(TEAM)) == 2
    receipt = memory.forget(TEAM, entity=GPU, principal=ANA)
    assert receipt.changed
    assert values(memory.facts(TEAM)) == [KEEP_SANDBOX]
    assert KEEP_SANDBOX in words(memory)
    assert GPU not in words(memory)
    assert KEEP_SANDBOX in memory.episodes(TEAM)[0].model_dump_json()
    listing = next(e for e in memory.events(TEAM) if e.event_type == "tool.completed")
    assert [each["name"] for each in listing.data["output"]] == [SANDBOX]


def test_a_fact_goes_with_its_evidence_and_comes_not_back_from_an_agent(two_rules):
    memory = two_rules
    (fact,) = memory.facts(TEAM, entity=GPU)
    receipt = memory.forget(TEAM, fact_id=fact.fact_id, principal=ANA)
    assert receipt.facts == (fact.fact_id,)
    assert receipt.proven
    assert "quixotic" not in words(memory)
    assert values(memory.facts(TEAM, status=EVERY)) == [KEEP_SANDBOX]
    for actor in (ROBOT, DEVELOPER):
        tell(memory, actor, f"{KEEP}.", activity=f"act-again-{actor.id}")
    assert state(memory, KEEP, actor=DEVELOPER).outcome == "rejected"
    assert state(memory, KEEP, actor=DEVELOPER, attribute="operating_note", kind="fact").outcome == "rejected"
    assert state(memory, KEEP.upper().replace(" ", "  "), actor=DEVELOPER).outcome == "rejected"
    assert memory.facts(TEAM, entity=GPU, status=EVERY) == []
    assert state(memory, "It may be stopped on Sundays", actor=DEVELOPER).outcome == "unverified"
    assert state(memory, KEEP, actor=LEAD).outcome == "established"


def test_an_episode_goes_with_its_events_and_the_facts_that_rest_on_it(two_rules):
    memory = two_rules
    episode = next(e for e in memory.episodes(TEAM) if e.activity_id == "act-gpu")
    receipt = memory.forget(TEAM, episode_id=episode.episode_id, principal=ANA)
    assert episode.episode_id in receipt.episodes
    assert [e.activity_id for e in memory.episodes(TEAM)] == ["act-box"]
    assert memory.events(TEAM, activity_id="act-gpu") == []
    assert values(memory.facts(TEAM)) == [KEEP_SANDBOX]


def test_a_fact_that_others_support_is_made_anew_without_the_source(any_memory):
    memory = any_memory
    first = tell(memory, LEAD, f"{KEEP}.", activity="act-1")
    second = tell(memory, SECOND_LEAD, f"{KEEP}.", activity="act-2")
    (fact,) = memory.facts(TEAM)
    assert set(fact.sources) == {first.source, second.source}
    receipt = memory.forget(TEAM, source=first.source, principal=ANA)
    (left,) = memory.facts(TEAM)
    assert (left.fact_id, left.sources, left.asserted_by) == (fact.fact_id, (second.source,), "cem")
    assert fact.fact_id in receipt.rebuilt
    assert stop(memory, GPU) == "block"
    memory.forget(TEAM, source=second.source, principal=ANA)
    assert memory.facts(TEAM, status=EVERY) == []


def test_support_without_authority_leaves_no_rule(memory):
    first = tell(memory, LEAD, f"{KEEP}.", activity="act-1")
    tell(memory, DEVELOPER, f"{KEEP}.", activity="act-2")
    assert len(memory.facts(TEAM)[0].sources) == 2
    memory.forget(TEAM, source=first.source, principal=ANA)
    assert memory.facts(TEAM) == []
    assert values(memory.facts(TEAM, status=["unverified"])) == [KEEP]
    assert stop(memory, GPU) == "allow"


def test_an_evidence_reference_is_forgotten_with_every_event_that_has_it(memory):
    page = "https://wiki.example.org/hostile"
    for number in range(3):
        say(memory, DEVELOPER, f"zyxomma note {number}", activity=f"act-{number}", ref=page)
        end(memory, f"act-{number}")
    say(memory, DEVELOPER, "plain note", activity="act-0", ref="https://wiki.example.org/host")
    memory.consolidate()
    receipt = memory.forget(TEAM, source=page, principal=ANA)
    assert len(receipt.events) == 3 + 2  # two activities had nothing else but their end
    assert "zyxomma" not in words(memory)
    assert "plain note" in words(memory)
    assert all("zyxomma" not in e.model_dump_json() for e in memory.episodes(TEAM))


def test_what_a_hostile_actor_changed_holds_again_as_before(memory):
    state(memory, KEEP)
    state(memory, KEEP_SANDBOX, entity=SANDBOX)
    state(memory, "Stop it at will", actor=SECOND_LEAD, kind="fact", forbids=())
    tell(memory, SECOND_LEAD, f"{SANDBOX} may be stopped now, the zephyr demo is over.", activity="act-lift",
         names=(SANDBOX,))  # fmt: skip
    assert (stop(memory, GPU), stop(memory, SANDBOX)) == ("allow", "allow")
    receipt = memory.forget(TEAM, actor_id="cem", principal=ANA)
    assert receipt.proven
    assert values(memory.facts(TEAM)) == sorted([KEEP, KEEP_SANDBOX])
    assert (stop(memory, GPU), stop(memory, SANDBOX)) == ("block", "block")
    assert all(event.actor.id != "cem" for event in memory.events(TEAM))
    assert all(f.supersedes is None and f.superseded_by is None for f in memory.facts(TEAM, status=EVERY))


def test_what_a_hostile_actor_decided_by_name_is_taken_back(memory):
    hostile = Principal("cem", roles={"lead"}, grants=(TEAM,))
    kept, turned, ended = (state(memory, f"rule {n} of the team", entity=f"host-{n}").fact for n in "abc")
    said = state(memory, "host-d is spare", entity="host-d", actor=DEVELOPER, kind="fact", forbids=()).fact
    memory.reject(turned.fact_id, principal=hostile, reason="because zyxomma")
    memory.retire(ended.fact_id, principal=hostile, evidence_ref="mail-7")
    memory.confirm(said.fact_id, principal=hostile)
    assert values(memory.facts(TEAM)) == ["host-d is spare", kept.value]
    memory.forget(TEAM, actor_id="cem", principal=ANA)
    assert values(memory.facts(TEAM)) == [kept.value, turned.value, ended.value]
    assert values(memory.facts(TEAM, status=["unverified"])) == ["host-d is spare"]
    assert "zyxomma" not in words(memory)
    assert state(memory, turned.value, entity="host-b").outcome == "restated"


def test_what_someone_with_authority_confirmed_stays_when_another_voice_goes(memory):
    first = tell(memory, DEVELOPER, f"{KEEP}.", activity="act-1")
    (fact,) = memory.facts(TEAM, status=["unverified", "candidate"])
    memory.confirm(fact.fact_id, principal=ANA)
    second = tell(memory, Actor("user", "eve"), f"{KEEP}.", activity="act-2")
    assert set(memory.facts(TEAM)[0].sources) >= {first.source, second.source}
    memory.forget(TEAM, source=first.source, principal=ANA)
    (left,) = memory.facts(TEAM)
    assert (left.fact_id, left.sources) == (fact.fact_id, (second.source,))
    assert stop(memory, GPU) == "block"


def test_decisions_about_a_fact_go_with_it(memory):
    fact = state(memory, KEEP).fact
    memory.reject(fact.fact_id, principal=ANA, reason="the zyxomma run was called off")
    assert "zyxomma" in words(memory)
    memory.forget(TEAM, fact_id=fact.fact_id, principal=ANA)
    assert "zyxomma" not in words(memory)


def test_a_chain_of_changes_is_joined_where_a_link_is_forgotten(memory):
    ids = [
        state(memory, f"the budget is {n}00 euros", forbids=(), kind="fact").fact.fact_id for n in (1, 2, 3)
    ]
    memory.forget(TEAM, fact_id=ids[1], principal=ANA)
    first, last = (
        next(f for f in memory.facts(TEAM, status=EVERY) if f.fact_id == i) for i in (ids[0], ids[2])
    )
    assert (first.status, first.superseded_by) == ("superseded", ids[2])
    assert (last.status, last.supersedes) == ("current", ids[0])


def test_a_name_that_only_a_hostile_source_brought_goes_and_others_stay(memory):
    look(memory, GPU, activity="act-1", event_id="ev-honest")
    memory.publish(
        scope=TEAM, activity_id="act-2", event_type="tool.completed", actor=ROBOT, event_id="ev-hostile",
        data={"tool": "get", "args": {}, "output": [{"id": id_of(GPU), "name": "decoy"},
                                                      {"id": id_of(GPU), "name": GPU}]},
    )  # fmt: skip
    assert ("decoy", id_of(GPU)) in memory.repository.names([TEAM])
    memory.forget(TEAM, source="ev-hostile", principal=ANA)
    names = memory.repository.names([TEAM])
    assert ("decoy", id_of(GPU)) not in names
    assert (GPU, id_of(GPU)) in names
    memory.forget(TEAM, source="ev-honest", principal=ANA)
    assert (GPU, id_of(GPU)) not in memory.repository.names([TEAM])


def test_a_scope_is_forgotten_with_those_below_it_and_no_other(any_memory):
    memory = any_memory
    for scope in (ORG, TEAM, TEAMS_BOB, OTHER_TEAM):
        state(memory, f"{KEEP} in {scope}", scope=scope)
        tell(memory, LEAD, f"{KEEP}.", activity="act-1", scope=scope)
    receipt = memory.forget(TEAM, principal=ANA)
    assert receipt.proven
    assert memory.events(TEAM) == []
    for scope, left in ((ORG, True), (TEAM, False), (TEAMS_BOB, False), (OTHER_TEAM, True)):
        assert bool(memory.facts(scope, status=EVERY)) is left
        assert bool(memory.episodes(scope)) is left
        assert bool(memory.repository.names([scope])) is left
    assert stop(memory, GPU, scope=OTHER_TEAM) == "block"


def test_who_may_not_set_may_not_have_it_forgotten(memory):
    state(memory, KEEP)
    state(memory, "Bob likes short answers", entity="user:bob", scope=BOB_SCOPE, actor=BOB, kind="preference")
    (fact,) = memory.facts(TEAM)
    without_grant = Principal("ana", roles={"lead"}, grants=(Scope.of(org="evil"),))
    agent = Principal("costguard", grants=(TEAM, BOB_SCOPE))
    for principal in (DAN, without_grant, agent, Principal("ana", roles={"lead"})):
        for selector in ({}, {"fact_id": fact.fact_id}, {"entity": GPU}, {"actor_id": "ana"}):
            with pytest.raises(AccessDeniedError):
                memory.forget(TEAM, **selector, principal=principal)
    with pytest.raises(AccessDeniedError):
        memory.forget(BOB_SCOPE, principal=agent)
    assert memory.facts(TEAM)
    denied = [(entry.decision, entry.actor) for entry in memory.audit(fact.fact_id)]
    assert denied[-3:] == [("denied", "dan"), ("denied", "ana"), ("denied", "costguard")]
    assert memory.forget(TEAM, fact_id=fact.fact_id, principal=ANA).facts
    assert memory.facts(TEAM) == []
    assert memory.forget(BOB_SCOPE, principal=BOBS).facts
    assert memory.facts(BOB_SCOPE) == []


def test_authority_over_one_attribute_is_enough_for_its_fact_and_no_more(memory):
    rule = AuthorityRule(roles={"developer"}, scope=TEAM, attributes="note_*")
    memory.policy = memory.repository.policy = Policy(authority=[*memory.policy.authority, rule])
    note = state(memory, "the fan is loud", attribute="note_noise", kind="fact", forbids=()).fact
    rule = state(memory, KEEP).fact
    with pytest.raises(AccessDeniedError, match="lifecycle_policy"):
        memory.forget(TEAM, fact_id=rule.fact_id, principal=DAN)
    assert memory.forget(TEAM, fact_id=note.fact_id, principal=DAN).facts == (note.fact_id,)


def test_ids_that_are_not_there_and_calls_that_name_two_things_are_refused(memory):
    fact = state(memory, KEEP).fact
    with pytest.raises(UnknownRecordError, match="fact_none"):
        memory.forget(TEAM, fact_id="fact_none", principal=ANA)
    with pytest.raises(UnknownRecordError):
        memory.forget(OTHER_TEAM, fact_id=fact.fact_id, principal=ANA)
    with pytest.raises(UnknownRecordError):
        memory.forget(TEAM, episode_id=fact.fact_id, principal=ANA)
    with pytest.raises(ConfigurationError, match="one of them"):
        memory.forget(TEAM, fact_id=fact.fact_id, entity=GPU, principal=ANA)
    with pytest.raises(ConfigurationError, match="names nothing"):
        memory.forget(TEAM, entity=" ", principal=ANA)
    assert memory.facts(TEAM) == [fact]
    assert memory.forget(TEAM, fact_id=fact.fact_id, principal=ANA).facts
    assert memory.forget(TEAM, fact_id=fact.fact_id, principal=ANA).removed == ()
    assert memory.forget(TEAM, entity="nothing-like-it", principal=ANA).removed == ()


def test_the_audit_says_who_had_what_forgotten_and_no_word_of_it(memory):
    fact = state(memory, KEEP).fact
    tell(memory, DEVELOPER, f"Please stop {GPU} tomorrow.", activity="act-1")
    assert memory.audit(fact.fact_id)
    receipt = memory.forget(TEAM, entity=GPU, principal=ANA)
    assert (memory.audit(fact.fact_id)[-1].decision, memory.audit(fact.fact_id)[-1].actor) == (
        "forgotten",
        "ana",
    )
    assert memory.audit(receipt.receipt_id)[0].actor == "ana"
    entries = [entry for record in receipt.removed for entry in memory.audit(record)]
    assert entries
    assert GPU not in " ".join(entry.reason for entry in entries)


def test_receipts_of_recalls_that_tell_of_it_go_and_others_stay(memory):
    state(memory, KEEP)
    about = memory.recall(f"what about {GPU}?", principal=ANA, scope=TEAM)
    other = memory.recall("what is for lunch?", principal=ANA, scope=TEAM)
    held = memory.check("stop_instance", {"name": GPU}, principal=ANA, scope=TEAM)
    assert memory.explain(held.id)
    assert memory.forget(TEAM, entity=GPU, principal=ANA).receipts == 2
    assert memory.explain(other.receipt_id)
    for gone in (about.receipt_id, held.id):
        with pytest.raises(UnknownRecordError):
            memory.explain(gone)


def test_checkpoints_go_through_the_saver_on_request(memory):
    saver = InMemorySaver()
    config = {"configurable": {"thread_id": "thread-1", "checkpoint_ns": ""}}
    for thread in ("thread-1", "thread-2"):
        saver.put({"configurable": {"thread_id": thread, "checkpoint_ns": ""}}, empty_checkpoint(), {}, {})
        say(
            memory,
            DEVELOPER,
            f"about {GPU} in {thread}",
            activity=thread,
            thread=thread,
            event_id=f"ev-{thread}",
        )
    assert memory.forget(TEAM, source="ev-thread-1", principal=ANA).threads == ("thread-1",)
    say(memory, DEVELOPER, "more", activity="act", thread="thread-1", event_id="ev-more")
    assert saver.get_tuple(config) is not None
    assert memory.forget(TEAM, source="ev-more", principal=ANA, saver=saver).threads == ()
    assert saver.get_tuple(config) is None
    assert saver.get_tuple({"configurable": {"thread_id": "thread-2", "checkpoint_ns": ""}}) is not None


def test_the_passages_by_which_an_episode_is_found_go_and_change_with_it(two_rules):
    memory = two_rules

    def passages():
        return [item.value["text"] for item in memory.repository.contents.bodies_in(place_of(TEAM))]

    assert any("quixotic" in text for text in passages())
    assert any("zephyr" in text for text in passages())
    memory.forget(TEAM, entity=GPU, principal=ANA)
    assert not any("quixotic" in text or GPU in text for text in passages())
    assert any("zephyr" in text for text in passages())


def test_notes_of_the_agent_that_repeat_it_go_and_others_stay(memory):
    state(memory, KEEP)
    notes = memory.files(principal=ANA, scope=TEAM)
    notes.run("create", path="/memories/servers.md", file_text=f"{GPU} is the quixotic one")
    notes.run("create", path="/memories/lunch.md", file_text="noon")
    assert memory.forget(TEAM, entity=GPU, principal=ANA).notes == 1
    assert "quixotic" not in str(notes.run("view", path="/memories"))
    assert "lunch.md" in str(notes.run("view", path="/memories"))
    assert "servers.md" not in str(notes.run("view", path="/memories"))


def test_notes_that_an_agent_took_for_an_actor_go_with_the_actor(memory):
    grants = (TEAM,)
    for user in ("ana", "dan"):
        notes = memory.files(principal=Principal(user, grants=grants), scope=TEAM)
        notes.create("/memories/a.md", f"for {user}")
    assert memory.forget(TEAM, actor_id="dan", principal=ANA).notes == 1
    left = [memory.files(principal=Principal(user, grants=grants), scope=TEAM) for user in ("ana", "dan")]
    assert [len(notes.entries()) for notes in left] == [1, 0]


@pytest.mark.parametrize("value", ["stays", "Keep it running until the very end"])
def test_forgetting_a_thing_leaves_what_is_said_in_the_same_words_of_another(memory, value):
    for entity in (GPU, SANDBOX):
        state(memory, value, entity=entity)
    memory.publish(
        scope=TEAM,
        activity_id="remark",
        event_type="message.user",
        actor=DEVELOPER,
        data={"text": f"Who {value}?"},
        event_id="remark",
    )
    assert memory.forget(TEAM, entity=GPU, principal=ANA).proven
    assert [fact.entity for fact in memory.facts(TEAM)] == [SANDBOX]
    assert stop(memory, SANDBOX) == "block"
    assert memory.log.get("remark") is not None


def test_forgetting_a_thing_takes_what_repeats_its_own_words(memory):
    state(memory, KEEP, entity=GPU)
    say(memory, ROBOT, f"Noted: {KEEP}. Lunch is at noon.", activity="echo", event_id="echo")
    say(memory, ROBOT, "Lunch is at noon.", activity="lunch", event_id="lunch")
    assert memory.forget(TEAM, entity=GPU, principal=ANA).proven
    assert "quixotic" not in words(memory)
    assert memory.log.get("lunch") is not None
