"""No output of a program keeps its reader busy: every search over it is linear."""

import time
from contextlib import suppress
from pathlib import Path

import pytest

from evaluator.engine.strategies.captured_output import plain_text, shorten
from evaluator.engine.strategies.checks.custom import read_output
from evaluator.engine.strategies.checks.obstacles import find_missing
from evaluator.engine.strategies.output_parsers import cargo, go, jest, junit, mocha, mypy
from evaluator.engine.strategies.output_parsers import pytest as pytest_parser
from evaluator.engine.strategies.output_parsers.printed import Printed, UnreadableError, find_json
from evaluator.engine.strategies.output_parsers.registry import recognise_findings, recognise_tests
from evaluator.engine.strategies.output_parsers.stack_traces import place_in_stack
from evaluator.engine.strategies.processes import Finished
from evaluator.engine.trials.answers import AnswerError, read_answer
from evaluator.engine.trials.definitions import AnswerFormat
from evaluator.engine.trials.templates import TemplateError, parse

CHARACTERS = 200_000  # in quadratic time they would take minutes
SECONDS = 2.0
PIECES = (
    *("\n", " ", "\t", " \n", "[", "[\n", "{", '{"a":\n', "[1,\n", "1", "1 a", "1 passed ", "1 failed, ", "=", "/"),
    *("<?xml", "<testsuite ", "<testsuites>", "\x1b[0", "\x1b]", "\x1b", '\\"', '"', "'", "`", "```\n", "{{", "{{-"),
    *(":1", "a:1:1", ": error: ", "error: x\n ", "a.py:1: ", "a.go:1:", "(1,1): ", "  a\n", "  1:1  error  ", "Found "),
    *(
        "panicked at ",
        "panicked at '",
        "---- a - \n",
        "expected a to be ",
        "Expected: ",
        "python",
        "a.ts(1,1): error TS1: x",
    ),
    *("Tests  ", "# tests 1\n", "ok 1 - a\n", "not ok ", "--> a:1:1\n", "E501 ", "E501 x\n"),
)


@pytest.fixture(scope="module")
def texts() -> list[str]:
    return [piece * (CHARACTERS // len(piece)) for piece in PIECES]


def test_recognising_is_linear(texts: list[str]) -> None:
    for text in texts:
        started = time.process_time()
        clean = plain_text(text)
        shorten(clean)
        find_json(clean)
        recognise_findings(clean)
        recognise_tests(clean)
        assert time.process_time() - started < SECONDS, text[:20]


def test_reading_the_output_and_the_report_of_a_known_tool_is_linear(texts: list[str], tmp_path: Path) -> None:
    for text in texts:
        for name in (jest.REPORT, mocha.REPORT, pytest_parser.REPORT):
            (tmp_path / name).write_text(text)
        printed = Printed(text, "", 1, tmp_path, tmp_path)
        for read in (jest.read, mocha.read, pytest_parser.read, cargo.read_tests, go.read_tests, mypy.read):
            started = time.process_time()
            with suppress(UnreadableError):
                read(printed)
            assert time.process_time() - started < SECONDS, (read.__module__, text[:20])


def test_looking_for_what_is_missing_and_reading_a_plugins_output_is_linear(texts: list[str]) -> None:
    for text in texts:
        started = time.process_time()
        find_missing(Finished(1, text, "", text))
        read_output(text)
        place_in_stack(text, "src/a.ts")
        assert time.process_time() - started < SECONDS, text[:20]


def test_what_a_model_answers_and_a_template_that_is_not_closed_are_read_in_linear_time(texts: list[str]) -> None:
    for text in texts:
        started = time.process_time()
        with suppress(AnswerError):
            read_answer(text, AnswerFormat(instruction=""))
        with suppress(TemplateError):
            parse(text, frozenset())
        assert time.process_time() - started < SECONDS, text[:20]


def test_a_junit_document_is_found_behind_other_output() -> None:
    run = junit.recognise('<?xml version="1.0"?>\nnoise <testsuite><testcase name="a"/></testsuite>')
    assert run is not None
    assert run.passed == 1
