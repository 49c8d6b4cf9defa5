"""Output of a program as a parser gets it."""

from collections.abc import Mapping
from pathlib import Path

from evaluator.engine.strategies.output_parsers.printed import Printed
from tests.evaluator.strategies.projects import write


def printed(
    folder: Path, stdout: str = "", *, stderr: str = "", exit_code: int = 0, reports: Mapping[str, str] | None = None
) -> Printed:
    """Streams, an exit code and report files."""
    return Printed(stdout, stderr, exit_code, write(folder, reports or {}), folder)
