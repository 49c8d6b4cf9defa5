"""A page's dataclass is a contract: a template reads what it has, and it has nothing that no template reads."""

import re
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from frontend.contexts.answers import Answers, Value
from frontend.contexts.chips import Chip
from frontend.contexts.columns import Header
from frontend.contexts.comparison import AcceptedLink, ComparisonPanel, Side, ViewLink
from frontend.contexts.confirm import ConfirmPage
from frontend.contexts.error import ErrorPage
from frontend.contexts.evaluation import EvaluationPage, ImportNote
from frontend.contexts.evaluation_edit import EvaluationEditPage
from frontend.contexts.evaluation_filter import DayLink, EvaluationFilters, FilterMenu, MenuOption
from frontend.contexts.evaluations import EvaluationLine, EvaluationsPage
from frontend.contexts.facets import FacetChoice, FacetGroup, ModeLink
from frontend.contexts.failure import FailurePanel, FailureSection
from frontend.contexts.filters import Filters, Kept
from frontend.contexts.history import Beside, Copy, HistoryPanel, HistoryRow, VersionPanel
from frontend.contexts.imports import FormatChoice, ImportPage
from frontend.contexts.iteration import CriterionLine, FeedbackItem, IterationPage, Verdicts
from frontend.contexts.iteration_notes import Note
from frontend.contexts.job import FileLine, JobPage, WarningLine
from frontend.contexts.job_entries import Badge, Into, JobEntry, Progress
from frontend.contexts.jobs import JobActions, JobsPage
from frontend.contexts.neighbours import NeighbourLinks
from frontend.contexts.pager import PageLink, Pager, SizeLink
from frontend.contexts.result import ResultPage
from frontend.contexts.result_columns import ColumnChooser, ColumnItem
from frontend.contexts.results import ResultsPage
from frontend.contexts.results_table import ResultsTable, TableRow
from frontend.contexts.selection import Selection
from frontend.contexts.shell import Place, Shell, ThemeChoice
from frontend.contexts.spans import SpanField
from frontend.contexts.sprint import SprintPage
from frontend.contexts.sprints import SprintGroup, SprintLine, SprintsPage, SprintTotals, VerdictLink
from frontend.contexts.timeline import Bar, Tick
from frontend.contexts.tools import Call, CallCounts, Output, ToolPanel, Use
from frontend.contexts.usage import UsagePanel
from results.answer_heads import AnswerPreview
from results.diff.lines import DiffLine
from results.importers.agent_bober_folder import Contract, ContractCriterion
from results.importers.source import ImportWarning
from results.iteration_records import CriterionResult, EvalResult, Failure, Feedback, Regression, StrategyResult
from results.queries.call_counts import EvaluationCalls
from results.queries.evaluations import EvaluationRow
from results.queries.iterations import IterationRow, IterationSummary
from results.queries.job_batches import JobBatch
from results.queries.jobs import JobLine, JobTotals
from results.queries.related import Peer
from results.queries.results import ResultRow
from results.queries.sprints import CriteriaCounts, IterationMark, SprintFindings, SprintRow
from results.queries.versions import Change, OtherVersion, Versions
from results.records import ErrorDetails, RunResult, TokenUsage, ToolCallOutput, ToolCallSummary, ToolUsage

