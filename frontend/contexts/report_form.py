"""The form of a report: what it is called, which evaluations and runs it is about, and what it compares and draws."""

from collections.abc import Sequence
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.columns import changed
from frontend.contexts.exports import ExportLink
from frontend.contexts.report_asked import OF_THE_FILTER, AskedReport, rest_of
from frontend.contexts.shell import Shell
from results.exports.report.asked import CHARTS
from results.exports.report.filter_words import filter_words
from results.filters import Choice, written
from results.queries.compare_columns import ComparedRun, runs_of
from results.queries.evaluations import EvaluationFilter, EvaluationRow, evaluation_page, evaluations_among
from results.queries.visibility import VisibleSet

LISTED = 20  # evaluations, the newest that match
LISTED_RUNS = 200
WITHOUT_SAVING = ("html", "markdown")  # files that can be had of a report that is not saved


@dataclass(frozen=True)
class EvaluationTick:
    """An evaluation that can be ticked."""

    row: EvaluationRow
    is_checked: bool


@dataclass(frozen=True)
class NamedTick:
    """A run or a chart that can be ticked; `note` says more about it."""

    value: str
    label: str
    note: str
    is_checked: bool


@dataclass(frozen=True)
class BaselineOption:
    """One baseline to choose."""

    value: str
    label: str
    is_current: bool


@dataclass(frozen=True)
class ReportFormPage:
    """What `report_edit.html` reads.

    Attributes:
        heading: of the page. action: where the form goes. back: where "Cancel" leads.
        find: what is searched for in evaluations.
        runs: of the ticked evaluations, each name once.
        filter: the rest of the filter, as the explorer's address has it; phrases say it in words.
        downloads: files of what the address asks for, without saving it.
    """

    shell: Shell
    heading: str
    action: str
    back: str
    title: str
    notes: str
    find: str
    evaluations: tuple[EvaluationTick, ...]
    runs: tuple[NamedTick, ...]
    filter: str
    phrases: tuple[str, ...]
    sort: str
    columns: str
    baselines: tuple[BaselineOption, ...]
    charts: tuple[NamedTick, ...]
    problems: tuple[str, ...]
    downloads: tuple[ExportLink, ...]

    @classmethod
    def build(
        cls, shell: Shell, visible: VisibleSet, asked: AskedReport, params: QueryDict, report_id: int | None = None
    ) -> "ReportFormPage":
        """The form as it is asked for by an address or by itself; `report_id` names the report that it changes."""
        draft, find = asked.draft, params.get("find", "").strip()
        ids = [int(value) for value in draft.chosen.evaluation.included if value is not None]
        picked = evaluations_among(visible, ids)
        columns = runs_of(visible, [row.id for row in picked])[:LISTED_RUNS]
        rest = rest_of(draft.chosen)
        return cls(
            shell=shell,
            heading="New report" if report_id is None else "Edit report",
            action=reverse("report-new") if report_id is None else reverse("report-edit", args=(report_id,)),
            back=reverse("reports-list") if report_id is None else reverse("report-show", args=(report_id,)),
            title=draft.title,
            notes=draft.notes,
            find=find,
            evaluations=_evaluations(visible, picked, find),
            runs=_runs(columns, draft.chosen.run.included),
            filter=rest.to_query(),
            phrases=filter_words(rest, {}),
            sort=draft.sort,
            columns=",".join(draft.columns),
            baselines=_baselines(picked, columns, asked.baseline),
            charts=tuple(NamedTick(name, label, "", name in draft.charts) for name, label in CHARTS.items()),
            problems=asked.problems,
            downloads=() if report_id is not None or OF_THE_FILTER in params else _downloads(params),
        )


def _evaluations(visible: VisibleSet, picked: Sequence[EvaluationRow], find: str) -> tuple[EvaluationTick, ...]:
    ticked = {row.id for row in picked}
    found = evaluation_page(visible, EvaluationFilter(search=find), size=LISTED).rows
    others = (EvaluationTick(row, False) for row in found if row.id not in ticked)
    return (*(EvaluationTick(row, True) for row in picked), *others)


def _runs(columns: Sequence[ComparedRun], ticked: Sequence[str | None]) -> tuple[NamedTick, ...]:
    """The runs by name, as filters take them, with those that are ticked though no ticked evaluation has them."""
    providers: dict[str, dict[str, None]] = {name: {} for name in ticked if name is not None}
    for column in columns:
        providers.setdefault(column.run, {})[column.provider] = None
    return tuple(
        NamedTick(written(Choice((name,)))[0], name, ", ".join(own), name in ticked)
        for name, own in sorted(providers.items())
    )


def _baselines(
    picked: Sequence[EvaluationRow], columns: Sequence[ComparedRun], current: str
) -> tuple[BaselineOption, ...]:
    options = [("", "nothing"), *((str(row.id), f"each run with itself in {row.name}") for row in picked)]
    options += [
        (column.key.text, f"{column.run}, {column.provider}, in {column.evaluation.name}") for column in columns
    ]
    if current not in {value for value, _ in options}:
        options.append((current, f"as it is: {current}"))
    return tuple(BaselineOption(value, label, value == current) for value, label in options)


def _downloads(params: QueryDict) -> tuple[ExportLink, ...]:
    labels = {"html": "HTML", "markdown": "Markdown"}
    query = changed(params)
    return tuple(
        ExportLink(labels[name], f"{reverse('report-unsaved', args=(name,))}{query}") for name in WITHOUT_SAVING
    )
