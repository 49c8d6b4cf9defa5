"""One sprint, and one iteration of it: the record joined with its contract, beside its revisions and neighbours.

What an iteration says that only other files can confirm (its contract, spec and criteria, the iterations before it) is
checked here, when it is read: an import sees files in any order.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from results.compression import decompress
from results.importers.agent_bober_checks import check_iteration
from results.importers.agent_bober_folder import (
    BoberFolder,
    Contract,
    SpecPlan,
    check_record,
    check_sequence,
    join_contract,
)
from results.importers.source import ImportWarning, WarningLog
from results.iteration_records import EvalResult, OverallResult, PartResult
from results.iteration_verdicts import computed_verdict
from results.models.sprints import Iteration, Spec, Sprint, Verdict
from results.names import digest_of, storable
from results.queries.sprint_sides import feedback_key
from results.queries.sprints import IterationMark, SprintFindings, SprintRow, decode, findings_of, sprint_row
from results.reach import within
from results.store.plans import contract_of


@dataclass(frozen=True)
class IterationRow:
    """One stored revision of an iteration; `is_latest` marks the one that counts."""

    id: int
    iteration: int
    revision: int
    is_latest: bool
    verdict: str
    digest: str
    file_name: str
    recorded_at: datetime | None
    imported_at: datetime


@dataclass(frozen=True)
class IterationsFound:
    """One page of iterations, each with the id of its sprint, and how many there are."""

    rows: tuple[tuple[int, IterationRow], ...]
    total: int


@dataclass(frozen=True)
class IterationSummary:
    """One iteration in its sprint's list: the revision that counts, what it says, and how many revisions there are."""

    row: IterationRow
    record: EvalResult
    findings: SprintFindings
    revisions: int


@dataclass(frozen=True)
class SprintDetail:
    """One sprint.

    Attributes:
        contract: None when it was never imported; then `source` is empty.
        plan_title: of the spec; empty when it has none.
        iterations: in their order.
        warnings: iterations that are missing, and recorded times that run against their order.
    """

    row: SprintRow
    contract: Contract | None
    source: bytes
    iterations: tuple[IterationSummary, ...]
    warnings: tuple[ImportWarning, ...]


@dataclass(frozen=True)
class IterationDetail:
    """One revision of an iteration.

    Attributes:
        record: gaps in its criteria are filled from the contract; `computed_verdict` is ours.
        source: its own document, white space removed.
        before: result of each criterion in the iteration before, by the criterion's id.
        feedback_before: keys of the feedback in the iteration before; None = not recorded.
        revisions: all of this iteration, the newest first.
        warnings: those of the import, and what does not fit to contract, spec and other iterations.
        previous, following: the neighbours in the sprint; None at the ends.
    """

    row: IterationRow
    sprint: SprintRow
    contract: Contract | None
    record: EvalResult
    source: bytes
    before: dict[str, PartResult | None]
    feedback_before: frozenset[tuple[str, str]] | None
    revisions: tuple[IterationRow, ...]
    warnings: tuple[ImportWarning, ...]
    previous: IterationMark | None
    following: IterationMark | None

    @property
    def is_disagreeing(self) -> bool:
        """Whether our verdict is another one than the recorded one."""
        computed = computed_verdict(self.record)
        return computed is not None and computed is not self.record.overall_result


_ROW_FIELDS = tuple(IterationRow.__dataclass_fields__)


def sprint_detail(sprint_id: int) -> SprintDetail | None:
    """One sprint with all its iterations, in two queries; None if there is no such one."""
    sprint = Sprint.objects.select_related("project", "spec").filter(pk=sprint_id).first()
    if sprint is None:
        return None
    contract = contract_of(sprint)
    stored = list(Iteration.objects.filter(sprint=sprint).order_by("iteration", "revision"))
    rows = [_row(iteration) for iteration in stored]
    numbers = [row.iteration for row in rows]
    records = [join_contract(decode(iteration), contract) for iteration in stored if iteration.is_latest]
    latest = [row for row in rows if row.is_latest]
    summaries = tuple(
        IterationSummary(row, record, findings_of(record), numbers.count(row.iteration))
        for row, record in zip(latest, records, strict=True)
    )
    return SprintDetail(
        row=sprint_row(sprint, _marks(rows)),
        contract=contract,
        source=decompress(sprint.body) if sprint.body is not None else b"",
        iterations=summaries,
        warnings=tuple(_sequence(rows)),
    )


