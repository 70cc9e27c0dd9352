"""Working memory: a share for each kind, and a shorter form before a constraint is deferred."""

from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.retrieval.pack import pack
from langgraph_memory.retrieval.sections import to_shorten, within_shares

from .test_retrieval import VIEW, episode, fact, hit, length, ranked

LONG = "Keep it running until the regression suite has moved. " * 8


def test_a_kind_gets_no_more_than_its_share_while_others_wait():
    told = ranked(
        *(hit(episode(str(n), summary=f"{n} " * 10), 0.9) for n in range(20)),
        hit(fact("db-2", kind="fact", value="Owned by ana"), 0.3),
    )
    budget = 1_000
    plain = pack(told, view=VIEW, budget=budget, count=length)
    shared = pack(told, view=VIEW, budget=budget, count=length, shares={"episode": 0.5})
    assert "fact" not in {item.kind for item in plain.items}
    assert {"fact", "episode"} == {item.kind for item in shared.items}


def test_what_a_kind_leaves_over_goes_to_the_others():
    told = ranked(*(hit(episode(str(n), summary=f"{n} " * 40), 0.9) for n in range(6)))
    plain = pack(told, view=VIEW, budget=1_000, count=length)
    shared = pack(told, view=VIEW, budget=1_000, count=length, shares={"episode": 0.2, "fact": 0.8})
    assert len(plain.items) > 2
    assert {item.id for item in shared.items} == {item.id for item in plain.items}


def test_constraints_have_no_share():
    told = ranked(hit(fact(value="a")), hit(fact(value="b")), hit(episode(), 1.0))
    packed = pack(told, view=VIEW, budget=10_000, count=length, shares={"fact": 0.0, "episode": 1.0})
    assert [item.kind for item in packed.items] == ["fact", "fact", "episode"]


def test_a_constraint_is_shortened_before_one_is_deferred():
    told = ranked(*(hit(fact(value=f"{n} {LONG}", ends_when="QA has moved")) for n in range(3)))
    roomy = pack(told, view=VIEW, budget=5_000, count=length)
    assert (roomy.shortened, roomy.deferred) == ((), ())
    tight = pack(told, view=VIEW, budget=1_500, count=length)
    assert len(tight.items) == 3
    assert tight.deferred == ()
    assert 0 < len(tight.shortened) < 3
    assert len(tight.text) <= 1_500 < len(roomy.text)
    assert "…" in tight.text
    assert "…" not in roomy.text


def test_what_does_not_fit_in_its_shorter_form_is_deferred():
    told = ranked(*(hit(fact(value=f"{n} {LONG}")) for n in range(6)))
    packed = pack(told, view=VIEW, budget=900, count=length)
    assert packed.items
    assert packed.deferred
    assert "held for a person" in packed.text


def test_history_does_not_make_a_constraint_shorter():
    told = ranked(hit(fact(value=LONG)), *(hit(episode(str(n), summary=LONG), 1.0) for n in range(9)))
    packed = pack(told, view=VIEW, budget=900, count=length)
    assert packed.shortened == ()
    assert LONG.strip().rstrip(".") in packed.text


@given(
    st.lists(st.tuples(st.sampled_from(["fact", "episode"]), st.integers(1, 40)), max_size=20),
    st.dictionaries(st.sampled_from(["fact", "episode"]), st.floats(0, 1)),
)
def test_shares_lose_nothing_and_keep_the_order_of_what_is_within(parts, shares):
    numbered = [((n, kind), kind, size) for n, (kind, size) in enumerate(parts)]
    ordered = within_shares(numbered, shares, 100)
    assert sorted(ordered) == [part for part, _, _ in numbered]
    if not shares:
        assert ordered == [part for part, _, _ in numbered]


@given(st.integers(0, 30), st.integers(0, 400))
def test_as_few_as_possible_are_shortened(number, room):
    ids = [str(n) for n in range(number)]

    def fits(short):
        return 10 * number - 6 * len(short) <= room

    short = to_shorten(ids, fits)
    assert short == frozenset(ids[number - len(short) :])
    assert fits(short) or len(short) == number
    assert not short or not fits(short - {ids[number - len(short)]})
