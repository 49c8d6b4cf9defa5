"""What stands beside a result: other evaluations of the same task and run, other runs at the same task, versions."""

from dataclasses import dataclass

from frontend.contexts.answers import Value
from frontend.shown_text import GAP
from results.queries.detail import short_documents
from results.queries.related import Peer, Related
from results.queries.results import ResultRow
from results.queries.versions import ResultVersions, Versions, result_versions
from results.queries.visibility import VisibleSet
from results.records import RunResult

SHOWN_ANSWER = 80  # characters of an answer in a row


@dataclass(frozen=True)
class Copy:
    """A result of another evaluation with the same trace id.

    Attributes:
        is_counted: it is the one that counts in the history.
        differs: its outcome, model time or tokens are others, so that it is not the same result after all.
    """

    row: ResultRow
    is_counted: bool
    differs: bool


@dataclass(frozen=True)
class HistoryRow:
    """One result of the same task and run.

    Attributes:
        row: of the page's own evaluation where that holds the result.
        answer: the beginning of its canonical answer on one line; None = too large or not recorded.
        copies: the same trace id in other evaluations.
        is_this: it is the page's own.
    """

    row: ResultRow
    answer: str | None
    copies: tuple[Copy, ...]
    is_this: bool


@dataclass(frozen=True)
class HistoryPanel:
    """What `_history.html` reads.

    Attributes:
        rows: the newest ones, newest first.
        strip: outcomes, oldest first; strip_label says them in words.
        total, passed: over all of them, each result once.
        has_copies: some listed result is in several evaluations.
        has_differences: some of its copies differ.
    """

    rows: tuple[HistoryRow, ...]
    strip: tuple[str, ...]
    strip_label: str
    total: int
    passed: int
    has_copies: bool
    has_differences: bool


@dataclass(frozen=True)
class Beside:
    """What stands beside a result.

    Attributes:
        copies: the same trace id in other evaluations.
        repeats: results of this task and run in this evaluation.
        peers: other runs at this task in this evaluation, at most 100 of `peer_total`.
        versions: of task and run with another version somewhere, each with its title.
    """

    history: HistoryPanel
    copies: tuple[Copy, ...]
    repeats: int
    peers: tuple[Peer, ...]
    peer_total: int
    versions: "tuple[VersionPanel, ...]"

    @classmethod
    def build(cls, visible: VisibleSet, result_id: int, related: Related) -> "Beside":
        """Everything beside a visible result."""
        return cls(
            history=_history(visible, related),
            copies=_copies(related.own, related.copies),
            repeats=related.repeats,
            peers=related.peers,
            peer_total=related.peer_total,
            versions=_version_panels(result_versions(visible, result_id)),
        )


@dataclass(frozen=True)
class VersionPanel:
    """The versions of the task, or of the run."""

    title: str
    versions: Versions


def _version_panels(found: ResultVersions | None) -> tuple[VersionPanel, ...]:
    if found is None:
        return ()
    panels = (VersionPanel("Task", found.task), VersionPanel("Run", found.run))
    return tuple(panel for panel in panels if panel.versions.others)


def _history(visible: VisibleSet, related: Related) -> HistoryPanel:
    records = short_documents(visible, tuple(entry.row.id for entry in related.history))
    rows = tuple(
        HistoryRow(
            entry.row,
            _answer(records.get(entry.row.id)),
            _copies(entry.row, entry.copies, entry.counted_id),
            entry.has_this,
        )
        for entry in related.history
    )
    return HistoryPanel(
        rows=rows,
        strip=related.strip,
        strip_label=f"{len(related.strip)} results, oldest first: {', '.join(related.strip)}",
        total=related.total,
        passed=related.passed,
        has_copies=any(row.copies for row in rows),
        has_differences=any(copy.differs for row in rows for copy in row.copies),
    )


def _copies(row: ResultRow | None, others: tuple[ResultRow, ...], counted_id: int | None = None) -> tuple[Copy, ...]:
    if row is None:
        return ()
    return tuple(Copy(other, other.id == counted_id, _content(other) != _content(row)) for other in others)


def _content(row: ResultRow) -> tuple[object, ...]:
    return (row.outcome, row.duration_ns, row.input_tokens, row.output_tokens)


def _answer(record: RunResult | None) -> str | None:
    value = None if record is None else Value.build(bytes(record.got))
    if value is None:
        return None
    text = value.source[: 4 * SHOWN_ANSWER].decode("utf-8", "replace") if value.text is None else value.text
    line = GAP.sub(" ↵ ", text[: SHOWN_ANSWER + 1].strip())
    return f"{line[:SHOWN_ANSWER]}…" if len(text) > SHOWN_ANSWER else line
