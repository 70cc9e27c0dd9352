"""The vector index: it finds what a comparison finds, damage is found and mended, one process owns it."""

import json
import os
import shutil
import subprocess
import sys

import numpy as np
import pytest
from langgraph.store.base import PutOp

from langgraph_memory.errors import StorageError
from langgraph_memory.store import HybridStore, state
from langgraph_memory.store.findables import Vectors
from langgraph_memory.store.homes import CHROMA_FOLDER
from langgraph_memory.testing.store_conformance.kit import wait_until

NS = ("docs",)
LIMIT = 100
ITEMS = 400
DIMS = 32
SUBJECTS = ("river", "castle", "engine", "garden", "harbour", "library", "market", "orchard")


def embed(texts):
    """Words as fixed random directions: near when they share words."""
    return [sum((_direction(word) for word in text.split()), np.full(DIMS, 1e-3)) for text in texts]


def _direction(word):
    return np.random.default_rng(list(word.encode())).standard_normal(DIMS)


INDEX = {"dims": DIMS, "embed": embed, "fields": ["text", "notes[*]"]}


def text(n):
    return f"{SUBJECTS[n % 8]} {SUBJECTS[n // 8 % 8]} {SUBJECTS[n // 64 % 8]}"


def fill(store, count=ITEMS):
    store.batch([PutOp((*NS, str(n % 5)), str(n), {"text": text(n), "n": n}) for n in range(count)])


def answers(store):
    """What some queries find, with scores rounded to what the index keeps of them."""
    queries = [f"{subject} garden" for subject in SUBJECTS]
    found = [store.search(NS, query=query, limit=20) for query in queries]
    return [[(item.key, round(item.score, 4)) for item in items] for items in found]


def handed(store):
    """Up to which number the scope has left its vectors to the index."""
    partitions = store._engine._scopes._partitions._cached.values()
    return [partition.handed for partition in partitions]


@pytest.fixture(params=["folder", "server"])
def filled(request, tmp_path):
    """A store whose scopes are large enough for the index, in a folder or on servers."""
    location, chroma = tmp_path, None
    if request.param == "server":
        location = request.getfixturevalue("new_postgres")()
        chroma = request.getfixturevalue("chroma_client")
    with opened(location, chroma=chroma) as store:
        fill(store)
        yield store


@pytest.fixture
def folder(tmp_path):
    """A closed memory with a vector index."""
    with opened(tmp_path) as store:
        fill(store, 3 * ITEMS)
        store.flush()
    return tmp_path


def opened(folder, **options):
    return HybridStore(folder, index=INDEX, **{"exact_limit": LIMIT, "background": False} | options)


def test_the_index_finds_what_a_comparison_finds(filled):
    exact = answers(filled)
    assert handed(filled) == [0]
    filled.flush()
    _assert_nearly_same(answers(filled), exact)
    assert handed(filled) != [0]


def test_the_index_holds_no_text(folder):
    for path in (folder / CHROMA_FOLDER).rglob("*"):
        if path.is_file():
            content = path.read_bytes()
            assert not any(subject.encode() in content for subject in SUBJECTS), path


def test_pages_stay_exact_in_a_scope_of_the_index(filled):
    filled.flush()
    answers(filled)
    pages = [filled.search(NS, query="river castle", limit=30, offset=start) for start in range(0, 420, 30)]
    found = [item.key for page in pages for item in page]
    assert sorted(found, key=int) == [str(n) for n in range(ITEMS)]
    assert filled.search(NS, query="river castle", limit=30, offset=60) == pages[2]


def test_what_waits_for_the_index_is_found_too(filled):
    filled.flush()
    answers(filled)
    filled.put((*NS, "0"), "new", {"text": "lighthouse"})
    filled.put((*NS, "1"), "1", {"text": "lighthouse keeper"})
    filled.delete((*NS, "2"), "2")
    assert handed(filled) != [0]
    assert [item.key for item in filled.search(NS, query="lighthouse", limit=2)] == ["new", "1"]
    assert "2" not in {item.key for item in filled.search(NS, query=text(2), limit=1000)}


def test_what_the_words_find_is_compared_although_the_index_doesn_t_name_it(filled, monkeypatch):
    filled.put((*NS, "0"), "rare", {"text": "lighthouse river"})
    exact = filled.search(NS, query="lighthouse", limit=1)[0]
    filled.flush()
    answers(filled)
    with filled.database.read() as connection:
        version = state.read(connection).version
    nearest = filled._outbox.index.nearest

    def others(query, count):
        return [hit for hit in nearest(query, count) if hit[0] != version]

    monkeypatch.setattr(filled._outbox.index, "nearest", others)
    assert handed(filled) != [0]
    found = filled.search(NS, query="lighthouse", limit=1)[0]
    assert (found.key, found.score) == ("rare", pytest.approx(exact.score, abs=0.05))


