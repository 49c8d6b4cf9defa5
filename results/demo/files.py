"""The demo as files: what a user would have imported over six weeks."""

from collections.abc import Iterator
from dataclasses import dataclass

from results.demo.documents import evaluation_document
from results.demo.schedule import EVALUATIONS
from results.demo.sprint import CONTRACT_ID, failing_iteration, passing_iteration


@dataclass(frozen=True, slots=True)
class DemoFile:
    """One file with its whole content."""

    file_name: str
    body: bytes


def demo_files() -> Iterator[DemoFile]:
    """Build the demo's files, oldest first; the same bytes on every machine and on every day."""
    for evaluation in EVALUATIONS:
        yield DemoFile(f"{evaluation.name}.json", evaluation_document(evaluation))
    yield DemoFile(f"eval-{CONTRACT_ID}-1.json", failing_iteration())
    yield DemoFile(f"eval-{CONTRACT_ID}-2.json", passing_iteration())
