"""What is deleted leaves the files: after a deletion and `close`, nothing holds the text or its vector."""

import hashlib
import random
import sqlite3
import subprocess
import sys

import numpy as np
import pytest
from langgraph.store.base import PutOp

from langgraph_memory.database import Database
from langgraph_memory.store import HybridStore
from langgraph_memory.store.homes import CHROMA_FOLDER

NS = ("docs",)
DIMS = 32
SECRET = "zyxomma-quixotic"


def embed(texts):
    return [np.random.default_rng(list(hashlib.sha256(t.encode()).digest())).random(DIMS) for t in texts]


INDEX = {"dims": DIMS, "embed": embed, "fields": ["text"]}


def secret_text(n=0):
    """Words that occur nowhere else, each text's own."""
    return f"{SECRET}{n} " + hashlib.sha256(f"secret {n}".encode()).hexdigest()


def traces(folder, texts, *, word=True):
    """Which files hold one of the texts, a word of them, or the middle of one of their vectors."""
    vectors = np.asarray(embed(texts))
    vectors = (vectors / np.linalg.norm(vectors, axis=1, keepdims=True)).astype("<f4")
    wanted = [t.encode() for t in texts] + [t.split()[-1].encode() for t in texts]
    wanted += [vector.tobytes()[40:80] for vector in vectors] + [SECRET.encode()] * word
    files = [path for path in folder.rglob("*") if path.is_file()]
    contents = {path: path.read_bytes() for path in files}
    return [path.name for path, content in contents.items() if any(part in content for part in wanted)]


def opened(folder, **options):
    return HybridStore(folder, index=INDEX, background=False, **options)


def test_the_traces_would_be_seen(tmp_path):
    with opened(tmp_path) as store:
        store.put(NS, "k", {"text": secret_text()})
    assert traces(tmp_path, [secret_text()]) == ["memory.sqlite3"]


@pytest.mark.parametrize("way", ["delete", "overwrite", "namespace", "expiry", "batch"])
def test_nothing_is_left_after_close(tmp_path, way):
    with opened(tmp_path) as store:
        store.batch([PutOp(NS, str(n), {"text": f"harmless {n}"}) for n in range(50)])
        store.put(("own",), "k", {"text": secret_text()}, ttl=0 if way == "expiry" else None)
        store.search((), query=secret_text())
        match way:
            case "delete":
                store.delete(("own",), "k")
            case "overwrite":
                store.put(("own",), "k", {"text": "harmless"})
            case "namespace":
                store.delete_namespace(("own",))
            case "expiry":
                assert store.sweep_ttl() == 1
            case "batch":
                store.batch([PutOp(("own",), "k", None), PutOp(NS, "new", {"text": "harmless"})])
    assert traces(tmp_path, [secret_text()]) == []


def test_nothing_is_left_among_many(tmp_path):
    """Rows that were moved by the growth and shrinking of the tables leave no copies behind."""
    rng = np.random.default_rng(7)
    numbers = list(range(600))
    with opened(tmp_path) as store:
        for n in rng.permutation(numbers):
            padding = "x" * int(rng.integers(0, 3000))
            store.put((*NS, str(n % 7)), str(n), {"text": secret_text(n), "padding": padding})
        gone = [n for n in numbers if n % 3]
        for n in rng.permutation(gone):
            store.delete((*NS, str(n % 7)), str(n))
        for n in range(200):
            store.put(NS, f"new {n}", {"text": f"harmless {n}"})
    kept = {n for n in numbers if n % 3 == 0}
    assert traces(tmp_path, [secret_text(n) for n in gone], word=False) == []
    with opened(tmp_path) as store:
        assert {int(item.key) for item in store.search((), limit=1000) if item.key.isdigit()} == kept
        for n in kept:
            store.delete((*NS, str(n % 7)), str(n))
    assert traces(tmp_path, [secret_text(n) for n in numbers]) == []


def names_of_many(folder, seed):
    """Put and delete small rows at random; the names of those that went, and of those that stayed."""
    rng, live, gone = random.Random(seed), [], []
    with HybridStore(folder, index=None, background=False) as store:
        for _ in range(10):
            count, made = rng.choice((1, 20, 100)), len(live) + len(gone)
            new = [f"{SECRET}{n}x" for n in range(made, made + count)]
            texts = {name: name + "x" * rng.choice((0, 0, 30, 200)) for name in new}
            store.batch([PutOp((*NS, n[-3:]), f"key {n}", {"text": text}) for n, text in texts.items()])
            live += new
            rng.shuffle(live)
            old = [live.pop() for _ in range(min(rng.randrange(count + 5), len(live) - 1))]
            store.batch([PutOp((*NS, name[-3:]), f"key {name}", None) for name in old])
            gone += old
    return [name.encode() for name in gone], [name.encode() for name in live]


