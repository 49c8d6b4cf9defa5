"""The beginnings of the answers of some results, for a list: a document of any size costs the same."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from django.db import connection
from django.db.models import BinaryField, Case, F, Value, When
from django.db.models.functions import Length, Substr

from results.answer_heads import AnswerPreview, answer_preview, got_in, message_preview, titled
from results.compression import decompress_head, size_of
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.models.results import ResultDocument
from results.queries.rows import ResultRow
from results.queries.visibility import VisibleSet
from results.records import decode_result

HEAD_BYTES = 16_000  # of a document: most are smaller
BODY_BYTES = 131_200  # of a compressed one, which can be read from the end of its first block on: of 128 KiB at most
MESSAGES = ("error", "skipped")  # outcomes without an answer of their own
UNREAD = AnswerPreview("", is_cut=True)  # the answer comes later in the document than we read


@dataclass(frozen=True)
class _Head:
    """The beginning of a document; `is_whole` = all of it."""

    source: bytes
    is_whole: bool


def answer_previews(visible: VisibleSet, rows: Sequence[ResultRow]) -> dict[int, AnswerPreview]:
    """What some visible results answered, or the error that came instead, by id.

    Args:
        visible: evaluations that may be seen.
        rows: of a page.

    Returns:
        Nothing for a result that recorded neither. Of a document above 16 kB only the beginning is read; where that
        does not reach the answer, its text is empty and there is more.
    """
    by_id = {row.id: row for row in rows if row.id // RESULTS_PER_EVALUATION in visible.evaluation_ids}
    found = ((pk, _preview(by_id[pk], head)) for pk, head in _heads(by_id))
    return {pk: preview for pk, preview in found if preview is not None}


def _preview(row: ResultRow, head: _Head) -> AnswerPreview | None:
    is_message = row.outcome in MESSAGES
    if head.is_whole:
        record = decode_result(head.source)
        return message_preview(record) if is_message else answer_preview(bytes(record.got))
    got = answer_preview(got_in(head.source)) or UNREAD
    return titled(row.error_title or "", got) if is_message else got


def _heads(ids: Iterable[int]) -> Iterator[tuple[int, _Head]]:
    for pk, body in _bodies(ids):
        source = decompress_head(body, HEAD_BYTES + 1)
        yield pk, _Head(source[:HEAD_BYTES], size_of(body) == len(source) <= HEAD_BYTES)


def _bodies(ids: Iterable[int]) -> Iterator[tuple[int, bytes]]:
    """Compressed documents, of long ones the beginning.

    SQLite would read all of a long document to cut it, at 7 ms for 10 MB: there its beginning is read as a stream.
    """
    is_short = When(size__lt=BODY_BYTES, then=F("body"))
    cut = Value(None) if connection.vendor == "sqlite" else Substr("body", 1, BODY_BYTES)
    head = Case(is_short, default=cut, output_field=BinaryField())
    found = ResultDocument.objects.filter(pk__in=list(ids)).annotate(size=Length("body"), head=head)
    for pk, body in found.values_list("pk", "head"):
        yield pk, _sqlite_head(pk) if body is None else bytes(body)


def _sqlite_head(result_id: int) -> bytes:
    table = ResultDocument._meta.db_table
    with connection.cursor() as cursor:
        cursor.execute(f"SELECT rowid FROM {table} WHERE result_id = %s", [result_id])
        row_id = cursor.fetchone()[0]
        with cursor.connection.blobopen(table, "body", row_id, readonly=True) as blob:
            head: bytes = blob.read(BODY_BYTES)
            return head
