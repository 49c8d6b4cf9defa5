"""Reading in a process of its own: the same as reading here, whatever happens to the process."""

import os
import signal
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path
from random import Random

import pytest

from results import reading
from results.importers import mindtrial
from results.importers.registry import IMPORTERS
from results.importers.source import Envelope, ImportRefused, ImportWarning, IterationSource, Limits, SourceFile
from results.intake import ImportOptions, import_file
from results.models.evaluations import Evaluation
from results.reading import Reading, begin_reading
from results.store.chunks import CHUNK_RESULTS
from results.store.prepared import PreparedChunk
from tests.documents import document, result, write

PROJECT = Path(__file__).resolve().parents[2]
PATIENCE_SECONDS = 20
CALL = {"Tool": "python", "Status": "odd", "StartedAt": "2026-05-28T20:26:40.5Z", "DurationNS": -1, "TimedOut": True}
ODD = [
    result(1, Details={"Answer": {"ToolUsage": {"python": {"CallCount": 2}}, "ToolCalls": [CALL]}}),
    result(2, Kind="Error", DurationNS=-5, Details={"Error": {"Title": "Timeout", "Transient": False}}),
    result(3, Details={"Answer": {"Usage": {"InputTokenAccounting": "odd"}}}, Want="half"),
    result(4, Kind="Skipped", New=None),
]


def file_of(folder: Path, body: bytes) -> SourceFile:
    path = write(folder, "a.json", body)
    return SourceFile(path, path.name, len(body))


def many(chunks: int) -> bytes:
    """A document of so many chunks, which no socket holds at once."""
    random = Random(1)
    return document(*(result(n, Got=random.randbytes(1_000).hex()) for n in range(chunks * CHUNK_RESULTS)))


def begin(file: SourceFile) -> Reading:
    begun = begin_reading(mindtrial.IMPORTER, file, Limits())
    assert isinstance(begun, Reading)
    return begun


def all_of(begun: Reading) -> tuple[list[PreparedChunk], list[bytes], Envelope, list[ImportWarning]]:
    with closing(begun):
        chunks = list(begun.chunks)
        prepared = [chunk.prepared for chunk in chunks]
        bodies = [body for chunk in chunks for body in chunk.bodies.result()]
        return prepared, bodies, begun.envelope(), begun.warnings()


def task_names(chunks: list[PreparedChunk]) -> list[str]:
    """The task of each result."""
    known: list[str] = []
    found: list[str] = []
    for chunk in chunks:
        known += [key.task for key in chunk.new_tasks]
        found += [known[number] for number in chunk.results.tasks]
    return found


def readers() -> list[int]:
    """Process ids of the reading processes that run."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            is_reader = b"read_results" in (folder / "cmdline").read_bytes()
        except OSError:  # it has just ended
            continue
        if is_reader:
            found.append(int(folder.name))
    return found


def wait_for_the_end_of(process_id: int) -> bool:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while process_id in readers() and time.monotonic() < deadline:
        time.sleep(0.02)
    return process_id not in readers()


def own_reader() -> int:
    """The reading process that this process started; it shows its name once it has begun to run."""
    deadline = time.monotonic() + PATIENCE_SECONDS
    while True:
        found = [
            reader
            for reader in readers()
            if f"PPid:\t{os.getpid()}\n" in Path(f"/proc/{reader}/status").read_text(encoding="utf-8")
        ]
        if found or time.monotonic() > deadline:
            (only,) = found
            return only
        time.sleep(0.02)


@pytest.fixture
def apart(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every file is large enough for a process."""
    monkeypatch.setattr(reading, "READ_APART_FROM_BYTES", 0)


def test_a_process_reads_what_is_read_here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    body = document(*ODD, *(result(n) for n in range(5, CHUNK_RESULTS + 5)))
    body = body.replace(b'"half"', rb'"\ud800"').replace(b'"Kind": "Skipped"', b'"kind": "Skipped", "Odd": "\xff"')
    file = file_of(tmp_path, body)
    here = all_of(begin(file))
    monkeypatch.setattr(reading, "READ_APART_FROM_BYTES", 0)
    begun = begin(file)
    assert own_reader()
    assert (all_of(begun), len(here[3]) >= 5) == (here, True)


