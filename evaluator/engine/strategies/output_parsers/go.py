"""Go: `go test -json`, and the lines `file.go:3:5: message` of `go build` and `go vet`."""

import json
import re
from collections import defaultdict
from dataclasses import dataclass, field
from typing import Any

from evaluator.engine.regular_files import read_regular
from evaluator.engine.strategies.output_parsers.printed import Printed, UnreadableError, text_in
from evaluator.engine.strategies.states import Findings, Problem, TestRun

COVERAGE_REPORT = "cover.out"
BUILD_ERROR = re.compile(
    r"^(?:vet: )?(?:\./)?(?P<file>[^\s:][^:\n]*\.go):(?P<line>\d{1,9})(?::(?P<column>\d{1,9}))?: (?P<text>.+)$",
    re.MULTILINE,
)
TEST_PLACE = re.compile(r"^\s+(?P<file>[^\s:]+\.go):(?P<line>\d{1,9}): (?P<text>.*)$")
COVERED = re.compile(r"^\S+:\d{1,9}\.\d{1,9},\d{1,9}\.\d{1,9} (\d{1,9}) (\d{1,9})$", re.MULTILINE)
MODULE = re.compile(r"^module\s+(\S+)", re.MULTILINE)
ENDS = frozenset({"pass", "fail", "skip"})
NOISE = re.compile(r"^\s*(?:=== (?:RUN|PAUSE|CONT|NAME)|--- (?:PASS|FAIL|SKIP)|FAIL|ok|PASS)\b")
MESSAGE_LINES = 12
MOST_MODULE_BYTES = 2_000_000  # of go.mod


@dataclass
class Events:
    """What the events of a run add up to so far."""

    ends: dict[tuple[str, str], str] = field(default_factory=dict)
    packages: dict[str, str] = field(default_factory=dict)
    output: defaultdict[tuple[str, str], list[str]] = field(default_factory=lambda: defaultdict(list))


def read_findings(printed: Printed) -> Findings:
    """Read what `go build` or `go vet` printed.

    Raises:
        UnreadableError: it failed without naming an error in a file.
    """
    found = recognise_findings(printed.everything)
    if found is None and printed.exit_code != 0:
        raise UnreadableError("go failed, but its output names no file")
    return found or Findings((), 0, 0)


def recognise_findings(text: str) -> Findings | None:
    """The errors of the compiler or of vet in a text; None if there are none."""
    problems = tuple(_build_problem(match) for match in BUILD_ERROR.finditer(text))
    return Findings(problems, len(problems), 0) if problems else None


def read_tests(printed: Printed) -> TestRun:
    """Read the events of `go test -json`.

    Raises:
        UnreadableError: there are none.
    """
    module = MODULE.search(_go_mod(printed))
    run = recognise_tests(printed.stdout, module[1] if module else "", printed.stderr)
    if run is None:
        raise UnreadableError("go test printed no JSON events")
    return run


def recognise_tests(text: str, module: str = "", errors: str = "") -> TestRun | None:
    """The events in a text; None if there are none.

    Args:
        text: lines of JSON, with other lines between them.
        module: the path that the packages' names begin with.
        errors: what the compiler printed elsewhere.
    """
    events = Events()
    for line in text.splitlines():
        if line.startswith("{"):
            _take(line, events)
    if not events.ends and not events.packages:
        return None
    parents = {(package, test.rpartition("/")[0]) for package, test in events.ends}
    leaves = {key: end for key, end in events.ends.items() if key not in parents}
    failures = [key for key, end in leaves.items() if end == "fail"]
    failed_packages = {package for (package, _), end in events.ends.items() if end == "fail"}
    broken = [name for name, end in events.packages.items() if end == "fail" and name not in failed_packages]
    problems = [_failed_test(key, events, module) for key in failures]
    for package in broken:
        problems += _broken_package(package, events, module, errors)
    return TestRun(
        problems=tuple(problems),
        passed=sum(end == "pass" for end in leaves.values()),
        failed=len(failures),
        skipped=sum(end == "skip" for end in leaves.values()),
        broken=len(broken),
    )


def read_coverage(printed: Printed) -> float | None:
    """The covered statements in percent; None if they were not measured."""
    lines = [(int(count), int(hits)) for count, hits in COVERED.findall(printed.report(COVERAGE_REPORT) or "")]
    total = sum(count for count, _ in lines)
    return 100 * sum(count for count, hits in lines if hits) / total if total else None


def _take(line: str, events: Events) -> None:
    try:
        event = json.loads(line)
    except (ValueError, RecursionError):
        return
    if not isinstance(event, dict):
        return
    action, package, test = event.get("Action"), _package(event), text_in(event, "Test")
    if package is None:
        return
    if action in {"output", "build-output"}:
        events.output[package, test or ""].append(text_in(event, "Output") or "")
    elif action in ENDS and test:
        events.ends[package, test] = str(action)
    elif action in ENDS:
        events.packages[package] = str(action)


def _package(event: dict[str, Any]) -> str | None:
    """The package of an event; a build's events name it otherwise, with the variant in brackets."""
    name = text_in(event, "Package") or text_in(event, "ImportPath")
    return name.partition(" [")[0] if name else None


def _failed_test(key: tuple[str, str], events: Events, module: str) -> Problem:
    package, test = key
    lines = [line.rstrip() for text in events.output[key] for line in text.splitlines() if line.strip()]
    place = next((match for line in lines if (match := TEST_PLACE.match(line))), None)
    said = [line.strip() for line in lines if not NOISE.match(line)][:MESSAGE_LINES]
    return Problem(
        message="\n".join(said) or "the test failed without a message",
        file=_file(package, place["file"], module) if place else None,
        line=int(place["line"]) if place else None,
        test=test,
        reproduction=f"go test -run '^{test.partition('/')[0]}$' {_folder(package, module)}",
    )


def _broken_package(package: str, events: Events, module: str, errors: str) -> list[Problem]:
    said = "".join(events.output[package, ""]) + "\n" + errors
    found = [_build_problem(match) for match in BUILD_ERROR.finditer(said)]
    folder = _folder(package, module).removeprefix("./")
    mine = [problem for problem in found if problem.file and problem.file.startswith(folder if folder != "." else "")]
    if mine:
        return mine
    lines = [line.strip() for line in said.splitlines() if line.strip() and not NOISE.match(line)]
    return [Problem(f"The package {package} failed outside of its tests: " + "\n".join(lines[:MESSAGE_LINES]))]


def _build_problem(match: re.Match[str]) -> Problem:
    return Problem(
        message=match["text"],
        file=match["file"],
        line=int(match["line"]),
        column=int(match["column"]) if match["column"] else None,
    )


def _folder(package: str, module: str) -> str:
    if module and package.startswith(module):
        return f"./{package[len(module) :].strip('/')}".rstrip("/") if package != module else "."
    return package


def _file(package: str, file: str, module: str) -> str:
    folder = _folder(package, module).removeprefix("./")
    return file if folder in {".", package} else f"{folder}/{file}"


def _go_mod(printed: Printed) -> str:
    try:
        return read_regular(printed.project / "go.mod", MOST_MODULE_BYTES).decode(errors="replace")
    except OSError:
        return ""
