"""What the tests of ingest start from."""

import json

import pytest
from ingest_doubles import Notebook


@pytest.fixture
def notebook():
    return Notebook()


@pytest.fixture
def write(tmp_path):
    def write(*lines, name="chats.jsonl"):
        path = tmp_path / name
        path.write_text("".join(f"{line if isinstance(line, str) else json.dumps(line)}\n" for line in lines))
        return path

    return write
