"""The agreement of an evaluation's runs: how often each two come to the same outcome."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from frontend import formats
from frontend.contexts.asked import OrderLink
from frontend.contexts.columns import changed
from frontend.contexts.evaluation_tabs import AGREEMENT, Tab, tabs_of
from frontend.contexts.evaluation_tasks import MOST_RUNS, ScopedGrid, TaskScope
from frontend.contexts.shell import Shell
from frontend.contexts.unknown_values import unknown_values
from frontend.templatetags.grid_cells import AgreementCell
from results.queries.evaluations import EvaluationRow
from results.queries.outcome_grid import FIRST, SAME, Agreement, GridRun, OutcomeGrid
from results.queries.visibility import VisibleSet

HEATS = 7  # steps of the colour behind a number
MEASURES = {SAME: "Same outcome", FIRST: "Only the row’s run passed"}
NOT_CARRIED = ("page", "size", "only", "rank", "measure", "first", "second", "is")


@dataclass(frozen=True)
class AgreementLine:
    """One run against all."""

    run: GridRun
    cells: tuple[AgreementCell, ...]


@dataclass(frozen=True)
class EvaluationAgreementPage:
    """What `evaluation_agreement.html` reads.

    Attributes:
        measures: what the table can show, as links.
        unit: what the numbers count, `tasks` or `pairs of repeats`.
    """

    shell: Shell
    row: EvaluationRow
    tabs: tuple[Tab, ...]
    scope: TaskScope
    measures: tuple[OrderLink, ...]
    runs: tuple[GridRun, ...]
    lines: tuple[AgreementLine, ...]
    unit: str

    @classmethod
    def build(cls, shell: Shell, row: EvaluationRow, params: QueryDict) -> "EvaluationAgreementPage":
        """The page of an evaluation that may be seen, for a query with filters, `select`, `syntax` and `measure`."""
        unknown = unknown_values(params, {"measure": MEASURES})
        found = ScopedGrid.build(VisibleSet.of(frozenset((row.id,))), params, unknown)
        measure = params.get("measure", SAME)
        measure = measure if measure in MEASURES else SAME
        unit = "pairs of repeats" if found.grid.has_repeats else "tasks"
        return cls(
            shell=shell,
            row=row,
            tabs=tabs_of(row, params, AGREEMENT),
            scope=found.scope,
            measures=tuple(
                OrderLink(label, changed(params, measure=None if key == SAME else key), key == measure)
                for key, label in MEASURES.items()
            ),
            runs=found.grid.runs[:MOST_RUNS],
            lines=_lines(found.grid, measure, unit, _grid_address(row.id, params)),
            unit=unit,
        )


def _grid_address(evaluation_id: int, params: QueryDict) -> str:
    """The grid under the same filter and selection, ready for more keys."""
    carried = [(key, value) for key, values in params.lists() if key not in NOT_CARRIED for value in values]
    return f"{reverse('evaluation-grid', args=(evaluation_id,))}?{urlencode(carried)}{'&' if carried else ''}"


def _lines(grid: OutcomeGrid, measure: str, unit: str, address: str) -> tuple[AgreementLine, ...]:
    found, runs = grid.agreement(), grid.runs[:MOST_RUNS]
    return tuple(
        AgreementLine(
            run,
            tuple(
                _cell(found, first, second, measure, unit, f"{address}first={run.id}&second={other.id}&is={measure}")
                if first != second
                else AgreementCell("", "", None, "", "")
                for second, other in enumerate(runs)
            ),
        )
        for first, run in enumerate(runs)
    )


def _cell(found: Agreement, first: int, second: int, measure: str, unit: str, href: str) -> AgreementCell:
    common = int(found.common[first, second])
    hits = int((found.same if measure == SAME else found.first_only)[first, second])
    if not common:
        return AgreementCell(formats.NOT_AVAILABLE, "", None, "no task counts for both", "")
    what = "with the same outcome" if measure == SAME else "that only the row’s run passed"
    share, one = hits / common, unit.replace("tasks", "task").replace("pairs", "pair")
    return AgreementCell(
        text=f"{(200 * hits + common) // (2 * common)}",
        common=formats.count(common),
        heat=min(HEATS - 1, int(share * HEATS)),
        title=f"{formats.count(hits)} of {formats.count(common)} {one if common == 1 else unit} {what}",
        href=href if hits else "",
    )
