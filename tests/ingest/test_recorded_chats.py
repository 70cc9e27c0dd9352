"""Chat messages that others recorded, one conversation a line."""

import json
from datetime import UTC, datetime

import pytest

from langgraph_memory.errors import IngestError
from langgraph_memory.recordings import Called, Said, open_recording
from langgraph_memory.recordings.chats import read_chat
from langgraph_memory.records import EpisodeStatus


def call(call_id, name, arguments):
    return {"id": call_id, "type": "function", "function": {"name": name, "arguments": arguments}}


def asks(*calls, text=None, **more):
    return {"role": "assistant", "content": text, "tool_calls": list(calls), **more}


def result(call_id, content, **more):
    return {"role": "tool", "tool_call_id": call_id, "content": content, **more}


USER = {"role": "user", "content": "Stop what is idle."}
DONE = {"role": "assistant", "content": "Done."}


def entries(path):
    return list(open_recording(path))


def test_roles_texts_calls_and_results():
    conversation = read_chat(
        {
            "conversation_id": "c-1",
            "user_id": "ana",
            "messages": [
                {"role": "system", "content": "Be careful."},
                USER,
                asks(call("k1", "stop", '{"id": "i-1"}'), text="Stopping i-1."),
                result("k1", '{"state": "stopped"}'),
                DONE,
            ],
        }
    )
    assert (conversation.conversation_id, conversation.user, conversation.unanswered) == ("c-1", "ana", ())
    assert [getattr(item, "role", "tool") for item in conversation.items] == [
        "system",
        "user",
        "agent",
        "tool",
        "agent",
    ]
    stop = conversation.items[3]
    assert isinstance(stop, Called)
    assert (stop.tool, stop.args, stop.output, stop.failed) == (
        "stop",
        {"id": "i-1"},
        {"state": "stopped"},
        False,
    )


def test_one_call_id_used_twice_is_two_calls():
    messages = [
        asks(call("k", "stop", '{"id": "i-1"}')),
        result("k", "first"),
        asks(call("k", "stop", '{"id": "i-2"}')),
        result("k", "second"),
    ]
    first, second = read_chat(messages).items
    assert (first.args, first.output) == ({"id": "i-1"}, "first")
    assert (second.args, second.output) == ({"id": "i-2"}, "second")
    assert first.message_id != second.message_id


def test_one_call_id_used_twice_within_a_message_is_two_calls():
    messages = [asks(call("k", "stop", "{}"), call("k", "start", "{}")), result("k", "a"), result("k", "b")]
    first, second = read_chat(messages).items
    assert (first.tool, first.output, second.tool, second.output) == ("stop", "a", "start", "b")
    assert first.call_id != second.call_id


def test_results_in_another_order_find_their_calls():
    messages = [asks(call("a", "stop", "{}"), call("b", "start", "{}")), result("b", "2"), result("a", "1")]
    assert [(item.tool, item.output) for item in read_chat(messages).items] == [("start", "2"), ("stop", "1")]


def test_a_result_without_a_call_and_a_call_without_a_result():
    conversation = read_chat([result("gone", "x", name="look"), asks(call("k", "stop", "{}"))])
    assert [(item.tool, item.args) for item in conversation.items] == [("look", {})]
    assert conversation.unanswered == ("stop",)


def test_the_older_form_of_calls():
    messages = [
        {"role": "assistant", "content": None, "function_call": {"name": "look", "arguments": '{"id": 1}'}},
        {"role": "function", "name": "look", "content": "[1, 2]"},
    ]
    (look,) = read_chat(messages).items
    assert (look.tool, look.args, look.output) == ("look", {"id": 1}, [1, 2])


def test_langchain_spelling():
    messages = [
        {"type": "human", "data": {"content": "hello", "id": "m1"}},
        {"type": "ai", "content": "", "tool_calls": [{"name": "look", "args": {"id": 1}, "id": "k"}]},
        {"type": "tool", "content": "no", "tool_call_id": "k", "status": "error"},
    ]
    said, look = read_chat(messages).items
    assert (said.role, said.text, said.message_id) == ("user", "hello", "m1")
    assert (look.args, look.failed) == ({"id": 1}, True)


