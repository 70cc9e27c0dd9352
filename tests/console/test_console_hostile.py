"""Bad places, files and terminals: one line on stderr and an exit code, never a traceback."""

import os
import stat
import subprocess
import sys

import pytest
from typer.testing import CliRunner

from langgraph_memory import Actor, Memory, Scope
from langgraph_memory.cli import app
from langgraph_memory.log.leases import new_owner

DESK = Scope.parse("org=acme,user=lena")
COMMANDS = (
    ("recall", "q"),
    ("facts",),
    ("episodes",),
    ("review",),
    ("forget", "--entity", "x"),
    ("export", "out.jsonl"),
    ("procedures", "list"),
)
WITHOUT_SCOPE = (("doctor",), ("rebuild",), ("worker", "--once"), ("status",), ("audit", "x"))


@pytest.fixture
def place(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    with Memory.open("memory") as memory:
        memory.assert_fact(
            scope=DESK, entity="café", attribute="owner", value="Zoë", actor=Actor("user", "lena")
        )
        memory.export(DESK, "good.jsonl")
    (tmp_path / "foreign").mkdir()
    (tmp_path / "foreign" / "thesis.txt").write_text("years of work")
    (tmp_path / "file").write_text("x")
    (tmp_path / "garbage").mkdir()
    (tmp_path / "garbage" / "memory.sqlite3").write_bytes(b"no database at all" * 500)
    return tmp_path


def run(*arguments):
    return CliRunner().invoke(app, [str(each) for each in arguments])


def is_one_line_of_refusal(done):
    raw = done.exception is not None and not isinstance(done.exception, SystemExit)
    return (
        not raw and done.exit_code == 2 and done.stderr.startswith("error: ") and done.stderr.count("\n") == 1
    )


@pytest.mark.parametrize(
    "path", ["nothing", "foreign", "file", "garbage", "foo://x", "a\ud800", "x" * 5_000, ""]
)
def test_a_place_without_a_memory_is_one_line_for_every_command(place, path):
    for command, *rest in (*((*each, "--scope", str(DESK)) for each in COMMANDS), *WITHOUT_SCOPE):
        words = [rest.pop(0)] if command == "procedures" else []
        done = run(command, *words, "--path", path, *rest)
        assert is_one_line_of_refusal(done), (command, done.exception, done.output)
    assert sorted(each.name for each in (place / "foreign").iterdir()) == ["thesis.txt"]
    assert run("facts", "--path", "memory", "--scope", DESK).exit_code == 0


@pytest.mark.parametrize(
    "scope", ["", "org", "=x", "org=*", "foo=1", "org=a,org=b", "org=\ud800", "a" * 9_999]
)
def test_a_scope_that_is_none_is_one_line(place, scope):
    for command, *rest in COMMANDS:
        words = [rest.pop(0)] if command == "procedures" else []
        done = run(command, *words, "--path", "memory", "--scope", scope, *rest)
        assert is_one_line_of_refusal(done), (command, done.exception, done.output)


@pytest.mark.parametrize("name", ["", "x", "\ud800", "a" * 100_000, "fact_0", "\u202e"])
def test_an_id_that_nobody_has_is_one_line(place, name):
    for command in (("--confirm", name), ("--reject", name), ("--correct", name), ("--approve", name)):
        done = run("review", "--path", "memory", "--scope", DESK, *command)
        assert is_one_line_of_refusal(done), (command, done.exception, done.output)
    done = run("procedures", "show", "--path", "memory", "--scope", DESK, name)
    assert is_one_line_of_refusal(done), (done.exception, done.output)


FILES = {
    "a NUL": b"\x00\n",
    "latin": b"\xe9\xff\n",
    "no object": b"[1]\n",
    "deep": b"[" * 100_000 + b"\n",
    "long": b'{"event_id":"' + b"a" * 1_000_000 + b'"}\n',
}


@pytest.mark.parametrize("kind", FILES)
def test_a_file_that_is_no_export_is_one_line_and_nothing_of_it_is_taken(place, kind):
    (place / "bad.jsonl").write_bytes(FILES[kind])
    before = run("facts", "--path", "memory", "--scope", DESK).output
    assert is_one_line_of_refusal(run("import", "--path", "memory", "bad.jsonl"))
    assert run("facts", "--path", "memory", "--scope", DESK).output == before


@pytest.mark.parametrize("change", ["bom", "crlf", "empty"])
def test_what_editors_do_to_an_export_does_no_harm(place, change):
    good = (place / "good.jsonl").read_bytes()
    changed = {"bom": b"\xef\xbb\xbf" + good, "crlf": good.replace(b"\n", b"\r\n"), "empty": b""}[change]
    (place / "changed.jsonl").write_bytes(changed)
    done = run("import", "--path", "other", "changed.jsonl")
    assert done.exit_code == 0, done.output
    with Memory.open("other") as other:
        assert [fact.value for fact in other.facts(DESK)] == ([] if change == "empty" else ["Zoë"])


@pytest.mark.parametrize("target", ["nowhere/x", "foreign", "", "x" * 5_000])
def test_an_export_to_where_nothing_can_be_written_is_one_line(place, target):
    done = run("export", "--path", "memory", "--scope", DESK, target)
    assert is_one_line_of_refusal(done), (done.exception, done.output)
    assert not [each for each in place.iterdir() if each.name.startswith(".")]


def test_an_export_goes_through_a_pipe_and_a_link_and_both_stay_what_they_are(place):
    os.mkfifo(place / "pipe")
    (place / "link").symlink_to("target.jsonl")
    with subprocess.Popen(["/bin/cat", "pipe"], stdout=subprocess.PIPE) as reader:
        with Memory.open("memory") as memory:
            memory.export(DESK, "pipe")
            memory.export(DESK, "link")
        assert reader.communicate(timeout=30)[0] == (place / "good.jsonl").read_bytes()
    assert stat.S_ISFIFO((place / "pipe").stat().st_mode)
    assert (place / "link").is_symlink()
    assert (place / "target.jsonl").read_bytes() == (place / "good.jsonl").read_bytes()


def test_what_a_killed_export_left_goes_with_the_next_one_and_a_running_ones_file_stays(place):
    script = "from langgraph_memory.log.leases import new_owner; print(new_owner())"
    gone = subprocess.run(
        [sys.executable, "-c", script],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)},
        capture_output=True, text=True, check=True,
    ).stdout.strip()  # fmt: skip
    left, running = (place / f".out.jsonl.{owner.replace('|', '~')}" for owner in (gone, new_owner()))
    other = place / ".out.jsonl.backup"
    for each in (left, running, other):
        each.write_text("x")
    assert run("export", "--path", "memory", "--scope", DESK, "out.jsonl").exit_code == 0
    assert [each.exists() for each in (left, running, other)] == [False, True, True]


@pytest.mark.parametrize("app_name", ["x", ":", "os:path", "os:getcwd", "langgraph_memory:Memory"])
def test_an_application_without_a_memory_is_one_line(place, app_name):
    done = run("worker", "--path", "memory", "--once", "--app", app_name)
    assert is_one_line_of_refusal(done), (done.exception, done.output)


@pytest.mark.parametrize(
    "setting", [{"PYTHONIOENCODING": "ascii"}, {"COLUMNS": "20"}, {"NO_COLOR": "1"}], ids=str
)
def test_any_terminal_shows_what_is_held(place, setting):
    done = subprocess.run(
        [sys.executable, "-m", "langgraph_memory", "facts", "--path", "memory", "--scope", str(DESK)],
        env=os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)} | setting,
        capture_output=True, stdin=subprocess.DEVNULL, timeout=60, check=False,
    )  # fmt: skip
    assert (done.returncode, done.stderr) == (0, b"")
    assert "Zoë" in done.stdout.decode()
