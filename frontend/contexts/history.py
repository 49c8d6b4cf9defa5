"""What stands beside a result: other evaluations of the same task and run, other runs at the same task, versions."""

from dataclasses import dataclass

from results.answer_heads import AnswerPreview
from results.queries.previews import answer_previews
from results.queries.related import Peer, Related
from results.queries.results import ResultRow
from results.queries.run_names import RunName, shared_names
from results.queries.versions import ResultVersions, Versions, result_versions
from results.queries.visibility import VisibleSet

SHOWN_COPIES = 4  # links to the same result elsewhere, at one place


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
        answer: the beginning of its answer, or of the error that came instead; None = not recorded.
        copies: the same trace id in other evaluations, the first of `copy_count`.
        is_this: it is the page's own.
    """

    row: ResultRow
    answer: AnswerPreview | None
    copies: tuple[Copy, ...]
    copy_count: int
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
        copies: the same trace id in other evaluations, the first of `copy_count`.
        repeats: results of this task and run in this evaluation.
        peers: other runs at this task in this evaluation, at most 100 of `peer_total`.
        shared_runs: names of runs, its own included, that several providers have.
        versions: of task and run with another version somewhere, each with its title.
    """

    history: HistoryPanel
    copies: tuple[Copy, ...]
    copy_count: int
    repeats: int
    peers: tuple[Peer, ...]
    peer_total: int
    shared_runs: frozenset[str]
    versions: "tuple[VersionPanel, ...]"

    @classmethod
    def build(cls, visible: VisibleSet, result_id: int, related: Related) -> "Beside":
        """Everything beside a visible result."""
        return cls(
            history=_history(visible, related),
            copies=_copies(related.own, related.copies)[:SHOWN_COPIES],
            copy_count=len(related.copies),
            repeats=related.repeats,
            peers=related.peers,
            peer_total=related.peer_total,
            shared_runs=_shared_runs(related),
            versions=_version_panels(result_versions(visible, result_id)),
        )


def _shared_runs(related: Related) -> frozenset[str]:
    names = [RunName(peer.provider, peer.run) for peer in related.peers]
    if related.own is not None:
        names.append(RunName(related.own.provider, related.own.run))
    return shared_names(names)


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
    answers = answer_previews(visible, [entry.row for entry in related.history])
    copies = [_copies(entry.row, entry.copies, entry.counted_id) for entry in related.history]
    rows = tuple(
        HistoryRow(entry.row, answers.get(entry.row.id), same[:SHOWN_COPIES], len(same), entry.has_this)
        for entry, same in zip(related.history, copies, strict=True)
    )
    return HistoryPanel(
        rows=rows,
        strip=related.strip,
        strip_label=f"{len(related.strip)} results, oldest first: {', '.join(related.strip)}",
        total=related.total,
        passed=related.passed,
        has_copies=any(row.copies for row in rows),
        has_differences=any(copy.differs for same in copies for copy in same),
    )


def _copies(row: ResultRow | None, others: tuple[ResultRow, ...], counted_id: int | None = None) -> tuple[Copy, ...]:
    if row is None:
        return ()
    return tuple(Copy(other, other.id == counted_id, _content(other) != _content(row)) for other in others)


def _content(row: ResultRow) -> tuple[object, ...]:
    return (row.outcome, row.duration_ns, row.input_tokens, row.output_tokens)