def test_content_in_parts():
    parts = [{"type": "text", "text": "see"}, {"type": "image_url", "image_url": {"url": "x"}}, "this"]
    (said,) = read_chat([{"role": "user", "content": parts}]).items
    assert said.text == "see\n[image_url]\nthis"
    (refused,) = read_chat([{"role": "assistant", "content": None, "refusal": "I can't."}]).items
    assert refused.text == "I can't."


def test_arguments_that_are_no_object_are_kept():
    messages = [
        asks(call("a", "run", "rm -rf build"), call("b", "run", None)),
        result("a", ""),
        result("b", ""),
    ]
    assert [item.args for item in read_chat(messages).items] == [{"input": "rm -rf build"}, {}]


@pytest.mark.parametrize("output", ["Error: no such booking", '{"error": "no seats"}'])
def test_failures_are_told_from_results(output):
    (item,) = read_chat([asks(call("k", "book", "{}")), result("k", output)]).items
    assert item.failed


@pytest.mark.parametrize(
    ("message", "moment"),
    [
        ({"timestamp": "2026-05-20T12:00:00+02:00"}, datetime(2026, 5, 20, 10, tzinfo=UTC)),
        ({"created_at": "2026-05-20T10:00:00"}, datetime(2026, 5, 20, 10, tzinfo=UTC)),
        ({"created": 1779271200}, datetime(2026, 5, 20, 10, tzinfo=UTC)),
        ({"timestamp": 1779271200000}, datetime(2026, 5, 20, 10, tzinfo=UTC)),
        ({}, None),
    ],
)
def test_recorded_times(message, moment):
    (said,) = read_chat([USER | message]).items
    assert said.at == moment


class TestIds:
    def test_recorded_ids_are_kept_and_told_apart_where_they_repeat(self):
        said = read_chat([USER | {"id": "m1"}, DONE | {"id": "m1"}, USER | {"id": "m2"}]).items
        ids = [item.message_id for item in said]
        assert ids[0] == "m1"
        assert ids[2] == "m2"
        assert len(set(ids)) == 3

    def test_a_longer_recording_repeats_the_ids_of_the_shorter_one(self):
        short = read_chat([USER, DONE])
        long = read_chat([USER, DONE, USER, DONE])
        assert long.items[:2] == short.items
        assert len({item.message_id for item in long.items}) == 4

    def test_a_conversation_without_an_id_has_one_of_its_content(self):
        assert read_chat([USER]).conversation_id == read_chat({"messages": [USER]}).conversation_id
        assert read_chat([USER]).conversation_id != read_chat([DONE]).conversation_id

    def test_a_number_is_an_id(self):
        assert read_chat({"id": 7, "messages": []}).conversation_id == "7"


class TestStatus:
    @pytest.mark.parametrize(
        ("messages", "status"),
        [
            ([USER, DONE], EpisodeStatus.COMPLETED),
            ([USER, DONE, {"role": "user", "content": "Thanks!"}], EpisodeStatus.COMPLETED),
            ([USER], EpisodeStatus.UNRESOLVED),
            ({"messages": []}, EpisodeStatus.UNRESOLVED),
            ([USER, asks(call("k", "stop", "{}"))], EpisodeStatus.UNRESOLVED),
            ([USER, asks(call("k", "stop", "{}")), result("k", "Error: no"), DONE], EpisodeStatus.FAILED),
            (
                [
                    asks(call("a", "stop", "{}"), call("b", "look", "{}")),
                    result("a", "Error: no"),
                    result("b", "x"),
                ],
                EpisodeStatus.UNRESOLVED,
            ),
            (
                [
                    asks(call("a", "stop", "{}"), call("b", "stop", "{}")),
                    result("a", "Error: no"),
                    result("b", "x"),
                ],
                EpisodeStatus.COMPLETED,
            ),
        ],
    )
    def test_what_failed_last_is_not_told_as_done(self, messages, status):
        assert read_chat(messages).status is status


