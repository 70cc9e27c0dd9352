"""The notes as a deepagents backend, alone and behind a route."""

import pytest
from deepagents import create_deep_agent
from deepagents.backends import CompositeBackend, StateBackend
from langchain_core.messages import AIMessage

from langgraph_memory import MemoryContext, MemoryFilesBackend
from langgraph_memory.testing import ScriptedChatModel

from .conftest import BOB, TEAM

PLAN = "/memories/plan.md"


@pytest.fixture
def backend(memory):
    return MemoryFilesBackend(memory, principal=BOB, scope=TEAM)


@pytest.fixture(params=["alone", "routed"])
def any_backend(request, backend):
    if request.param == "alone":
        return backend
    return CompositeBackend(default=StateBackend(), routes={"/memories/": backend})


def test_files_are_written_read_edited_listed_and_deleted(any_backend, notes):
    assert any_backend.write(PLAN, "one\ntwo\nthree\n").path == PLAN
    assert any_backend.write("/memories/sub/x.txt", "two more").error is None
    assert [entry["path"] for entry in any_backend.ls("/memories/").entries] == [PLAN, "/memories/sub/"]
    read = any_backend.read(PLAN, offset=1, limit=1)
    assert (read.file_data["content"], read.next_offset, read.total_lines) == ("two\n", 2, 3)
    assert any_backend.edit(PLAN, "two", "TWO").occurrences == 1
    assert notes.read(PLAN) == "one\nTWO\nthree\n"
    assert [(m["path"], m["line"]) for m in any_backend.grep("two", path="/memories/").matches] == [
        ("/memories/sub/x.txt", 1)
    ]
    assert [m["path"] for m in any_backend.glob("**/*.md", path="/memories/").matches] == [PLAN]
    assert any_backend.delete("/memories/sub").error is None
    assert [entry.path for entry in notes.entries()] == [PLAN]


def test_without_the_prefix_a_path_is_below_the_root(backend, notes):
    backend.write("/plan.md", "x")
    assert notes.read(PLAN) == "x"
    assert [entry["path"] for entry in backend.ls("/").entries] == ["/plan.md"]
    assert [entry["path"] for entry in backend.ls("/memories").entries] == [PLAN]


@pytest.mark.parametrize("path", ["/../etc/passwd", "/memories/../x", "notes.md", "/a%2fb", "/a\\b"])
def test_tricks_are_errors_of_every_operation(backend, path):
    assert "refused" in backend.ls(path).error
    assert "refused" in backend.read(path).error
    assert "refused" in backend.write(path, "x").error
    assert "refused" in backend.edit(path, "x", "y").error
    assert "refused" in backend.delete(path).error
    assert "refused" in backend.grep("x", path).error
    assert "refused" in backend.glob("*", path).error
    assert backend.download_files([path])[0].error == "invalid_path"
    assert backend.upload_files([(path, b"x")])[0].error


def test_an_edit_that_is_not_unique_or_not_there_changes_nothing(backend):
    backend.write(PLAN, "a a")
    assert "2 times" in backend.edit(PLAN, "a", "b").error
    assert "not found" in backend.edit(PLAN, "z", "b").error
    assert backend.edit(PLAN, "a", "b", replace_all=True).occurrences == 2
    assert backend.download_files([PLAN])[0].content == b"b b"
    assert backend.download_files(["/memories/none"])[0].error == "file_not_found"
    assert backend.upload_files([("/memories/bin", b"\xff\xfe")])[0].error
    assert ".." in backend.glob("../*").error


def test_a_deep_agent_keeps_notes_between_its_runs(memory):
    def run(*script):
        agent = create_deep_agent(
            model=ScriptedChatModel(script),
            backend=CompositeBackend(
                default=StateBackend(), routes={"/memories/": MemoryFilesBackend(memory)}
            ),
            context_schema=MemoryContext,
        )
        context = MemoryContext(principal=BOB, scope=TEAM)
        return agent.invoke({"messages": [("user", "go")]}, context=context)["messages"]

    def call(name, **args):
        return AIMessage("", tool_calls=[{"id": name, "name": name, "args": args}])

    run(call("write_file", file_path=PLAN, content="standup at 9:30"), "done")
    shown = run(call("read_file", file_path=PLAN), "done")
    assert any("standup at 9:30" in message.text for message in shown)
    assert memory.files(principal=BOB, scope=TEAM).read(PLAN) == "standup at 9:30"
