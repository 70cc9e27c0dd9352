"""A real `langgraph dev`, headless, on a copy of the example graphs; and clients of several people."""

import json
import os
import shutil
import subprocess
import sys
import time
from contextlib import contextmanager
from pathlib import Path

import httpx
from langgraph_sdk import get_sync_client
from store.servers import free_port

from langgraph_memory import Memory
from langgraph_memory.demo.staging import POLICY

REPOSITORY = Path(__file__).parents[2]
SCOPE = {"org": "acme", "workspace": "staging-cloud"}
GRANTS = ["org=acme,workspace=staging-cloud"]
USERS = {
    "token-of-ana": {"identity": "ana", "roles": ["infra_lead"], "grants": GRANTS},
    "token-of-dev": {"identity": "dev", "roles": ["developer"], "grants": GRANTS},
    "token-of-eve": {"identity": "eve", "roles": [], "grants": []},
}
FORGED = {
    "principal": {"user_id": "ana", "roles": ["infra_lead"], "grants": [SCOPE]},
    "scope": SCOPE,
}
"""A context that claims to be Ana, whoever sends it."""

OPTIONS = ("--no-browser", "--no-reload")
_PATIENCE = 60


class Server:
    """Where it listens, and the memory behind it."""

    def __init__(self, url, folder):
        self.url = url
        self.folder = folder

    def client(self, who):
        return get_sync_client(url=self.url, headers={"authorization": f"Bearer token-of-{who}"})

    @contextmanager
    def memory(self):
        """The server's memory, seen from another process."""
        with Memory.open(self.folder / "memory", policy=POLICY) as opened:
            yield opened

    def run(self, who, graph, text, thread=None, context=FORGED, **more):
        """One request of a person; the state afterwards, and the thread."""
        with self.client(who) as client:
            thread = thread or client.threads.create()["thread_id"]
            said = {"messages": [{"role": "user", "content": text}]}
            return client.runs.wait(thread, graph, input=said, context=context, **more), thread


@contextmanager
def served(folder, *, checkpointer=True):
    """The server on what `langgraph.json` names, and graphs of somebody else."""
    shutil.copytree(REPOSITORY / "graphs", folder / "graphs")
    shutil.copy(Path(__file__).parent / "app" / "their_graphs.py", folder)
    config = json.loads((REPOSITORY / "langgraph.json").read_text(encoding="utf-8"))
    config["graphs"] |= {
        "eager": "./their_graphs.py:with_memory",
        "plain": "./their_graphs.py:without_memory",
    }
    if not checkpointer:
        del config["checkpointer"]
    (folder / "langgraph.json").write_text(json.dumps(config), encoding="utf-8")
    (folder / "users.json").write_text(json.dumps(USERS), encoding="utf-8")
    port = free_port()
    with (folder / "log").open("w") as log:
        process = subprocess.Popen(
            [sys.executable, "-m", "langgraph_cli", "dev", *OPTIONS, "--port", str(port)],
            cwd=folder,
            env={
                **os.environ,
                "PYTHONPATH": str(REPOSITORY),
                "LANGGRAPH_MEMORY_PATH": str(folder / "memory"),
                "LANGGRAPH_MEMORY_CHECKPOINTS": str(folder / "memory"),
                "LANGGRAPH_MEMORY_USERS": str(folder / "users.json"),
            },
            stdout=log,
            stderr=log,
        )
        try:
            _wait(process, f"http://127.0.0.1:{port}/ok", folder / "log")
            yield Server(f"http://127.0.0.1:{port}", folder)
        finally:
            process.terminate()
            process.wait(_PATIENCE)


def _wait(process, url, log):
    deadline = time.monotonic() + _PATIENCE
    while True:
        assert process.poll() is None, log.read_text()[-4000:]
        assert time.monotonic() < deadline, "the server doesn't answer"
        try:
            if httpx.get(url, timeout=5).is_success:
                return
        except httpx.TransportError:
            time.sleep(0.1)
