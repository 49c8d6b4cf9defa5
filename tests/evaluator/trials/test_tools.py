"""Tools without an engine: arguments, folders, outputs, and what a call came to."""

from pathlib import Path

import pytest

from evaluator.engine.trials.definitions import JsonValue, ToolDefinition
from evaluator.engine.trials.tools.calls import Call
from evaluator.engine.trials.tools.containers import Ran, between_ns
from evaluator.engine.trials.tools.engine import is_gone, me
from evaluator.engine.trials.tools.outputs import KEPT_BYTES, OutputHead
from evaluator.engine.trials.tools.toolbox import InvalidArgumentsError, checked_arguments
from evaluator.engine.trials.tools.workspace import NamedFile, Workspace, make_parent
from evaluator.engine.trials.usage import tool_usage
from results.records import ToolCallSummary, ToolUsage
from tests.evaluator.trials.doubles import FakeTime

SCHEMA: dict[str, JsonValue] = {"type": "object", "properties": {"n": {"type": "integer"}}, "required": ["n"]}
ADD = ToolDefinition("add", "calc:1", "Adds.", SCHEMA)


def written(*chunks: bytes) -> OutputHead:
    head = OutputHead()
    for chunk in chunks:
        head.add(chunk)
    return head


@pytest.mark.parametrize(
    ("end", "took_ns"),
    [
        ("2026-03-01T10:00:01.250000999Z", 1_000_000_000 + 249_999_000),
        ("2026-03-01T10:00:00.000001Z", None),
        ("2026-03-01T09:59:59.999Z", None),
    ],
)
def test_a_process_that_ended_before_its_start_was_noted_took_an_unknown_time(end: str, took_ns: int | None) -> None:
    assert between_ns("2026-03-01T10:00:00.000001Z", end) == took_ns


def test_a_call_whose_time_is_unknown_counts_and_its_tool_s_time_is_unknown() -> None:
    known = ToolCallSummary(tool="add", duration_ns=2_000, exit_code=0)
    unknown = ToolCallSummary(tool="add", exit_code=0)
    refused = ToolCallSummary(tool="add", status="invalid_arguments")
    assert tool_usage([known, refused]) == {"add": ToolUsage(call_count=1, total_duration_ns=2_000)}
    assert tool_usage([known, unknown]) == {"add": ToolUsage(call_count=2, total_duration_ns=None)}


def test_a_preview_of_2048_bytes_is_whole_and_one_of_2049_is_cut() -> None:
    whole, cut = written(b"a" * 2048).record(), written(b"a" * 2049).record()
    assert (whole.bytes, whole.preview, whole.truncated) == (2048, "a" * 2048, False)
    assert (cut.bytes, cut.preview, cut.truncated) == (2049, "a" * 2048, True)


def test_a_preview_ends_before_the_character_that_the_limit_cuts_in_two() -> None:
    assert written(b"a" * 2047 + "é".encode()).record().preview == "a" * 2047
    assert written(b"a" * 2046 + "é".encode() + b"b").record().preview == "a" * 2046 + "é"


def test_bytes_that_are_no_text_are_shown_as_such() -> None:
    assert written(b"a\xff\xc3").record().preview == "a\ufffd\ufffd"


def test_an_output_of_any_length_is_counted_whole_and_kept_in_its_beginning() -> None:
    head = written(*[b"x" * 65_536] * 100)
    assert head.size_bytes == 6_553_600
    assert head.text() == "x" * KEPT_BYTES + "\n[cut: these are the first 262,144 of 6,553,600 bytes]"


@pytest.mark.parametrize(
    ("output", "is_blank"), [(b"", True), (b" \n\t", True), ("\u00a0\u2003".encode(), True), (b"\n0", False)]
)
def test_white_space_of_any_kind_is_no_output(output: bytes, is_blank: bool) -> None:
    assert written(output).is_blank is is_blank


@pytest.mark.parametrize(
    ("arguments", "fault"),
    [
        ("{", "not JSON"),
        ("[1]", "not a JSON object"),
        ('{"n": NaN}', "NaN is no JSON value"),
        ("{}", "'n' is a required property"),
        ('{"n": "1"}', "'1' is not of type 'integer' (at n)"),
        ("[" * 100_000, "not JSON"),
    ],
)
def test_arguments_that_the_schema_does_not_take_are_told_to_the_model(arguments: str, fault: str) -> None:
    with pytest.raises(InvalidArgumentsError, match=fault.replace("(", r"\(").replace(")", r"\)")):
        checked_arguments(ADD, arguments)


def test_no_arguments_are_an_empty_object() -> None:
    assert checked_arguments(ToolDefinition("now", "i", "d", {"type": "object"}), "") == {}


