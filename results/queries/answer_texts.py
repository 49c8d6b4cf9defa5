"""The whole answers of some results, or the errors that came instead, as text."""

from collections.abc import Sequence

import msgspec

from results.compression import decompress
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.models.results import ResultDocument
from results.queries.every_row import ResultsGoneError
from results.queries.previews import MESSAGES
from results.queries.rows import ResultRow
from results.queries.visibility import VisibleSet
from results.records import RunResult, decode_result

READ = 500  # documents held in memory at once


def answer_texts(visible: VisibleSet, rows: Sequence[ResultRow]) -> dict[int, str | None]:
    """What some visible results answered, by id; an error or a skipped result gives its title and message.

    Args:
        visible: evaluations that may be seen.
        rows: of any number.

    Returns:
        A text as itself, any other value as its compact JSON; None for a result that recorded neither.

    Raises:
        ResultsGoneError: some of them were deleted meanwhile.
    """
    outcomes = {row.id: row.outcome for row in rows if row.id // RESULTS_PER_EVALUATION in visible.evaluation_ids}
    ids = list(outcomes)
    found: dict[int, str | None] = {}
    for start in range(0, len(ids), READ):
        part = ResultDocument.objects.filter(pk__in=ids[start : start + READ]).values_list("pk", "body")
        for pk, body in part:
            found[pk] = _text(decode_result(decompress(body)), is_message=outcomes[pk] in MESSAGES)
    if len(found) < len(ids):
        raise ResultsGoneError(len(ids) - len(found))
    return found


def _text(record: RunResult, *, is_message: bool) -> str | None:
    error = record.details.error
    if is_message and error is not None and (error.title or error.message):
        return _titled(error.title, error.message or got_text(bytes(record.got)) or "")
    return got_text(bytes(record.got))


def _titled(title: str, message: str) -> str:
    if not title or message.startswith(title):
        return message
    return f"{title}: {message}" if message else title


def got_text(got: bytes) -> str | None:
    """A JSON value as people read it: a text as itself, anything else as its JSON; None for no value."""
    if not got:
        return None
    if got.startswith(b'"'):
        text: str = msgspec.json.decode(got, type=str)
        return text
    return got.decode("utf-8", "replace")
