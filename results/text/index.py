"""Fills the text index from the documents, in steps that commit, and keeps its size in bounds.

The index is contentless, so a row cannot be taken out alone. Deleted results do no harm: their ids are never used
again and every question meets the visible set. Once they outnumber the living, the index is written anew.
"""

import fcntl
import sqlite3
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress

import msgspec
from django.db import connection
from django.db.models import Max

from results.compression import DamagedError, decompress
from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation, EvaluationState
from results.models.results import ResultDocument
from results.records import decode_result
from results.text.ahead import CHARACTERS_PER_STEP, RESULTS_PER_STEP, TextRow, TextStep, sweep, take
from results.text.common import keep_common
from results.text.contents import IndexedText, indexed_text
from results.text.index_file import (
    IndexLostError,
    current_path,
    index_folder,
    opened,
    opened_beside,
    replace,
    transaction,
)

RESULTS_PER_TRANSACTION = 20_000  # each makes a segment of the index; many small ones take twice the time
CHARACTERS_PER_TRANSACTION = 32_000_000  # ends a transaction early when results are large
RESULTS_PER_READ = 250  # documents held in memory at once
RECLAIM_FROM_RESULTS = 100_000  # fewer deleted results than this are not worth a rebuild
COMMON_FROM_RESULTS = 10_000  # smaller evaluations are searched quickly in any case
SAMPLED_RESULTS = 200  # in which common words are looked for
INDEXED_STATES = (EvaluationState.IMPORTING, EvaluationState.RUNNING, EvaluationState.READY)
_INSERT = "INSERT INTO result_text(rowid, answer, explanation, error) VALUES(?, ?, ?, ?)"
_SAVE = """INSERT INTO progress(evaluation_id, next_ordinal, is_complete) VALUES(?, ?, ?)
    ON CONFLICT(evaluation_id) DO UPDATE SET next_ordinal = excluded.next_ordinal, is_complete = excluded.is_complete"""
_WITHOUT_COMMON = "SELECT next_ordinal FROM progress WHERE evaluation_id = ? AND is_complete AND NOT has_common"
_DOCUMENTS = f"""SELECT result_id, body FROM {ResultDocument._meta.db_table}
    WHERE result_id >= %s AND result_id < %s ORDER BY result_id LIMIT %s"""


def never() -> bool:
    """Answer no; the `should_stop` of work that runs to its end."""
    return False


def index_pending(evaluation_id: int | None = None, should_stop: Callable[[], bool] = never) -> int:
    """Index the committed results that the index does not hold yet.

    Several processes may do this at once: each step takes the write lock and starts over if another was faster.

    Args:
        evaluation_id: only this evaluation; None = all of them, and tidy up after deleted ones.
        should_stop: asked between transactions of at most 20,000 results.

    Returns:
        Number of results indexed by this call.
    """
    with suppress(IndexLostError):
        return _index_pending(evaluation_id, should_stop)
    return _index_pending(evaluation_id, should_stop)


def forget(evaluation_id: int) -> None:
    """Note that an evaluation is deleted: its rows are left out of every answer already, and count as reclaimable.

    Never fails: the next round of `index_pending` notices by itself.
    """
    with suppress(IndexLostError, sqlite3.Error, OSError), opened() as index:
        index.execute("UPDATE progress SET is_forgotten = 1 WHERE evaluation_id = ?", (evaluation_id,))


def lagging(evaluation_ids: Iterable[int]) -> frozenset[int]:
    """Tell which evaluations have committed results that searching does not find yet."""
    wanted = set(evaluation_ids)
    ordinals: dict[int, int] = {}
    try:
        with opened() as index:
            for evaluation, next_ordinal, is_complete in index.execute(
                "SELECT evaluation_id, next_ordinal, is_complete FROM progress WHERE NOT is_forgotten"
            ):
                if is_complete:
                    wanted.discard(evaluation)
                ordinals[evaluation] = next_ordinal
    except (IndexLostError, sqlite3.Error, OSError):
        ordinals = {}
    return frozenset(evaluation for evaluation in wanted if _has_results_from(evaluation, ordinals.get(evaluation, 0)))


def is_complete(evaluation_id: int) -> bool:
    """Whether every result of a finished evaluation is in the index."""
    try:
        with opened() as index:
            row = index.execute("SELECT is_complete FROM progress WHERE evaluation_id = ?", (evaluation_id,)).fetchone()
    except IndexLostError:
        return False
    return row is not None and bool(row[0])


