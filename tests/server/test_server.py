"""The examples on a real LangGraph server, driven over HTTP by its own client."""

import time

import pytest
from langgraph_sdk.errors import APIStatusError

from langgraph_memory.demo.staging import STAGING

from .serving import FORGED, SCOPE, served

KEEP = "Keep gpu-bench-01 running until QA has moved."
NOTE = {"text": "the garage closes at nine"}
CLEANUP = "Run the weekly staging cost cleanup."


@pytest.fixture(scope="module")
def server(tmp_path_factory):
    with served(tmp_path_factory.mktemp("server")) as running:
        yield running


def texts(state, kind="ai"):
    return [str(message["content"]) for message in state["messages"] if message["type"] == kind]


def consolidate(server, who="ana"):
    with server.client(who) as client:
        return client.runs.wait(None, "consolidation", input={})["report"]


def waiting(server, thread):
    with server.client("ana") as client:
        return client.threads.get_state(thread)["interrupts"]


def test_what_a_lead_says_in_one_thread_holds_in_another_one(server):
    _, thread = server.run("ana", "costguard", KEEP)
    report = consolidate(server)
    assert report["failed"] == 0
    state, other = server.run("dev", "costguard", CLEANUP)
    assert other != thread
    assert KEEP in texts(state)[-1]
    assert state["recall"]["receipt_id"]
    assert state["notice"] is None
    stopped = [m for m in state["messages"] if m["type"] == "tool" and m["name"] == "stop_instance"]
    assert not any("gpu-bench-01" in str(message["content"]) for message in stopped)
    assert stopped
    with server.memory() as memory:
        (fact,) = memory.facts(STAGING, entity="gpu-bench-01")
        assert fact.authority_role == "infra_lead"


def test_the_user_is_whom_the_server_has_authenticated_and_not_whom_the_client_claims(server):
    server.run("dev", "costguard", "Never touch web-staging-02, it is mine.")
    consolidate(server)
    with server.memory() as memory:
        (said,) = [e for e in memory.events(STAGING) if "web-staging-02, it" in str(e.data.get("text"))]
        assert (said.actor.kind, said.actor.id, said.actor.roles) == ("user", "dev", {"developer"})
        assert memory.facts(STAGING, entity="web-staging-02") == []
        assert memory.facts(STAGING, entity="gpu-bench-01")


def test_a_user_without_grants_is_shown_nothing_and_leaves_nothing(server):
    state, _ = server.run("eve", "costguard", f"{CLEANUP} Eve was here.")
    assert not any(KEEP in text for text in texts(state))
    assert "has no grant for the scope" in str(state["recall"]["degraded"])
    server.run("dev", "costguard", f"{CLEANUP} Dev was here.")
    with server.memory() as memory:
        told = " ".join(str(event.data.get("text")) for event in memory.events(STAGING))
    assert "Dev was here" in told
    assert "Eve was here" not in told


def test_nobody_gets_in_without_a_token(server):
    with server.client("nobody") as client, pytest.raises(APIStatusError, match="no user has this token"):
        client.threads.create()


def test_the_guard_asks_a_person_over_http_and_only_authority_counts(server):
    server.run("ana", "costguard", "Keep db-staging-01 up until the audit is over.")
    _, thread = server.run("dev", "eager", "Stop db-staging-01")
    (question,) = waiting(server, thread)
    (call,) = question["value"]["calls"]
    assert "the audit is over" in call["message"]
    with server.client("dev") as client:
        answer = {"resume": {call["id"]: "approve"}}
        refused = client.runs.wait(thread, "eager", command=answer, context=FORGED)
    assert "may not decide this" in texts(refused, "tool")[-1]
    _, thread = server.run("ana", "eager", "Stop db-staging-01")
    with server.client("ana") as client:
        assert client.threads.get(thread)["status"] == "interrupted"
        done = client.runs.wait(thread, "eager", command=answer, context=FORGED)
    assert texts(done, "tool") == ["db-staging-01 is stopped"]


