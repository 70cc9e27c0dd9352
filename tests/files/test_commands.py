"""The six commands, and what they tell the model."""

import pytest

from langgraph_memory import Memory, Principal, Scope
from langgraph_memory.errors import AccessDeniedError, InvalidPathError, MemoryFileError, StorageError
from langgraph_memory.files.views import MAX_VIEW

from .conftest import BOB, EVE, SMALL, TEAM

PLAN = "/memories/plan.md"


def test_a_file_is_created_viewed_and_marked_as_the_agents_own_note(notes):
    assert notes.create(PLAN, "one\ntwo\n") == f"File created successfully at: {PLAN}"
    shown = notes.view(PLAN).split("\n")
    assert "your own note, not a verified fact" in shown[0]
    assert shown[1:] == ["     1\tone", "     2\ttwo"]
    assert notes.view(PLAN, [2, -1]).endswith(":\n     2\ttwo")


def test_creating_over_a_file_loses_nothing(notes):
    notes.create(PLAN, "one")
    with pytest.raises(MemoryFileError, match="exists already"):
        notes.create(PLAN, "two")
    assert notes.read(PLAN) == "one"


def test_a_text_is_replaced_where_it_occurs_once(notes):
    notes.create(PLAN, "red\ngreen\nred\n")
    assert "     2\tblue" in notes.str_replace(PLAN, "green", "blue")
    with pytest.raises(MemoryFileError, match="in lines: 1, 3"):
        notes.str_replace(PLAN, "red", "pink")
    with pytest.raises(MemoryFileError, match="did not appear verbatim"):
        notes.str_replace(PLAN, "green", "pink")
    assert notes.read(PLAN) == "red\nblue\nred\n"


@pytest.mark.parametrize(
    ("line", "expected"), [(0, "new\none\ntwo\n"), (1, "one\nnew\ntwo\n"), (2, "one\ntwo\nnew\n")]
)
def test_lines_are_inserted_after_a_line(notes, line, expected):
    notes.create(PLAN, "one\ntwo\n")
    notes.insert(PLAN, line, "new\n")
    assert notes.read(PLAN) == expected


@pytest.mark.parametrize("line", [-1, 3, True, "1"])
def test_a_line_that_is_not_there_is_refused(notes, line):
    notes.create(PLAN, "one\ntwo\n")
    with pytest.raises(MemoryFileError, match=r"\[0, 2\]"):
        notes.insert(PLAN, line, "new")
    assert notes.read(PLAN) == "one\ntwo\n"


def test_a_file_or_a_directory_is_deleted_and_the_rest_stays(notes):
    for path in ("/memories/a/x", "/memories/a/y", "/memories/ab", PLAN):
        notes.create(path, path)
    assert notes.delete("/memories/a") == "Successfully deleted /memories/a"
    assert [entry.path for entry in notes.entries()] == ["/memories/ab", PLAN]
    notes.delete("/memories/ab")
    for gone in ("/memories/a", "/memories/a/x", "/memories/ab"):
        with pytest.raises(MemoryFileError, match="does not exist"):
            notes.view(gone)
    with pytest.raises(MemoryFileError, match="can't be deleted"):
        notes.delete("/memories")
    assert notes.read(PLAN) == PLAN


def test_a_directory_is_renamed_with_its_files_and_writes_over_nothing(notes):
    for path in ("/memories/a/x", "/memories/a/b/y", "/memories/ab", "/memories/c/z"):
        notes.create(path, path)
    for taken in ("/memories/ab", "/memories/c", "/memories/c/z", "/memories/ab/under"):
        with pytest.raises(MemoryFileError, match=r"already exists|is a file"):
            notes.rename("/memories/a", taken)
    with pytest.raises(MemoryFileError, match="name another place"):
        notes.rename("/memories/a", "/memories/a/deeper")
    notes.rename("/memories/a", "/memories/d")
    paths = [entry.path for entry in notes.entries()]
    assert paths == ["/memories/ab", "/memories/c/z", "/memories/d/b/y", "/memories/d/x"]
    assert notes.read("/memories/d/x") == "/memories/a/x"


def test_nothing_lies_under_a_file_and_no_file_takes_a_directorys_name(notes):
    notes.create("/memories/a", "a file")
    with pytest.raises(MemoryFileError, match="is a file"):
        notes.create("/memories/a/b", "x")
    notes.create("/memories/d/e", "x")
    with pytest.raises(MemoryFileError, match="already exists"):
        notes.create("/memories/d", "x")


def test_a_directory_shows_two_levels_with_sizes(notes):
    assert "is empty" in notes.view("/memories")
    notes.create("/memories/a/b/c/deep.md", "x" * 2_000)
    notes.create("/memories/a/b/other.md", "12345")
    notes.create(PLAN, "123")
    shown = notes.view()
    assert "2.0K\t/memories/a/\n" in shown
    assert "2.0K\t/memories/a/b/\n" in shown
    assert "3\t/memories/plan.md" in shown
    assert "deep.md" not in shown
    assert "5\t/memories/a/b/other.md" in notes.view("/memories/a")


def test_a_long_file_says_how_to_read_on_and_can_be_read_to_its_end(notes):
    lines = [f"line {number} {'x' * 80}" for number in range(1, 501)]
    notes.create(PLAN, "\n".join(lines))
    seen, shown = [], notes.view(PLAN)
    while True:
        assert len(shown) < MAX_VIEW + 500
        seen += [row.split("\t")[1] for row in shown.split("\n") if "\t" in row]
        if "read on with view_range" not in shown:
            break
        start, end = shown.rpartition("view_range [")[2].rstrip("]").split(",")
        shown = notes.view(PLAN, [int(start), int(end)])
    assert seen == lines


