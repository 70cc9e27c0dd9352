"""A rule on a folder or a file: touched by what lies around it and in it, however a path is written."""

import pytest
from acceptance.world import DAN, LEAD, STAGING, constrain, say

from langgraph_memory.retrieval.paths import place

RAW = "/srv/data/raw"


def outcome(memory, action, args):
    return memory.check(action, args, principal=DAN, scope=STAGING).outcome


def run(memory, command):
    return outcome(memory, "run_command", {"command": command})


AROUND = [
    "rm -rf /srv",
    "rm -rf /srv/data/",
    "rm -rf /srv/./data//tmp/..",
    "cd /srv && rm -rf data",
    "cd /srv/data; rm -rf ./raw/",
    "cd /srv/data && rm -rf .",
    "cd /srv/data/raw && rm -rf ..",
    "cd /srv/data/tmp && rm -rf ../raw",
    "cd /srv/data/tmp && rm ../raw/x.csv",
    "(cd /srv; rm -r data)",
    "pushd /srv/data; rm -r raw",
    "sudo rm -rf '/srv/da'ta",
    "rm -rf /srv/*",
    "rm -rf /srv/d?ta",
    "rm -rf /srv/{data,tmp}",
    "folder=/srv/data; rm -rf $folder",
    "rm -rf $HOME/../../srv/data",
    "find /srv -name '*.csv' -delete",
    "find /srv -type f | xargs rm",
    "git -C /srv clean -fdx",
    "rsync -a --delete /empty/ host:/srv/data/",
    "mv /srv/data /old",
    "bash -c 'cd /srv && rm -rf data'",
    "rm -rf data/raw",
    "cd srv && rm -rf data",
    "rm -rf .",
    "rm -rf $WHEREVER",
]
BESIDE = [
    "ls /srv",
    "ls -la /srv/data && df",
    "du -sh /srv/data",
    "tar czf /backup/data.tgz /srv/data",
    "cp -r /srv/data /backup",
    "grep -rn delete /srv/data",
    "cat /srv/data/notes.txt | grep remove",
    "mkdir -p /srv/data/new",
    "docker run -v /srv:/srv image",
    "make -C /srv build",
    "cd /srv && rm -rf cache",
    "(cd /srv; ls) && rm -rf cache",
    "rm -rf /srv/data/raw2 /srv/data/tmp/*",
    "rm -rf /opt/data ~/data $HOME/raw",
    "cd /tmp && rm -rf data",
    "find /srv/data/tmp -delete",
    "git -C /srv commit -m 'delete the rest'",
    "echo rm -rf /srv",
    "docker rm web",
    "rm -rf build dist node_modules",
    "mv /srv/data/a /srv/data/b",
]


@pytest.mark.parametrize("command", AROUND)
def test_a_command_on_what_lies_around_a_protected_folder_is_held(memory, command):
    assert run(memory, command) == "allow"
    constrain(memory, entity=RAW, forbids=("delete",))
    assert run(memory, command) == "defer"


@pytest.mark.parametrize("command", BESIDE)
def test_a_command_that_reads_or_acts_beside_a_protected_folder_passes(memory, command):
    constrain(memory, entity=RAW, forbids=("delete",))
    assert run(memory, command) == "allow"


