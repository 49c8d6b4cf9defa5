"""Every page's address. Things are named by their ids, so that no name from a file has to fit into a path."""

from django.urls import URLPattern, URLResolver, path

from frontend.api.api import api
from frontend.views.account import add_token, change_password, revoke_token, show_account
from frontend.views.compare import compare_runs
from frontend.views.costs import show_costs
from frontend.views.documents import download_evaluation, download_result, list_ids
from frontend.views.error_list import list_errors
from frontend.views.evaluation_parts import show_agreement, show_categories, show_charts, show_grid
from frontend.views.evaluations import (
    ask_to_delete,
    delete_evaluations,
    edit_evaluation,
    list_evaluations,
    mark_evaluation,
    show_evaluation,
)
from frontend.views.exports import export_evaluation, export_iteration, export_results, export_sprint
from frontend.views.health import say_alive, show_metrics, show_readiness
from frontend.views.imports import import_files
from frontend.views.jobs import cancel_jobs, count_jobs, download_report, list_jobs, show_job, undo_jobs
from frontend.views.login import log_in, log_out
from frontend.views.merge import merge_evaluations
from frontend.views.overview import show_overview
from frontend.views.people import change_person, change_role, list_changes, list_people
from frontend.views.project_evaluation import evaluate_project
from frontend.views.report_files import export_report, export_unsaved, show_shared
from frontend.views.reports import (
    edit_report,
    list_reports,
    new_report,
    remove_report,
    revoke_share,
    share_report,
    show_report,
)
from frontend.views.results import list_results, show_result
from frontend.views.retention import delete_old
from frontend.views.review import (
    add_reason,
    edit_annotation,
    edit_word,
    list_words,
    remove_annotation,
    review_result,
    review_results,
)
from frontend.views.runs import list_runs, show_run
from frontend.views.saved_views import add_view, edit_view, list_views, remove_view
from frontend.views.sprints import chart_sprints, list_sprints, show_iteration, show_sprint
from frontend.views.tasks import list_tasks, show_task
from frontend.views.theme import set_theme
from frontend.views.tools import list_tools, show_tool
from frontend.views.trial_new import give_keys, new_trial, pick_trial
from frontend.views.trials import cancel_trial, download_file, list_trials, rerun_trial, resume_trial, show_trial
from frontend.views.webhooks import edit_webhook, list_webhooks, test_webhook

