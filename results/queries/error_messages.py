"""The messages of errors, those of one title and shape together; a bounded number of documents is read."""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from results.compression import decompress
from results.facts.engine import answer
from results.facts.links import Numbers
from results.facts.reading import Reading
from results.filters import ResultFilter
from results.models.results import ResultDocument
from results.queries.cancelled import is_cancelled
from results.queries.conditions import filtered, question
from results.queries.copies import copied_ids, counted_once
from results.queries.message_shapes import message_shape, shape_search
from results.queries.visibility import VisibleSet
from results.records import ResultKind, RunResult, decode_result
from results.text.contents import readable

MOST_READ = 500  # documents, about 50 ms
MOST_CLUSTERS = 100  # that are listed
MOST_NAMED = 100  # results of a cluster that are told one by one
_PER_QUERY = 500
_LARGE_BYTES = 1_000_000  # of a compressed document: such ones are passed over


@dataclass(frozen=True)
class MessageCluster:
    """Messages of one title and one shape.

    Attributes:
        title: None = none recorded.
        shape: empty = no message recorded.
        results: of those that were read; `transient`, `permanent` and the rest, which is unknown.
        example_id: its newest result.
        example: that one's message, cut.
        search: finds such messages in the explorer, and perhaps a few others; empty = no search can.
        ids: of the results, where they are few; else empty.
    """

    title: str | None
    shape: str
    results: int
    transient: int
    permanent: int
    is_cancelled: bool
    example_id: int
    example: str
    search: str
    ids: tuple[int, ...]

    @property
    def unknown(self) -> int:
        """Results of which the file does not say whether the error is transient."""
        return self.results - self.transient - self.permanent


@dataclass(frozen=True)
class ErrorMessages:
    """The messages of some results.

    Attributes:
        clusters: those with most results first, at most 100 of `cluster_total`.
        total: results that are meant; `read` of them were, spread evenly from the oldest to the newest.
    """

    clusters: tuple[MessageCluster, ...]
    cluster_total: int
    total: int
    read: int


@dataclass(frozen=True)
class _Message:
    result_id: int
    title: str | None
    text: str
    transient: bool | None


def error_messages(visible: VisibleSet, chosen: ResultFilter) -> ErrorMessages:
    """Group the messages of a filter's results by title and shape.

    Args:
        visible: evaluations that may be seen.
        chosen: the filter. Results that neither are errors nor have an error are no matter.

    Raises:
        results.text.search.TooManyToScanError: an exact text was asked of too many results.
    """
    copied = copied_ids(visible)
    ids = answer(
        visible.evaluation_ids,
        visible.key,
        question("error-ids", chosen),
        lambda reading: _ids(reading, chosen, visible, copied),
    )
    picked = ids[np.linspace(0, len(ids) - 1, MOST_READ).astype(np.int64)] if len(ids) > MOST_READ else ids
    messages = list(_messages(picked.tolist()))
    clusters = _clusters(messages)
    return ErrorMessages(tuple(clusters[:MOST_CLUSTERS]), len(clusters), len(ids), len(messages))


def _ids(reading: Reading, chosen: ResultFilter, visible: VisibleSet, copied: Numbers) -> Numbers:
    """The ids of results with an error, in order of time."""
    with counted_once(reading, copied) as once, filtered(reading, chosen, visible) as conditions:
        where = conditions.where(" AND ".join(filter(None, ["(outcome = 2 OR error_title_id IS NOT NULL)", once])))
        source = reading.table("results", f"result_id started_at_us {where}")
        arrays = reading.arrays(f"SELECT result_id, started_at_us FROM {source} {where}")
    found: Numbers = arrays["result_id"][np.lexsort((arrays["result_id"], arrays["started_at_us"]))]
    return found


def _messages(ids: list[int]) -> Iterable[_Message]:
    """In the order of the ids; of very large documents none is read."""
    for start in range(0, len(ids), _PER_QUERY):
        part = ids[start : start + _PER_QUERY]
        bodies = dict(ResultDocument.objects.filter(pk__in=part).values_list("pk", "body"))
        for pk in part:
            if pk in bodies and len(bodies[pk]) <= _LARGE_BYTES:
                record = decode_result(decompress(bodies[pk]))
                error = record.details.error
                title, transient = (None, None) if error is None else (error.title or None, error.transient)
                yield _Message(pk, title, error_text(record), transient)


def error_text(record: RunResult) -> str:
    """The message of a result's error; without one, what stands in place of an answer."""
    error = record.details.error
    if error is not None and error.message:
        return error.message
    return readable(record.got) if record.kind in (ResultKind.ERROR, ResultKind.SKIPPED) else ""


def _clusters(messages: list[_Message]) -> list[MessageCluster]:
    groups: dict[tuple[str | None, str], list[_Message]] = {}
    for message in messages:
        groups.setdefault((message.title, message_shape(message.text)), []).append(message)
    found = [
        MessageCluster(
            title=title,
            shape=shape,
            results=len(group),
            transient=sum(message.transient is True for message in group),
            permanent=sum(message.transient is False for message in group),
            is_cancelled=is_cancelled(group[-1].text),
            example_id=group[-1].result_id,
            example=group[-1].text[:1_000],
            search=shape_search(shape),
            ids=tuple(message.result_id for message in group) if len(group) <= MOST_NAMED else (),
        )
        for (title, shape), group in groups.items()
    ]
    return sorted(found, key=lambda cluster: (-cluster.results, cluster.shape, cluster.title or ""))
