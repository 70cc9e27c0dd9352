"""An agent's notes refuse what is no path, text or range by name, whoever calls."""

import pytest

from langgraph_memory import Memory, Principal, Scope

from .values import HOSTILE, Call, offer

TEAM = Scope.of(org="acme", workspace="staging")
NOTE = {"path": "/memories/a.md"}
GIVEN = {
    "view": NOTE,
    "str_replace": {**NOTE, "old_str": "one", "new_str": "one"},
    "insert": {**NOTE, "insert_line": 0, "insert_text": "zero"},
    "read": NOTE,
    "write": {**NOTE, "text": "one\ntwo\n"},
    "entries": {},
    "run": {"command": "view"},
    "rename": {"old_path": "/memories/b.md", "new_path": "/memories/b/c.md"},
    "create": {"path": "/memories/new.md", "file_text": "x"},
    "delete": {"path": "/memories/new.md"},
}


@pytest.mark.parametrize("name", GIVEN)
def test_a_hostile_argument_of_a_command_is_taken_or_refused_by_name(name):
    with Memory.open(":memory:", index=None) as memory:
        files = memory.files(principal=Principal("ana", grants=(TEAM,)), scope=TEAM)
        call = Call(name, getattr(files, name), GIVEN[name])
        troubles = []
        for parameter in call.parameters():
            for value in HOSTILE:
                files.write("/memories/a.md", "one\ntwo\n")
                if files.entries("/memories/new.md"):
                    files.delete("/memories/new.md")
                troubles.append(offer(call, parameter, call.given | {parameter: value})[1])
        assert not any(troubles), "\n".join(filter(None, troubles))
        assert files.read("/memories/a.md")