@pytest.mark.parametrize("seed", [0, 1, 5, 6])
def test_rows_that_moved_within_the_file_leave_no_copies_where_they_were(tmp_path, seed):
    gone, live = names_of_many(tmp_path, seed)
    content = (tmp_path / "memory.sqlite3").read_bytes()
    assert [name for name in gone if name in content] == []
    assert all(name in content for name in live)
    with HybridStore(tmp_path, index=None, background=False) as store:
        store.delete_namespace(NS)
        assert store.purge() == ()
        content = (tmp_path / "memory.sqlite3").read_bytes()
        assert [name for name in gone + live if name in content] == []


def test_looking_at_the_file_keeps_the_locks_of_others_on_it(tmp_path):
    with opened(tmp_path) as store, opened(tmp_path) as other:
        other.put(NS, "k", {"text": "harmless"})
        other.close()
        alone = "import sqlite3,sys; c = sqlite3.connect(sys.argv[1], timeout=0); "
        alone += "c.execute('PRAGMA locking_mode=EXCLUSIVE'); c.execute('BEGIN EXCLUSIVE')"
        command = [sys.executable, "-c", alone, str(tmp_path / "memory.sqlite3")]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert "database is locked" in done.stderr
        assert store.get(NS, "k") is not None


def test_the_vector_index_forgets_too(tmp_path):
    with opened(tmp_path, exact_limit=50) as store:
        store.batch([PutOp(NS, str(n), {"text": f"harmless {n}"}) for n in range(200)])
        store.put(NS, "k", {"text": secret_text()})
        store.flush()
        store.delete(NS, "k")
        store.flush()
        assert store.doctor() == ()
        assert (tmp_path / CHROMA_FOLDER).exists()
    assert traces(tmp_path, [secret_text()]) == []
    with opened(tmp_path, exact_limit=50) as store:
        store.flush()
        assert store.doctor() == ()
        assert len(store.search(NS, query="harmless 7", limit=1000)) == 200
    assert (tmp_path / CHROMA_FOLDER).exists()


def test_purging_does_it_while_the_store_is_open(tmp_path):
    with opened(tmp_path, exact_limit=50) as store:
        store.batch([PutOp(NS, str(n), {"text": f"harmless {n}"}) for n in range(200)])
        store.put(NS, "k", {"text": secret_text()})
        store.flush()
        store.delete(NS, "k")
        assert store.purge() == ()
        assert traces(tmp_path, [secret_text()]) == []
        store.flush()
        assert store.doctor() == ()


def test_a_reader_elsewhere_is_named_as_what_is_waited_for(tmp_path):
    with opened(tmp_path) as store:
        store.put(NS, "k", {"text": secret_text()})
        reader = sqlite3.connect(tmp_path / "memory.sqlite3", isolation_level=None)
        reader.execute("BEGIN")
        reader.execute("SELECT count(*) FROM store_items").fetchone()
        store.delete(NS, "k")
        (reason,) = store.purge()
        assert "another process" in reason
        reader.execute("COMMIT")
        reader.close()
        assert store.purge() == ()
        assert traces(tmp_path, [secret_text()]) == []


def test_another_build_of_sqlite_may_have_other_defaults(tmp_path):
    with opened(tmp_path) as store:
        store.put(NS, "k", {"text": "words"})
    database = Database(tmp_path / "memory.sqlite3")
    with database.read() as connection:
        assert connection.exec_driver_sql("PRAGMA secure_delete").scalar() == 1
        assert connection.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
    database.close()


def test_deleted_vectors_leave_a_chroma_server(new_postgres, chroma_client):
    url = new_postgres()
    with HybridStore(url, index=INDEX, chroma=chroma_client) as store:
        store.batch([PutOp(NS, str(n), {"text": f"harmless {n}"}) for n in range(20)])
        store.put(NS, "k", {"text": secret_text()})
        store.flush()
        store.delete(NS, "k")
        index = store._outbox.index
    found = chroma_client.get_collection(index.name, embedding_function=None).get(include=["embeddings"])
    secret = np.asarray(embed([secret_text()])[0])
    secret /= np.linalg.norm(secret)
    assert all(np.linalg.norm(vector - secret) > 1e-3 for vector in found["embeddings"])
    assert len(found["ids"]) == 20
