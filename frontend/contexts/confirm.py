"""The question before something is deleted: it names what goes, and its button repeats the verb and the count."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.evaluation_filter import asked_of
from frontend.contexts.filters import Kept
from frontend.contexts.shell import Shell
from frontend.formats import plural
from results.queries.evaluations import EvaluationRow, evaluations_among, matching_evaluations
from results.queries.jobs import jobs_of_batch
from results.queries.visibility import VisibleSet
from results.saved_reports import SavedReport
from results.store.removals import Stored, stored_by

SHOWN_NAMES = 10
MOST_DIGITS = 18  # of an id that can exist


@dataclass(frozen=True)
class ConfirmPage:
    """What `confirm.html` reads.

    Attributes:
        names: of the first evaluations that go; `more` counts the others.
        button: empty when there is nothing to confirm.
        back: where "Cancel" leads.
    """

    shell: Shell
    title: str
    text: str
    names: tuple[str, ...]
    more: int
    button: str
    action: str
    hidden: tuple[Kept, ...]
    back: str

    @classmethod
    def for_evaluations(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "ConfirmPage":
        """Ask before evaluations are deleted; `id` names them, or `all` means all that the filter lets through."""
        ids = chosen_evaluations(visible, params)
        rows = evaluations_among(visible, ids)
        results = sum(row.results for row in rows)
        return cls(
            shell=shell,
            title=f"Delete {plural(len(rows), 'evaluation')}?" if rows else "Nothing is selected",
            text=_text(rows) if rows else "Select the evaluations to delete in the list.",
            names=tuple(row.name for row in rows[:SHOWN_NAMES]),
            more=max(0, len(rows) - SHOWN_NAMES),
            button=f"Delete {plural(results, 'result')}" if rows else "",
            action=reverse("evaluations-delete"),
            hidden=(Kept("evaluation", ",".join(str(row.id) for row in rows)),),
            back=reverse("evaluations-list"),
        )

    @classmethod
    def for_undo(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "ConfirmPage":
        """Ask before an import is undone; `job` or `batch` names it."""
        ids = chosen_jobs(params)
        stored = stored_by(ids)
        rows = evaluations_among(visible, stored.evaluations)
        what = _counts(stored, sum(row.results for row in rows))
        return cls(
            shell=shell,
            title="Undo this import?" if what else "Nothing of this import is left",
            text=_undo_text(what, stored),
            names=tuple(row.name for row in rows[:SHOWN_NAMES]),
            more=max(0, len(rows) - SHOWN_NAMES),
            button=f"Delete {_listed([part for part in what if 'evaluation' not in part] or what)}" if what else "",
            action=reverse("jobs-undo"),
            hidden=tuple(Kept(name, value) for name in ("job", "batch") if (value := params.get(name, ""))),
            back=jobs_address(params),
        )

    @classmethod
    def for_report(cls, shell: Shell, report: SavedReport) -> "ConfirmPage":
        """Ask before a report is deleted."""
        return cls(
            shell=shell,
            title="Delete this report?",
            text="Its title, notes and definition are deleted, and its links open nothing any more. Results stay.",
            names=(report.title,),
            more=0,
            button="Delete 1 report",
            action=reverse("report-delete", args=(report.id,)),
            hidden=(),
            back=reverse("report-show", args=(report.id,)),
        )


def chosen_evaluations(visible: VisibleSet, params: QueryDict) -> list[int]:
    """The evaluations that a form means.

    Args:
        visible: evaluations that may be seen.
        params: `evaluation`, repeated or with commas between, names them; `all` means all that its filter lets through.
    """
    if "all" in params:
        return matching_evaluations(visible, asked_of(params))
    return _ids(params.getlist("evaluation"))


def chosen_jobs(params: QueryDict) -> list[int]:
    """The ids of the jobs that a form names, with `job` or with the `batch` they belong to."""
    batch = params.get("batch", "").replace("\x00", "")
    return list(jobs_of_batch(batch).values_list("pk", flat=True)) if batch else _ids(params.getlist("job"))


def jobs_address(params: QueryDict) -> str:
    """The page of the jobs that a form names."""
    if batch := params.get("batch", ""):
        return reverse("jobs-list", query={"batch": batch})
    ids = _ids(params.getlist("job"))
    return reverse("job-show", args=[ids[0]]) if ids else reverse("jobs-list")


def _ids(texts: Iterable[str]) -> list[int]:
    return [
        int(text)
        for joined in texts
        for text in joined.split(",")
        if text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS
    ]


def _text(rows: list[EvaluationRow]) -> str:
    projects = sorted({row.project for row in rows})
    where = f"project {projects[0]}" if len(projects) == 1 else plural(len(projects), "project")
    return f"They are deleted from {where} for good, with their results, documents and labels."


def _counts(stored: Stored, results: int) -> list[str]:
    counted = (
        (len(stored.evaluations), "evaluation"),
        (results, "result"),
        (len(stored.iterations), "iteration"),
        (len(stored.contracts), "contract"),
        (len(stored.specs), "spec"),
    )
    return [plural(number, noun) for number, noun in counted if number]


def _undo_text(what: list[str], stored: Stored) -> str:
    if not what:
        return "What it stored was deleted already, or it stored nothing."
    text = f"It stored {_listed(what)}. They are deleted for good; your own files stay where they are."
    if stored.iterations or stored.contracts or stored.specs:
        text += " Where one of them took the place of an earlier document, that one counts again."
    return text


def _listed(parts: list[str]) -> str:
    return parts[0] if len(parts) == 1 else f"{', '.join(parts[:-1])} and {parts[-1]}"