def test_the_store_api_is_ours_and_memorys_records_are_out_of_its_reach(server):
    with server.client("ana") as client:
        client.store.put_item(["docs", "ana"], "note", NOTE)
        assert client.store.get_item(["docs", "ana"], "note")["value"] == NOTE
        found = client.store.search_items(["docs"], query="when does the garage close")["items"]
        assert [item["key"] for item in found] == ["note"]
        assert client.store.list_namespaces([])["namespaces"] == [["docs", "ana"]]
        server.run("ana", "costguard", "Keep ci-runner-07 up while the release is being built.")
        consolidate(server)
        with server.memory() as memory:
            assert memory.facts(STAGING)
            root = "langgraph_memory"
        with pytest.raises(APIStatusError, match="memory's own records"):
            client.store.search_items([root])
        with pytest.raises(APIStatusError, match="memory's own records"):
            client.store.put_item([root, "org=acme"], "x", {"forged": True})
        client.store.delete_item(["docs", "ana"], "note")
        assert client.store.search_items(["docs"])["items"] == []


def test_recalls_and_decisions_are_streamed_over_http(server):
    with server.client("dev") as client:
        thread = client.threads.create()["thread_id"]
        said = {"messages": [{"role": "user", "content": CLEANUP}]}
        parts = list(
            client.runs.stream(thread, "costguard", input=said, context=FORGED, stream_mode=["custom"])
        )
    kinds = {part.data.get("type") for part in parts if part.event == "custom"}
    assert {"memory.recall", "memory.decision", "memory.publish"} <= kinds


def test_a_graph_without_memory_is_captured_by_the_checkpointer(server):
    state, thread = server.run("ana", "plain", "Stop ci-runner-07")
    assert texts(state)[-1] == "Then: ci-runner-07 is stopped"
    with server.memory() as memory:
        events = [event for event in memory.events(STAGING) if event.thread_id == thread]
    assert [event.event_type for event in events] == [
        "message.user",
        "tool.completed",
        "message.agent",
        "activity.completed",
    ]
    assert (events[0].actor.id, events[0].actor.roles) == ("ana", {"infra_lead"})


def test_threads_go_on_and_their_history_is_kept(server):
    _, thread = server.run("ana", "plain", "Hello.")
    state, _ = server.run("ana", "plain", "And again.", thread=thread)
    assert texts(state) == ["Then: Hello.", "Then: And again."]
    with server.client("ana") as client:
        assert len(client.threads.get_history(thread)) > 2
        copy = client.threads.copy(thread)["thread_id"] if hasattr(client.threads, "copy") else None
        assert copy != thread


def test_a_cron_job_consolidates(server):
    with server.client("ana") as client:
        cron = client.crons.create("consolidation", schedule="* * * * * *", input={})
        try:
            server.run("ana", "costguard", "Keep ci-runner-07 up until Friday's release is out.")
            deadline = time.monotonic() + 60
            with server.memory() as memory:
                while not memory.facts(STAGING, entity="ci-runner-07"):
                    assert time.monotonic() < deadline, "the cron job doesn't consolidate"
                    time.sleep(0.1)
        finally:
            for job in client.crons.search():
                client.crons.delete(job["cron_id"])
    assert cron


@pytest.mark.parametrize("graph", ["agent", "assistant", "attached", "costguard", "deep_agent"])
def test_every_example_answers(server, graph):
    context = {"principal": {"user_id": "x"}, "scope": {"org": "acme", "user": "ana"}}
    state, _ = server.run("ana", graph, "Hello.", context=FORGED if graph != "assistant" else context)
    assert texts(state)[-1]
    assert "Blocking call" not in (server.folder / "log").read_text(encoding="utf-8")


def test_with_the_servers_own_checkpointer_people_are_heard_too(tmp_path):
    with served(tmp_path, checkpointer=False) as plain:
        state, _ = plain.run("ana", "costguard", KEEP)
        assert state["notice"] is None
        with plain.memory() as memory:
            assert [e.actor.id for e in memory.events(STAGING) if e.event_type == "message.user"] == ["ana"]
        assert SCOPE
