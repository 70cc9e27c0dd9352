"""A real PostgreSQL and a real Chroma server for the tests, started on free ports and stopped afterwards.

Where they are not installed the tests skip and say what to install; in continuous integration (CI=true) that
is a failure.
"""

import http.client
import os
import pwd
import shutil
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

_PATIENCE_SECONDS = 60


def missing(what: str):
    """Skip, or fail where nothing may be skipped."""
    if os.environ.get("CI") == "true":
        pytest.fail(f"{what} is missing: continuous integration has to install it")
    pytest.skip(f"{what} is not installed")


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextmanager
def postgres():
    """The URL of a running PostgreSQL of our own."""
    tools = _postgres_tools()
    if tools is None:
        missing("PostgreSQL (apt-get install postgresql)")
    folder = Path(tempfile.mkdtemp(prefix="pg-"))
    data, port = folder / "data", free_port()
    try:
        _hand_to_postgres(folder)
        _as_postgres(tools / "initdb", "-D", data, "-U", "postgres", "-A", "trust", "-E", "UTF8", "--no-sync")
        options = f"-p {port} -k {folder} -c listen_addresses=127.0.0.1 -c fsync=off"
        _as_postgres(tools / "pg_ctl", "-D", data, "-l", folder / "log", "-o", options, "-w", "start")
        try:
            yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
        finally:
            _as_postgres(tools / "pg_ctl", "-D", data, "-m", "immediate", "-w", "stop")
    finally:
        shutil.rmtree(folder)


def _postgres_tools():
    found = shutil.which("initdb")
    folders = [Path(found).parent] if found else sorted(Path("/usr/lib/postgresql").glob("*/bin"))
    return next((f for f in reversed(folders) if (f / "pg_ctl").exists()), None)


def _user() -> str | None:
    """PostgreSQL refuses to run as root, so root lends it the user of its package."""
    if os.name == "nt" or os.geteuid() != 0:
        return None
    try:
        return pwd.getpwnam("postgres").pw_name
    except KeyError:
        missing("the user postgres")


def _hand_to_postgres(folder: Path):
    if user := _user():
        shutil.chown(folder, user)


def _as_postgres(*command):
    subprocess.run(
        [str(part) for part in command],
        user=_user(),
        check=True,
        stdout=subprocess.DEVNULL,
        cwd=tempfile.gettempdir(),
        timeout=_PATIENCE_SECONDS,
    )


@contextmanager
def chroma():
    """The port of a running Chroma server of our own."""
    program = Path(sys.executable).with_name("chroma")
    if not program.exists():
        missing("the chroma command (it comes with chromadb)")
    folder, port = tempfile.mkdtemp(prefix="chroma-"), free_port()
    command = [program, "run", "--path", folder, "--host", "127.0.0.1", "--port", str(port)]
    server = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=folder)
    try:
        _wait_for_heartbeat(server, port)
        yield port
    finally:
        server.kill()
        server.wait(_PATIENCE_SECONDS)
        shutil.rmtree(folder)


def _wait_for_heartbeat(server: subprocess.Popen, port: int):
    deadline = time.monotonic() + _PATIENCE_SECONDS
    while not _has_heartbeat(port):
        assert server.poll() is None, "the Chroma server ended"
        assert time.monotonic() < deadline, "the Chroma server doesn't answer"
        time.sleep(0.1)


def _has_heartbeat(port: int) -> bool:
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=5)) as connection:
        try:
            connection.request("GET", "/api/v2/heartbeat")
            return connection.getresponse().status == http.HTTPStatus.OK
        except OSError:
            return False