@pytest.mark.usefixtures("apart")
@pytest.mark.parametrize(
    "body", [document(result(1))[:-40], document(result(1), result(2, Kind="passed"))], ids=["malformed", "bad result"]
)
def test_a_bad_file_is_refused_as_it_is_here(body: bytes, tmp_path: Path) -> None:
    file = file_of(tmp_path, body)
    with pytest.raises(ImportRefused) as here:
        list(mindtrial.read(file, Limits()).results)
    with pytest.raises(ImportRefused) as apart:
        all_of(begin(file))
    assert vars(apart.value) == vars(here.value)


@pytest.mark.usefixtures("apart")
def test_what_a_killed_process_did_not_tell_is_read_here(tmp_path: Path) -> None:
    file = file_of(tmp_path, many(5))
    begun = begin(file)
    first = next(begun.chunks)
    os.kill(own_reader(), signal.SIGKILL)
    rest, _, envelope, _ = all_of(begun)
    expected = mindtrial.read(file, Limits())
    assert task_names([first.prepared, *rest]) == [sourced.record.task for sourced in expected.results]
    assert envelope == expected.envelope()


@pytest.mark.usefixtures("apart")
def test_a_process_that_cannot_be_started_costs_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    chunks, *_ = all_of(begin(file_of(tmp_path, document(result(1)))))
    assert task_names(chunks) == ["task 1"]


@pytest.mark.usefixtures("apart")
def test_closing_ends_the_process(tmp_path: Path) -> None:
    begun = begin(file_of(tmp_path, many(4)))
    process_id = own_reader()
    begun.close()
    assert wait_for_the_end_of(process_id)


def test_the_process_ends_with_a_killed_import(tmp_path: Path) -> None:
    file = file_of(tmp_path, many(4))
    program = f"""
import time, django
django.setup()
from pathlib import Path
from results import reading
from results.importers import mindtrial
from results.importers.source import Limits, SourceFile
reading.READ_APART_FROM_BYTES = 0
file = SourceFile(Path({str(file.path)!r}), "a", {file.size_bytes})
begun = reading.begin_reading(mindtrial.IMPORTER, file, Limits())
next(begun.chunks)
print("reading", flush=True)
time.sleep(60)
"""
    environment = {**os.environ, "DJANGO_SETTINGS_MODULE": "evaluator.settings", "EVALBOARD_VAR": str(tmp_path / "var")}
    before = set(readers())
    with subprocess.Popen(
        [sys.executable, "-c", program], cwd=PROJECT, env=environment, stdout=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        said = process.stdout.readline()
        (reader,) = [
            reader
            for reader in set(readers()) - before
            if f"PPid:\t{process.pid}\n" in Path(f"/proc/{reader}/status").read_text(encoding="utf-8")
        ]
        process.kill()
    assert (said, wait_for_the_end_of(reader)) == (b"reading\n", True)


@pytest.mark.usefixtures("apart")
@pytest.mark.django_db
def test_a_file_that_is_read_apart_is_stored(tmp_path: Path) -> None:
    path = write(tmp_path, "a.json", document(*ODD[:2], result(4)))
    report = import_file(path, ImportOptions())
    evaluation = Evaluation.objects.get()
    assert (report.files[0].state, evaluation.results, evaluation.calls) == ("stored", 3, 1)
    assert [warning.path for warning in report.files[0].warnings] == [
        "Results.openai[0].Details.Answer.ToolCalls[0].Status",
        "Results.openai[0].Details.Answer.ToolCalls[0]",
        "Results.openai[1].DurationNS",
    ]


@pytest.mark.usefixtures("apart")
def test_a_large_file_without_results_is_read_here(tmp_path: Path) -> None:
    body = b'{"evaluationId":"e","iteration":1,"contractId":"c","timestamp":"2026-05-28T20:26:40Z","passed":true}'
    file = file_of(tmp_path, body)
    assert isinstance(begin_reading(IMPORTERS["agent-bober"], file, Limits()), IterationSource)


@pytest.mark.usefixtures("apart")
def test_a_process_that_started_while_the_file_was_copied_reads_it(tmp_path: Path) -> None:
    reading.expect(1)
    started = own_reader()
    begun = begin(file_of(tmp_path, document(result(1))))
    assert own_reader() == started
    assert task_names(all_of(begun)[0]) == ["task 1"]


@pytest.mark.usefixtures("apart")
def test_a_process_for_which_no_file_came_is_ended() -> None:
    reading.expect(1)
    started = own_reader()
    reading.expect_nothing()
    assert wait_for_the_end_of(started)
