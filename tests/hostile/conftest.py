import pytest


@pytest.fixture(autouse=True)
def _somewhere(tmp_path, monkeypatch):
    """Relative paths lead to a folder of the test."""
    monkeypatch.chdir(tmp_path)
