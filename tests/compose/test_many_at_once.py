"""Many users at once, in threads and in one event loop: no run hangs, and none loses a word."""

import subprocess
import sys

from . import many_at_once

ROUNDS, USERS = 4, 12
EVENTS_OF_A_RUN = 4  # what was asked, the call's result, the last word, and the end of the activity


def test_many_users_at_once():
    program = [sys.executable, many_at_once.__file__, str(ROUNDS), str(USERS)]
    done = subprocess.run(program, capture_output=True, text=True, timeout=300, check=True)
    assert int(done.stdout) == 2 * ROUNDS * USERS * EVENTS_OF_A_RUN
