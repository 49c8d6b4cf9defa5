"""The list of sprints, under their specs."""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import Any

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.columns import Column, Header, changed, headers, order_of
from frontend.contexts.pager import Pager, page_of
from frontend.contexts.shell import Shell
from results.queries.sprint_figures import UNDATED, month_of
from results.queries.sprints import SprintFindings, SprintRow, first_try_rate, sprint_findings, sprint_rows
from results.statistics import Rate

PAGE_SIZE = 50  # rows
BY_SPEC = "spec"
DEFAULT_ORDER = f"-{BY_SPEC}"  # ids of specs begin with their day: the newest comes first
NOT_EVALUATED = "none"
VERDICTS = {"pass": "Passed", "fail": "Failed", "error": "Could not be evaluated", NOT_EVALUATED: "Not evaluated"}
COLUMNS = (
    Column("sprint", "Sprint"),
    Column(BY_SPEC, "Spec", starts_descending=True),
    Column("verdict", "Verdict", hint="as recorded in the latest iteration"),
    Column("iterations", "Iterations", starts_descending=True),
    Column("passed_on", "Passed on", is_number=True, hint="the first iteration that passed"),
    Column("first_try", "First try", hint="iteration 1 passed"),
    Column("criteria", "Criteria", is_number=True, is_sortable=False, hint="passed, of all, in the latest iteration"),
    Column("feedback", "Open feedback", is_number=True, is_sortable=False, hint="advice of the latest iteration"),
    Column("notes", "Notes", is_sortable=False),
    Column("last", "Last", starts_descending=True, hint="as recorded in the latest iteration"),
)
GROUPED_COLUMNS = tuple(column for column in COLUMNS if column.key != BY_SPEC)  # the groups name it
SORT_KEYS: dict[str, Callable[[SprintRow], Any]] = {
    "sprint": lambda row: row.name.casefold(),
    "verdict": lambda row: row.verdict,
    "iterations": lambda row: len(row.iterations),
    "passed_on": lambda row: row.passed_on,
    "first_try": lambda row: row.is_first_try,
    "last": lambda row: row.latest.recorded_at if row.latest else None,
}


@dataclass(frozen=True)
class SprintLine:
    """A sprint and what its latest iteration says; None when it was never evaluated."""

    row: SprintRow
    findings: SprintFindings | None


@dataclass(frozen=True)
class SprintGroup:
    """Sprints of one spec that stand together; the counts are those of all pages.

    Attributes:
        head: any sprint of the spec; None when the table is not in the order of specs.
    """

    head: SprintRow | None
    sprints: int
    evaluated: int
    lines: tuple[SprintLine, ...]


@dataclass(frozen=True)
class VerdictLink:
    """A verdict with its count under the other filters; an empty key stands for all."""

    key: str
    label: str
    count: int
    href: str
    is_current: bool


@dataclass(frozen=True)
class SprintTotals:
    """Sums over every sprint that matches.

    Attributes:
        unjudged: their latest iteration could not be evaluated.
        mean_to_pass: mean number of the iteration that first passed.
    """

    specs: int
    sprints: int
    iterations: int
    passed: int
    failed: int
    unjudged: int
    not_evaluated: int
    first_try: Rate
    ever_passed: int
    mean_to_pass: str | None
    most_to_pass: int | None

    @classmethod
    def build(cls, rows: list[SprintRow]) -> "SprintTotals":
        """The sums of some sprints."""
        verdicts = [row.verdict for row in rows]
        numbers = [row.passed_on for row in rows if row.passed_on is not None]
        return cls(
            specs=len({row.spec for row in rows if row.spec is not None}),
            sprints=len(rows),
            iterations=sum(len(row.iterations) for row in rows),
            passed=verdicts.count("pass"),
            failed=verdicts.count("fail"),
            unjudged=verdicts.count("error"),
            not_evaluated=verdicts.count(None),
            first_try=first_try_rate(rows),
            ever_passed=len(numbers),
            mean_to_pass=f"{float(Fraction(sum(numbers), len(numbers))):.2f}" if numbers else None,
            most_to_pass=max(numbers, default=None),
        )


