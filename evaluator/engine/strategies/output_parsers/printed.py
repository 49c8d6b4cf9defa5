"""What a parser gets: the output of one program, the folder of its report files, and how a report is found in them."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from evaluator.engine.regular_files import read_regular

MOST_REPORT_BYTES = 64 * 2**20
MOST_BEGINNINGS = 200  # places in a text where a JSON document may begin, before it is given up
MOST_TRIED = 3  # times the text's length, over all these places together
BEGINNING = re.compile(r"^[ \t]*+[\[{]", re.MULTILINE)
DECODER = json.JSONDecoder()


class UnreadableError(ValueError):
    """The output is not what this tool prints; the text says what was expected."""


@dataclass(frozen=True)
class Printed:
    """The output of one program.

    Attributes:
        reports: the folder where report files were asked for.
        project: where it ran.
    """

    stdout: str
    stderr: str
    exit_code: int
    reports: Path
    project: Path

    @property
    def everything(self) -> str:
        """Both streams, one after the other."""
        return f"{self.stdout}\n{self.stderr}" if self.stderr else self.stdout

    def report(self, name: str) -> str | None:
        """A report file's text; None if it was not written."""
        return read_report(self.reports / name)

    def json_report(self, name: str, what: str) -> object:
        """A report file's JSON.

        Raises:
            UnreadableError: it was not written or is not JSON.
        """
        text = self.report(name)
        if text is None:
            raise UnreadableError(f"{what} wrote no report")
        return parse_json(text, what)


def read_report(path: Path) -> str | None:
    """A report file's text; None if it is not there.

    Raises:
        UnreadableError: it is too large.
    """
    try:
        data = read_regular(path, MOST_REPORT_BYTES + 1)
    except OSError:
        return None
    if len(data) > MOST_REPORT_BYTES:
        raise UnreadableError(f"{path.name} has more than {MOST_REPORT_BYTES // 2**20} MB")
    return data.removeprefix(b"\xef\xbb\xbf").decode(errors="replace")


def parse_json(text: str, what: str) -> object:
    """A whole text as JSON.

    Raises:
        UnreadableError: it is not JSON.
    """
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise UnreadableError(f"the report of {what} is not JSON: {error}") from error


def find_json(text: str) -> object:
    """The first JSON object or list that begins a line of a text, whatever stands around it; None if there is none."""
    return next(json_documents(text), None)


def json_documents(text: str) -> Iterator[object]:
    """The JSON objects and lists of a text that begin a line, one after the other; in linear time."""
    position, left = 0, MOST_TRIED * len(text)
    for _ in range(MOST_BEGINNINGS):
        beginning = BEGINNING.search(text, position)
        if beginning is None or left < 0:
            return
        start = beginning.end() - 1
        try:
            value, position = DECODER.raw_decode(text, start)
        except json.JSONDecodeError as error:
            position, left = start + 1, left - (error.pos - start)
        except (ValueError, RecursionError):  # it does not tell how far it got
            position, left = start + 1, left - (len(text) - start)
        else:
            yield value


def objects(value: object) -> list[dict[str, Any]]:
    """The objects of a list; none of anything else."""
    return [item for item in value if isinstance(item, dict)] if isinstance(value, list) else []


def text_in(value: dict[str, Any], key: str) -> str | None:
    """A text in an object; None if it is none or empty."""
    found = value.get(key)
    return found if isinstance(found, str) and found else None


def number_in(value: dict[str, Any], key: str) -> int | None:
    """A whole number in an object; None if it is none."""
    found = value.get(key)
    return found if isinstance(found, int) and not isinstance(found, bool) else None
