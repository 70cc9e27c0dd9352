"""Paths of a model are untrusted output."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from langgraph_memory.errors import InvalidPathError, MemoryFileError
from langgraph_memory.files.paths import ROOT, canonical

REFUSED = [
    "",
    "notes.md",
    "./notes.md",
    "/etc/passwd",
    "/memoriesx/notes.md",
    "/Memories/notes.md",
    "//memories/notes.md",
    "/memories/../etc/passwd",
    "/memories/a/../../etc",
    "/memories/./notes.md",
    "/memories/...",
    "/memories//notes.md",
    "/memories/notes.md//",
    "/memories/%2e%2e/etc/passwd",
    "/memories/..%2f..%2fetc",
    "/memories/%252e%252e/x",
    "/memories/..\\..\\windows",
    "/memories/C:/x",
    "/memories/~root/x",
    "/memories/link -> /etc/passwd",
    "/memories/a\x00b",
    "/memories/a\nb",
    "/memories/a\u200bb",
    "/memories/a\u202eb",
    "/memories/\uff0e\uff0e/etc",
    "/memories/\u2024\u2024/etc",
    "/memories/\u2025/etc",
    "/memories/a\u2215b",
    "/memories/a\u2044b",
    "/memories/a\uff0fb",
    "/memories/a\u29f8b",
    "/memories/a\uff3cb",
    "/memories/a\u00a0b",
    "/memories/\ud800",
    "/memories/ notes",
    "/memories/notes ",
    "/memories/notes.",
    "/m\u0435mories/x",
    "/memories/*",
    "/memories/" + "x" * 200,
    "/memories/" + "x/" * 17 + "x",
    "file:///memories/x",
    None,
    7,
    b"/memories/x",
]


@pytest.mark.parametrize("path", REFUSED, ids=ascii)
def test_a_path_that_could_mean_another_place_is_refused_by_every_command(path, notes):
    with pytest.raises(InvalidPathError):
        canonical(path)
    with pytest.raises(MemoryFileError):
        notes.run("create", path=path, file_text="x")
    with pytest.raises(MemoryFileError):
        notes.run("rename", old_path="/memories/ok", new_path=path)
    assert notes.entries() == []


@pytest.mark.parametrize(
    "path",
    [
        "/memories/notes.md",
        "/memories/.hidden",
        "/memories/Q3 plan (draft), v2.md",
        "/memories/größe/été.md",
        "/memories/计划/ノート.txt",
        "/memories/a..b",
        "/memories/user@example.com",
    ],
)
def test_an_ordinary_path_is_itself(path, notes):
    assert canonical(path) == path
    assert canonical(f"{path}/") == path
    notes.create(path, "x")
    assert notes.read(path) == "x"


def test_two_spellings_of_one_letter_are_one_path():
    assert canonical(unicodedata.normalize("NFD", "/memories/été")) == "/memories/été"


@given(st.text(max_size=40))
def test_what_passes_stays_under_the_root_in_one_spelling(text):
    try:
        path = canonical(f"{ROOT}/{text}")
    except InvalidPathError:
        return
    assert path == ROOT or path.startswith(f"{ROOT}/")
    assert canonical(path) == path
    assert not any(segment in ("", ".", "..") for segment in path.split("/")[1:])
    assert "\\" not in path