TEMPLATES = Path(__file__).resolve().parents[2] / "frontend" / "templates"
PARTS = re.compile(r'{% (?:include|extends) "([^"]+)"')
PAGES: dict[str, type] = {
    "confirm.html": ConfirmPage,
    "evaluation_edit.html": EvaluationEditPage,
    "import.html": ImportPage,
    "job_show.html": JobPage,
    "jobs_list.html": JobsPage,
    "error.html": ErrorPage,
    "evaluation_show.html": EvaluationPage,
    "evaluations_list.html": EvaluationsPage,
    "iteration_show.html": IterationPage,
    "sprint_show.html": SprintPage,
    "sprints_list.html": SprintsPage,
    "result_show.html": ResultPage,
    "results_list.html": ResultsPage,
}
# What each part, or loop in a page, calls a thing: (template, name) -> its type.
THINGS: dict[tuple[str, str], type] = {
    ("confirm.html", "kept"): Kept,
    ("evaluation_edit.html", "page.row"): EvaluationRow,
    ("evaluations_list.html", "kept"): Kept,
    ("evaluations_list.html", "page.filters"): EvaluationFilters,
    ("_evaluation_filters.html", "filters"): EvaluationFilters,
    ("_evaluation_filters.html", "menu"): FilterMenu,
    ("_evaluation_filters.html", "option"): MenuOption,
    ("_evaluation_filters.html", "link"): DayLink,
    ("_evaluation_menu.html", "row"): EvaluationRow,
    ("import.html", "choice"): FormatChoice,
    ("job_show.html", "page.entry"): JobEntry,
    ("job_show.html", "page.entry.badge"): Badge,
    ("job_show.html", "page.progress"): Progress,
    ("job_show.html", "page.totals"): JobTotals,
    ("job_show.html", "file"): FileLine,
    ("jobs_list.html", "page.batch"): JobBatch,
    ("jobs_list.html", "page.batch.totals"): JobTotals,
    ("job_show.html", "file.badge"): Badge,
    ("_job_actions.html", "actions"): JobActions,
    ("_job_into.html", "into"): Into,
    ("_job_log.html", "line"): JobLine,
    ("_job_progress.html", "progress"): Progress,
    ("_job_totals.html", "totals"): JobTotals,
    ("_job_warnings.html", "warning"): WarningLine,
    ("_jobs_table.html", "entry"): JobEntry,
    ("_jobs_table.html", "entry.badge"): Badge,
    ("base.html", "place"): Place,
    ("base.html", "choice"): ThemeChoice,
    ("base.html", "page.shell"): Shell,
    ("evaluations_list.html", "row"): EvaluationRow,
    ("evaluations_list.html", "line"): EvaluationLine,
    ("evaluations_list.html", "page.pager"): Pager,
    ("evaluation_show.html", "page.row"): EvaluationRow,
    ("evaluation_show.html", "page.calls"): EvaluationCalls,
    ("evaluation_show.html", "warning"): ImportNote,
    ("result_show.html", "page.row"): ResultRow,
    ("result_show.html", "page.evaluation"): EvaluationRow,
    ("result_show.html", "page.beside"): Beside,
    ("result_show.html", "page.calls"): CallCounts,
    ("result_show.html", "copy.row"): ResultRow,
    ("result_show.html", "page.neighbours"): NeighbourLinks,
    ("_answer_panel.html", "answers"): Answers,
    ("_answer_panel.html", "answers.got"): Value,
    ("_answer_panel.html", "comparison"): ComparisonPanel,
    ("_answer_panel.html", "link"): ViewLink,
    ("_answers_canonical.html", "answers"): Answers,
    ("_answers_raw.html", "answers"): Answers,
    ("_value.html", "value"): Value,
    ("_beside_panels.html", "beside"): Beside,
    ("_beside_panels.html", "peer"): Peer,
    ("_comparison.html", "comparison"): ComparisonPanel,
    ("_comparison.html", "link"): AcceptedLink,
    ("_comparison.html", "pair"): Side,
    ("_comparison.html", "line"): DiffLine,
    ("_error_panel.html", "error"): ErrorDetails,
    ("_error_panel.html", "failure"): FailurePanel,
    ("_error_panel.html", "section"): FailureSection,
    ("_headers.html", "header"): Header,
    ("_pager.html", "pager"): Pager,
    ("_pager.html", "link"): PageLink,
    ("_pager.html", "choice"): SizeLink,
    ("_results_search.html", "filters"): Filters,
    ("_results_search.html", "chip"): Chip,
    ("_results_notices.html", "filters"): Filters,
    ("_facets.html", "filters"): Filters,
    ("_facets.html", "kept"): Kept,
    ("_facets.html", "facet"): FacetGroup,
    ("_facets.html", "mode"): ModeLink,
    ("_facets.html", "option"): FacetChoice,
    ("_facets.html", "span"): SpanField,
    ("_column_chooser.html", "chooser"): ColumnChooser,
    ("_column_chooser.html", "item"): ColumnItem,
    ("_column_chooser.html", "kept"): Kept,
    ("_result_facts.html", "row"): ResultRow,
    ("_result_facts.html", "record"): RunResult,
    ("_result_facts.html", "evaluation"): EvaluationRow,
    ("_results_table.html", "table"): ResultsTable,
    ("_results_table.html", "row"): TableRow,
    ("_selection.html", "selection"): Selection,
    ("_selection.html", "kept"): Kept,
    ("_results_table.html", "table.filters"): Filters,
    ("_results_table.html", "chip"): Chip,
    ("_history.html", "history"): HistoryPanel,
    ("_history.html", "entry"): HistoryRow,
    ("_history.html", "entry.row"): ResultRow,
    ("_history.html", "entry.answer"): AnswerPreview,
    ("_history.html", "copy"): Copy,
    ("_history.html", "copy.row"): ResultRow,
    ("_neighbours.html", "links"): NeighbourLinks,
    ("_versions.html", "panel"): VersionPanel,
    ("_versions.html", "panel.versions"): Versions,
    ("_versions.html", "other"): OtherVersion,
    ("_versions.html", "change"): Change,
    ("_call.html", "call"): Call,
    ("_call.html", "call.bar"): Bar,
    ("_call.html", "tick"): Tick,
    ("_call.html", "record"): ToolCallSummary,
    ("_call.html", "output"): Output,
    ("_call.html", "record.stdout"): ToolCallOutput,
    ("_call.html", "record.stderr"): ToolCallOutput,
    ("_call.html", "output.stream"): ToolCallOutput,
    ("_tool_panel.html", "tick"): Tick,
    ("_tool_panel.html", "tools"): ToolPanel,
    ("_tool_panel.html", "call"): Call,
    ("_tool_panel.html", "use"): Use,
    ("_tool_panel.html", "use.usage"): ToolUsage,
    ("_usage_panel.html", "panel"): UsagePanel,
    ("sprints_list.html", "page.totals"): SprintTotals,
    ("sprints_list.html", "link"): VerdictLink,
    ("_sprints_table.html", "group"): SprintGroup,
    ("_sprints_table.html", "group.head"): SprintRow,
    ("_sprints_table.html", "line"): SprintLine,
    ("_sprints_table.html", "line.row"): SprintRow,
    ("_sprints_table.html", "line.row.latest"): IterationMark,
    ("_sprints_table.html", "line.findings"): SprintFindings,
    ("_sprints_table.html", "line.findings.criteria"): CriteriaCounts,
    ("sprint_show.html", "page.row"): SprintRow,
    ("sprint_show.html", "item"): IterationSummary,
    ("sprint_show.html", "item.row"): IterationRow,
    ("sprint_show.html", "item.findings"): SprintFindings,
    ("sprint_show.html", "warning"): ImportWarning,
    ("_contract.html", "contract"): Contract,
    ("_contract.html", "criterion"): ContractCriterion,
    ("iteration_show.html", "page.row"): IterationRow,
    ("iteration_show.html", "page.sprint"): SprintRow,
    ("iteration_show.html", "page.verdicts"): Verdicts,
    ("iteration_show.html", "page.previous"): IterationMark,
    ("iteration_show.html", "page.following"): IterationMark,
    ("_iteration_stats.html", "page.verdicts"): Verdicts,
    ("_iteration_stats.html", "page.counts"): CriteriaCounts,
    ("_iteration_stats.html", "page.required"): CriteriaCounts,
    ("_iteration_strategies.html", "strategy"): StrategyResult,
    ("_iteration_strategies.html", "failure"): Failure,
    ("_iteration_criteria.html", "line"): CriterionLine,
    ("_iteration_criteria.html", "line.record"): CriterionResult,
    ("_iteration_feedback.html", "item"): FeedbackItem,
    ("_iteration_feedback.html", "item.record"): Feedback,
    ("_iteration_aside.html", "mark"): IterationMark,
    ("_iteration_aside.html", "regression"): Regression,
    ("_iteration_aside.html", "warning"): ImportWarning,
    ("_iteration_aside.html", "note"): Note,
    ("_iteration_aside.html", "revision"): IterationRow,
    ("_iteration_aside.html", "page.record"): EvalResult,
    ("_usage_panel.html", "panel.usage"): TokenUsage,
}
OURS: set[type] = {kind for kind in THINGS.values() if kind.__module__.startswith("frontend.")}


