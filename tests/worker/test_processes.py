"""Workers in several processes: nothing twice, nothing forgotten, whoever is killed."""

import signal

from .labour import PATIENCE, TEAM, kept, labour, leave_running, opened, say, until

COUNT = 16


def received(connection):
    assert connection.poll(PATIENCE), "the other process doesn't answer"
    return connection.recv()


def test_what_a_killed_worker_held_is_done_by_another_one(start, place):
    with opened(place) as memory:
        for number in range(COUNT):
            say(memory, number)
        victim, told_by_victim = start(labour, place, True)
        assert received(told_by_victim) == "working"
        held = received(told_by_victim)
        assert memory.backlog().working > 0
        assert memory.episodes(TEAM) == []
        victim.kill()
        others = [start(labour, place, False) for _ in range(2)]
        until(lambda: memory.backlog().due == 0 and memory.backlog().working == 0)
        read, done = [], 0
        for process, connection in others:
            connection.send("stop")
            while isinstance(said := received(connection), str):
                read += [said] if said != "working" else []
            done += said
            process.join(PATIENCE)
            assert process.exitcode == 0
        assert victim.exitcode == -signal.SIGKILL
        assert held in read
        assert sorted(read) == sorted(f"act-{n}" for n in range(COUNT)), "read twice or never"
        assert done == COUNT
        assert set(kept(memory, COUNT).values()) == {1}
        assert len(memory.facts(TEAM)) == COUNT


def test_workers_in_other_processes_find_what_is_published_here(start, place):
    with opened(place) as memory:
        process, connection = start(labour, place, False)
        assert received(connection) == "working"
        for number in range(4):
            say(memory, number)
        assert {received(connection) for _ in range(4)} == {f"act-{n}" for n in range(4)}
        until(lambda: len(memory.episodes(TEAM)) == 4)
        connection.send("stop")
        process.join(PATIENCE)
        assert process.exitcode == 0


def test_a_worker_never_keeps_the_interpreter_alive(start, tmp_path):
    place = str(tmp_path / "memory")
    with opened(place) as memory:
        say(memory, 0)
    process, connection = start(leave_running, place)
    assert {received(connection), received(connection)} >= {"act-0"}
    connection.send("leave")
    process.join(PATIENCE)
    assert process.exitcode is not None
