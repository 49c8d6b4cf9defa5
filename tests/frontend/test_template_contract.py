"""A page's dataclass is a contract: a template reads what it has, and it has nothing that no template reads."""

import re
from dataclasses import fields
from functools import cache
from pathlib import Path
from typing import Any

import pytest

from frontend.contexts.account import AccountPage, TokenLine
from frontend.contexts.answers import Answers, Value
from frontend.contexts.api_docs import ApiDocsPage
from frontend.contexts.asked import OrderLink
from frontend.contexts.bulk_review import BulkReviewPage
from frontend.contexts.chart import Line as ChartLine
from frontend.contexts.chips import Chip
from frontend.contexts.columns import Header
from frontend.contexts.compare import ComparePage
from frontend.contexts.compare_answers import AnswerPanel, AnswersSection
from frontend.contexts.compare_chooser import Chooser, EvaluationChoice, RunChoice, Suggestion
from frontend.contexts.compare_moves import Move, MoveLink, Moves
from frontend.contexts.compare_runs import EvaluationChip, PairedRun, RunsPanel
from frontend.contexts.compare_table import Against, ColumnLine, CountLink
from frontend.contexts.compare_tasks import ComparedTask, ShownLink, TasksPanel
from frontend.contexts.comparison import AcceptedLink, ComparisonPanel, Side, ViewLink
from frontend.contexts.confirm import ConfirmPage
from frontend.contexts.corrections import CorrectedLine, CorrectionsPanel
from frontend.contexts.cost_rows import AmountLine, DearestRun, DearLine, GroupLine, StateLine, TopPanel, UnpricedLine
from frontend.contexts.costs import CostsPage
from frontend.contexts.error import ErrorPage
from frontend.contexts.error_list import ErrorsPage, ErrorTile
from frontend.contexts.error_rows import MessageRow, MessagesPanel, StateCount, TitleRow
from frontend.contexts.evaluation import EvaluationPage, ImportNote
from frontend.contexts.evaluation_agreement import AgreementLine, EvaluationAgreementPage
from frontend.contexts.evaluation_categories import (
    CategoryCell,
    CategoryHead,
    CategoryRow,
    EvaluationCategoriesPage,
)
from frontend.contexts.evaluation_charts import EvaluationChartsPage
from frontend.contexts.evaluation_edit import EvaluationEditPage
from frontend.contexts.evaluation_filter import DayLink, EvaluationFilters, FilterMenu, MenuOption
from frontend.contexts.evaluation_grid import EvaluationGridPage, GridLine, KindLink, Pair
from frontend.contexts.evaluation_tabs import Tab
from frontend.contexts.evaluation_tasks import TaskScope
from frontend.contexts.evaluations import EvaluationLine, EvaluationsPage
from frontend.contexts.exports import ExportLink
from frontend.contexts.facets import FacetChoice, FacetGroup, ModeLink
from frontend.contexts.failure import FailurePanel, FailureSection
from frontend.contexts.filters import Filters, Kept
from frontend.contexts.history import Beside, Copy, HistoryPanel, HistoryRow, VersionPanel
from frontend.contexts.history_filters import HistoryFilters
from frontend.contexts.imports import FormatChoice, ImportPage
from frontend.contexts.iteration import CriterionLine, FeedbackItem, IterationPage, Verdicts
from frontend.contexts.iteration_notes import Note
from frontend.contexts.iteration_strategies import StrategyLine
from frontend.contexts.job import FileLine, JobPage, Undone, WarningLine
from frontend.contexts.job_badges import Badge
from frontend.contexts.job_entries import Into, JobEntry, Progress
from frontend.contexts.job_strategies import EndedLine, StrategiesPanel
from frontend.contexts.jobs import JobActions, JobsPage
from frontend.contexts.leaderboard import Leaderboard
from frontend.contexts.leaderboard_columns import BoardChooser, BoardColumn
from frontend.contexts.leaderboard_groups import GroupLink, GroupMenus
from frontend.contexts.leaderboard_rows import BoardRow, BoardTable
from frontend.contexts.login import LoginPage
from frontend.contexts.merge import MergePage, ReplacedLine, SourceLine
from frontend.contexts.merge import Preview as MergePreview
from frontend.contexts.merge import RunLine as MergedRunLine
from frontend.contexts.neighbours import NeighbourLinks
from frontend.contexts.outcome_links import OutcomeLinks
from frontend.contexts.overview import LatestPart, OverviewPage
from frontend.contexts.overview_changes import ChangeLine, ChangePanel, RunChangeLine
from frontend.contexts.overview_jobs import RunningJob
from frontend.contexts.overview_news import NewsPanel
from frontend.contexts.overview_panels import CategoryLine, SmallLine
from frontend.contexts.overview_panels import RunLine as DearRunLine
from frontend.contexts.overview_panels import TaskLine as SlowTaskLine
from frontend.contexts.overview_panels import ToolLine as FailingToolLine
from frontend.contexts.overview_sprints import SprintsPanel
from frontend.contexts.overview_tiles import Part as TilePart
from frontend.contexts.overview_tiles import Tiles
from frontend.contexts.pager import PageLink, Pager, SizeLink
from frontend.contexts.people import ChangesPage, PeoplePage
from frontend.contexts.project_evaluation import CheckLine, EvaluateProjectPage, FolderLink
from frontend.contexts.project_evaluation import Finding as ProjectFinding
from frontend.contexts.report import DaysChoice, ReportPage, ShareLine
from frontend.contexts.report_form import BaselineOption, EvaluationTick, NamedTick, ReportFormPage
from frontend.contexts.reports import ReportsPage
from frontend.contexts.result import ResultPage
from frontend.contexts.result_columns import ColumnChooser, ColumnItem
from frontend.contexts.results import ResultsPage
from frontend.contexts.results_table import ResultsTable, TableRow
from frontend.contexts.retention import RetentionPage
from frontend.contexts.review import ReviewForm, ReviewPanel, WordLine
from frontend.contexts.review_words import ProjectWords, ReviewWordsPage, WordEntry
from frontend.contexts.run import HeatCell, HeatLine, RunPage
from frontend.contexts.run_points import PointRow
from frontend.contexts.runs import RunRow, RunsPage
from frontend.contexts.saved_views import SavedViewsPage, ViewLine
from frontend.contexts.selection import Selection
from frontend.contexts.shared import SharedGonePage
from frontend.contexts.shell import Place, Shell, ThemeChoice
from frontend.contexts.spans import SpanField
from frontend.contexts.sprint import SprintPage
from frontend.contexts.sprint_charts import ByLink, SprintChartsPage, SumsLine
from frontend.contexts.sprint_sides import PartGroup, SidesPanel
from frontend.contexts.sprints import SprintGroup, SprintLine, SprintsPage, SprintTotals, VerdictLink
from frontend.contexts.task import AttemptRow, RunStrip, StepPanel, TaskPage
from frontend.contexts.task_selector import TaskSelector
from frontend.contexts.tasks import TaskRow, TasksPage
from frontend.contexts.tiles import Tile
from frontend.contexts.timeline import Bar, Tick
from frontend.contexts.tool_lines import Line as ToolLine
from frontend.contexts.tool_lines import StatusCount
from frontend.contexts.tool_links import ToolLinks
from frontend.contexts.tools import Call, CallCounts, Output, ToolPanel, Use
from frontend.contexts.tools_list import SlowLine, ToolNumbers, ToolPage, ToolsPage
from frontend.contexts.trial import TrialActions, TrialPage, TrialRunLine
from frontend.contexts.trial_new import StoredChoice, TrialNewPage
from frontend.contexts.trial_pick import StartFields, TrialPickPage
from frontend.contexts.trial_pick import TaskLine as TrialTaskLine
from frontend.contexts.trial_picks import Work
from frontend.contexts.trial_problems import ProblemLine
from frontend.contexts.trial_reruns import RerunChoice
from frontend.contexts.trial_services import JudgeLine, KeyState, RunTick, ServiceLine
from frontend.contexts.trial_services import ToolLine as TrialToolLine
from frontend.contexts.trial_tasks import TaskFilters
from frontend.contexts.trials import TrialEntry, TrialsPage
from frontend.contexts.usage import UsagePanel
from frontend.contexts.webhooks import EventChoice, WebhooksPage
from frontend.toasts import Toast
from results.answer_heads import AnswerPreview
from results.diff.lines import DiffLine
from results.importers.agent_bober_folder import Contract, ContractCriterion
from results.importers.source import ImportWarning
from results.iteration_records import CriterionResult, EvalResult, Failure, Feedback, Regression, StrategyResult
from results.queries.call_counts import EvaluationCalls
from results.queries.compare_columns import ComparedRun
from results.queries.compare_figures import ColumnFigures
from results.queries.compare_reading import Finding, Reading
from results.queries.compare_rows import ComparedRow
from results.queries.corrections import CorrectedGroup
from results.queries.costs import Amount
from results.queries.error_messages import ErrorMessages, MessageCluster
from results.queries.error_titles import ErrorTitle
from results.queries.evaluation_marks import EvaluationMark
from results.queries.evaluations import EvaluationRow
from results.queries.iterations import IterationRow, IterationSummary
from results.queries.job_batches import JobBatch
from results.queries.jobs import JobLine, JobTotals
from results.queries.merge_plan import OutcomeChange, Replacement
from results.queries.merges import MergeLink, MergeLinks
from results.queries.outcome_grid import GridRow, GridRun, GridTask
from results.queries.overview_evaluations import EvaluationBrief
from results.queries.people import AuditLine, PersonLine, RoleLine
from results.queries.related import Peer
from results.queries.results import ResultRow
from results.queries.reviews import AnnotationRow, WordCount
from results.queries.run_configs import ConfigStep, ConfigValue, RunConfigs
from results.queries.run_history import OtherRun, RunHistory, RunPoint
from results.queries.run_list import RunLine
from results.queries.saved_views import SavedViewRow
from results.queries.spending_parts import JudgeUse, Money, Spending, Sum, Unpriced
from results.queries.spending_tops import Dear
from results.queries.sprint_figures import PartFigures, SprintSums
from results.queries.sprint_sides import FeedbackLine, PartCell, PartLine
from results.queries.sprints import CriteriaCounts, IterationMark, SprintFindings, SprintRow
from results.queries.strategy_jobs import StrategyProgress, StrategyState
from results.queries.task_changes import TaskMetadata, TaskStep
from results.queries.task_history import TaskHistory
from results.queries.task_lines import TaskLine
from results.queries.task_strips import TaskRun
from results.queries.tool_calls import SlowCall, ToolFigures
from results.queries.tool_outcomes import Joined
from results.queries.trial_estimate import Estimate
from results.queries.trial_list import TrialRow
from results.queries.trial_results import TrialResultLine
from results.queries.trials import RunProgress, TrialProgress
from results.queries.versions import Change, OtherVersion, Versions
from results.queries.webhooks import DeliveryRow, WebhookRow
from results.records import (
    ErrorDetails,
    MergeStats,
    RunMergeStats,
    RunResult,
    TokenUsage,
    ToolCallOutput,
    ToolCallSummary,
    ToolUsage,
)
from results.report_links import LinkRow
from results.retention import RetentionLine
from results.saved_reports import ReportRow, SavedReport
from results.statistics import OutcomeCounts
from results.trial_plan import PlannedRun

