"""The formats that a whole evaluation can be written in, and those of iterations."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from results.exports.iterations import export_documents, export_markdown
from results.exports.live import export_live, export_mindtrial
from results.exports.mindtrial_csv import export_csv
from results.exports.mindtrial_summary import export_summary
from results.models.evaluations import Evaluation


@dataclass(frozen=True)
class EvaluationFormat:
    """One format of a whole evaluation.

    Attributes:
        label: what people call it.
        suffix: of its files, without the dot.
        write: the bytes, in pieces.
    """

    label: str
    suffix: str
    content_type: str
    write: Callable[[Evaluation], Iterator[bytes]]


@dataclass(frozen=True)
class IterationFormat:
    """One format of iterations; see `EvaluationFormat`. The one of several iterations is a file of another kind."""

    label: str
    suffix: str
    suffix_of_several: str
    write: Callable[[list[int]], Iterator[bytes]]

    def suffix_for(self, iterations: int) -> str:
        """Of a file with so many iterations."""
        return self.suffix if iterations == 1 else self.suffix_of_several


EXPORTS = {
    "mindtrial": EvaluationFormat("MindTrial JSON", "json", "application/json", export_mindtrial),
    "live": EvaluationFormat("Everything as JSON", "json", "application/json", export_live),
    "mindtrial-csv": EvaluationFormat("MindTrial CSV", "csv", "text/csv; charset=utf-8", export_csv),
    "mindtrial-summary": EvaluationFormat(
        "MindTrial summary", "summary.log", "text/plain; charset=utf-8", export_summary
    ),
}
ITERATION_FORMATS = {
    "evalresult": IterationFormat("EvalResult JSON", "json", "zip", export_documents),
    "evalresult-markdown": IterationFormat("Markdown", "md", "md", export_markdown),
}
CONTENT_TYPES = {"json": "application/json", "zip": "application/zip", "md": "text/markdown; charset=utf-8"}
