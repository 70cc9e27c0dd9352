"""Every Python block of the README runs, in order, and prints what the README says."""

import re
from pathlib import Path

README = Path(__file__).parent.parent / "README.md"
BLOCKS = re.findall(r"```python\n(.*?)```", README.read_text(encoding="utf-8"), re.DOTALL)


def test_the_blocks_run_and_do_what_they_say(capsys):
    names: dict[str, object] = {}
    printed = []
    for block in BLOCKS:
        exec(compile(block, str(README), "exec"), names)
        printed.append(capsys.readouterr().out)
    _, blocked, corrected, agent, found = printed
    assert 'stop_instance is blocked by "Keep gpu-bench-01 running until QA has migrated' in blocked
    assert corrected.splitlines() == [
        "Keep gpu-bench-01 running until QA has migrated – QA has migrated – infra_lead",
        "retired",
        "gpu-bench-01 stopped",
        "True",
    ]
    assert agent == "Noted.\n"
    assert found == "a\n"


def test_the_name_that_belongs_to_someone_else_is_never_told_to_install():
    text = README.read_text(encoding="utf-8")
    assert "pip install langgraph-memory-runtime" in text
    assert not re.search(r"pip install langgraph-memory(?!-runtime)", text)
