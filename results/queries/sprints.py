"""Sprints in lists: their iterations, whether and when they passed, and what their latest iteration says.

Projects are visible as a whole. Titles and numbers are those that the import worked out from contract and spec.
"""

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import Q, QuerySet

from results.compression import decompress
from results.importers.agent_bober import read_bytes
from results.importers.agent_bober_folder import join_contract
from results.importers.source import Limits
from results.iteration_records import CriterionResult, EvalResult, OverallResult, PartResult
from results.iteration_verdicts import computed_verdict
from results.models.sprints import Iteration, Sprint, Verdict
from results.reach import present_reach, within
from results.statistics import Rate
from results.store.plans import contract_of

NEWEST_ITERATIONS = 200  # among which the latest sprints are looked for


@dataclass(frozen=True)
class IterationMark:
    """The revision that counts of one iteration; `recorded_at` is as written, and never used for order."""

    id: int
    iteration: int
    verdict: str
    recorded_at: datetime | None


@dataclass(frozen=True)
class SprintRow:
    """One sprint. `spec` is the id of its spec's row; a title is empty and a number None where nothing says it.

    Attributes:
        iterations: in their order; of each the newest revision.
    """

    id: int
    project: str
    contract_id: str
    title: str
    number: int | None
    spec: int | None
    spec_id: str
    spec_title: str
    iterations: tuple[IterationMark, ...]

    @property
    def name(self) -> str:
        """What to call it: its title, else its contract."""
        return self.title or self.contract_id

    @property
    def spec_name(self) -> str:
        """What to call its spec; empty when no spec is recorded."""
        return self.spec_title or self.spec_id

    @property
    def latest(self) -> IterationMark | None:
        """The iteration with the highest number; None when it was never evaluated."""
        return self.iterations[-1] if self.iterations else None

    @property
    def verdict(self) -> str | None:
        """The recorded verdict of the latest iteration."""
        return self.latest.verdict if self.latest else None

    @property
    def passed_on(self) -> int | None:
        """The number of the first iteration that passed; None when none did."""
        return next((mark.iteration for mark in self.iterations if mark.verdict == Verdict.PASS), None)

    @property
    def is_first_try(self) -> bool | None:
        """Whether iteration 1 passed; None when it is not recorded or could not be evaluated."""
        first = self.iterations[0] if self.iterations else None
        if first is None or first.iteration != 1 or first.verdict == Verdict.ERROR:
            return None
        return first.verdict == Verdict.PASS


@dataclass(frozen=True)
class CriteriaCounts:
    """How many criteria there are by their result; None = not recorded."""

    passed: int | None = None
    failed: int | None = None
    skipped: int | None = None
    total: int | None = None


@dataclass(frozen=True)
class SprintFindings:
    """What the latest iteration of a sprint says, joined with its contract.

    Attributes:
        feedback: items of advice that the latest iteration leaves open; None = not recorded.
        computed: the verdict that follows from the recorded parts; None = none follows.
        is_disagreeing: ours is another one than the recorded verdict.
    """

    criteria: CriteriaCounts
    feedback: int | None
    computed: OverallResult | None
    is_disagreeing: bool


def sprint_rows(project: str | None = None, search: str = "") -> list[SprintRow]:
    """Sprints by project, spec and number, in two queries.

    Args:
        project: only of the project with this slug.
        search: only those whose contract, title, spec or spec's title contains this text, whatever its case.
    """
    found = within(Sprint.objects.all())
    if project is not None:
        found = found.filter(project__slug=project)
    if text := search.strip().replace("\x00", ""):
        found = found.filter(
            Q(contract_id__icontains=text)
            | Q(title__icontains=text)
            | Q(spec__spec_id__icontains=text)
            | Q(spec__title__icontains=text)
        )
    is_part = project is not None or bool(text) or present_reach() is not None
    marks = _marks(found if is_part else None)
    rows = [_row(values, marks) for values in found.values_list(*_FIELDS)]
    return sorted(
        rows, key=lambda row: (row.project, row.spec_id, row.number is None, row.number or 0, row.contract_id)
    )


def latest_sprints(shown: int, projects: Sequence[str] = ()) -> list[SprintRow]:
    """The sprints that were evaluated last, the newest import first, in three queries.

    They are those of the newest iterations, of which a bounded number is looked at.

    Args:
        shown: how many at most.
        projects: slugs of the projects that are looked at; empty = all.
    """
    iterations = within(Iteration.objects.filter(is_latest=True), "sprint__project")
    if projects:
        iterations = iterations.filter(sprint__project__slug__in=projects)
    newest = iterations.order_by("-pk").values_list("sprint_id", flat=True)[:NEWEST_ITERATIONS]
    ids = list(dict.fromkeys(newest))[:shown]
    found = Sprint.objects.filter(pk__in=ids)
    marks = _marks(found)
    rows = {values[0]: _row(values, marks) for values in found.values_list(*_FIELDS)}
    return [rows[pk] for pk in ids if pk in rows]


