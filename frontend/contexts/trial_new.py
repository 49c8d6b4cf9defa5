"""The first page of a new trial: which files it is made from."""

from collections.abc import Mapping
from dataclasses import dataclass

from django.conf import settings
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from evaluator.engine.trials.configuration import FileText
from evaluator.engine.trials.configuration_nodes import ConfigurationError, Problem
from evaluator.key_files import kept_keys
from evaluator.trial_drafts import Draft, DraftFiles, TaskUpload, make_draft
from frontend.contexts.shell import Shell
from frontend.contexts.trial_problems import ProblemLine
from frontend.formats import minute
from frontend.held_uploads import LARGEST_BYTES, HeldFile, given
from results.names import storable
from results.queries.trial_list import TrialTexts, stored_files, trial_texts
from results.queries.visibility import VisibleSet

MOST_DIGITS = 10  # of a trial's id
TITLES = {"config": "configuration", "tasks": "task file"}


@dataclass(frozen=True)
class StoredChoice:
    """An earlier trial whose file can be chosen again."""

    value: str
    label: str
    is_selected: bool


@dataclass(frozen=True)
class TrialNewPage:
    """What `trial_new.html` reads.

    Attributes:
        configs, tasks: files of earlier trials that can be chosen again.
        roots: folders below which the tasks' files may lie; none = only what is uploaded.
        folder: that was asked for.
        most_bytes: of one file.
        problems: why the files cannot be used; nothing of them was kept then.
    """

    shell: Shell
    configs: tuple[StoredChoice, ...]
    tasks: tuple[StoredChoice, ...]
    roots: tuple[str, ...]
    folder: str
    most_bytes: int
    problems: tuple[ProblemLine, ...]

    @classmethod
    def build(
        cls, shell: Shell, visible: VisibleSet, params: QueryDict, problems: tuple[ProblemLine, ...] = ()
    ) -> "TrialNewPage":
        """The page for a query or form with `config_of`, `tasks_of` and `folder`."""
        stored = stored_files(visible)
        labels = [(str(files.id), f"of {files.name}, {minute(files.began_at)}", files) for files in stored]
        return cls(
            shell=shell,
            configs=tuple(
                StoredChoice(value, f"{files.config_name} {words}", value == params.get("config_of"))
                for value, words, files in labels
            ),
            tasks=tuple(
                StoredChoice(value, f"{files.tasks_name} {words}", value == params.get("tasks_of"))
                for value, words, files in labels
            ),
            roots=tuple(settings.IMPORT_ROOTS),
            folder=params.get("folder", ""),
            most_bytes=LARGEST_BYTES,
            problems=problems,
        )


def draft_of(visible: VisibleSet, form: QueryDict, files: MultiValueDict[str, HeldFile]) -> Draft:
    """Make a draft of what a form brought.

    Raises:
        ConfigurationError: a file is missing or cannot be used; every problem of them.
        OSError: the disk is full, or the like.
    """
    uploads = given(files.getlist("task_files"))
    found = {kind: _file(visible, kind, form, files) for kind in TITLES}
    problems = [one for one in found.values() if isinstance(one, Problem)]
    problems += [_problem(file.name or "file", file.problem) for file in uploads if file.problem]
    if uploads and form.get("folder", "").strip():
        problems.append(Problem("folder", 0, 0, "", "files were uploaded beside", "name a folder, or upload the files"))
    if problems:
        raise ConfigurationError(tuple(problems))
    texts = {kind: one for kind, one in found.items() if isinstance(one, _Found)}
    return make_draft(
        DraftFiles(
            config=texts["config"].file,
            tasks=texts["tasks"].file,
            uploads=[TaskUpload(file.name or "file", file.content) for file in uploads],
            folder=form.get("folder", "").strip(),
            earlier_folder=texts["tasks"].folder,
            keys=texts["config"].keys,
        )
    )


@dataclass(frozen=True)
class _Found:
    """One of the two files: uploaded, or of an earlier trial, with the keys that are kept of that."""

    file: FileText
    folder: str
    keys: Mapping[str, str]


def _file(visible: VisibleSet, kind: str, form: QueryDict, files: MultiValueDict[str, HeldFile]) -> "_Found | Problem":
    uploaded = given(files.getlist(kind))
    if uploaded:
        return _uploaded(uploaded[0])
    chosen = form.get(f"{kind}_of", "")
    trial_id = int(chosen) if chosen.isascii() and chosen.isdigit() and len(chosen) <= MOST_DIGITS else 0
    texts = trial_texts(visible, trial_id)
    if texts is None:
        return Problem(TITLES[kind], 0, 0, "", "it is missing or empty", "upload one, or choose an earlier one")
    return _earlier(kind, trial_id, texts)


def _uploaded(upload: HeldFile) -> "_Found | Problem":
    name = storable(upload.name or "file")
    if upload.problem:
        return _problem(name, upload.problem)
    try:
        return _Found(FileText(name, upload.content.decode("utf-8-sig")), "", {})
    except UnicodeDecodeError:
        return Problem(name, 0, 0, "", "the file is not in UTF-8", "save it as UTF-8 text")


def _earlier(kind: str, trial_id: int, texts: TrialTexts) -> _Found:
    if kind == "config":
        return _Found(FileText(texts.config_name, texts.config), "", kept_keys(trial_id))
    return _Found(FileText(texts.tasks_name, texts.tasks), texts.folder, {})


def _problem(file: str, words: str) -> Problem:
    wrong, _, remedy = words.partition(". ")
    return Problem(file, 0, 0, "", wrong, remedy)