def test_the_best_of_several_vectors_counts_in_the_index(filled):
    filled.put((*NS, "0"), "many", {"text": "submarine", "notes": ["volcano", "glacier peak"]})
    filled.flush()
    answers(filled)
    for query in ("submarine", "volcano", "glacier peak"):
        assert filled.search(NS, query=query, limit=1)[0].key == "many"
    filled.delete((*NS, "0"), "many")
    filled.flush()
    assert filled.doctor() == ()


def test_small_scopes_don_t_need_the_index(filled):
    filled.flush()
    found = filled.search((*NS, "0"), query=text(0), limit=3)
    assert len(found) == 3
    assert handed(filled) == [0]


def test_a_scope_that_is_a_small_part_is_compared_exactly(filled):
    filled.batch([PutOp(("other",), str(n), {"text": text(n)}) for n in range(2 * ITEMS)])
    filled.flush()
    assert filled.search(NS, query=text(0), limit=1)
    assert handed(filled) == [0]


def test_the_background_keeps_the_index_up_to_date(tmp_path):
    with opened(tmp_path, background=True) as store:
        fill(store)
        wait_until(lambda: answers(store) and handed(store) != [0], "the index is used")
        store.flush()
        assert store.doctor() == ()


def test_a_small_store_has_no_index(tmp_path):
    with opened(tmp_path) as store:
        fill(store, LIMIT)
        store.flush()
        assert store.doctor() == ()
    assert not (tmp_path / CHROMA_FOLDER).exists()


# Damage


