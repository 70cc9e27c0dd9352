"""Ids of events are made of what happened and where."""

from langgraph_memory.log import event_ids


def test_the_same_place_gives_the_same_id():
    assert event_ids.of_message("t", "m") == event_ids.of_message("t", "m")
    assert event_ids.of_other("t", "", "x", "y") == event_ids.of_other("t", "", "x", "y")


def test_every_part_tells_apart():
    ids = {
        event_ids.of_tool_call("t", "m", "c", "tool.completed"),
        event_ids.of_tool_call("t2", "m", "c", "tool.completed"),
        event_ids.of_tool_call("t", "m2", "c", "tool.completed"),
        event_ids.of_tool_call("t", "m", "c2", "tool.completed"),
        event_ids.of_tool_call("t", "m", "c", "tool.failed"),
        event_ids.of_message("t", "m"),
        event_ids.of_message("t2", "m"),
        event_ids.of_other("t", "m", "c", "tool.completed"),
    }
    assert len(ids) == 8


def test_no_separator_can_be_forged():
    assert event_ids.of_message('a", "b', "c") != event_ids.of_message("a", 'b", "c')
    assert event_ids.of_message("\ud800", "m").startswith("ev_")
