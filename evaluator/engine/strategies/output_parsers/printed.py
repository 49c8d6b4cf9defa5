"""What a parser gets: the output of one program, the folder of its report files, and how a report is found in them."""

import json
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MOST_REPORT_BYTES = 64 * 2**20
MOST_BEGINNINGS = 200  # places in a text where a JSON document may begin, before it is given up
BEGINNING = re.compile(r"^\s*[\[{]", re.MULTILINE)
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
        with path.open("rb") as file:
            data = file.read(MOST_REPORT_BYTES + 1)
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
    for count, beginning in enumerate(BEGINNING.finditer(text)):
        if count == MOST_BEGINNINGS:
            break
        try:
            value: object
            value, _ = DECODER.raw_decode(text, beginning.end() - 1)
        except (ValueError, RecursionError):
            continue
        return value
    return None


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
