"""An ingest whose process was killed, run again, ends as an unbroken one."""

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from .conftest import DESK, chat, held

SCRIPT = Path(__file__).with_name("killed_ingest.py")


@pytest.mark.parametrize(("phase", "number"), [("reading", 12), ("consolidating", 1), ("consolidating", 4)])
def test_it_ends_as_an_unbroken_one(ingest, chats, folder, tmp_path, console, phase, number):
    file = chats(chat(1, "I prefer parcels on Mondays."), chat(2), chat(3, "I prefer parcels on Fridays."))
    broken = tmp_path / "broken"
    options = ["ingest", str(file), "--user", "lena", "--scope", DESK, "--path", str(broken)]
    killed = subprocess.run(
        [sys.executable, str(SCRIPT), phase, str(number), *options],
        capture_output=True,
        text=True,
        check=False,
    )
    assert killed.returncode == -signal.SIGKILL, killed.stderr
    assert ingest(file).exit_code == 0
    expected = held(folder)
    assert held(broken) != expected
    assert ingest(file, "--path", broken).exit_code == 0
    assert held(broken) == expected
    assert console("doctor", "--path", broken, scope=None).exit_code == 0