@dataclass(frozen=True)
class SprintsPage:
    """What `sprints_list.html` reads.

    Attributes:
        totals: of the sprints that match search and project, whatever their verdict.
        projects: every project that has sprints.
        month: of the first iteration, as `2026-08` or `undated`; empty = all.
        charts_href: the same sprints in figures.
        is_filtered: a search, project, month or verdict narrows the list.
        is_flat: the table is not in the order of specs, so each row names its own.
    """

    shell: Shell
    totals: SprintTotals
    verdicts: tuple[VerdictLink, ...]
    verdict: str
    headers: tuple[Header, ...]
    groups: tuple[SprintGroup, ...]
    pager: Pager
    search: str
    sort: str
    project: str
    month: str
    charts_href: str
    projects: tuple[str, ...]
    is_filtered: bool
    is_flat: bool

    @classmethod
    def build(cls, shell: Shell, params: QueryDict) -> "SprintsPage":
        """The page for a query with `q`, `project`, `month`, `verdict`, `sort` and `page`."""
        search, project = params.get("q", "").strip(), params.get("project", "")
        everything = sprint_rows()
        found = sprint_rows(project or None, search) if search or project else everything
        if month := params.get("month", ""):
            found = [row for row in found if row.iterations and (month_of(row) or UNDATED) == month]
        verdict = params.get("verdict", "") if params.get("verdict") in VERDICTS else ""
        matching = [row for row in found if not verdict or (row.verdict or NOT_EVALUATED) == verdict]
        sort = order_of(COLUMNS, params, DEFAULT_ORDER)
        rows = _sorted(matching, sort)
        pager = Pager.build(page_of(params), PAGE_SIZE, len(rows), params)
        is_flat = sort.removeprefix("-") != BY_SPEC
        totals = SprintTotals.build(found)
        return cls(
            shell=shell,
            totals=totals,
            verdicts=_verdicts(totals, verdict, params),
            verdict=verdict,
            headers=headers(COLUMNS if is_flat else GROUPED_COLUMNS, sort, params),
            groups=_groups(list(pager.part(rows)), rows, is_flat),
            pager=pager,
            search=search,
            sort=params.get("sort", ""),
            project=project,
            month=month,
            charts_href=reverse("sprints-charts") + changed(params, sort=None, page=None, verdict=None, month=None),
            projects=tuple(sorted({row.project for row in everything})),
            is_filtered=bool(search or project or month or verdict),
            is_flat=is_flat,
        )


def _sorted(rows: list[SprintRow], sort: str) -> list[SprintRow]:
    """The rows in the order asked for, by spec and number among equals; a missing value is last both ways."""
    is_descending = sort.startswith("-")
    if sort.removeprefix("-") == BY_SPEC:
        named = sorted((row for row in rows if row.spec_id), key=_spec_key, reverse=is_descending)
        return named + [row for row in rows if not row.spec_id]
    key = SORT_KEYS[sort.removeprefix("-")]
    known = [row for row in rows if key(row) is not None]
    return sorted(known, key=key, reverse=is_descending) + [row for row in rows if key(row) is None]


def _spec_key(row: SprintRow) -> tuple[str, str]:
    return row.spec_id, row.project


def _groups(shown: list[SprintRow], rows: list[SprintRow], is_flat: bool) -> tuple[SprintGroup, ...]:
    findings = sprint_findings(shown)
    lines = [SprintLine(row, findings.get(row.id)) for row in shown]
    if is_flat:
        return (SprintGroup(None, 0, 0, tuple(lines)),) if lines else ()
    groups = []
    for _, group in groupby(lines, key=lambda line: _spec_key(line.row)):
        members = tuple(group)
        same = [row for row in rows if _spec_key(row) == _spec_key(members[0].row)]
        evaluated = sum(row.latest is not None for row in same)
        groups.append(SprintGroup(members[0].row, len(same), evaluated, members))
    return tuple(groups)


def _verdicts(totals: SprintTotals, verdict: str, params: QueryDict) -> tuple[VerdictLink, ...]:
    counts = {
        "": totals.sprints,
        "pass": totals.passed,
        "fail": totals.failed,
        "error": totals.unjudged,
        NOT_EVALUATED: totals.not_evaluated,
    }
    labels = {"": "All"} | VERDICTS
    return tuple(
        VerdictLink(key, labels[key], count, changed(params, page=None, verdict=key or None), key == verdict)
        for key, count in counts.items()
    )
