"""`KnownNames` in layers: what is laid over a scope's names reads as if all had been known at once."""

from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.consolidation.rules.known_names import KnownNames
from langgraph_memory.consolidation.rules.mentions import mentions
from langgraph_memory.consolidation.rules.words import Phrase

WORDS = ("gpu", "bench", "web", "01", "db-3", "vm:web")
NAMES = st.lists(st.sampled_from(WORDS), min_size=1, max_size=3).map(" ".join)
IDS = st.sampled_from(["i-1", "i-2", "i-3"])
KNOWN = st.dictionaries(NAMES, IDS, max_size=6)


@given(KNOWN, KNOWN, st.sets(NAMES, max_size=3), st.lists(st.sampled_from(WORDS), min_size=1, max_size=6))
def test_names_in_layers_are_found_as_those_of_one_mapping(below, over, without, words):
    layered = KnownNames(over, below=KnownNames(below), without=without)
    flat = {name: entity for name, entity in below.items() if name in over or name not in without} | over
    together = KnownNames(flat)
    phrase = Phrase.of(" ".join(words))
    assert dict(layered) == flat
    assert len(layered) == len(flat)
    assert mentions(phrase, layered) == mentions(phrase, together)
    assert [layered.knows(word) for word in words] == [together.knows(word) for word in words]
    assert layered.others(words[:1]) == together.others(words[:1])
    named, alone = layered.described_by(words), together.described_by(words)
    assert (named is None) == (alone is None)
    if named is not None and alone is not None:
        assert layered[named] == together[alone]
