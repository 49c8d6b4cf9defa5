"""mypy: `file:line:column: error: message  [code]`; its notes belong to the error before them and are left out."""

import re

from evaluator.engine.strategies.output_parsers.printed import Printed, UnreadableError
from evaluator.engine.strategies.states import Findings, Problem

LINE = re.compile(
    r"^(?P<file>[^:\n]+?\.pyi?):(?:(?P<line>\d{1,9}):)?(?:(?P<column>\d{1,9}):)? error: "
    r"(?P<text>.*?)(?:  \[(?P<code>[a-z0-9-]+)\])?$",
    re.MULTILINE,
)
SUMMARY = re.compile(r"^Found (\d{1,9}) errors? in \d{1,9} files?", re.MULTILINE)
CLEAN = re.compile(r"^Success: no issues found in \d{1,9} source files?", re.MULTILINE)
WITHOUT_FILE = re.compile(r"^(?:mypy|[^:\n]+\.(?:toml|ini|cfg)): (?:error: )?(?P<text>.+)$", re.MULTILINE)


def read(printed: Printed) -> Findings:
    """Read what mypy printed.

    Raises:
        UnreadableError: it failed without naming an error in a file.
    """
    found = recognise(printed.stdout) or recognise(printed.stderr)
    if found is None and printed.exit_code != 0:
        said = WITHOUT_FILE.search(printed.everything)
        raise UnreadableError(said["text"] if said else "mypy failed, but its output names no error")
    return found or Findings((), 0, 0)


def recognise(text: str) -> Findings | None:
    """The errors in a text; None if it has none in this form."""
    problems = tuple(
        Problem(
            message=match["text"],
            file=match["file"],
            line=int(match["line"]) if match["line"] else None,
            column=int(match["column"]) if match["column"] else None,
            code=match["code"],
        )
        for match in LINE.finditer(text)
    )
    if problems:
        return Findings(problems, len(problems), 0)
    if (summary := SUMMARY.search(text)) is not None:
        return Findings((), int(summary[1]), 0)
    return Findings((), 0, 0) if CLEAN.search(text) else None
