import pytest

from .cast import Session


@pytest.fixture
def session():
    opened = Session()
    yield opened
    opened.memory.close()