def _truncate(folder):
    for path in folder.rglob("*"):
        if path.is_file():
            os.truncate(path, path.stat().st_size // 3)


def _scramble(folder):
    for path in [*folder.rglob("*.bin"), *folder.rglob("*.sqlite3")]:
        path.write_bytes(b"\x00scrambled" * 500)


def _empty(folder):
    for path in folder.glob("*/*"):
        if path.is_dir():
            shutil.rmtree(path)


def _replace(folder):
    shutil.rmtree(folder)
    folder.mkdir()
    (folder / "belongs-to.json").write_text(json.dumps({"store": "another"}))
    (folder / "data").write_text("of another application")


def _forget(folder):
    (folder / "belongs-to.json").unlink()


def _scribble(folder):
    """No text at all."""
    (folder / "belongs-to.json").write_bytes(b"\xff\xfe\x00{")


def _halve_vectors(folder):
    """Chroma's native code would crash on it."""
    (path,) = folder.rglob("data_level0.bin")
    os.truncate(path, path.stat().st_size // 2)


def _spoil_links(folder):
    """The length stays, what is in it is nonsense."""
    (path,) = folder.rglob("data_level0.bin")
    path.write_bytes(b"\xff" * path.stat().st_size)


DAMAGE = {
    "missing": shutil.rmtree,
    "truncated": _truncate,
    "halved": _halve_vectors,
    "spoilt": _spoil_links,
    "scrambled": _scramble,
    "emptied": _empty,
    "foreign": _replace,
    "unmarked": _forget,
    "scribbled": _scribble,
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_a_damaged_index_costs_no_answer_and_is_mended(folder, damage):
    with opened(folder, exact_limit=10**9) as store:
        exact = answers(store)
    damage(folder / CHROMA_FOLDER)
    with opened(folder) as store:
        assert [f.name for f in store.doctor() if f.name == "vector index"]
        assert answers(store) == exact
        assert store.rebuild().embedded == 0
        assert store.doctor() == ()
        _assert_nearly_same(answers(store), exact)
        assert handed(store) != [0]


def _assert_nearly_same(found, exact):
    """Scores differ a little: the index doesn't tell how far away the rest is, and may miss one."""
    for some, wanted in zip(found, exact, strict=True):
        assert some[0][0] == wanted[0][0]
        assert len(dict(some).keys() & dict(wanted).keys()) >= 0.9 * len(wanted)


LEFT_OPEN = """
import sys
from langgraph.store.base import PutOp
from langgraph_memory.store import HybridStore, state
from tests.store.test_vector_index import INDEX, LIMIT, fill
store = HybridStore(sys.argv[1], index=INDEX, exact_limit=LIMIT)
fill(store)
store.flush()
if len(sys.argv) > 2:
    import os
    os.kill(os.getpid(), 9)
"""


@pytest.mark.parametrize("killed", [False, True], ids=["not closed", "killed"])
def test_an_index_is_taken_over_from_a_program_that_ended_and_made_anew_after_a_kill(tmp_path, killed):
    command = [sys.executable, "-c", LEFT_OPEN, str(tmp_path), *(["killed"] if killed else [])]
    assert subprocess.run(command, check=False).returncode == (-9 if killed else 0)
    (before,) = (tmp_path / CHROMA_FOLDER).glob("*/")
    with opened(tmp_path) as store:
        store.flush()
        assert store.doctor() == ()
        assert answers(store)
        assert handed(store) != [0]
        (after,) = (tmp_path / CHROMA_FOLDER).glob("*/")
        assert (after != before) is killed


def test_what_is_not_ours_is_set_aside(folder):
    _replace(folder / CHROMA_FOLDER)
    with opened(folder) as store:
        store.rebuild()
    (aside,) = folder.glob(f"{CHROMA_FOLDER}.set-aside-*")
    assert (aside / "data").read_text() == "of another application"


def test_an_index_that_breaks_while_it_is_used_costs_no_answer(filled, monkeypatch):
    exact = answers(filled)
    filled.flush()
    answers(filled)
    assert handed(filled) != [0]

    def broken(*_):
        raise StorageError("gone")

    monkeypatch.setattr(filled._outbox.index, "nearest", broken)
    assert answers(filled) == exact


def test_lost_vectors_are_noticed_and_sent_again(folder):
    with opened(folder) as store:
        store._outbox.index.claim()
        store._outbox.index.delete([(5, 1), (6, 1)])
        assert [f.name for f in store.doctor()] == ["vector index"]
        store.flush()
        assert store.doctor() == ()


def test_entries_of_no_item_are_noticed(filled):
    filled.flush()
    filled._outbox.index.upsert([Vectors(10**6, np.ones(DIMS, "<f4").tobytes())], DIMS)
    assert [f.name for f in filled.doctor()] == ["vector index"]
    assert answers(filled)
    filled.rebuild()
    assert filled.doctor() == ()


def test_an_outbox_left_behind_is_found_and_sent(folder):
    with opened(folder, exact_limit=10**9) as store:
        store.put((*NS, "0"), "late", {"text": "lighthouse"})
    with opened(folder) as store:
        assert "outbox" in [f.name for f in store.doctor()]
        assert store.search(NS, query="lighthouse", limit=1)[0].key == "late"
        store.flush()
        assert store.doctor() == ()


# Ownership

HOLD = """
import sys
from langgraph_memory.store.ownership import Ownership
from pathlib import Path
held = Ownership(Path(sys.argv[1]) / "owner.lock")
print(held.claim(), flush=True)
sys.stdin.read()
"""


def test_a_second_process_does_without_the_index(folder):
    other = subprocess.Popen(
        [sys.executable, "-c", HOLD, str(folder)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    try:
        assert other.stdout.readline() == "True\n"
        with opened(folder) as store:
            store.flush()
            assert len(store.search(NS, query=text(9), limit=5000)) == 3 * ITEMS
            assert handed(store) == [0]
            with pytest.raises(StorageError, match="another process"):
                store.rebuild()
            store.delete((*NS, "0"), "0")
            assert store.purge() == (
                "another process has the vector index, which still holds deleted vectors",
            )
            other.kill()
            other.wait()
            assert store.purge() == ()
    finally:
        other.kill()
        other.communicate()


def test_two_stores_of_a_process_share_the_index(folder):
    with opened(folder) as one, opened(folder) as other:
        one.flush()
        other.flush()
        assert answers(one) == answers(other)
        assert handed(one) != [0]
        assert handed(other) != [0]
        one.close()
        assert answers(other)
        assert other.doctor() == ()


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system doesn't fork")
@pytest.mark.filterwarnings("ignore:.*multi-threaded.*:DeprecationWarning")
def test_a_forked_child_leaves_the_index_to_its_parent(folder):
    with opened(folder) as store:
        store.flush()
        answers(store)
        child = os.fork()
        if not child:
            code = 1
            try:
                store.put((*NS, "0"), "from the child", {"text": "lighthouse"})
                fresh = opened(folder)
                fresh.flush()
                found = fresh.search(NS, query="lighthouse", limit=1)[0].key == "from the child"
                code = 0 if found and handed(fresh) == [0] else 2
            finally:
                os._exit(code)
        assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
        assert store.search(NS, query="lighthouse", limit=1)[0].key == "from the child"
        store.flush()
        assert store.doctor() == ()
