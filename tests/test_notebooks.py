"""The notebooks run from top to bottom, offline."""

import json
from pathlib import Path

import pytest

NOTEBOOKS = sorted((Path(__file__).parent.parent / "notebooks").glob("*.ipynb"))


@pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)
def test_a_notebook_runs_and_shows_what_it_says(path, capsys):
    names: dict[str, object] = {}
    for cell in json.loads(path.read_text(encoding="utf-8"))["cells"]:
        if cell["cell_type"] == "code":
            exec(compile("".join(cell["source"]), str(path), "exec"), names)
    shown = capsys.readouterr().out
    assert 'stop_instance is held for a person because of "Keep gpu-bench-01 running' in shown
    assert "ignored | unverified | Keep gpu-bench-01 running" in shown
    assert shown.endswith("allow\n")