class TestFiles:
    def test_content_decides_what_a_file_is(self, tmp_path):
        path = tmp_path / "history.sqlite"
        path.write_text(json.dumps({"conversation_id": "c", "messages": [USER]}))
        (entry,) = entries(path)
        assert entry.conversation.conversation_id == "c"

    def test_marks_line_ends_and_empty_lines(self, tmp_path):
        line = json.dumps([USER])
        path = tmp_path / "chats.jsonl"
        path.write_bytes(f"\ufeff{line}\r\n\r\n   \n{line}".encode())
        found = entries(path)
        assert [entry.where.rpartition(":")[2] for entry in found] == ["1", "4"]
        assert [entry.error for entry in found] == [None, None]
        assert found[-1].done == open_recording(path).total == path.stat().st_size

    def test_an_empty_file_holds_nothing(self, tmp_path):
        path = tmp_path / "chats.jsonl"
        path.write_bytes(b"")
        assert entries(path) == []

    @pytest.mark.parametrize(
        ("line", "reason"),
        [
            (b'{"messages": [', "not JSON"),
            (b"hello", "one conversation a line"),
            (b"\xff\xfe", "not UTF-8"),
            (b'{"messages": []}\x00', "not JSON"),
            (b"42", "no list of messages"),
            (b"[]", "no list of messages"),
            (b'{"messages": {}}', "no list of messages"),
            (b'{"conversation_id": "c"}', "no list of messages"),
            (b"[1]", "message 1: '1' is no object"),
            (b'[{"role": "user"}, {"role": "pirate"}]', "message 2: the role 'pirate'"),
            (b"[{}]", "the role 'None'"),
            (b'[{"role": ["user"]}]', "message 1"),
            (b'[{"role": "user", "content": 7}]', "the content 7"),
            (b'[{"role": "user", "content": [7]}]', "the content part '7'"),
            (b'[{"role": "assistant", "tool_calls": {"a": 1}}]', "tool_calls"),
            (b'[{"role": "assistant", "tool_calls": [1]}]', "tool_calls"),
            (b'[{"role": "user", "content": "x", "timestamp": "yesterday"}]', "timestamp 'yesterday'"),
            (b'[{"role": "user", "content": "x", "timestamp": 1e300}]', "timestamp"),
            (b'{"conversation_id": "", "messages": []}', "conversation_id ''"),
            (b'{"conversation_id": ["c"], "messages": []}', "conversation_id"),
            (b'{"conversation_id": "a\\u0000b", "messages": []}', "conversation_id"),
            (b'[{"role": "user", "content": NaN}]', "NaN is not JSON"),
            (b'[{"role": "user", "content": "x", "n": 1e999}]', "beyond a float"),
            (b'{"messages": [], "messages": []}', "stands twice"),
            (b"[" * 5_000, "nested deeper"),
        ],
    )
    def test_a_malformed_line_is_named_and_those_around_it_are_read(self, tmp_path, line, reason):
        good = json.dumps([USER]).encode()
        path = tmp_path / "chats.jsonl"
        path.write_bytes(b"\n".join([good, line, good]))
        first, bad, last = entries(path)
        assert first.error is last.error is None
        assert bad.conversation is None
        assert bad.where == f"{path}:2"
        assert reason in bad.error

    def test_half_a_surrogate_pair_is_replaced(self, tmp_path):
        path = tmp_path / "chats.jsonl"
        path.write_bytes(rb'[{"role": "user", "content": "a\ud800b"}]')
        (entry,) = entries(path)
        assert entry.conversation.items[0].text == "a\ufffdb"

    def test_a_long_line_is_read(self, tmp_path):
        path = tmp_path / "chats.jsonl"
        path.write_text(json.dumps([{"role": "user", "content": "word " * 2_000_000}]))
        (entry,) = entries(path)
        assert isinstance(entry.conversation.items[0], Said)
        assert len(entry.conversation.items[0].text) == 10_000_000

    @pytest.mark.parametrize("name", ["missing.jsonl", "."])
    def test_what_is_no_file_is_named(self, tmp_path, name):
        with pytest.raises(IngestError, match="name a file"):
            open_recording(tmp_path / name)
