"""Every Python block of the guides runs, in order, page by page; links lead somewhere; commands exist."""

import re
from pathlib import Path

import pytest
from typer.main import get_command

from langgraph_memory.cli import app

ROOT = Path(__file__).parents[2]
GUIDES = sorted(
    page for page in (ROOT / "docs").glob("*.md") if page.name not in ("reference.md", "README.md")
)
PAGES = [*GUIDES, ROOT / "docs" / "README.md", ROOT / "docs" / "reference.md", ROOT / "README.md"]


def blocks(page):
    return re.findall(r"```python\n(.*?)```", page.read_text(encoding="utf-8"), re.DOTALL)


def run(page):
    names = {"__name__": page.stem}
    for number, block in enumerate(blocks(page)):
        exec(compile(block, f"{page.name}, block {number + 1}", "exec"), names)
    return names


@pytest.mark.parametrize("page", [page for page in GUIDES if blocks(page)], ids=lambda page: page.stem)
def test_the_examples_of_a_guide_run(page, monkeypatch):
    monkeypatch.delenv("LANGGRAPH_MEMORY_URL", raising=False)
    monkeypatch.delenv("CHROMA_PORT", raising=False)
    assert run(page).keys() > {"__name__", "__builtins__"}


def test_the_example_of_scale_out_runs_on_servers(monkeypatch):
    from store.servers import chroma, postgres  # noqa: PLC0415 - of another test package

    with postgres() as url, chroma() as port:
        monkeypatch.setenv("LANGGRAPH_MEMORY_URL", url.replace("postgresql://", "postgresql+psycopg://"))
        monkeypatch.setenv("CHROMA_PORT", str(port))
        names = {}
        exec(compile(blocks(ROOT / "docs" / "scale-out.md")[0], "scale-out.md", "exec"), names)
        client = names["options"]["chroma"]
        assert client.heartbeat()
        for part in (client, client._admin_client):  # Chroma's own close leaves their connections open
            part._server._session.close()


@pytest.mark.parametrize("page", PAGES, ids=lambda page: f"{page.parent.name}/{page.name}")
def test_links_lead_to_what_is_there(page):
    links = re.findall(r"\]\(([^)#]+)(?:#[^)]*)?\)", page.read_text(encoding="utf-8"))
    broken = [link for link in links if "://" not in link and not (page.parent / link).exists()]
    assert broken == []


def test_commands_that_the_pages_name_exist():
    known = set(get_command(app).commands)
    told = {
        name
        for page in PAGES
        for name in re.findall(r"langgraph-memory ([a-z]+)\b", page.read_text(encoding="utf-8"))
    }
    assert {"worker", "cost"} <= told
    assert told <= known | {"on", "belongs"}


def commands(command, name=""):
    """All commands below one, by what is typed."""
    below = getattr(command, "commands", {})
    for typed, inner in below.items():
        yield from commands(inner, f"{name} {typed}".strip())
    if not below:
        yield name, command


def test_the_help_of_every_command_has_an_example_and_its_options_and_exit_codes_are_told():
    whole = get_command(app)
    assert "Exit codes: 0" in whole.help
    for name, command in commands(whole):
        assert f"Example: `langgraph-memory {name}" in command.help, name
        assert [p.name for p in command.params if not p.help] == [], name
    ends_with_1 = {name for name, command in commands(whole) if "Exit code 1 means" in command.help}
    assert ends_with_1 == {"audit", "doctor", "forget", "status"}


def test_every_guide_is_listed():
    listed = (ROOT / "docs" / "README.md").read_text(encoding="utf-8")
    assert [page.name for page in GUIDES if f"({page.name})" not in listed] == []
