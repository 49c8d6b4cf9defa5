"""What each address needs: the one table of permissions."""

from dataclasses import dataclass
from enum import IntEnum

from results.models.accounts import Role


class Right(IntEnum):
    """What somebody needs to be answered; a higher one includes the lower ones."""

    NOTHING = 0
    ACCOUNT = 1
    VIEW = 2
    EDIT = 3
    ADMINISTER = 4
    INSTALLATION = 5

    @property
    def role(self) -> Role:
        """The least role in a project that gives it."""
        return {Right.EDIT: Role.EDITOR, Right.ADMINISTER: Role.ADMIN}.get(self, Role.VIEWER)


@dataclass(frozen=True)
class Rule:
    """What one address needs for reading and for changing.

    Attributes:
        action: what a change is called in the log of changes; empty = it is not worth a line.
        is_for_programs: it takes a token, and answers 401 instead of leading to the login; so does all of the API.
    """

    reading: Right = Right.VIEW
    changing: Right = Right.EDIT
    action: str = ""
    is_for_programs: bool = False


READS = Rule()
SHOWS = Rule(changing=Right.VIEW)  # it only answers, though a form may ask with a POST
OPEN = Rule(Right.NOTHING, Right.NOTHING)


def edits(action: str) -> Rule:
    """For pages with a form: only those who may send it see it."""
    return Rule(Right.EDIT, Right.EDIT, action)