TEMPLATES = Path(__file__).resolve().parents[2] / "frontend" / "templates"
PARTS = re.compile(r'{% (?:include|extends) "([^"]+)"')
PAGES: dict[str, type] = {
    "api_docs.html": ApiDocsPage,
    "compare.html": ComparePage,
    "confirm.html": ConfirmPage,
    "evaluation_edit.html": EvaluationEditPage,
    "import.html": ImportPage,
    "job_show.html": JobPage,
    "jobs_list.html": JobsPage,
    "account.html": AccountPage,
    "changes.html": ChangesPage,
    "error.html": ErrorPage,
    "login.html": LoginPage,
    "people.html": PeoplePage,
    "evaluation_show.html": EvaluationPage,
    "evaluation_agreement.html": EvaluationAgreementPage,
    "evaluation_categories.html": EvaluationCategoriesPage,
    "evaluation_charts.html": EvaluationChartsPage,
    "evaluation_grid.html": EvaluationGridPage,
    "evaluations_list.html": EvaluationsPage,
    "merge.html": MergePage,
    "retention.html": RetentionPage,
    "overview.html": OverviewPage,
    "project_evaluate.html": EvaluateProjectPage,
    "iteration_show.html": IterationPage,
    "sprint_show.html": SprintPage,
    "sprints_charts.html": SprintChartsPage,
    "sprints_list.html": SprintsPage,
    "errors_list.html": ErrorsPage,
    "run_show.html": RunPage,
    "runs_list.html": RunsPage,
    "task_show.html": TaskPage,
    "tasks_list.html": TasksPage,
    "tools_list.html": ToolsPage,
    "tool_show.html": ToolPage,
    "trial_new.html": TrialNewPage,
    "trial_pick.html": TrialPickPage,
    "trial_show.html": TrialPage,
    "trials_list.html": TrialsPage,
    "costs.html": CostsPage,
    "result_show.html": ResultPage,
    "results_review.html": BulkReviewPage,
    "review_words.html": ReviewWordsPage,
    "views_list.html": SavedViewsPage,
    "webhooks_list.html": WebhooksPage,
    "results_list.html": ResultsPage,
    "report_edit.html": ReportFormPage,
    "report_show.html": ReportPage,
    "reports_list.html": ReportsPage,
    "shared_gone.html": SharedGonePage,
}
# What each part, or loop in a page, calls a thing: (template, name) -> its type.
THINGS: dict[tuple[str, str], type] = {
    ("compare.html", "page.base"): EvaluationRow,
    ("compare.html", "page.chooser"): Chooser,
    ("compare.html", "finding"): Finding,
    ("_compare_columns.html", "line"): ColumnLine,
    ("_compare_columns.html", "column"): ComparedRun,
    ("_compare_candidates.html", "line"): ColumnLine,
    ("_compare_candidates.html", "column"): ComparedRun,
    ("_compare_candidates.html", "figures"): ColumnFigures,
    ("_compare_candidates.html", "against"): Against,
    ("_compare_candidates.html", "against.improved"): CountLink,
    ("_compare_candidates.html", "against.reading"): Reading,
    ("_compare_tasks.html", "tasks"): TasksPanel,
    ("_compare_tasks.html", "tasks.pager"): Pager,
    ("_compare_tasks.html", "link"): ShownLink,
    ("_compare_tasks.html", "column"): ComparedRun,
    ("_compare_tasks.html", "line"): ComparedTask,
    ("_compare_tasks.html", "line.row"): ComparedRow,
    ("_compare_answers.html", "answers"): AnswersSection,
    ("_compare_answers.html", "link"): ViewLink,
    ("_compare_answers.html", "panel"): AnswerPanel,
    ("_compare_answers.html", "column"): ComparedRun,
    ("_compare_answers.html", "row"): ResultRow,
    ("_compare_answers.html", "value"): Value,
    ("_compare_answers.html", "line"): DiffLine,
    ("_compare_runs.html", "runs"): RunsPanel,
    ("_compare_runs.html", "chip"): EvaluationChip,
    ("_compare_runs.html", "chip.row"): EvaluationRow,
    ("_compare_runs.html", "column"): ComparedRun,
    ("_compare_run_line.html", "runs"): RunsPanel,
    ("_compare_run_line.html", "line"): PairedRun,
    ("_compare_run_line.html", "line.column"): ComparedRun,
    ("_compare_run_line.html", "line.evaluation"): EvaluationRow,
    ("_compare_run_line.html", "line.reading"): Reading,
    ("_compare_moves.html", "moves"): Moves,
    ("_compare_moves.html", "link"): MoveLink,
    ("_compare_moves.html", "move"): Move,
    ("_compare_moves.html", "move.row"): ComparedRow,
    ("_compare_moves.html", "move.column"): ComparedRun,
    ("_tiles.html", "tile"): Tile,
    ("_compare_chooser.html", "chooser"): Chooser,
    ("compare.html", "way"): Suggestion,
    ("_compare_chooser.html", "chooser.picked"): EvaluationRow,
    ("_compare_chooser.html", "kept"): Kept,
    ("_compare_chooser.html", "listed"): EvaluationChoice,
    ("_compare_chooser.html", "choice"): RunChoice,
    ("confirm.html", "kept"): Kept,
    ("evaluation_edit.html", "page.row"): EvaluationRow,
    ("evaluations_list.html", "kept"): Kept,
    ("evaluations_list.html", "page.filters"): EvaluationFilters,
    ("_evaluation_filters.html", "filters"): EvaluationFilters,
    ("_evaluation_filters.html", "menu"): FilterMenu,
    ("_evaluation_filters.html", "option"): MenuOption,
    ("_evaluation_filters.html", "link"): DayLink,
    ("_evaluation_menu.html", "row"): EvaluationRow,
    ("_evaluation_exports.html", "row"): EvaluationRow,
    ("import.html", "choice"): FormatChoice,
    ("job_show.html", "page.entry"): JobEntry,
    ("job_show.html", "page.entry.badge"): Badge,
    ("job_show.html", "page.progress"): Progress,
    ("job_show.html", "page.totals"): JobTotals,
    ("job_show.html", "page.undone"): Undone,
    ("job_show.html", "file"): FileLine,
    ("jobs_list.html", "page.batch"): JobBatch,
    ("jobs_list.html", "page.batch.totals"): JobTotals,
    ("job_show.html", "file.badge"): Badge,
    ("_job_actions.html", "actions"): JobActions,
    ("_job_into.html", "into"): Into,
    ("_job_log.html", "line"): JobLine,
    ("_job_progress.html", "progress"): Progress,
    ("_job_totals.html", "totals"): JobTotals,
    ("_job_strategies.html", "run"): StrategiesPanel,
    ("_job_strategies.html", "run.progress"): StrategyProgress,
    ("_job_strategies.html", "line"): EndedLine,
    ("_job_strategies.html", "line.state"): StrategyState,
    ("project_evaluate.html", "link"): FolderLink,
    ("project_evaluate.html", "page.finding"): ProjectFinding,
    ("_project_finding.html", "finding"): ProjectFinding,
    ("_project_finding.html", "check"): CheckLine,
    ("_job_warnings.html", "warning"): WarningLine,
    ("_jobs_table.html", "entry"): JobEntry,
    ("_jobs_table.html", "entry.badge"): Badge,
    ("base.html", "place"): Place,
    ("base.html", "choice"): ThemeChoice,
    ("base.html", "page.shell"): Shell,
    ("_account_menu.html", "page.shell"): Shell,
    ("_views_menu.html", "page.shell"): Shell,
    ("account.html", "line"): RoleLine,
    ("account.html", "token"): TokenLine,
    ("changes.html", "line"): AuditLine,
    ("people.html", "line"): RoleLine,
    ("people.html", "person"): PersonLine,
    ("evaluations_list.html", "row"): EvaluationRow,
    ("evaluations_list.html", "line"): EvaluationLine,
    ("evaluations_list.html", "page.pager"): Pager,
    ("_merge_links.html", "links"): MergeLinks,
    ("_merge_links.html", "links.stats"): MergeStats,
    ("_merge_links.html", "source"): MergeLink,
    ("_merge_links.html", "link"): MergeLink,
    ("_merge_links.html", "counts"): RunMergeStats,
    ("_merge_preview.html", "preview"): MergePreview,
    ("_merge_preview.html", "change"): OutcomeChange,
    ("_merge_preview.html", "line.found"): Replacement,
    ("_retention_lines.html", "line"): RetentionLine,
    ("merge.html", "line"): SourceLine,
    ("merge.html", "line.row"): EvaluationRow,
    ("merge.html", "row"): EvaluationRow,
    ("overview.html", "range"): DayLink,
    ("overview.html", "page.latest"): LatestPart,
    ("overview.html", "page.news"): NewsPanel,
    ("_overview_news.html", "page.news"): NewsPanel,
    ("_overview_news.html", "job"): RunningJob,
    ("_overview_news.html", "row"): EvaluationBrief,
    ("_overview_sprints.html", "panel"): SprintsPanel,
    ("_overview_sprints.html", "line"): SprintLine,
    ("_overview_tiles.html", "tiles"): Tiles,
    ("_overview_tiles.html", "part"): TilePart,
    ("_overview_tiles.html", "latest"): LatestPart,
    ("_overview_changes.html", "latest"): LatestPart,
    ("_overview_changes.html", "panel"): ChangePanel,
    ("_overview_changes.html", "line"): ChangeLine,
    ("_overview_changes.html", "run"): RunChangeLine,
    ("_overview_panels.html", "latest"): LatestPart,
    ("_overview_panels.html", "category"): CategoryLine,
    ("_overview_panels.html", "category.small"): SmallLine,
    ("_overview_panels.html", "run"): DearRunLine,
    ("_overview_panels.html", "task"): SlowTaskLine,
    ("_overview_panels.html", "tool"): FailingToolLine,
    ("_merge_preview.html", "run"): MergedRunLine,
    ("_merge_preview.html", "line"): ReplacedLine,
    ("evaluation_show.html", "page.row"): EvaluationRow,
    ("evaluation_show.html", "page.calls"): EvaluationCalls,
    ("evaluation_show.html", "warning"): ImportNote,
    ("_evaluation_head.html", "page.row"): EvaluationRow,
    ("_evaluation_tabs.html", "tab"): Tab,
    ("_leaderboard.html", "board"): Leaderboard,
    ("_leaderboard.html", "chip"): Chip,
    ("_leaderboard.html", "header"): Header,
    ("_leaderboard.html", "table"): BoardTable,
    ("_leaderboard.html", "row"): BoardRow,
    ("_leaderboard.html", "table.total"): BoardRow,
    ("_leaderboard_columns.html", "chooser"): BoardChooser,
    ("_leaderboard_columns.html", "column"): BoardColumn,
    ("_leaderboard_columns.html", "kept"): Kept,
    ("_leaderboard_groups.html", "groups"): GroupMenus,
    ("_leaderboard_groups.html", "link"): GroupLink,
    ("_task_selector.html", "selector"): TaskSelector,
    ("_task_selector.html", "kept"): Kept,
    ("_task_scope.html", "scope"): TaskScope,
    ("_task_scope.html", "chip"): Chip,
    ("evaluation_grid.html", "page.row"): EvaluationRow,
    ("evaluation_grid.html", "kind"): KindLink,
    ("evaluation_grid.html", "page.pair"): Pair,
    ("evaluation_grid.html", "page.pair.first"): GridRun,
    ("evaluation_grid.html", "page.pair.second"): GridRun,
    ("evaluation_grid.html", "run"): GridRun,
    ("evaluation_grid.html", "line"): GridLine,
    ("evaluation_grid.html", "line.row"): GridRow,
    ("evaluation_grid.html", "line.row.task"): GridTask,
    ("evaluation_categories.html", "page.row"): EvaluationRow,
    ("evaluation_categories.html", "page.scope"): TaskScope,
    ("evaluation_categories.html", "link"): OrderLink,
    ("evaluation_categories.html", "head"): CategoryHead,
    ("evaluation_categories.html", "line"): CategoryRow,
    ("evaluation_categories.html", "page.total"): CategoryRow,
    ("evaluation_categories.html", "cell"): CategoryCell,
    ("evaluation_categories.html", "line.whole"): CategoryCell,
    ("evaluation_charts.html", "page.row"): EvaluationRow,
    ("evaluation_charts.html", "page.scope"): TaskScope,
    ("evaluation_agreement.html", "page.row"): EvaluationRow,
    ("evaluation_agreement.html", "link"): OrderLink,
    ("evaluation_agreement.html", "run"): GridRun,
    ("evaluation_agreement.html", "line"): AgreementLine,
    ("evaluation_agreement.html", "line.run"): GridRun,
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
    ("_toast.html", "toast"): Toast,
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
    ("_facet_groups.html", "facet"): FacetGroup,
    ("_facet_groups.html", "mode"): ModeLink,
    ("_facet_groups.html", "option"): FacetChoice,
    ("_facets.html", "span"): SpanField,
    ("_column_chooser.html", "chooser"): ColumnChooser,
    ("_column_chooser.html", "item"): ColumnItem,
    ("_column_chooser.html", "kept"): Kept,
    ("_result_facts.html", "row"): ResultRow,
    ("_result_facts.html", "record"): RunResult,
    ("_result_facts.html", "evaluation"): EvaluationRow,
    ("_results_table.html", "table"): ResultsTable,
    ("_results_table.html", "row"): TableRow,
    ("_export_menu.html", "link"): ExportLink,
    ("_selection.html", "selection"): Selection,
    ("_results_table.html", "table.selection"): Selection,
    ("_review_panel.html", "panel"): ReviewPanel,
    ("result_show.html", "page.review"): ReviewPanel,
    ("_review_panel.html", "line"): WordLine,
    ("_review_panel.html", "said"): AnnotationRow,
    ("_review_said.html", "said"): AnnotationRow,
    ("_review_said.html", "panel"): ReviewPanel,
    ("_review_panel.html", "panel.form"): ReviewForm,
    ("_review_fields.html", "form"): ReviewForm,
    ("results_review.html", "kept"): Kept,
    ("results_review.html", "chip"): Chip,
    ("review_words.html", "listed"): ProjectWords,
    ("review_words.html", "entry"): WordEntry,
    ("review_words.html", "entry.word"): WordCount,
    ("views_list.html", "line"): ViewLine,
    ("views_list.html", "line.row"): SavedViewRow,
    ("_overview_views.html", "line"): ViewLine,
    ("_overview_views.html", "line.row"): SavedViewRow,
    ("webhooks_list.html", "hook"): WebhookRow,
    ("webhooks_list.html", "delivery"): DeliveryRow,
    ("webhooks_list.html", "event"): EventChoice,
    ("_corrections.html", "panel"): CorrectionsPanel,
    ("_corrections.html", "line"): CorrectedLine,
    ("_corrections.html", "line.group"): CorrectedGroup,
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
    ("sprints_charts.html", "link"): ByLink,
    ("sprints_charts.html", "line"): SumsLine,
    ("sprints_charts.html", "line.sums"): SprintSums,
    ("sprints_charts.html", "page.parts"): PartFigures,
    ("_sprint_sides.html", "sides"): SidesPanel,
    ("_sprint_sides.html", "mark"): IterationRow,
    ("_sprint_sides.html", "group"): PartGroup,
    ("_sprint_sides.html", "line"): PartLine,
    ("_sprint_sides.html", "entry"): FeedbackLine,
    ("_sprint_sides.html", "entry.record"): Feedback,
    ("_sprint_sides.html", "cell"): PartCell,
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
    ("_iteration_strategies.html", "line"): StrategyLine,
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
    ("_history_filters.html", "filters"): HistoryFilters,
    ("_history_filters.html", "kept"): Kept,
    ("_history_filters.html", "menu"): FilterMenu,
    ("_history_filters.html", "option"): MenuOption,
    ("_history_filters.html", "filters.started"): SpanField,
    ("_history_filters.html", "chip"): Chip,
    ("_history_empty.html", "filters"): HistoryFilters,
    ("_history_empty.html", "chip"): Chip,
    ("trials_list.html", "entry"): TrialEntry,
    ("trials_list.html", "entry.badge"): Badge,
    ("trials_list.html", "row"): TrialRow,
    ("trials_list.html", "page.pager"): Pager,
    ("trial_new.html", "choice"): StoredChoice,
    ("_trial_file_problems.html", "problem"): ProblemLine,
    ("trial_pick.html", "page.filters"): TaskFilters,
    ("trial_pick.html", "page.start"): StartFields,
    ("trial_pick.html", "page.work"): Work,
    ("_trial_estimate.html", "work"): Work,
    ("_trial_estimate.html", "estimate"): Estimate,
    ("_trial_estimate.html", "amount"): Amount,
    ("_trial_services.html", "service"): ServiceLine,
    ("_trial_services.html", "service.key"): KeyState,
    ("_trial_services.html", "run"): RunTick,
    ("_trial_tasks.html", "task"): TrialTaskLine,
    ("_trial_parts.html", "judge"): JudgeLine,
    ("_trial_parts.html", "judge.key"): KeyState,
    ("_trial_parts.html", "tool"): TrialToolLine,
    ("trial_show.html", "page.trial"): TrialProgress,
    ("trial_show.html", "page.badge"): Badge,
    ("trial_show.html", "page.actions"): TrialActions,
    ("_trial_actions.html", "actions"): TrialActions,
    ("_trial_actions.html", "choice"): RerunChoice,
    ("_trial_actions.html", "trial"): TrialProgress,
    ("_trial_stats.html", "outcomes"): OutcomeCounts,
    ("_trial_stats.html", "trial"): TrialProgress,
    ("_trial_runs.html", "line"): TrialRunLine,
    ("_trial_runs.html", "line.progress"): RunProgress,
    ("_trial_runs.html", "run"): PlannedRun,
    ("_trial_runs.html", "outcomes"): OutcomeCounts,
    ("_trial_latest.html", "line"): TrialResultLine,
    ("_trial_latest.html", "line.row"): ResultRow,
    ("tasks_list.html", "link"): OrderLink,
    ("tasks_list.html", "row"): TaskRow,
    ("tasks_list.html", "line"): TaskLine,
    ("tasks_list.html", "page.pager"): Pager,
    ("task_show.html", "history"): TaskHistory,
    ("_task_stats.html", "history"): TaskHistory,
    ("_task_stats.html", "last"): AttemptRow,
    ("_task_matrix.html", "link"): OrderLink,
    ("_task_matrix.html", "mark"): EvaluationMark,
    ("_task_matrix.html", "strip"): RunStrip,
    ("_task_matrix.html", "run"): TaskRun,
    ("_task_attempts.html", "row"): AttemptRow,
    ("_task_aside.html", "task"): TaskMetadata,
    ("_task_aside.html", "panel"): StepPanel,
    ("_task_aside.html", "step"): TaskStep,
    ("_task_aside.html", "change"): Change,
    ("_task_aside.html", "line"): DiffLine,
    ("tools_list.html", "page.numbers"): ToolNumbers,
    ("tool_show.html", "page.numbers"): ToolNumbers,
    ("_tool_numbers.html", "numbers"): ToolNumbers,
    ("_tool_numbers.html", "filters"): HistoryFilters,
    ("_tool_table.html", "header"): Header,
    ("_tool_table.html", "line"): ToolLine,
    ("_tool_stats.html", "numbers"): ToolNumbers,
    ("_tool_stats.html", "links"): ToolLinks,
    ("_tool_stats.html", "total"): ToolFigures,
    ("_tool_figures.html", "line.links"): ToolLinks,
    ("_tool_figures.html", "status"): StatusCount,
    ("_no_tools.html", "numbers"): ToolNumbers,
    ("_tool_figures.html", "line"): ToolLine,
    ("_tool_outcomes.html", "line"): ToolLine,
    ("_tool_outcomes.html", "links"): ToolLinks,
    ("_tool_outcomes.html", "joined"): Joined,
    ("_slow_calls.html", "line"): SlowLine,
    ("_slow_calls.html", "line.call"): SlowCall,
    ("_chart.html", "line"): ChartLine,
    ("costs.html", "page.found"): Money,
    ("costs.html", "link"): OrderLink,
    ("_cost_tiles.html", "total"): Spending,
    ("_cost_tiles.html", "judge"): JudgeUse,
    ("_cost_tiles.html", "line"): AmountLine,
    ("_cost_tiles.html", "line.sum"): Sum,
    ("_cost_tiles.html", "dearest"): DearestRun,
    ("_cost_tiles.html", "state"): StateLine,
    ("_cost_groups.html", "link"): OrderLink,
    ("_cost_groups.html", "row"): GroupLine,
    ("_cost_groups.html", "line"): AmountLine,
    ("_cost_groups.html", "line.sum"): Sum,
    ("_cost_groups.html", "state"): StateLine,
    ("_cost_tops.html", "top"): TopPanel,
    ("_cost_tops.html", "line"): DearLine,
    ("_cost_tops.html", "line.dear"): Dear,
    ("_cost_unpriced.html", "total"): Spending,
    ("_cost_unpriced.html", "gap"): UnpricedLine,
    ("_cost_unpriced.html", "gap.entry"): Unpriced,
    ("reports_list.html", "row"): ReportRow,
    ("report_show.html", "page.report"): SavedReport,
    ("report_show.html", "link"): ExportLink,
    ("_report_links.html", "page.report"): SavedReport,
    ("_report_links.html", "choice"): DaysChoice,
    ("_report_links.html", "link"): ShareLine,
    ("_report_links.html", "link.row"): LinkRow,
    ("report_edit.html", "picked"): EvaluationTick,
    ("report_edit.html", "picked.row"): EvaluationRow,
    ("report_edit.html", "tick"): NamedTick,
    ("report_edit.html", "option"): BaselineOption,
    ("report_edit.html", "link"): ExportLink,
    ("runs_list.html", "row"): RunRow,
    ("runs_list.html", "line"): RunLine,
    ("runs_list.html", "page.pager"): Pager,
    ("run_show.html", "page.links"): OutcomeLinks,
    ("task_show.html", "page.links"): OutcomeLinks,
    ("_task_stats.html", "page.links"): OutcomeLinks,
    ("evaluation_show.html", "page.links"): OutcomeLinks,
    ("run_show.html", "history"): RunHistory,
    ("run_show.html", "page.configs"): RunConfigs,
    ("_run_configs.html", "configs"): RunConfigs,
    ("_run_configs.html", "value"): ConfigValue,
    ("_run_configs.html", "step"): ConfigStep,
    ("_run_configs.html", "change"): Change,
    ("_run_points.html", "row"): PointRow,
    ("_run_points.html", "point"): RunPoint,
    ("_run_heat.html", "page.history"): RunHistory,
    ("_run_heat.html", "link"): OrderLink,
    ("_run_heat.html", "line"): HeatLine,
    ("_run_heat.html", "line.own"): HeatCell,
    ("_run_heat.html", "line.rest"): HeatCell,
    ("_run_heat.html", "cell"): HeatCell,
    ("_run_heat.html", "other"): OtherRun,
    ("errors_list.html", "link"): OrderLink,
    ("errors_list.html", "tile"): ErrorTile,
    ("errors_list.html", "state"): StateCount,
    ("errors_list.html", "row"): TitleRow,
    ("errors_list.html", "title"): ErrorTitle,
    ("errors_list.html", "page.pager"): Pager,
    ("_error_messages.html", "panel"): MessagesPanel,
    ("_error_messages.html", "found"): ErrorMessages,
    ("_error_messages.html", "row"): MessageRow,
    ("_error_messages.html", "state"): StateCount,
    ("_error_messages.html", "cluster"): MessageCluster,
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
        "_chart_scripts.html",
        "_overview_start.html",
        "_reload.html",
        "_cell_text.html",
        "_job_notice.html",
        "_trial_problems.html",
        "_live_head.html",
        "_swap_scripts.html",
        "_iteration_strip.html",
        "_part_result.html",
        "_iteration_exports.html",
        "_history_list.html",
        "_evaluation_part.html",
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
