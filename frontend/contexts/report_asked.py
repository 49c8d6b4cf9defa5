"""What a form, or an address, asks of a report."""

from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.columns import order_of
from frontend.contexts.result_columns import COLUMNS, shown_columns
from results.exports.report.asked import CHARTS, Baseline
from results.filters import Choice, ResultFilter
from results.queries.compare_columns import ColumnKey, compared_runs, runs_of
from results.queries.visibility import VisibleSet
from results.reach import present_reach
from results.saved_reports import ReportDraft, SavedReport, clean_title, query_of

MOST_NOTES = 100_000  # characters
TICKED = ("evaluation", "run")
OF_THE_FILTER = "filter"  # the field that holds what follows ? in the explorer's address


@dataclass(frozen=True)
class AskedReport:
    """A report as it is asked for.

    Attributes:
        baseline: as the form's field has it: an evaluation's id, `<evaluation>:<run>`, or empty.
        problems: why it cannot be saved so; none when it can.
    """

    draft: ReportDraft
    baseline: str
    problems: tuple[str, ...]

    @classmethod
    def from_address(cls, visible: VisibleSet, params: QueryDict) -> "AskedReport":
        """Read the keys of the explorer, and `baseline`, `chart`, `title` and `notes`."""
        return cls._of(visible, params, ResultFilter.parse(params))

    @classmethod
    def from_form(cls, visible: VisibleSet, form: QueryDict) -> "AskedReport":
        """Read the form: evaluations and runs are ticked, the rest of the filter is one field."""
        query = query_of(form.get(OF_THE_FILTER, "").strip().removeprefix("?"))
        for name in TICKED:
            query.setlist(name, [*query.getlist(name), *form.getlist(name)])
        found = cls._of(visible, form, ResultFilter.parse(query))
        problems = list(found.problems)
        chosen = found.draft.chosen
        if present_reach() is not None and not chosen.evaluation.included and not chosen.project.included:
            problems.append("Tick evaluations, or ask for a project among the other filters: project=…")
        if not found.draft.title:
            problems.insert(0, "A report needs a title.")
        if len(found.draft.notes) > MOST_NOTES:
            problems.append(f"Notes have at most {MOST_NOTES:,} characters; these have {len(found.draft.notes):,}.")
        return cls(found.draft, found.baseline, tuple(problems))

    @classmethod
    def from_saved(cls, visible: VisibleSet, report: SavedReport) -> "AskedReport":
        """What a saved report asks for."""
        draft = ReportDraft(
            title=report.title,
            notes=report.notes,
            chosen=report.chosen,
            sort=report.sort,
            columns=report.columns,
            charts=report.charts,
            baseline=report.baseline,
        )
        return cls(draft, _written(visible, report.baseline), ())

    @classmethod
    def _of(cls, visible: VisibleSet, params: QueryDict, chosen: ResultFilter) -> "AskedReport":
        text = params.get("baseline", "")
        baseline = _baseline(visible, text)
        problems = list(chosen.problems)
        if text and baseline is None:
            problems.append(f"baseline={text[:80]} is neither an evaluation nor a run of one; it was left out.")
        asks_charts = "charts" in params or "chart" in params
        draft = ReportDraft(
            title=clean_title(params.get("title", "")),
            notes=params.get("notes", ""),
            chosen=chosen,
            sort=order_of(COLUMNS, params, ""),
            columns=tuple(column.key for column in shown_columns(params)) if "cols" in params else (),
            charts=tuple(name for name in CHARTS if name in params.getlist("chart")) if asks_charts else tuple(CHARTS),
            baseline=baseline,
        )
        return cls(draft, text if baseline is not None else "", tuple(problems))


def rest_of(chosen: ResultFilter) -> ResultFilter:
    """The filter without what the form ticks: evaluations, and runs that are asked for."""
    rest = chosen.with_choice("evaluation", Choice((), chosen.evaluation.excluded))
    return rest.with_choice("run", Choice((), chosen.run.excluded))


def _baseline(visible: VisibleSet, text: str) -> Baseline | None:
    key = ColumnKey.parse(text if ":" in text else f"{text}:0")
    if key is None or key.evaluation_id not in visible.evaluation_ids:
        return None
    if ":" not in text:
        return Baseline(key.evaluation_id)
    found = compared_runs(visible, [key])
    return Baseline(key.evaluation_id, found[0].provider, found[0].run) if found else None


def _written(visible: VisibleSet, baseline: Baseline | None) -> str:
    if baseline is None or baseline.evaluation_id not in visible.evaluation_ids:
        return ""
    if baseline.run is None:
        return str(baseline.evaluation_id)
    return next(
        (
            column.key.text
            for column in runs_of(visible, [baseline.evaluation_id])
            if (column.provider, column.run) == (baseline.provider, baseline.run)
        ),
        "",
    )
