"""Which model a store's vectors are of: configurations, mismatches, rebuilds, what is embedded again."""

import logging

import pytest
from langgraph.store.base import PutOp
from sqlalchemy import func, select, update

from langgraph_memory.errors import IndexMismatchError
from langgraph_memory.store import HybridStore
from langgraph_memory.store.tables import indexed
from langgraph_memory.testing.store_conformance import HashEmbeddings

NS = ("docs",)
TEXT = {"fields": ["text"]}


def keys(items):
    return [item.key for item in items]


def test_the_whole_value_is_searched_by_default():
    with HybridStore(":memory:") as store:
        store.put(NS, "food", {"diet": {"avoids": ["peanuts"]}, "age": 41})
        store.put(NS, "car", {"drives": "an old van"})
        assert keys(store.search(NS, query="peanuts"))[0] == "food"
        assert keys(store.search(NS, query="what is the diet"))[0] == "food"


def test_without_an_index_words_are_searched():
    with HybridStore(":memory:", index=None) as store:
        store.put(NS, "a", {"text": "gpu-bench-07 failed"})
        store.put(NS, "b", {"text": "gpu-bench-08 failed"})
        found = store.search(NS, query="gpu-bench-08")
        assert keys(found) == ["b", "a"]
        assert found[0].score > found[1].score


def test_the_store_and_its_vectors_must_match(tmp_path):
    with HybridStore(tmp_path, index={"embed": HashEmbeddings(32), "dims": 32}) as store:
        store.put(NS, "k", {"text": "words"})
    with HybridStore(tmp_path, index={"embed": HashEmbeddings(64), "dims": 64}) as store:
        with pytest.raises(IndexMismatchError, match="rebuild"):
            store.put(NS, "new", {"text": "more"})
        with pytest.raises(IndexMismatchError, match="32 dimensions"):
            store.search(NS, query="words")
        assert store.get(NS, "new") is None
        assert store.get(NS, "k").value == {"text": "words"}
        assert [finding.name for finding in store.doctor()] == ["model"]
        assert store.rebuild().embedded == 1
        assert store.doctor() == ()
        assert keys(store.search(NS, query="words")) == ["k"]


def test_another_process_that_changes_the_model_is_noticed(tmp_path):
    with HybridStore(tmp_path, index={"embed": HashEmbeddings(32), "dims": 32}) as old:
        old.put(NS, "k", {"text": "words"})
        with HybridStore(tmp_path, index={"embed": HashEmbeddings(64), "dims": 64}) as new:
            new.rebuild()
        with pytest.raises(IndexMismatchError):
            old.search(NS, query="words")
        with pytest.raises(IndexMismatchError):
            old.put(NS, "k", {"text": "other"})


def test_what_was_put_without_a_model_is_embedded_by_a_rebuild(tmp_path):
    with HybridStore(tmp_path, index=None) as store:
        store.put(NS, "k", {"text": "words"})
        assert store.doctor() == ()
    with HybridStore(tmp_path, index=TEXT) as store:
        assert [finding.name for finding in store.doctor()] == ["vectors"]
        assert keys(store.search(NS, query="words")) == ["k"]
        assert store.rebuild().embedded == 1
        assert store.doctor() == ()


def test_a_rebuild_embeds_nothing_twice(tmp_path):
    embed = HashEmbeddings()
    with HybridStore(tmp_path, index={"embed": embed, "dims": 64}) as store:
        store.batch([PutOp(NS, str(n), {"text": f"number {n}"}) for n in range(300)])
        done = len(embed.documents)
        assert (store.rebuild().items, store.rebuild().embedded) == (300, 0)
        assert len(embed.documents) == done
        assert len(store.search(NS, query="number", limit=1000)) == 300


def test_an_unchanged_text_is_not_embedded_again(tmp_path):
    embed = HashEmbeddings()
    with HybridStore(tmp_path, index={"embed": embed, "dims": 64, "fields": ["text"]}) as store:
        for status in ("candidate", "current", "current"):
            store.put(NS, "k", {"text": "the same", "status": status})
        assert embed.documents == ["the same"]
        assert store.search(NS, query="the same", filter={"status": "current"})[0].score > 0


def test_a_slow_model_s_vectors_are_looked_up_a_quick_one_s_made_again(tmp_path, monkeypatch):
    embed = HashEmbeddings()
    with HybridStore(tmp_path, index={"embed": embed, "dims": 64, "fields": ["text"]}) as store:
        store.batch([PutOp(NS, str(n), {"text": f"text {n}"}) for n in range(100)])
        for seconds, calls in ((0.0, 101), (1.0, 101), (0.0, 102)):
            monkeypatch.setattr(store._model._embedder, "_seconds", 100 * seconds)
            store.put(NS, "1", {"text": "text 1", "changed": seconds})
            assert len(embed.documents) == calls
        assert store.search(NS, query="text 1")[0].key == "1"


def test_a_mismatch_is_told_when_the_store_is_opened(tmp_path, caplog):
    embed = HashEmbeddings(32)
    for index in ({"embed": embed, "dims": 32}, {"embed": embed}, {"embed": HashEmbeddings(32), "dims": 32}):
        with HybridStore(tmp_path, index=index) as store:
            store.put(NS, "k", {"text": "words"})
    assert not caplog.records
    with caplog.at_level(logging.WARNING), HybridStore(tmp_path, index=TEXT) as store:
        assert "HashEmbeddings with 32 dimensions" in caplog.text
        assert "rebuild()" in caplog.text
        store.rebuild()
    caplog.clear()
    with HybridStore(tmp_path, index=TEXT):
        assert not caplog.records


def test_vectors_of_a_wrong_length_are_found_and_made_anew(tmp_path):
    embed = HashEmbeddings()
    with HybridStore(tmp_path, index={"embed": embed, "dims": 64}) as store:
        store.batch([PutOp(NS, str(n), {"text": f"number n{n}"}) for n in range(3)])
        with store.database.write() as connection:
            cut = func.substr(indexed.c.vectors, 1, 100)
            connection.execute(update(indexed).where(indexed.c.version == 2).values(vectors=cut))
        assert [finding.name for finding in store.doctor()] == ["vectors"]
        assert store.rebuild().embedded == 1
        assert store.doctor() == ()
        with store.database.read() as connection:
            assert set(connection.execute(select(func.length(indexed.c.vectors))).scalars()) == {256}
        assert keys(store.search(NS, query="number n1", limit=1)) == ["1"]


def test_a_store_shows_its_index_as_other_stores_do():
    embed = HashEmbeddings(32)
    with HybridStore(":memory:", index={"embed": embed, "dims": 32, "fields": ["text"]}) as store:
        assert store.index_config == {"embed": embed, "dims": 32, "fields": ["text"]}
        assert store.embeddings is embed
    with HybridStore(":memory:") as store:
        assert store.index_config["dims"] == len(store.embeddings.embed_query("a server"))
        assert store.index_config["fields"] == ["$"]
    with HybridStore(":memory:", index=None) as store:
        assert store.index_config is store.embeddings is None
