"""The pages that map ideas and tables to code: every name exists, every table has its row and its owners."""

import importlib
import inspect
import pkgutil
import re
from pathlib import Path

import pytest
from sqlalchemy import MetaData, Table

import langgraph_memory
from langgraph_memory import Actor, Memory, Principal, Scope
from langgraph_memory.database import metadata

ROOT = Path(__file__).parents[2]
STORED = (ROOT / "docs" / "stored.md").read_text(encoding="utf-8")
IDEAS = (ROOT / "docs" / "ideas.md").read_text(encoding="utf-8")
NAME = re.compile(r"`([a-z_.]+):([A-Za-z_.]+)`")
VERBS = ("written by", "read by", "deleted by")


def resolved(module, path):
    """What a name of the pages stands for."""
    found = importlib.import_module(f"langgraph_memory.{module}")
    for part in path.split("."):
        found = getattr(found, part)
    return found


@pytest.mark.parametrize("page", [STORED, IDEAS], ids=["stored", "ideas"])
def test_every_name_of_the_page_is_in_the_code(page):
    names = NAME.findall(page)
    missing = []
    for module, path in names:
        try:
            resolved(module, path)
        except (ImportError, AttributeError):
            missing.append(f"{module}:{path}")
    assert missing == []
    assert len(names) > 40


def test_every_idea_has_code_and_a_test_that_shows_it():
    rows = [
        line
        for line in IDEAS.splitlines()
        if line.startswith("|") and not line.startswith(("|---", "| idea"))
    ]
    assert [row for row in rows if not NAME.search(row) and "](stored.md)" not in row] == []
    shown_by = [re.findall(r"\]\(\.\./(tests/[a-z_/]+\.py)\)", row) for row in rows]
    assert [row for row, files in zip(rows, shown_by, strict=True) if len(files) != 1] == []
    assert [file for (file,) in shown_by if not (ROOT / file).is_file()] == []
    assert len(rows) > 40


def tables():
    """All tables that any module declares: name in SQL, and the variables that hold it by module."""
    variables = {}
    for module in pkgutil.walk_packages(langgraph_memory.__path__, "langgraph_memory."):
        if ".evaluation" in module.name or ".demo" in module.name:
            continue
        for name, value in vars(importlib.import_module(module.name)).items():
            if isinstance(value, Table):
                variables.setdefault(value.name, set()).add(name)
    return variables


def rows():
    """The cells of the page's table by the name of the SQL table."""
    found = {}
    for line in STORED.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if line.startswith("| `"):
            found[cells[0].strip("`")] = dict(zip(("holds", *VERBS), cells[1:], strict=True))
    return found


def test_every_table_of_the_code_has_a_row_and_every_row_a_table():
    declared = tables()
    assert set(rows()) == set(declared)
    assert set(declared) <= set(metadata.tables)


def test_a_table_that_somebody_adds_without_a_row_is_seen(monkeypatch):
    import langgraph_memory.log.tables as place  # noqa: PLC0415

    monkeypatch.setattr(place, "moods", Table("moods", MetaData()), raising=False)
    assert set(tables()) - set(rows()) == {"moods"}


def test_collections_and_raw_tables_are_made_only_where_the_page_says():
    """What no `Table` declares is looked for by the calls that make it."""
    folder = ROOT / "langgraph_memory"
    makers = {
        str(file.relative_to(folder))
        for file in folder.rglob("*.py")
        if re.search(r"create_collection\(|CREATE (VIRTUAL )?TABLE", file.read_text(encoding="utf-8"))
    }
    assert {maker for maker in makers if not maker.startswith(("demo/", "bench/"))} == {"store/vectors.py"}
    assert "the Chroma collection" in STORED


def test_every_file_of_a_folder_is_of_something_that_the_page_names(tmp_path):
    scope, ana = Scope.of(org="acme", user="ana"), Actor("user", "ana")
    with Memory.open(tmp_path / "memory") as memory:
        memory.assert_fact(scope=scope, entity="bike", attribute="place", value="In the cellar", actor=ana)
        memory.recall("bike", principal=Principal("ana", grants=(scope,)), scope=scope)
        found = {file.relative_to(tmp_path / "memory").parts[0] for file in (tmp_path / "memory").rglob("*")}
    kinds = {name.split(".")[0].split("-")[0] for name in found}
    assert kinds <= {"memory", "chroma"}, found  # SQL and the Chroma collection


@pytest.mark.parametrize("table", sorted(rows()))
def test_a_row_says_what_writes_reads_and_deletes_it(table):
    variables = tables()[table]
    for verb in VERBS:
        cell = rows()[table][verb]
        if verb == "deleted by" and cell.startswith("kept: "):
            assert len(cell) > 40  # nothing deletes it, for a reason
            continue
        names = NAME.findall(cell)
        assert names, f"{table}: {verb} nothing"
        for module, path in names:
            source = inspect.getsource(importlib.import_module(f"langgraph_memory.{module}"))
            held = any(re.search(rf"\b{variable}\b", source) for variable in variables)
            assert held or table == "events" or hands_over(module, path, variables), (
                f"{module}:{path}, {table}"
            )


def hands_over(module, path, variables):
    """Whether the named function calls one of another room that knows the table."""
    source = inspect.getsource(resolved(module, path))
    called = set(re.findall(r"\b(?:self\.)?_?(\w+)\.\w+\(", source))
    return bool(called & {"tombstones", "ledger", "items", "findables", "state", *variables})


def test_a_name_that_is_not_there_would_be_seen():
    with pytest.raises(AttributeError):
        resolved("log", "EventLog.vanish")
    with pytest.raises(ModuleNotFoundError):
        resolved("nowhere", "x")