RULES = {  # by the route, as urls.py and the API write it
    "": READS,
    "theme/": OPEN,
    "login/": OPEN,
    "logout/": Rule(Right.NOTHING, Right.NOTHING, "log out"),
    "account/": Rule(Right.ACCOUNT, Right.ACCOUNT),
    "account/password/": Rule(Right.ACCOUNT, Right.ACCOUNT, "change a password"),
    "account/tokens/": Rule(Right.ACCOUNT, Right.ACCOUNT, "make a token"),
    "account/tokens/<int:token_id>/revoke/": Rule(Right.ACCOUNT, Right.ACCOUNT, "revoke a token"),
    "people/": Rule(Right.ADMINISTER, Right.INSTALLATION, "add a person"),
    "people/<int:user_id>/": Rule(Right.INSTALLATION, Right.INSTALLATION, "change a person"),
    "people/roles/": Rule(Right.ADMINISTER, Right.ADMINISTER, "change a role"),
    "changes/": Rule(Right.ADMINISTER, Right.ADMINISTER),
    "annotations/<int:annotation_id>/edit/": Rule(action="reword a comment"),
    "annotations/<int:annotation_id>/remove/": Rule(action="remove an annotation"),
    "compare/": READS,
    "costs/": READS,
    "errors/": READS,
    "evaluations/": READS,
    "evaluations/delete/": edits("delete evaluations"),
    "evaluations/old/": edits("delete old evaluations"),
    "evaluations/<int:evaluation_id>/": READS,
    "evaluations/<int:evaluation_id>/export.<slug:name>": READS,
    "evaluations/<int:evaluation_id>/grid/": READS,
    "evaluations/<int:evaluation_id>/charts/": READS,
    "evaluations/<int:evaluation_id>/categories/": READS,
    "evaluations/<int:evaluation_id>/agreement/": READS,
    "evaluations/<int:evaluation_id>/document.json": READS,
    "evaluations/<int:evaluation_id>/ids.txt": READS,
    "evaluations/<int:evaluation_id>/edit/": edits("describe an evaluation"),
    "evaluations/<int:evaluation_id>/delete/": edits("delete an evaluation"),
    "evaluations/<int:evaluation_id>/baseline/": edits("set or clear a baseline"),
    "import/": edits("import files"),
    "iterations/<int:iteration_id>/": READS,
    "iterations/<int:iteration_id>/export.<slug:name>": READS,
    "healthz": OPEN,
    "jobs/": READS,
    "jobs/cancel/": edits("cancel jobs"),
    "jobs/count.txt": READS,
    "jobs/undo/": edits("undo an import"),
    "jobs/<int:job_id>/": READS,
    "jobs/<int:job_id>/report.json": READS,
    "merge/": edits("merge evaluations"),
    "reports/": READS,
    "reports/new/": edits("save a report"),
    "reports/new/export.<slug:name>": READS,
    "reports/<int:report_id>/": READS,
    "reports/<int:report_id>/edit/": edits("change a report"),
    "reports/<int:report_id>/delete/": edits("delete a report"),
    "reports/<int:report_id>/export.<slug:name>": READS,
    "reports/<int:report_id>/share/": edits("share a report"),
    "reports/<int:report_id>/share/<int:link_id>/revoke/": edits("revoke a link to a report"),
    "shared/<slug:token>/": OPEN,
    "metrics": Rule(Right.INSTALLATION, Right.INSTALLATION, is_for_programs=True),
    "readyz": OPEN,
    "results/": READS,
    "results/ids.txt": READS,
    "results/export.<slug:name>": READS,
    "results/review/": edits("review results"),
    "results/<int:result_id>/review/": Rule(action="review a result"),
    "review/": READS,
    "review/reasons/": Rule(action="offer a reason"),
    "review/words/<int:word_id>/": Rule(action="change a reason or label"),
    "results/<int:result_id>/": READS,
    "results/<int:result_id>/document.json": READS,
    "runs/": READS,
    "runs/<int:run_id>/": READS,
    "sprints/": READS,
    "sprints/charts/": READS,
    "sprints/evaluate/": edits("evaluate a code project"),
    "sprints/<int:sprint_id>/": READS,
    "sprints/<int:sprint_id>/export.<slug:name>": READS,
    "tasks/": READS,
    "tasks/<int:task_id>/": READS,
    "tools/": READS,
    "tools/<int:tool_id>/": READS,
    "trials/": READS,
    "trials/new/": edits("prepare a trial"),
    "trials/new/<slug:token>/": edits("start a trial"),
    "trials/new/<slug:token>/keys/": edits("give keys to a trial"),
    "trials/<int:trial_id>/": READS,
    "trials/<int:trial_id>/<slug:kind>.yaml": READS,
    "trials/<int:trial_id>/cancel/": edits("cancel a trial"),
    "trials/<int:trial_id>/resume/": edits("resume a trial"),
    "trials/<int:trial_id>/rerun/": edits("rerun results of a trial"),
    "views/": READS,
    "views/save/": SHOWS,
    "views/<int:view_id>/edit/": Rule(action="change a saved view"),
    "views/<int:view_id>/remove/": Rule(action="delete a saved view"),
    "webhooks/": Rule(Right.ADMINISTER, Right.ADMINISTER, "add a webhook"),
    "webhooks/<int:webhook_id>/edit/": Rule(Right.ADMINISTER, Right.ADMINISTER, "change a webhook"),
    "webhooks/<int:webhook_id>/test/": Rule(Right.ADMINISTER, Right.ADMINISTER, "test a webhook"),
    "api/v1/": READS,
    "api/v1/openapi.json": Rule(Right.ACCOUNT, Right.ACCOUNT),
    "api/v1/docs": Rule(Right.ACCOUNT, Right.ACCOUNT),
    "api/v1/projects": READS,
    "api/v1/evaluations": READS,
    "api/v1/evaluations/<evaluation_id>": Rule(action="change or delete an evaluation"),
    "api/v1/results": READS,
    "api/v1/results/<result_id>": READS,
    "api/v1/facets": READS,
    "api/v1/summary": READS,
    "api/v1/matrix": READS,
    "api/v1/compare": READS,
    "api/v1/tasks": READS,
    "api/v1/tasks/<task_id>/history": READS,
    "api/v1/providers": READS,
    "api/v1/tools": READS,
    "api/v1/specs": READS,
    "api/v1/sprints": READS,
    "api/v1/sprints/<sprint_id>": READS,
    "api/v1/iterations/<iteration_id>": READS,
    "api/v1/imports": Rule(action="import a file"),
    "api/v1/exports": READS,
    "api/v1/exports/<format>": READS,
    "api/v1/exports/<format>/iterations/<iteration_id>": READS,
    "api/v1/exports/<format>/sprints/<sprint_id>": READS,
    "api/v1/gate": READS,
    "api/v1/iterations": READS,
    "api/v1/jobs": READS,
    "api/v1/jobs/<job_id>": READS,
    "api/v1/jobs/<job_id>/cancel": Rule(action="cancel a job"),
    "api/v1/annotations": Rule(action="review results"),
    "api/v1/annotations/<annotation_id>": Rule(action="change an annotation"),
    "api/v1/views": Rule(action="save a view"),
    "api/v1/views/<view_id>": Rule(action="change a saved view"),
    "api/v1/merges": Rule(action="merge evaluations"),
    "api/v1/trials": Rule(action="start a trial"),
    "api/v1/trials/<trial_id>": READS,
    "api/v1/trials/<trial_id>/cancel": Rule(action="cancel a trial"),
    "api/v1/trials/<trial_id>/resume": Rule(action="resume a trial"),
    "api/v1/trials/<trial_id>/rerun": Rule(action="rerun results of a trial"),
    "api/v1/reports": Rule(action="save a report"),
    "api/v1/reports/<report_id>": Rule(action="delete a report"),
}