def test_a_large_directory_says_how_to_read_on(notes):
    for number in range(700):
        notes.write(f"/memories/note-{number:04}-with-a-rather-long-name.md", "x")
    shown = notes.view()
    start = int(shown.rpartition("view_range [")[2].split(",")[0])
    assert f"note-{start - 2:04}" in shown
    assert "note-0699" not in shown
    assert "note-0699" in notes.view("/memories", [start + 325, -1])


@pytest.mark.parametrize("wrong", [[0, 1], [3, 4], [2, 1], [1], ["1", "2"]])
def test_a_range_that_shows_nothing_is_refused(notes, wrong):
    notes.create(PLAN, "one\ntwo\n")
    with pytest.raises(MemoryFileError, match="view_range"):
        notes.view(PLAN, wrong)


def test_commands_are_run_by_name_and_miss_no_argument(notes):
    notes.run("create", path=PLAN, file_text="one\n", view_range=None)
    notes.run("insert", path=PLAN, insert_line=1, insert_text="two")
    assert notes.run("view", path=PLAN, view_range=[2, 2]).endswith("\ttwo")
    with pytest.raises(MemoryFileError, match="needs old_str"):
        notes.run("str_replace", path=PLAN, new_str="x")
    with pytest.raises(MemoryFileError, match="no command"):
        notes.run("read", path=PLAN)


def test_notes_belong_to_one_principal_and_one_scope(memory, notes):
    notes.create(PLAN, "bob's")
    assert "bob's" in notes.view(PLAN)
    other = Scope.of(org="acme", workspace="shop")
    for stranger in (
        memory.files(principal=EVE, scope=TEAM),
        memory.files(principal=Principal("bob", grants=(other,)), scope=other),
    ):
        assert "is empty" in stranger.view()
        with pytest.raises(MemoryFileError, match="does not exist"):
            stranger.view(PLAN)
    with pytest.raises(AccessDeniedError):
        memory.files(principal=EVE, scope=Scope.of(org="acme", workspace="web", user="bob"))
    with pytest.raises(AccessDeniedError):
        memory.files(principal=Principal.anonymous(), scope=TEAM)


def test_secrets_do_not_reach_the_store_even_in_parts(notes):
    notes.create(PLAN, "export ORDERS_API_KEY=\n")
    notes.create("/memories/ok.md", "the key is in the vault\n")
    notes.str_replace(PLAN, "API_KEY=", "API_KEY=9a1fQ7xLr2Tn8Vb4Kd")
    assert "[redacted:secret]" in notes.read(PLAN)
    assert "9a1fQ7" not in notes.read(PLAN)
    assert notes.read("/memories/ok.md") == "the key is in the vault\n"
    with pytest.raises(InvalidPathError, match="secret"):
        notes.create("/memories/sk-proj-9a1fQ7xLr2Tn8Vb4KdPw3Zm6Yc0Hs5Jg1Xe", "x")


def test_quotas_hold_and_leave_what_is_there(clock):
    with Memory.open(":memory:", index=None, policy=SMALL, clock=clock) as memory:
        notes = memory.files(principal=BOB, scope=TEAM)
        notes.create(PLAN, "x" * 100)
        with pytest.raises(MemoryFileError, match="100 are allowed"):
            notes.insert(PLAN, 0, "more")
        with pytest.raises(MemoryFileError, match="150 bytes"):
            notes.create("/memories/b", "x" * 51)
        notes.create("/memories/b", "x")
        notes.create("/memories/c", "x")
        with pytest.raises(MemoryFileError, match="3 files"):
            notes.create("/memories/d", "x")
        notes.delete("/memories/c")
        notes.create("/memories/d", "x")
        assert memory.files(principal=EVE, scope=TEAM).create(PLAN, "x" * 100)


def test_every_change_is_audited_by_who_made_it_and_without_its_text(memory, notes):
    notes.create(PLAN, "one")
    (entry,) = notes.entries()
    notes.str_replace(PLAN, "one", "two")
    notes.rename(PLAN, "/memories/b.md")
    notes.delete("/memories/b.md")
    trail = memory.audit(entry.file_id)
    assert [each.decision for each in trail] == ["written", "written", "renamed", "deleted"]
    assert {each.actor for each in trail} == {"bob"}


def test_a_text_that_someone_changed_in_the_store_is_not_shown(memory, notes):
    notes.create(PLAN, "one")
    store = memory.repository.store
    (item,) = store.search(("langgraph_memory",), limit=10)
    store.put(item.namespace, item.key, {**item.value, "text": "two"})
    with pytest.raises(StorageError, match="changed there"):
        notes.view(PLAN)
    notes.delete(PLAN)
    assert store.search(("langgraph_memory",), limit=10) == []


def test_notes_of_a_scope_and_those_below_it_can_be_removed_at_once(memory, notes):
    notes.create(PLAN, "bob's")
    other = memory.files(
        principal=Principal("eve", grants=(Scope.of(org="zeta"),)), scope=Scope.of(org="zeta")
    )
    other.create(PLAN, "eve's")
    assert memory.shelf.remove_below(Scope.of(org="acme"), author="ana") == 1
    assert notes.entries() == []
    assert other.read(PLAN) == "eve's"
