"""LangGraph's own conformance suite for checkpointers, through the drop-in, while it captures."""

import pytest
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import BASE_CAPABILITIES, DetectedCapabilities
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.postgres.aio import AsyncPostgresSaver
from langgraph.checkpoint.sqlite.aio import AsyncSqliteSaver

from langgraph_memory import CapturingSaver

from .scenes import CONTEXT


def plain(tmp_path, postgres):
    async def memory():
        yield InMemorySaver()

    async def sqlite():
        async with AsyncSqliteSaver.from_conn_string(":memory:") as saver:
            yield saver

    async def posted():
        async with AsyncPostgresSaver.from_conn_string(postgres()) as saver:
            await saver.setup()
            yield saver

    return {"memory": memory, "sqlite": sqlite, "postgres": posted}


@pytest.mark.parametrize("kind", ["memory", "sqlite", "postgres"])
async def test_the_drop_in_conforms_in_full(memory, request, tmp_path, kind):
    inner = plain(tmp_path, lambda: request.getfixturevalue("postgres_url"))[kind]
    wrapped = []

    async def capturing():
        async for saver in inner():
            wrapped.append(CapturingSaver(saver, memory, identify=lambda config, metadata: CONTEXT))
            yield wrapped[-1]

    report = await validate(checkpointer_test(f"capturing {kind}")(capturing))
    failures = {name: result.failures for name, result in report.results.items() if result.passed is False}
    assert failures == {}
    assert report.passed_all_base()
    assert report.conformance_level() == "FULL"
    own = DetectedCapabilities.from_instance(wrapped[0]).detected
    assert own >= BASE_CAPABILITIES
    assert own == DetectedCapabilities.from_instance(wrapped[0]._saver).detected
    assert [n for saver in wrapped for n in saver.notices] == []


async def test_the_one_line_saver_conforms_in_full(memory):
    async def capturing():
        with CapturingSaver.open(":memory:", memory) as saver:
            yield saver

    report = await validate(checkpointer_test("one line")(capturing))
    assert report.conformance_level() == "FULL"
    assert report.passed_all_base()