@cache
def source_of(template: str) -> str:
    """Only what the template engine reads: tags and variables."""
    text = re.sub(r"{% comment %}.*?{% endcomment %}", "", (TEMPLATES / template).read_text(), flags=re.DOTALL)
    return " ".join(re.findall(r"{[{%].*?[}%]}", re.sub(r'"[^"]*\.html"', "", text)))


def with_parts(template: str) -> set[str]:
    """A template, what it extends and what it includes."""
    found = {template}
    for part in PARTS.findall((TEMPLATES / template).read_text()):
        found |= with_parts(part)
    return found


def reads(template: str, name: str) -> set[str]:
    """The attributes that a template reads of a variable."""
    return set(re.findall(rf"(?<![\w.\"']){re.escape(name)}\.(\w+)", source_of(template)))


def attributes(kind: type[Any]) -> set[str]:
    """What a dataclass or Struct offers."""
    return {name for name in dir(kind) if not name.startswith("_")} | set(getattr(kind, "__annotations__", {}))


@pytest.mark.parametrize("template", PAGES)
def test_a_page_has_exactly_what_its_template_reads(template: str) -> None:
    read = set().union(*(reads(part, "page") for part in with_parts(template)))
    assert read == {field.name for field in fields(PAGES[template])}


@pytest.mark.parametrize(("template", "name"), THINGS)
def test_a_part_reads_only_what_there_is(template: str, name: str) -> None:
    read = reads(template, name)
    assert read, f"{template} reads nothing of {name}"
    assert read - attributes(THINGS[template, name]) == set()