CODE = [
    ("run_code", {"code": "shutil.rmtree('/srv/data')"}, "defer"),
    ("run_code", {"code": "where = '/srv'\nshutil.rmtree(where)"}, "defer"),
    ("run_code", {"code": "os.chdir('/srv')\nshutil.rmtree('data')"}, "defer"),
    ("run_code", {"code": "subprocess.run(['rm', '-rf', '/srv/data'])"}, "defer"),
    ("run_code", {"code": "print(os.listdir('/srv/data'))"}, "allow"),
    ("run_command", {"command": ["rm", "-rf", "/srv/data"]}, "defer"),
    ("run_command", {"command": "rm", "args": ["-rf", "/srv/data"]}, "defer"),
    ("run_command", {"command": "rm -rf data", "cwd": "/srv"}, "defer"),
    ("run_command", {"command": "rm -rf data", "cwd": "/opt"}, "allow"),
    ("bash", {"command": "du -sh /srv", "description": "What to delete in /srv"}, "allow"),
]
STRUCTURED = [
    ("delete_folder", {"path": "/srv/data"}, "defer"),
    ("delete_folder", {"path": "file:///srv"}, "defer"),
    ("delete_folders", {"paths": ["/opt", "/srv"]}, "defer"),
    ("delete_folder", {"name": "data"}, "defer"),
    ("delete_folder", {"folder": "data", "cwd": "/srv"}, "defer"),
    ("delete_folder", {"folder": "tmp", "cwd": "/srv"}, "allow"),
    ("delete_file", {"folder": "/srv/data", "filename": "notes.txt"}, "allow"),
    ("delete_file", {"path": "/srv/data/raw/x.csv"}, "block"),
    ("delete_file", {"path": "/srv/data/tmp/../raw/x.csv"}, "block"),
    ("delete_file", {"path": "/srv/data/raw2"}, "allow"),
    ("delete_label", {"name": "data"}, "allow"),
    ("delete_message", {"text": "rm -rf /srv was run"}, "allow"),
    ("list_folder", {"path": "/srv"}, "allow"),
    ("index_folder", {"path": "/srv"}, "allow"),
    ("write_file", {"path": "/srv/data/x", "content": "rm -rf /srv"}, "allow"),
]


@pytest.mark.parametrize(("action", "args", "expected"), CODE + STRUCTURED, ids=str)
def test_code_and_arguments_lead_to_a_protected_folder_as_commands_do(memory, action, args, expected):
    constrain(memory, entity=RAW, forbids=("delete",))
    assert outcome(memory, action, args) == expected


ELSEWHERE = [
    ("data/raw", ["rm -rf data", "git clean -fdx", "rm -rf /app/data"], ["rm -rf build", "rm -rf data/tmp"]),
    (
        "~/it/old",
        ["rm -rf /home/dan", "rm -rf $HOME/it", "cd && rm -rf it"],
        ["rm -rf ~/new", "rm -rf /opt/it"],
    ),
    ("s3://raw/2024", ["aws s3 rm s3://raw --recursive"], ["aws s3 ls s3://raw", "aws s3 rm s3://tmp"]),
    (
        r"C:\data\raw",
        [r"rd /s /q C:\data", r"Remove-Item -Recurse c:\data"],
        [r"dir C:\data", r"rd C:\other"],
    ),
]


@pytest.mark.parametrize(("entity", "held", "passing"), ELSEWHERE)
def test_paths_of_every_sort_lie_in_folders(memory, entity, held, passing):
    constrain(memory, entity=entity, forbids=("delete",))
    assert {each: run(memory, each) for each in held} == dict.fromkeys(held, "defer")
    assert {each: run(memory, each) for each in passing} == dict.fromkeys(passing, "allow")


def test_a_rule_against_changes_holds_them_in_the_folders_around_and_no_others(memory):
    constrain(memory, entity=RAW, forbids=("modify",))
    assert run(memory, "chmod -R 777 /srv") == "defer"
    assert run(memory, "rm -rf /srv") == "allow"


def test_nothing_is_touched_around_a_folder_that_nobody_may_touch_but_what_is_changed(memory):
    constrain(memory, entity=RAW, forbids=("*",))
    assert [run(memory, each) for each in ("rm -rf /srv", "chown -R dan /srv/data")] == ["defer"] * 2
    for command in ("ls /srv", "cd /srv && git pull", "docker run -v /srv:/srv image", "python /srv/app.py"):
        assert run(memory, command) == "allow"


def test_what_someone_just_said_of_a_folder_holds_commands_on_those_around_it(memory):
    say(memory, LEAD, "Never delete /srv/data/raw.", activity="act-said")
    assert run(memory, "cd /srv && rm -rf data") == "defer"
    assert run(memory, "cd /srv && rm -rf cache") == "allow"


def test_a_path_of_many_parts_and_choices_is_read_in_time():
    assert place("/a" * 5_000).known
    assert place("{a,b}" * 50).parts


def test_a_long_script_is_read_in_time(memory):
    constrain(memory, entity=RAW, forbids=("delete",))
    script = "\n".join(f"rm -rf /opt/{number}/{{a,b,c}} 'it'\"s\"" for number in range(2_000))
    assert run(memory, script) == "allow"
    assert run(memory, f"{script}\nrm -rf /srv") == "defer"
