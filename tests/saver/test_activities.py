"""Which activity a message belongs to, where several threads ask at once."""

import threading

from langchain_core.messages import HumanMessage

from langgraph_memory import Memory
from langgraph_memory.runtime.activities import Activities

from .scenes import CONTEXT, POLICY


class Bell:
    """A desk that tells when someone is about to read the log."""

    def __init__(self):
        self.rung = threading.Event()

    def settle(self):
        self.rung.set()


def test_one_who_waits_for_the_log_keeps_no_other_one_from_asking():
    with Memory.open(":memory:", policy=POLICY, index=None) as memory:
        bell, found = Bell(), []

        def ask(name):
            found.append(Activities(memory.log, [HumanMessage(name, id=name)], name, CONTEXT).latest)

        waiting = threading.Thread(target=ask, args=("waiting",), daemon=True)

        def write():
            with memory.log.database.write():
                memory.log.attend(bell, words=False)
                waiting.start()
                assert bell.rung.wait(60)
                ask("writing")

        writing = threading.Thread(target=write, daemon=True)
        writing.start()
        writing.join(20)
        assert not writing.is_alive()
        waiting.join(60)
        assert len(set(found)) == 2