urlpatterns: list[URLPattern | URLResolver] = [
    path("", show_overview, name="home"),
    path("account/", show_account, name="account"),
    path("account/password/", change_password, name="password-change"),
    path("account/tokens/", add_token, name="token-add"),
    path("account/tokens/<int:token_id>/revoke/", revoke_token, name="token-revoke"),
    path("api/v1/", api.urls),
    path("changes/", list_changes, name="changes"),
    path("compare/", compare_runs, name="compare"),
    path("evaluations/", list_evaluations, name="evaluations-list"),
    path("evaluations/delete/", delete_evaluations, name="evaluations-delete"),
    path("evaluations/old/", delete_old, name="retention"),
    path("evaluations/<int:evaluation_id>/", show_evaluation, name="evaluation-show"),
    path("evaluations/<int:evaluation_id>/grid/", show_grid, name="evaluation-grid"),
    path("evaluations/<int:evaluation_id>/charts/", show_charts, name="evaluation-charts"),
    path("evaluations/<int:evaluation_id>/categories/", show_categories, name="evaluation-categories"),
    path("evaluations/<int:evaluation_id>/agreement/", show_agreement, name="evaluation-agreement"),
    path("evaluations/<int:evaluation_id>/document.json", download_evaluation, name="evaluation-document"),
    path("evaluations/<int:evaluation_id>/export.<slug:name>", export_evaluation, name="evaluation-export"),
    path("evaluations/<int:evaluation_id>/ids.txt", list_ids, name="evaluation-ids"),
    path("evaluations/<int:evaluation_id>/edit/", edit_evaluation, name="evaluation-edit"),
    path("evaluations/<int:evaluation_id>/delete/", ask_to_delete, name="evaluation-delete"),
    path("evaluations/<int:evaluation_id>/baseline/", mark_evaluation, name="evaluation-mark"),
    path("errors/", list_errors, name="errors-list"),
    path("healthz", say_alive, name="healthz"),
    path("import/", import_files, name="import"),
    path("jobs/", list_jobs, name="jobs-list"),
    path("jobs/cancel/", cancel_jobs, name="jobs-cancel"),
    path("jobs/count.txt", count_jobs, name="jobs-count"),
    path("jobs/undo/", undo_jobs, name="jobs-undo"),
    path("jobs/<int:job_id>/", show_job, name="job-show"),
    path("jobs/<int:job_id>/report.json", download_report, name="job-report"),
    path("login/", log_in, name="login"),
    path("logout/", log_out, name="logout"),
    path("merge/", merge_evaluations, name="merge"),
    path("metrics", show_metrics, name="metrics"),
    path("people/", list_people, name="people"),
    path("people/roles/", change_role, name="roles-change"),
    path("people/<int:user_id>/", change_person, name="person-change"),
    path("reports/", list_reports, name="reports-list"),
    path("reports/new/", new_report, name="report-new"),
    path("reports/new/export.<slug:name>", export_unsaved, name="report-unsaved"),
    path("reports/<int:report_id>/", show_report, name="report-show"),
    path("reports/<int:report_id>/edit/", edit_report, name="report-edit"),
    path("reports/<int:report_id>/delete/", remove_report, name="report-delete"),
    path("reports/<int:report_id>/export.<slug:name>", export_report, name="report-export"),
    path("reports/<int:report_id>/share/", share_report, name="report-share"),
    path("reports/<int:report_id>/share/<int:link_id>/revoke/", revoke_share, name="report-revoke"),
    path("shared/<slug:token>/", show_shared, name="report-shared"),
    path("readyz", show_readiness, name="readyz"),
    path("results/", list_results, name="results-list"),
    path("results/ids.txt", list_ids, name="results-ids"),
    path("results/export.<slug:name>", export_results, name="results-export"),
    path("results/review/", review_results, name="results-review"),
    path("results/<int:result_id>/review/", review_result, name="result-review"),
    path("annotations/<int:annotation_id>/edit/", edit_annotation, name="annotation-edit"),
    path("annotations/<int:annotation_id>/remove/", remove_annotation, name="annotation-remove"),
    path("review/", list_words, name="review"),
    path("review/reasons/", add_reason, name="review-reason"),
    path("review/words/<int:word_id>/", edit_word, name="review-word"),
    path("results/<int:result_id>/", show_result, name="result-show"),
    path("results/<int:result_id>/document.json", download_result, name="result-document"),
    path("runs/", list_runs, name="runs-list"),
    path("runs/<int:run_id>/", show_run, name="run-show"),
    path("sprints/", list_sprints, name="sprints-list"),
    path("sprints/charts/", chart_sprints, name="sprints-charts"),
    path("sprints/evaluate/", evaluate_project, name="project-evaluate"),
    path("sprints/<int:sprint_id>/", show_sprint, name="sprint-show"),
    path("sprints/<int:sprint_id>/export.<slug:name>", export_sprint, name="sprint-export"),
    path("iterations/<int:iteration_id>/", show_iteration, name="iteration-show"),
    path("iterations/<int:iteration_id>/export.<slug:name>", export_iteration, name="iteration-export"),
    path("tasks/", list_tasks, name="tasks-list"),
    path("tasks/<int:task_id>/", show_task, name="task-show"),
    path("costs/", show_costs, name="costs"),
    path("tools/", list_tools, name="tools-list"),
    path("tools/<int:tool_id>/", show_tool, name="tool-show"),
    path("trials/", list_trials, name="trials-list"),
    path("trials/new/", new_trial, name="trial-new"),
    path("trials/new/<slug:token>/", pick_trial, name="trial-pick"),
    path("trials/new/<slug:token>/keys/", give_keys, name="trial-keys"),
    path("trials/<int:trial_id>/", show_trial, name="trial-show"),
    path("trials/<int:trial_id>/<slug:kind>.yaml", download_file, name="trial-file"),
    path("trials/<int:trial_id>/cancel/", cancel_trial, name="trial-cancel"),
    path("trials/<int:trial_id>/resume/", resume_trial, name="trial-resume"),
    path("trials/<int:trial_id>/rerun/", rerun_trial, name="trial-rerun"),
    path("views/", list_views, name="views-list"),
    path("views/save/", add_view, name="view-add"),
    path("views/<int:view_id>/edit/", edit_view, name="view-edit"),
    path("views/<int:view_id>/remove/", remove_view, name="view-remove"),
    path("webhooks/", list_webhooks, name="webhooks-list"),
    path("webhooks/<int:webhook_id>/edit/", edit_webhook, name="webhook-edit"),
    path("webhooks/<int:webhook_id>/test/", test_webhook, name="webhook-test"),
    path("theme/", set_theme, name="theme-set"),
]
