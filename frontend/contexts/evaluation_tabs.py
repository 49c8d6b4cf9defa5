"""The parts of an evaluation's pages, as tabs that carry the filter along."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from results.filters import ResultFilter
from results.queries.evaluations import EvaluationRow

LEADERBOARD, GRID, CHARTS = "Leaderboard", "Task × run", "Charts"
CATEGORIES, AGREEMENT = "Categories", "Agreement"
OF_ONE_EVALUATION = ("project", "evaluation")
CARRIED = ("select", "syntax")


@dataclass(frozen=True)
class Tab:
    """One part; `count` says of how much, None = nothing to say."""

    label: str
    href: str
    count: int | None
    is_current: bool


def tabs_of(row: EvaluationRow, params: QueryDict, current: str) -> tuple[Tab, ...]:
    """The tabs of an evaluation's pages, with the filter and the selection of tasks of this one."""
    asked = [pair for pair in ResultFilter.parse(params).pairs() if pair[0] not in OF_ONE_EVALUATION]
    carried = [(key, params[key]) for key in CARRIED if params.get(key)]
    query = f"?{urlencode([*asked, *carried])}" if asked or carried else ""
    home = reverse("evaluation-show", args=(row.id,))
    return (
        Tab(LEADERBOARD, f"{home}{query}", row.runs, current == LEADERBOARD),
        Tab(GRID, f"{reverse('evaluation-grid', args=(row.id,))}{query}", row.tasks, current == GRID),
        Tab(CHARTS, f"{reverse('evaluation-charts', args=(row.id,))}{query}", None, current == CHARTS),
        Tab(CATEGORIES, f"{reverse('evaluation-categories', args=(row.id,))}{query}", None, current == CATEGORIES),
        Tab(AGREEMENT, f"{reverse('evaluation-agreement', args=(row.id,))}{query}", None, current == AGREEMENT),
        Tab("Results", f"{home}{query}#results-table", row.results, is_current=False),
        Tab("Document", f"{home}{query}#document", None, is_current=False),
    )
