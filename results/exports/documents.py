"""A whole evaluation as the document that it came from: every value, order, unknown field and number token."""

from collections.abc import Callable, Iterator

from results.compression import decompress
from results.importers.envelope import restore
from results.importers.source import Envelope, Slot
from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation, EvaluationDocument
from results.models.results import ResultDocument

DOCUMENTS_PER_READ = 500  # documents held in memory at once


class NoDocumentError(Exception):
    """The evaluation did not come from a document of this format."""


def read_documents(evaluation_id: int) -> Iterator[bytes]:
    """Go through the compact JSON of an evaluation's results, in document order."""
    low, high = evaluation_id * RESULTS_PER_EVALUATION, (evaluation_id + 1) * RESULTS_PER_EVALUATION
    while True:
        rows = ResultDocument.objects.filter(pk__gte=low, pk__lt=high).order_by("pk").values_list("pk", "body")
        part = list(rows[:DOCUMENTS_PER_READ])
        if not part:
            return
        for _, body in part:
            yield decompress(body)
        low = part[-1][0] + 1


def unchanged(source: bytes) -> bytes:
    """A result's document as it is."""
    return source


def export_document(evaluation: Evaluation, shape: Callable[[bytes], bytes] = unchanged) -> Iterator[bytes]:
    """Give back the source document, white space removed, in pieces.

    Args:
        evaluation: one that came from a document.
        shape: what is done to each result's own document.

    Raises:
        NoDocumentError: the evaluation has no source document.
    """
    document = EvaluationDocument.objects.filter(evaluation=evaluation).first()
    if document is None:
        raise NoDocumentError(f"evaluation {evaluation.pk} has no source document")
    body = decompress(document.body)
    envelope = Envelope(body, [Slot(offset, count) for offset, count in document.slots])
    yield from restore(envelope, map(shape, read_documents(evaluation.pk)))
