"""Figures over many sprints: first-try rate and open feedback by project, spec or month; what fails, and the advice."""

import re
from collections import Counter, defaultdict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from fractions import Fraction

from results.importers.agent_bober_folder import Contract, join_contract
from results.iteration_records import KNOWN_PRIORITIES, EvalResult, PartResult
from results.models.sprints import Iteration
from results.queries.sprints import SprintRow, decode, first_try_rate
from results.statistics import Rate
from results.store.plans import contract_of

BATCH = 200  # documents in memory
METHOD = re.compile(r"[a-z][a-z-]{0,30}")
PROSE = "in words"  # a verification method that is a sentence
NOT_RECORDED = "not recorded"
UNDATED = "undated"
OTHER = "other"
UNJUDGED = "error"


@dataclass(frozen=True)
class SprintSums:
    """Sprints that have something in common.

    Attributes:
        key: slug of a project, id of a spec, or month as `2026-08`; empty where it is not recorded.
        first_try: of the sprints whose iteration 1 is recorded.
        ever_passed: sprints that passed in some iteration; `mean_to_pass` = mean number of the first such iteration.
        open_feedback: items in the latest iterations; `feedback_unknown` of these iterations do not record feedback.
    """

    key: str
    title: str
    project: str
    sprints: int
    evaluated: int
    first_try: Rate
    ever_passed: int
    mean_to_pass: Fraction | None
    open_feedback: int
    feedback_unknown: int


@dataclass(frozen=True)
class MethodSums:
    """Criteria verified by one method: those that failed, of all that passed or failed."""

    method: str
    failed: int
    judged: int


@dataclass(frozen=True)
class StrategySums:
    """How often a strategy ended how: `errors` could not be judged, `unknown` = its result cannot be read."""

    strategy: str
    passed: int
    failed: int
    errors: int
    skipped: int
    unknown: int


@dataclass(frozen=True)
class AdviceSums:
    """Items of feedback of one category, by priority; words that are not known and none count as `other`."""

    category: str
    by_priority: dict[str, int]

    @property
    def total(self) -> int:
        """All of them."""
        return sum(self.by_priority.values())


@dataclass
class PartFigures:
    """Sums over the iterations of some sprints, of each iteration the newest revision.

    Attributes:
        iterations: all of them; of these so many record strategies, criteria and feedback.
        open_feedback: by sprint, items of its latest iteration; None = not recorded.
    """

    iterations: int = 0
    with_strategies: int = 0
    with_criteria: int = 0
    with_feedback: int = 0
    open_feedback: dict[int, int | None] = field(default_factory=dict)
    _strategies: defaultdict[str, Counter[PartResult | str | None]] = field(
        default_factory=lambda: defaultdict(Counter)
    )
    _methods: defaultdict[str, Counter[PartResult]] = field(default_factory=lambda: defaultdict(Counter))
    _advice: defaultdict[str, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))

    def add(self, record: EvalResult) -> None:
        """Count an iteration that is joined with its contract."""
        self.iterations += 1
        self.with_strategies += record.strategy_results is not None
        self.with_criteria += record.criteria_results is not None
        self.with_feedback += record.generator_feedback is not None
        for part in record.strategy_results or []:
            self._strategies[part.strategy][UNJUDGED if part.is_unjudged else part.result] += 1
        for criterion in record.criteria_results or []:
            if criterion.result in (PartResult.PASS, PartResult.FAIL):
                self._methods[method_of(criterion.verification_method)][criterion.result] += 1
        for item in record.generator_feedback or []:
            self._advice[_word(item.category) or NOT_RECORDED][_priority(item.priority)] += 1

    @property
    def strategies(self) -> tuple[StrategySums, ...]:
        """By strategy, the one that failed most first."""
        found = [
            StrategySums(
                name,
                ends[PartResult.PASS],
                ends[PartResult.FAIL],
                ends[UNJUDGED],
                ends[PartResult.SKIPPED],
                ends[None],
            )
            for name, ends in self._strategies.items()
        ]
        return tuple(
            sorted(found, key=lambda sums: (-sums.failed, -sums.errors, -sums.passed - sums.skipped, sums.strategy))
        )

    @property
    def methods(self) -> tuple[MethodSums, ...]:
        """By verification method, the one that failed most first."""
        found = [MethodSums(name, ends[PartResult.FAIL], ends.total()) for name, ends in self._methods.items()]
        return tuple(sorted(found, key=lambda sums: (-sums.failed, -sums.judged, sums.method)))

    @property
    def advice(self) -> tuple[AdviceSums, ...]:
        """By category, the most frequent first."""
        found = [AdviceSums(name, dict(counts)) for name, counts in self._advice.items()]
        return tuple(sorted(found, key=lambda sums: (-sums.total, sums.category)))