def reclaim() -> bool:
    """Write the index anew, without deleted results, if those outnumber the others.

    Returns:
        Whether it was written anew. The old one answers until the new one is whole.
    """
    old = current_path()
    with opened() as index:
        gone, kept = index.execute(
            "SELECT total(iif(is_forgotten, next_ordinal, 0)), total(iif(is_forgotten, 0, next_ordinal)) FROM progress"
        ).fetchone()
    if gone < RECLAIM_FROM_RESULTS or gone <= kept:
        return False
    with (index_folder() / "reclaim.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:  # another process is at it
            return False
        with opened_beside() as (path, fresh):
            for evaluation_id in _unindexed(fresh):
                _index_evaluation(fresh, evaluation_id, never)
        replace(old, path)
    return True


def _index_pending(evaluation_id: int | None, should_stop: Callable[[], bool]) -> int:
    indexed = 0
    with opened() as index:
        for pending in _unindexed(index) if evaluation_id is None else [evaluation_id]:
            indexed += _index_evaluation(index, pending, should_stop)
        if evaluation_id is None:
            _forget_missing(index)
            sweep()
    if evaluation_id is None and not should_stop():
        reclaim()
    return indexed


def _unindexed(index: sqlite3.Connection) -> list[int]:
    done = {row[0] for row in index.execute("SELECT evaluation_id FROM progress WHERE is_complete AND has_common")}
    known = Evaluation.objects.filter(state__in=INDEXED_STATES).order_by("-pk").values_list("pk", flat=True)
    return [evaluation_id for evaluation_id in known if evaluation_id not in done]


def _forget_missing(index: sqlite3.Connection) -> None:
    held = {row[0] for row in index.execute("SELECT evaluation_id FROM progress WHERE NOT is_forgotten")}
    known = set(Evaluation.objects.filter(state__in=INDEXED_STATES).values_list("pk", flat=True))
    for evaluation_id in held - known:
        index.execute("UPDATE progress SET is_forgotten = 1 WHERE evaluation_id = ?", (evaluation_id,))


def _index_evaluation(index: sqlite3.Connection, evaluation_id: int, should_stop: Callable[[], bool]) -> int:
    indexed = 0
    while not should_stop():
        state = Evaluation.objects.filter(pk=evaluation_id).values_list("state", flat=True).first()
        if state not in INDEXED_STATES:
            break
        start = _next_ordinal(index, evaluation_id)
        step = _gathered(evaluation_id, start)
        is_whole = step.is_end and state == EvaluationState.READY  # the state was read before the documents
        if step.rows or is_whole:
            indexed += _write(index, evaluation_id, start, step.rows, is_whole)
        if step.is_end:
            break
    _complete_common(index, evaluation_id)
    return indexed


def _next_ordinal(index: sqlite3.Connection, evaluation_id: int) -> int:
    row = index.execute("SELECT next_ordinal FROM progress WHERE evaluation_id = ?", (evaluation_id,)).fetchone()
    return 0 if row is None else int(row[0])


def _gathered(evaluation_id: int, start: int) -> TextStep:
    """The texts of one transaction's results, from an ordinal on: those that were kept, and else from the documents."""
    rows: list[TextRow] = []
    characters = 0
    while len(rows) < RESULTS_PER_TRANSACTION and characters < CHARACTERS_PER_TRANSACTION:
        following = rows[-1][0] % RESULTS_PER_EVALUATION + 1 if rows else start
        step = take(evaluation_id, following) or read_step(evaluation_id, following)
        rows += step.rows
        characters += sum(len(row[1]) + len(row[2]) + len(row[3]) for row in step.rows)
        if step.is_end:
            return TextStep(rows, is_end=True)
    return TextStep(rows, is_end=False)


def read_step(evaluation_id: int, start: int) -> TextStep:
    """Read the texts of one step's results, from an ordinal on."""
    first, end = evaluation_id * RESULTS_PER_EVALUATION, (evaluation_id + 1) * RESULTS_PER_EVALUATION
    rows: list[TextRow] = []
    characters = 0
    while len(rows) < RESULTS_PER_STEP and characters < CHARACTERS_PER_STEP:
        after = rows[-1][0] + 1 if rows else first + start
        with connection.cursor() as cursor:  # half a million rows as model values would take seconds more
            cursor.execute(_DOCUMENTS, (after, end, RESULTS_PER_READ))
            page = cursor.fetchall()
        for result_id, body in page:
            texts = _texts(body)
            row = (result_id, texts.answer, texts.explanation, texts.error)
            rows.append(row)
            characters += len(row[1]) + len(row[2]) + len(row[3])
        if len(page) < RESULTS_PER_READ:
            return TextStep(rows, is_end=True)
    return TextStep(rows, is_end=False)


def next_ordinal(evaluation_id: int) -> int:
    """The first result of an evaluation that the index does not hold.

    Raises:
        IndexLostError, sqlite3.Error: see `opened`.
    """
    with opened() as index:
        return _next_ordinal(index, evaluation_id)


def _sample(evaluation_id: int, size: int) -> Iterator[str]:
    """The texts of some results of an evaluation, from its beginning to its end."""
    first, step = evaluation_id * RESULTS_PER_EVALUATION, max(1, size // SAMPLED_RESULTS)
    ids = list(range(first, first + size, step))
    for body in ResultDocument.objects.filter(pk__in=ids).values_list("body", flat=True).iterator():
        texts = _texts(body)
        yield f"{texts.answer} {texts.explanation} {texts.error}"


def _texts(body: bytes | memoryview) -> IndexedText:
    try:
        return indexed_text(decode_result(decompress(body)))
    except (DamagedError, msgspec.MsgspecError, ValueError):  # a damaged document must not stop all others
        return IndexedText("", "", "")


def _write(index: sqlite3.Connection, evaluation_id: int, start: int, rows: list[TextRow], is_whole: bool) -> int:
    next_ordinal = rows[-1][0] % RESULTS_PER_EVALUATION + 1 if rows else start
    with transaction(index):
        if _next_ordinal(index, evaluation_id) != start:  # another process was faster
            return 0
        index.executemany(_INSERT, rows)
        index.execute(_SAVE, (evaluation_id, next_ordinal, is_whole))
    return len(rows)


def _complete_common(index: sqlite3.Connection, evaluation_id: int) -> None:
    """Keep the common words of an evaluation that is indexed to its end. It is found without them, less quickly."""
    row = index.execute(_WITHOUT_COMMON, (evaluation_id,)).fetchone()
    if row is not None:
        size = int(row[0])
        sample = _sample(evaluation_id, size) if size >= COMMON_FROM_RESULTS else ()
        keep_common(index, evaluation_id, size, sample)


def _has_results_from(evaluation_id: int, ordinal: int) -> bool:
    first, end = evaluation_id * RESULTS_PER_EVALUATION, (evaluation_id + 1) * RESULTS_PER_EVALUATION
    last = ResultDocument.objects.filter(pk__gte=first, pk__lt=end).aggregate(last=Max("pk"))["last"]
    return last is not None and last >= first + ordinal