@pytest.mark.parametrize("kind", sorted(OURS, key=str))
def test_a_part_is_given_nothing_that_nobody_reads(kind: type[Any]) -> None:
    read = set().union(*(reads(template, name) for (template, name), other in THINGS.items() if other is kind))
    assert {field.name for field in fields(kind)} - read == set()


def test_every_template_is_known_here() -> None:
    parts = {template for template, _ in THINGS} | set(PAGES)
    marks = {
        "_outcome.html",
        "_rate.html",
        "_outcome_bar.html",
        "_time.html",
        "_rate_tile.html",
        "_sprite.html",
        "_raw_text.html",
        "_reload.html",
        "_cell_text.html",
        "_job_notice.html",
        "_live_head.html",
        "_swap_scripts.html",
        "_iteration_strip.html",
        "_part_result.html",
        "500.html",
    }
    assert {path.name for path in TEMPLATES.iterdir()} - parts == marks


def test_a_sprite_holds_only_icons_in_use() -> None:
    used = {icon for path in TEMPLATES.iterdir() for icon in re.findall(r'href="#(i-\w+)"', path.read_text())}
    assert used == set(re.findall(r'id="(i-\w+)"', (TEMPLATES / "_sprite.html").read_text()))


def test_no_template_has_script_or_style_of_its_own() -> None:
    for path in TEMPLATES.iterdir():
        assert re.findall(r"<style|<script(?![^>]* src=)| style=| on\w+=|hx-on|hx-vals", path.read_text()) == [], (
            path.name
        )
