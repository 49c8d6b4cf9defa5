"""The log: ids on every line, JSON that programs can read, and no secrets."""

import json
import logging
from typing import Any

import pytest

from evaluator import jobs as worker
from evaluator import logs


@pytest.fixture(autouse=True)
def _nothing_of_other_tests() -> None:
    logs.request_id.set("")


def written(formatter: logging.Formatter, message: str, *values: object, **more: Any) -> str:
    record = logging.LogRecord("a.b", logging.WARNING, __file__, 1, message, values, more.pop("exc_info", None))
    record.__dict__.update(more)
    assert logs.Belonging().filter(record)
    return formatter.format(record)


def test_a_line_ends_with_its_request_and_its_job() -> None:
    logs.request_id.set("abc")
    with logs.of_job(7):
        line = written(logs.LineFormatter(), "said %s", "this")

    assert line.endswith(" WARNING a.b: said this [request abc] [job 7]")


def test_a_line_outside_of_requests_and_jobs_has_no_ids() -> None:
    assert written(logs.LineFormatter(), "said").endswith(" a.b: said")


def test_json_lines_hold_ids_facts_and_the_trace_of_an_error() -> None:
    error = ValueError("broken")
    with logs.of_job(7):
        line = written(logs.JsonFormatter(), "two\nlines", exc_info=(ValueError, error, None), facts={"status": 500})

    assert "\n" not in line
    read = json.loads(line)
    assert (read["level"], read["logger"], read["message"]) == ("WARNING", "a.b", "two\nlines")
    assert (read["job_id"], read["status"], "request_id" in read) == (7, 500, False)
    assert read["error"].endswith("ValueError: broken")


@pytest.mark.parametrize("formatter", [logs.LineFormatter(), logs.JsonFormatter()])
def test_passwords_of_addresses_and_tokens_are_taken_out(formatter: logging.Formatter) -> None:
    line = written(formatter, "redis://:hush@host and postgres://me:hush@host with Bearer hush and evb_hush")

    assert "hush" not in line
    assert "postgres://me:***@host" in line


def test_lines_of_a_job_name_it_and_those_after_it_do_not() -> None:
    with worker.put_off(12):
        inside = written(logs.LineFormatter(), "x")

    assert inside.endswith("x [job 12]")
    assert written(logs.LineFormatter(), "x").endswith(": x")