def test_arguments_are_written_as_text_or_as_json_and_files_are_fresh_in_each_call(tmp_path: Path) -> None:
    tool = ToolDefinition(
        "t", "i", "d", {}, {"code": "/in/code.py", "data": "/in/data.json"}, auxiliary_dir="/aux", shared_dir="/keep"
    )
    workspace = Workspace(tmp_path)
    values = {"code": "print('é')", "data": [1, {"a": None}]}
    first = workspace.folders_of_call(tool, values, [NamedFile("in/a.txt", b"a")])  # type: ignore[arg-type]
    (first[2].source / "in/a.txt").write_bytes(b"changed")
    (first[3].source / "kept").write_bytes(b"1")
    second = workspace.folders_of_call(tool, {"code": "x"}, [NamedFile("in/a.txt", b"a")])
    assert [folder.target for folder in first] == ["/in/code.py", "/in/data.json", "/aux", "/keep"]
    assert first[0].source.read_text(encoding="utf-8") == "print('é')"
    assert first[1].source.read_text(encoding="utf-8") == '[1,{"a":null}]'
    assert [folder.target for folder in second] == ["/in/code.py", "/aux", "/keep"]
    assert (second[1].source / "in/a.txt").read_bytes() == b"a"
    assert (second[2].source / "kept").read_bytes() == b"1"
    assert not first[0].is_writable
    workspace.close()
    assert not workspace.folder.exists()


@pytest.mark.parametrize("name", ["../out", "/etc/passwd", "a/../../b"])
def test_a_file_whose_name_leads_out_of_its_folder_is_refused(tmp_path: Path, name: str) -> None:
    tool = ToolDefinition("t", "i", "d", {}, auxiliary_dir="/aux")
    with pytest.raises(ValueError, match="leads out of its folder"):
        Workspace(tmp_path).folders_of_call(tool, {}, [NamedFile(name, b"")])


def test_folders_of_processes_that_are_gone_are_removed_and_those_of_living_ones_stay(tmp_path: Path) -> None:
    mine = make_parent(tmp_path)
    machine, _, began = me().split("/")
    gone = tmp_path / f"{machine}+999999999+1"
    other = tmp_path / "another machine+1+1"
    gone.mkdir()
    other.mkdir()
    assert make_parent(tmp_path) == mine
    assert (gone.exists(), other.exists(), mine.exists()) == (False, True, True)
    assert began
    assert not is_gone(me())


def a_call() -> Call:
    time = FakeTime()
    call = Call("add", "call-1", 2, time.timing(), time.now_ns, time.now_ns)
    time.now_ns += 3_000_000_000
    return call


def test_a_success_keeps_the_size_of_its_output_and_no_preview() -> None:
    reply = a_call().ended(Ran(written(b"42\n"), written(b"hm"), duration_ns=2_000_000_000, exit_code=0), None)
    assert reply.text == "42\n"
    assert reply.call is not None
    assert reply.call.stdout is not None
    assert reply.call.stderr is not None
    assert (reply.call.status, reply.call.exit_code, reply.call.error_message) == ("success", 0, "")
    assert (reply.call.stdout.bytes, reply.call.stdout.preview, reply.call.stderr.preview) == (3, None, "hm")
    assert (reply.call.duration_ns, reply.call.wall_time_ns) == (2_000_000_000, 3_000_000_000)
    assert (reply.call.tool, reply.call.call_id, reply.call.conversation_turn) == ("add", "call-1", 2)
    assert reply.call.started_at is not None
    assert reply.call.completed_at is not None
    assert (reply.call.completed_at - reply.call.started_at).total_seconds() == 3


@pytest.mark.parametrize(
    ("ran", "status", "exit_code", "duration_ns", "has_output"),
    [
        (Ran(written(b"a"), written(b"b"), 5, exit_code=1), "nonzero_exit", 1, 5, True),
        (Ran(written(b" \n"), written(b""), 5, exit_code=0), "empty_output", 0, 5, True),
        (Ran(written(b"a"), duration_ns=5, exit_code=137, is_timed_out=True), "timeout", None, 5, False),
        (Ran(fault="no such image"), "infrastructure_error", None, None, False),
        (Ran(fault="not started", duration_ns=5, has_begun=True), "infrastructure_error", None, 5, False),
        (Ran(fault="the engine went away", exit_code=0, has_begun=True), "infrastructure_error", 0, None, False),
    ],
)
def test_each_status_has_the_fields_that_its_definition_gives_it(
    ran: Ran, status: str, exit_code: int | None, duration_ns: int | None, has_output: bool
) -> None:
    call = a_call().ended(ran, 60.0).call
    assert call is not None
    assert (call.status, call.exit_code, call.duration_ns) == (status, exit_code, duration_ns)
    assert (call.stdout is not None) is has_output
    assert call.timed_out is (status == "timeout")
    assert call.error_message


def test_a_failed_call_says_why_to_the_model_and_shortly_to_the_reader() -> None:
    ran = Ran(written(b"partial"), written(b"Traceback " + b"x" * 9_000), 5, exit_code=1)
    reply = a_call().ended(ran, None)
    assert reply.call is not None
    assert len(reply.call.error_message) == 2_000
    assert reply.text.startswith("`add` failed. It ended with exit code 1.\n\nStandard output:\npartial\n\nStandard er")


def test_invalid_arguments_have_neither_times_of_a_process_nor_outputs() -> None:
    call = a_call().invalid("they are not JSON").call
    assert call is not None
    assert (call.status, call.duration_ns, call.exit_code, call.stdout) == ("invalid_arguments", None, None, None)


def test_a_killed_tool_that_wanted_too_much_memory_is_told_from_one_that_failed() -> None:
    ran = Ran(duration_ns=5, exit_code=137, is_out_of_memory=True)
    call = a_call().ended(ran, None).call
    assert call is not None
    assert call.error_message == "It was killed, as it needed more memory than it may have (exit code 137)."
