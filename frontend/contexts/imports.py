"""The import page: what its form offers, and what became of the files that it brought."""

import re
from dataclasses import dataclass, field
from secrets import token_hex

from django.conf import settings
from django.db import DatabaseError
from django.http import QueryDict
from django.urls import reverse
from django.utils.datastructures import MultiValueDict

from frontend.contexts.job_batches import line_entries
from frontend.contexts.job_entries import JobEntry
from frontend.contexts.shell import Shell
from frontend.formats import count
from frontend.upload_handler import StagedFile
from results.importers.registry import IMPORTERS
from results.importers.source import ImportRefused
from results.importing import reason_of
from results.intake import check_project, find_project, queue_import, queue_path_import
from results.models.projects import Project
from results.queries.job_batches import job_page
from results.queries.projects import project_slugs, usual_project
from results.queries.visibility import VisibleSet

MOST_FILES = 1_000  # in one form; with scripts each file is a form of its own
RECENT = 5  # imports shown below the form
BATCH = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True)
class FormatChoice:
    """A format that can be named, and whether it is."""

    value: str
    label: str
    is_selected: bool


@dataclass(frozen=True)
class Submission:
    """What a form brought: the jobs that it queued, and what could not be taken."""

    batch: str
    job_ids: tuple[int, ...] = ()
    problems: tuple[str, ...] = ()
    project_problem: str = ""
    path: str = ""
    project: str = ""
    format: str = ""

    @property
    def address(self) -> str:
        """The page that shows the jobs."""
        if len(self.job_ids) == 1:
            return reverse("job-show", args=[self.job_ids[0]])
        return f"{reverse('jobs-list')}?batch={self.batch}"


@dataclass(frozen=True)
class ImportPage:
    """What `import.html` reads.

    Attributes:
        projects: slugs of all projects; `project` is the chosen one, perhaps a new one.
        is_new_project: the chosen one does not exist yet; project_problem: why it cannot be called so.
        roots: folders below which a path may be named; none = the field is not there.
        batch: common to the files that this page sends.
        queued: files of the form that are on their way in spite of the problems; `queued_href` shows them.
        recent: the latest jobs.
    """

    shell: Shell
    projects: tuple[str, ...]
    project: str
    is_new_project: bool
    project_problem: str
    formats: tuple[FormatChoice, ...]
    format_names: str
    roots: tuple[str, ...]
    path: str
    batch: str
    most_bytes: int
    problems: tuple[str, ...]
    queued: int
    queued_href: str
    recent: tuple[JobEntry, ...]

    @classmethod
    def build(
        cls, shell: Shell, visible: VisibleSet, params: QueryDict, submission: Submission | None = None
    ) -> "ImportPage":
        """The page, empty or after a form that could not be taken.

        Args:
            shell: of the page.
            visible: evaluations that the recent imports may name.
            params: `project` chooses one beforehand.
            submission: of the form that could not be taken.
        """
        sent = submission or Submission(token_hex(8), project=params.get("project", ""))
        slugs = project_slugs()
        project = sent.project or ("" if submission else usual_project())
        return cls(
            shell=shell,
            projects=slugs,
            project=project,
            is_new_project=project not in slugs,
            project_problem=sent.project_problem,
            formats=tuple(FormatChoice(key, entry.label, key == sent.format) for key, entry in IMPORTERS.items()),
            format_names=", ".join(importer.label for importer in IMPORTERS.values()),
            roots=tuple(settings.IMPORT_ROOTS),
            path=sent.path,
            batch=sent.batch,
            most_bytes=settings.MAX_UPLOAD_BYTES,
            problems=sent.problems,
            queued=len(sent.job_ids),
            queued_href=sent.address if sent.job_ids else "",
            recent=line_entries(job_page(size=RECENT).lines, visible),
        )


@dataclass
class Queueing:
    """Queues what a form brought and notes what cannot be taken; one bad file never stops the rest."""

    project: Project
    options: dict[str, str]
    job_ids: list[int] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)

    def add_files(self, files: list[StagedFile], names: list[str]) -> None:
        """Queue files; `names` are their paths in the folder that was dropped, where there was one."""
        if len(files) > MOST_FILES:
            self.problems.append(
                f"{count(len(files))} files are too many for one form; {count(MOST_FILES)} go in. Pack them into a zip."
            )
            return
        for number, file in enumerate(files):
            name = (names[number] if number < len(names) else "") or file.name or "file"
            if file.problem:
                self.problems.append(f"{name}: {file.problem}")
                continue
            try:
                self.job_ids.append(queue_import(self.project, file.keep(name), **self.options).pk)
            except (DatabaseError, OSError) as error:
                self.problems.append(f"{name}: {reason_of(error)}")

    def add_path(self, path: str) -> None:
        """Queue a file or folder of the server."""
        if not settings.IMPORT_ROOTS:
            self.problems.append("Paths on the server are switched off. Set EVALBOARD_IMPORT_ROOTS to allow folders.")
            return
        try:
            self.job_ids.append(queue_path_import(self.project, path, **self.options).pk)
        except (ImportRefused, DatabaseError) as error:
            self.problems.append(reason_of(error))


def submit(form: QueryDict, files: MultiValueDict[str, StagedFile]) -> Submission:
    """Take what the form brought; the caller sends the jobs to a worker."""
    given = [file for key in ("files", "folder") for file in files.getlist(key)]
    path, slug = form.get("path", "").strip(), chosen_project(form)
    chosen = form.get("format", "")
    batch = form.get("batch", "")
    batch = batch if BATCH.fullmatch(batch) else token_hex(8)
    problems, project_problem = _problems(given, path, chosen), problem_of_project(slug)
    if problems or project_problem:
        return Submission(batch, (), problems, project_problem, path, slug, chosen)
    options = {"batch": batch} | ({"format": chosen} if chosen else {})
    try:
        project = find_project(slug)
    except DatabaseError as error:
        return Submission(batch, (), (reason_of(error),), "", path, slug, chosen)
    queueing = Queueing(project, options)
    queueing.add_files(given, form.getlist("name"))
    if path:
        queueing.add_path(path)
    return Submission(batch, tuple(queueing.job_ids), tuple(queueing.problems), "", path, slug, chosen)


def check(form: QueryDict) -> Submission:
    """What of a form can be checked before its files are sent: whether its project may be called so."""
    slug = chosen_project(form)
    return Submission(form.get("batch", ""), project_problem=problem_of_project(slug), project=slug)


def chosen_project(form: QueryDict) -> str:
    """The project that a form names, an existing or a new one."""
    return form.get("project", "") or form.get("new_project", "").strip()


def problem_of_project(slug: str) -> str:
    """Why no project can be called so; empty when one can."""
    if not slug:
        return "The new project has no name. Use small letters, digits and hyphens."
    try:
        check_project(slug)
    except ImportRefused as error:
        return reason_of(error)
    return ""


def _problems(files: list[StagedFile], path: str, chosen: str) -> tuple[str, ...]:
    problems = []
    if not files and not path:
        problems.append("No file was chosen. Choose one, or drop it on the page.")
    if chosen and chosen not in IMPORTERS:
        problems.append(f"There is no format {chosen!r}. Known: {', '.join(IMPORTERS)}")
    return tuple(problems)