def part_figures(rows: Sequence[SprintRow]) -> PartFigures:
    """Sums over the iterations of some sprints; their documents are read in batches."""
    figures = PartFigures()
    latest = {row.latest.id for row in rows if row.latest is not None}
    for stored, record in _records([mark.id for row in rows for mark in row.iterations]):
        figures.add(record)
        if stored.pk in latest:
            items = record.generator_feedback
            figures.open_feedback[stored.sprint_id] = None if items is None else len(items)
    return figures


def sums_by_project(rows: Sequence[SprintRow], figures: PartFigures) -> tuple[SprintSums, ...]:
    """By project, in the order of their slugs."""
    return _grouped(rows, figures, lambda row: (row.project, row.project, row.project))


def sums_by_spec(rows: Sequence[SprintRow], figures: PartFigures) -> tuple[SprintSums, ...]:
    """By spec, the newest first: their ids begin with their day. Sprints without a spec come last."""
    found = _grouped(rows, figures, lambda row: (row.spec_id, row.spec_name, row.project))
    return tuple(sorted(found, key=lambda sums: sums.key, reverse=True))


def sums_by_month(rows: Sequence[SprintRow], figures: PartFigures) -> tuple[SprintSums, ...]:
    """By the month that the first iteration records, the earliest first; undated ones last."""
    evaluated = [row for row in rows if row.iterations]
    found = _grouped(evaluated, figures, lambda row: (month_of(row), month_of(row) or UNDATED, ""))
    return tuple(sorted(found, key=lambda sums: (not sums.key, sums.key)))


def method_of(text: str | None) -> str:
    """The verification method of a criterion: its word, or one word for all that are sentences."""
    if not text or not text.strip():
        return NOT_RECORDED
    word = _word(text)
    return word if METHOD.fullmatch(word) else PROSE


def month_of(row: SprintRow) -> str:
    """The month that the first iteration of an evaluated sprint records, such as `2026-08`; empty = not recorded."""
    recorded = row.iterations[0].recorded_at
    return f"{recorded:%Y-%m}" if recorded else ""


def _grouped(
    rows: Sequence[SprintRow], figures: PartFigures, place: Callable[[SprintRow], tuple[str, str, str]]
) -> tuple[SprintSums, ...]:
    groups: defaultdict[tuple[str, str], list[SprintRow]] = defaultdict(list)
    titles = {}
    for row in rows:
        key, title, project = place(row)
        groups[key, project].append(row)
        titles[key, project] = title
    return tuple(_sums(group, titles[group], groups[group], figures) for group in sorted(groups))


def _sums(group: tuple[str, str], title: str, rows: Sequence[SprintRow], figures: PartFigures) -> SprintSums:
    numbers = [row.passed_on for row in rows if row.passed_on is not None]
    feedback = [figures.open_feedback.get(row.id) for row in rows if row.latest is not None]
    return SprintSums(
        key=group[0],
        title=title,
        project=group[1],
        sprints=len(rows),
        evaluated=len(feedback),
        first_try=first_try_rate(rows),
        ever_passed=len(numbers),
        mean_to_pass=Fraction(sum(numbers), len(numbers)) if numbers else None,
        open_feedback=sum(items for items in feedback if items is not None),
        feedback_unknown=feedback.count(None),
    )


def _records(ids: Sequence[int]) -> Iterator[tuple[Iteration, EvalResult]]:
    contracts: dict[int, Contract | None] = {}
    for start in range(0, len(ids), BATCH):
        found = Iteration.objects.select_related("sprint").filter(pk__in=ids[start : start + BATCH])
        for stored in found:
            record = decode(stored)
            if record.criteria_results:
                if stored.sprint_id not in contracts:
                    contracts[stored.sprint_id] = contract_of(stored.sprint)
                record = join_contract(record, contracts[stored.sprint_id])
            yield stored, record


def _word(text: str | None) -> str:
    return (text or "").strip().casefold()


def _priority(text: str | None) -> str:
    return _word(text) if _word(text) in KNOWN_PRIORITIES else OTHER