def iteration_page(project: str, sprint_id: int | None, page: int, size: int) -> IterationsFound:
    """Iterations of a page, the last imported first, in two queries.

    Args:
        project: slug; empty = any.
        sprint_id: None = of every sprint.
        page: from 1.
        size: of a page.
    """
    found = within(Iteration.objects.filter(is_latest=True), "sprint__project")
    if project:
        found = found.filter(sprint__project__slug=project)
    if sprint_id is not None:
        found = found.filter(sprint_id=sprint_id)
    listed = found.order_by("-pk").values_list("sprint_id", *_ROW_FIELDS)[(page - 1) * size : page * size]
    return IterationsFound(tuple((pk, IterationRow(*values)) for pk, *values in listed), found.count())


def iteration_detail(iteration_id: int) -> IterationDetail | None:
    """One revision of an iteration, in three queries; None if there is no such one."""
    related = ("sprint", "sprint__project", "sprint__spec")
    stored = Iteration.objects.select_related(*related).filter(pk=iteration_id).first()
    if stored is None:
        return None
    contract = contract_of(stored.sprint)
    rows = _rows(stored.sprint)
    marks = _marks(rows)
    previous = next((mark for mark in reversed(marks) if mark.iteration < stored.iteration), None)
    before = decode(Iteration.objects.get(pk=previous.id)) if previous else None
    record = decode(stored)
    joined = join_contract(record, contract)
    return IterationDetail(
        row=_row(stored),
        sprint=sprint_row(stored.sprint, marks),
        contract=contract,
        record=joined,
        source=decompress(stored.body),
        before={part.criterion_id: part.result for part in (before.criteria_results if before else None) or []},
        feedback_before=_feedback_keys(before),
        revisions=tuple(row for row in reversed(rows) if row.iteration == stored.iteration),
        warnings=tuple(_warnings(stored, record, joined, contract, rows)),
        previous=previous,
        following=next((mark for mark in marks if mark.iteration > stored.iteration), None),
    )


def _row(stored: Iteration) -> IterationRow:
    return IterationRow(*(getattr(stored, name) for name in _ROW_FIELDS))


def _rows(sprint: Sprint) -> list[IterationRow]:
    found = Iteration.objects.filter(sprint=sprint).order_by("iteration", "revision")
    return [IterationRow(*values) for values in found.values_list(*_ROW_FIELDS)]


def _marks(rows: Sequence[IterationRow]) -> tuple[IterationMark, ...]:
    return tuple(IterationMark(row.id, row.iteration, row.verdict, row.recorded_at) for row in rows if row.is_latest)


def _feedback_keys(record: EvalResult | None) -> frozenset[tuple[str, str]] | None:
    if record is None or record.generator_feedback is None:
        return None
    return frozenset(feedback_key(item) for item in record.generator_feedback)


def _warnings(
    stored: Iteration, record: EvalResult, joined: EvalResult, contract: Contract | None, rows: Sequence[IterationRow]
) -> list[ImportWarning]:
    """The import's warnings, those that a contract settles replaced by what is so with it, and those of other files."""
    alone, together = WarningLog(), WarningLog()
    check_iteration(record, alone)
    check_iteration(joined, together)
    check_record(joined, _folder(stored.sprint, joined, contract), together)
    imported = [ImportWarning(entry["path"], entry["message"]) for entry in stored.warnings]
    own = [warning for warning in imported if warning not in alone.kept]
    sequence = [warning for warning in _sequence(rows) if warning.message.startswith(f"iteration {stored.iteration} ")]
    return [*own, *together.kept, *sequence]


def _folder(sprint: Sprint, record: EvalResult, contract: Contract | None) -> BoberFolder:
    """What was imported beside an iteration: its contract and its spec, by the names that the iteration uses."""
    spec_id, spec = record.spec_id, sprint.spec
    if spec_id and (spec is None or spec.spec_id != storable(spec_id)):
        spec = Spec.objects.filter(project=sprint.project, digest=digest_of(storable(spec_id))).first()
    is_known = spec_id and spec is not None and spec.body is not None
    return BoberFolder(
        contracts={record.contract_id: contract} if contract else {},
        specs={spec_id: SpecPlan(spec_id=spec_id)} if spec_id and is_known else {},
    )


def _sequence(rows: Sequence[IterationRow]) -> list[ImportWarning]:
    records = [
        EvalResult(
            contract_id="",
            iteration=row.iteration,
            overall_result=OverallResult.PASS if row.verdict == Verdict.PASS else OverallResult.FAIL,
            timestamp=row.recorded_at.isoformat() if row.recorded_at else None,
        )
        for row in rows
        if row.is_latest
    ]
    return [warning for log in check_sequence(records).values() for warning in log.kept]
