"""The chooser of a comparison: pick an evaluation, then its runs."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.columns import changed
from frontend.contexts.compare_asked import numbers_of
from frontend.contexts.filters import Kept
from results.queries.compare_columns import MOST_COLUMNS, ComparedRun, runs_of
from results.queries.evaluations import EvaluationFilter, EvaluationRow, evaluation_page
from results.queries.visibility import VisibleSet

LISTED = 12  # evaluations, the newest that match
LISTED_RUNS = 200
MOST_SUGGESTED = 4


@dataclass(frozen=True)
class EvaluationChoice:
    """An evaluation whose runs can be shown."""

    row: EvaluationRow
    href: str
    is_current: bool


@dataclass(frozen=True)
class RunChoice:
    """A run that can be added; `is_in` = it is compared already."""

    column: ComparedRun
    is_in: bool


@dataclass(frozen=True)
class Suggestion:
    """A comparison that is near at hand: `before` is the baseline; empty = all runs of `after` against each other."""

    before: str
    after: str
    project: str
    href: str


@dataclass(frozen=True)
class Chooser:
    """What `_compare_chooser.html` reads.

    Attributes:
        is_open: the address asks for it, or there is nothing to compare yet.
        is_full: no more columns fit.
        most: columns that fit.
        find: what is searched for in evaluations.
        total: evaluations that match; the newest are listed.
        suggestions: the latest evaluation of each project against its baseline or the one before; none once
            something is chosen.
        picked: the evaluation whose runs are listed; None = none.
        kept: fields of the columns that are compared already. searched: those and whatever else a search keeps.
    """

    is_open: bool
    is_full: bool
    most: int
    find: str
    evaluations: tuple[EvaluationChoice, ...]
    total: int
    suggestions: tuple[Suggestion, ...]
    picked: EvaluationRow | None
    runs: tuple[RunChoice, ...]
    kept: tuple[Kept, ...]

    @classmethod
    def build(cls, visible: VisibleSet, columns: tuple[ComparedRun, ...], params: QueryDict) -> "Chooser":
        """The chooser for a query with `find` and `pick`."""
        find, asked = params.get("find", "").strip(), numbers_of(params.getlist("pick")[-1:])
        found = evaluation_page(visible, EvaluationFilter(search=find), size=LISTED)
        keys = {column.key for column in columns}
        runs = runs_of(visible, asked)[:LISTED_RUNS]
        return cls(
            is_open=bool(find or asked or (len(columns) < 2 and "evaluation" not in params)),  # noqa: PLR2004
            is_full=len(columns) >= MOST_COLUMNS,
            most=MOST_COLUMNS,
            find=find,
            evaluations=tuple(
                EvaluationChoice(row, f"{changed(params, pick=str(row.id))}#choose", [row.id] == asked)
                for row in found.rows
            ),
            total=found.total,
            suggestions=() if columns or find or asked else _suggestions(found.rows),
            picked=runs[0].evaluation if runs else None,
            runs=tuple(RunChoice(column, column.key in keys) for column in runs),
            kept=tuple(Kept("column", column.key.text) for column in columns),
        )


def _suggestions(rows: Sequence[EvaluationRow]) -> tuple[Suggestion, ...]:
    """From the newest evaluations, one for each project."""
    by_project: dict[str, list[EvaluationRow]] = {}
    for row in rows:
        by_project.setdefault(row.project, []).append(row)
    found = []
    for project, own in list(by_project.items())[:MOST_SUGGESTED]:
        latest, address = own[0], reverse("compare")
        before = next((row for row in own[1:] if row.is_baseline), own[1] if own[1:] else None)
        if before is not None:
            href = f"{address}?evaluation={before.id}&evaluation={latest.id}"
            found.append(Suggestion(before.name, latest.name, project, href))
        elif latest.runs > 1:
            found.append(Suggestion("", latest.name, project, f"{address}?evaluation={latest.id}"))
    return tuple(found)
