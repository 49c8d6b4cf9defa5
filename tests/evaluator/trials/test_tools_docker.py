"""Tools in real containers: what they may, what they may not, and that nothing is left of them."""

import asyncio
import json
import os
import time
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import docker
import pytest

from evaluator.engine.trials.definitions import JsonValue, TaskDefinition, TaskFile, ToolDefinition, ToolLimits
from evaluator.engine.trials.interfaces import ToolReply
from evaluator.engine.trials.tools.engine import LABEL, OWNER_LABEL, Engine, me
from evaluator.engine.trials.tools.toolbox import AS_ROOT, DockerToolboxes
from results.records import ToolCallOutput, ToolCallSummary
from tests.evaluator.trials.doubles import a_task

BUSYBOX = "evalboard-test/busybox"
CODE: dict[str, JsonValue] = {"type": "object", "properties": {"code": {"type": "string"}}, "required": ["code"]}
SHELL = ToolDefinition(
    "shell",
    BUSYBOX,
    "Runs a script.",
    CODE,
    {"code": "/in/script"},
    auxiliary_dir="/aux",
    shared_dir="/keep",
    command=("sh", "/in/script"),
    environment={"GREETING": "hello"},
)


@pytest.fixture
def client(docker_engine: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[docker.DockerClient]:
    monkeypatch.setenv("DOCKER_HOST", docker_engine)
    client = docker.DockerClient(base_url=docker_engine)
    yield client
    client.close()


@pytest.fixture
def toolboxes(client: docker.DockerClient, tmp_path: Path) -> Iterator[DockerToolboxes]:
    with DockerToolboxes([SHELL], root=tmp_path / "tools") as toolboxes:
        yield toolboxes
    assert ours(client) == []
    assert [path for path in (tmp_path / "tools").rglob("*") if path.is_file()] == []


def ours(client: docker.DockerClient) -> list[Any]:
    found: list[Any] = client.api.containers(all=True, filters={"label": f"{OWNER_LABEL}={me()}"})
    return found


def shell_task(*, files: tuple[TaskFile, ...] = (), **limits: int | float | None) -> TaskDefinition:
    return a_task(tools=(ToolLimits("shell", **limits),), files=files)  # type: ignore[arg-type] # limits by name


def run(toolboxes: DockerToolboxes, task: TaskDefinition, *scripts: str) -> list[ToolReply]:
    """Run scripts, one after the other, in one try at a task."""

    async def try_once() -> list[ToolReply]:
        toolbox = toolboxes.open(task)
        try:
            return [await toolbox.call("shell", json.dumps({"code": script}), "", 1) for script in scripts]
        finally:
            await toolbox.close()

    return asyncio.run(try_once())


def records(replies: list[ToolReply]) -> list[ToolCallSummary]:
    return [reply.call for reply in replies if reply.call is not None]


def statuses(replies: list[ToolReply]) -> list[str]:
    return [call.status for call in records(replies)]


def test_the_statuses_of_real_processes_and_what_is_counted(toolboxes: DockerToolboxes) -> None:
    replies = run(
        toolboxes,
        shell_task(timeout_seconds=20.0),
        "echo $GREETING; echo warned >&2; sleep 0.3",
        "echo half; echo wrong >&2; exit 3",
        "echo said >&2",
        "yes | head -c 3000000",
    )
    assert statuses(replies) == ["success", "nonzero_exit", "empty_output", "success"]
    good, bad, silent, long = records(replies)
    assert replies[0].text == "hello\n"
    assert good.stderr == ToolCallOutput(bytes=7, preview="warned\n")
    assert 300_000_000 <= (good.duration_ns or 0) < (good.wall_time_ns or 0)
    assert bad.stdout == ToolCallOutput(bytes=5, preview="half\n")
    assert (bad.exit_code, bad.error_message) == (3, "It ended with exit code 3. wrong")
    assert silent.stdout == ToolCallOutput(bytes=0)
    assert long.stdout == ToolCallOutput(bytes=3_000_000, truncated=True)


def test_a_tool_that_takes_too_long_is_stopped(toolboxes: DockerToolboxes) -> None:
    [reply] = run(toolboxes, shell_task(timeout_seconds=0.5), "echo begun; sleep 60")
    [call] = records([reply])
    assert (call.status, call.timed_out, call.exit_code, call.stdout) == ("timeout", True, None, None)
    assert 400_000_000 < (call.duration_ns or 0) < 10_000_000_000
    assert reply.text == "`shell` gave no result. It was stopped after 0.5 seconds, its time limit."


def test_a_tool_has_no_network_no_rights_and_nothing_to_write_to_but_its_folders(toolboxes: DockerToolboxes) -> None:
    script = """
        ls /sys/class/net
        while read line; do case $line in CapEff*|NoNewPrivs*) echo $line;; esac; done </proc/self/status
        touch /x 2>/dev/null || echo read-only
        (echo x >>/in/script) 2>/dev/null || echo argument kept
        touch /tmp/x && echo scratch
        touch /keep/x && echo kept
    """
    [reply] = run(toolboxes, shell_task(), script)
    lines = [" ".join(line.split()) for line in reply.text.splitlines()]
    assert lines == ["lo", "CapEff: 0000000000000000", "NoNewPrivs: 1", "read-only", "argument kept", "scratch", "kept"]


def test_memory_processors_and_processes_are_limited(client: docker.DockerClient, toolboxes: DockerToolboxes) -> None:
    seen: dict[str, Any] = {}

    async def look() -> None:
        toolbox = toolboxes.open(shell_task(max_memory_mb=32, cpu_percent=50))
        calling = asyncio.create_task(toolbox.call("shell", '{"code": "sleep 60"}', "", 1))
        while not seen:
            await asyncio.sleep(0.05)
            running = [one for one in ours(client) if one["State"] == "running"]
            if running:
                seen.update(client.api.inspect_container(running[0]["Id"])["HostConfig"])
        calling.cancel()
        await asyncio.wait([calling])
        await toolbox.close()

    asyncio.run(look())
    assert seen["Memory"] == seen["MemorySwap"] == 33_554_432
    assert seen["NanoCpus"] == toolboxes.engine.cpus * 500_000_000
    assert (seen["PidsLimit"], seen["NetworkMode"], seen["ReadonlyRootfs"]) == (256, "none", True)
    assert (seen["CapDrop"], seen["SecurityOpt"]) == (["ALL"], ["no-new-privileges"])


def test_a_tool_that_wants_too_much_memory_is_killed(toolboxes: DockerToolboxes) -> None:
    [reply] = run(toolboxes, shell_task(max_memory_mb=16), "dd if=/dev/zero of=/dev/null bs=200M count=1")
    assert statuses([reply]) == ["nonzero_exit"]


def test_the_task_s_files_are_fresh_in_each_call_and_the_shared_folder_lasts(
    toolboxes: DockerToolboxes, tmp_path: Path
) -> None:
    (tmp_path / "a.txt").write_text("of the task")
    task = shell_task(files=(TaskFile("given.txt", str(tmp_path / "a.txt")),))
    script = "cat /aux/given.txt; echo changed >/aux/given.txt; echo +1 >>/keep/count; cat /keep/count"
    first, second = run(toolboxes, task, script, script)
    assert first.text.split() == ["of", "the", "task+1"]
    assert second.text.split() == ["of", "the", "task+1", "+1"]
    [other] = run(toolboxes, task, script)
    assert other.text == first.text


def test_calls_beyond_the_most_and_unknown_tools_are_told_and_leave_no_record(toolboxes: DockerToolboxes) -> None:
    async def try_once() -> tuple[list[ToolReply], list[int]]:
        toolbox = toolboxes.open(shell_task(max_calls=1))
        offered = [len(toolbox.offered())]
        replies = [
            await toolbox.call("python", "{}", "", 1),
            await toolbox.call("shell", "[]", "id-7", 1),
            await toolbox.call("shell", '{"code": "echo 1"}', "", 2),
            await toolbox.call("shell", '{"code": "echo 2"}', "", 3),
        ]
        await toolbox.close()
        return replies, [*offered, len(toolbox.offered())]

    replies, offered = asyncio.run(try_once())
    assert [reply.call is None for reply in replies] == [True, False, False, True]
    assert statuses(replies) == ["invalid_arguments", "success"]
    assert offered == [1, 0]
    assert [len(call.call_id) for call in records(replies)] == [4, 26]  # the service's, and one of ours
    assert "1 calls is the most" in replies[3].text


def test_cancelling_ends_the_container_soon(toolboxes: DockerToolboxes) -> None:
    async def cancel() -> float:
        toolbox = toolboxes.open(shell_task())
        calling = asyncio.create_task(toolbox.call("shell", '{"code": "sleep 60"}', "", 1))
        await asyncio.sleep(0.2)
        began = time.monotonic()
        calling.cancel()
        await asyncio.wait([calling])
        await toolbox.close()
        return time.monotonic() - began

    assert asyncio.run(cancel()) < 50


def test_what_a_process_left_is_swept_and_what_is_missing_is_said(client: docker.DockerClient) -> None:
    machine, _, _ = me().split("/")
    left = client.api.create_container(BUSYBOX, ["true"], labels={LABEL: "x", OWNER_LABEL: f"{machine}/999999999/1"})
    with DockerToolboxes([SHELL]) as toolboxes:
        problems = toolboxes.problems([SHELL, ToolDefinition("gone", "evalboard-test/no-such", "d", {})])
    assert problems == [
        "The image 'evalboard-test/no-such' of the tool 'gone' is not on this machine: build or pull it."
    ]
    assert client.api.containers(all=True, filters={"id": left["Id"]}) == []


def test_a_command_that_cannot_be_started_is_no_fault_of_the_model(client: docker.DockerClient, tmp_path: Path) -> None:
    tool = ToolDefinition("shell", BUSYBOX, "d", CODE, command=("no-such-command",))
    with DockerToolboxes([tool], root=tmp_path / "tools") as toolboxes:
        [call] = records(run(toolboxes, shell_task(), "x"))
    assert call.status == "infrastructure_error"
    assert call.duration_ns is not None
    assert "no-such-command" in call.error_message
    assert ours(client) == []


@pytest.fixture
def root_only_image(client: docker.DockerClient) -> Iterator[str]:
    """An image whose program only root may start."""
    name = "evalboard-test/root-only"
    made = client.containers.run(
        BUSYBOX,
        ["sh", "-c", "mkdir /only; cp /bin/busybox /only/sh; chmod 700 /only"],
        detach=True,
        network_mode="none",
    )
    made.wait()
    made.commit(name)
    made.remove()
    yield name
    client.images.remove(name)


def test_a_tool_that_only_root_can_start_runs_as_root_and_says_so(root_only_image: str, tmp_path: Path) -> None:
    tool = replace(SHELL, image=root_only_image, command=("/only/sh", "/in/script"))
    with DockerToolboxes([tool], root=tmp_path / "tools") as toolboxes:
        replies = run(toolboxes, shell_task(), "id -u", "id -u")
    assert [reply.text for reply in replies] == ["0\n", "0\n"]
    assert {reply.note for reply in replies} == {AS_ROOT.format(tool="shell")}


def test_an_engine_that_is_not_there_is_said_in_one_sentence(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("DOCKER_HOST", "tcp://127.0.0.1:9")  # the client does not close a Unix socket that fails
    engine = Engine()
    problem = engine.problem()
    engine.close()
    assert problem
    assert problem.endswith("start one, or set DOCKER_HOST.")


@pytest.fixture
def open_image(client: docker.DockerClient) -> Iterator[str]:
    """An image that everybody can read; in those at hand only root can."""
    made = client.api.create_container(BUSYBOX, ["true"])
    with closing(client.api.export(made["Id"])) as exported:
        files = b"".join(exported)  # without the root folder itself, and so without its mode
    client.api.import_image_from_data(files, repository="evalboard-test/open")
    client.api.remove_container(made["Id"])
    yield "evalboard-test/open"
    client.api.remove_image("evalboard-test/open")


@pytest.mark.skipif(os.getuid() != 0, reason="only root becomes nobody; others stay who they are")
def test_an_image_that_everybody_can_read_is_run_as_nobody(open_image: str, tmp_path: Path) -> None:
    tool = replace(SHELL, image=open_image)
    script = "id; echo 1 >/keep/a && echo 2 >>/aux/given.txt && cat /keep/a /in/script >/dev/null && echo used"
    (tmp_path / "a.txt").write_text("")
    task = shell_task(files=(TaskFile("given.txt", str(tmp_path / "a.txt")),))
    with DockerToolboxes([tool], root=tmp_path / "tools") as toolboxes:
        [reply] = run(toolboxes, task, script)
    assert reply.text == "uid=65534 gid=65534 groups=65534\nused\n"