def sprint_findings(rows: Sequence[SprintRow]) -> dict[int, SprintFindings]:
    """What the latest iterations of some sprints say, by the sprint's id, in one query; only of evaluated ones."""
    latest = [row.latest.id for row in rows if row.latest is not None]
    found = Iteration.objects.select_related("sprint").filter(pk__in=latest) if latest else []
    return {stored.sprint_id: findings_of(_decode_for_counting(stored)) for stored in found}


def decode(stored: Iteration) -> EvalResult:
    """The record of a stored iteration as its document has it."""
    return read_bytes(decompress(stored.body), stored.file_name, Limits()).record


def findings_of(record: EvalResult) -> SprintFindings:
    """What an iteration says, in numbers."""
    feedback, computed = record.generator_feedback, computed_verdict(record)
    return SprintFindings(
        criteria=criteria_counts(record),
        feedback=None if feedback is None else len(feedback),
        computed=computed,
        is_disagreeing=computed is not None and computed is not record.overall_result,
    )


def criteria_counts(record: EvalResult) -> CriteriaCounts:
    """Criteria by their result: counted in the list, else as the score says."""
    if record.criteria_results is not None:
        return count_criteria(record.criteria_results)
    score = record.score
    if score is None:
        return CriteriaCounts()
    return CriteriaCounts(score.criteria_passed, score.criteria_failed, score.skipped, score.criteria_total)


def count_criteria(criteria: list[CriterionResult]) -> CriteriaCounts:
    """Count criteria by their result; one with an unreadable result counts in the total alone."""
    results = [criterion.result for criterion in criteria]
    return CriteriaCounts(
        passed=results.count(PartResult.PASS),
        failed=results.count(PartResult.FAIL),
        skipped=results.count(PartResult.SKIPPED),
        total=len(results),
    )


def first_try_rate(rows: Sequence[SprintRow]) -> Rate:
    """The share of sprints that passed in iteration 1, of those whose iteration 1 is recorded."""
    tries = [row.is_first_try for row in rows if row.is_first_try is not None]
    return Rate(sum(tries), len(tries))


def sprint_row(sprint: Sprint, marks: tuple[IterationMark, ...]) -> SprintRow:
    """The row of a loaded sprint (with project and spec) and its iterations."""
    spec = sprint.spec
    return SprintRow(
        id=sprint.pk,
        project=sprint.project.slug,
        contract_id=sprint.contract_id,
        title=sprint.title,
        number=sprint.number,
        spec=sprint.spec_id,
        spec_id=spec.spec_id if spec else "",
        spec_title=spec.title if spec else "",
        iterations=marks,
    )


_FIELDS = ("pk", "project__slug", "contract_id", "title", "number", "spec_id", "spec__spec_id", "spec__title")


def _decode_for_counting(stored: Iteration) -> EvalResult:
    """The record; of the contract only required flags matter here, and it is read only where one is missing."""
    record = decode(stored)
    is_complete = all(criterion.required is not None for criterion in record.criteria_results or [])
    return record if is_complete else join_contract(record, contract_of(stored.sprint))


def _row(values: tuple[Any, ...], marks: dict[int, list[IterationMark]]) -> SprintRow:
    sprint_id, project, contract_id, title, number, spec, spec_id, spec_title = values
    iterations = tuple(marks.get(sprint_id, ()))
    return SprintRow(sprint_id, project, contract_id, title, number, spec, spec_id or "", spec_title or "", iterations)


def _marks(sprints: QuerySet[Sprint] | None) -> dict[int, list[IterationMark]]:
    """Iterations by sprint, in order; of each the newest revision. `sprints` None = of all."""
    found = Iteration.objects.filter(is_latest=True)
    if sprints is not None:
        found = found.filter(sprint__in=sprints)
    marks: defaultdict[int, list[IterationMark]] = defaultdict(list)
    stored = found.order_by("iteration").values_list("sprint_id", "pk", "iteration", "verdict", "recorded_at")
    for sprint_id, pk, iteration, verdict, recorded_at in stored:
        marks[sprint_id].append(IterationMark(pk, iteration, verdict, recorded_at))
    return marks
