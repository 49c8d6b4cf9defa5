"""The first page of a new trial: which files it is made from."""

from collections.abc import Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.conf import settings
from django.http import QueryDict
from django.utils.datastructures import MultiValueDict

from evaluator.engine.trials.configuration import FileText
from evaluator.engine.trials.configuration_nodes import ConfigurationError, Problem
from evaluator.key_files import kept_keys
from evaluator.trial_drafts import Draft, DraftFiles, find_draft, make_draft
from evaluator.trial_uploads import TaskUpload
from frontend.contexts.shell import Shell
from frontend.contexts.trial_problems import ProblemLine
from frontend.formats import minute
from frontend.held_uploads import LARGEST_BYTES, HeldFile, given
from results.names import storable
from results.queries.trial_list import TrialTexts, stored_files, trial_texts
from results.queries.visibility import VisibleSet

MOST_DIGITS = 10  # of a trial's id
CARRIED = ("name", "project", "parallel", "keep_keys")  # of the second page, which a way back keeps
TITLES = {"config": "configuration", "tasks": "task file"}


@dataclass(frozen=True)
class StoredChoice:
    """An earlier trial whose file can be chosen again."""

    value: str
    label: str
    is_selected: bool


@dataclass(frozen=True)
class KeptFiles:
    """What the second page was made from, and is kept unless other files are chosen.

    Attributes:
        token: of the draft.
        files: how many files of tasks were sent.
        state: what was filled in on the second page, name by name.
    """

    token: str
    config_name: str
    tasks_name: str
    files: int
    state: tuple[tuple[str, str], ...]

    @classmethod
    def find(cls, params: QueryDict) -> "KeptFiles | None":
        """The draft that a query or form names; None where there is none."""
        draft = find_draft(params.get("draft", ""))
        if draft is None:
            return None
        state = tuple((name, params.get(name, "")) for name in CARRIED if params.get(name))
        return cls(draft.token, draft.config_name, draft.tasks_name, len(draft.uploaded()), state)


@dataclass(frozen=True)
class TrialNewPage:
    """What `trial_new.html` reads.

    Attributes:
        configs, tasks: files of earlier trials that can be chosen again.
        roots: folders below which the tasks' files may lie; none = only what is uploaded.
        folder: that was asked for.
        most_bytes: of one file.
        problems: why the files cannot be used; nothing of them was kept then.
        kept: the files of the second page, for who comes back from it; None = nothing was given yet.
    """

    shell: Shell
    configs: tuple[StoredChoice, ...]
    tasks: tuple[StoredChoice, ...]
    roots: tuple[str, ...]
    folder: str
    most_bytes: int
    problems: tuple[ProblemLine, ...]
    kept: KeptFiles | None

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
            kept=KeptFiles.find(params),
        )


def carried(form: QueryDict) -> str:
    """What was filled in on the second page before, as its query; empty where nothing was."""
    state = {name: form[name] for name in CARRIED if form.get(name)}
    return f"?{urlencode(state)}" if state else ""


def way_back(token: str, form: QueryDict) -> str:
    """The query of the first page for who comes back from the second one."""
    draft = find_draft(token)
    folder = {"folder": draft.server_folder} if draft is not None and draft.server_folder else {}
    state = {name: form[name] for name in CARRIED if form.get(name)}
    return f"?{urlencode({'draft': token, **folder, **state})}"


def draft_of(visible: VisibleSet, form: QueryDict, files: MultiValueDict[str, HeldFile]) -> Draft:
    """Make a draft of what a form brought.

    Raises:
        ConfigurationError: a file is missing or cannot be used; every problem of them.
        OSError: the disk is full, or the like.
    """
    uploads, paths = given(files.getlist("task_files")), _paths(form, files)
    before = find_draft(form.get("draft", ""))
    folder = form.get("folder", "").strip()
    found = {kind: _file(visible, kind, form, files, before) for kind in TITLES}
    problems = [one for one in found.values() if isinstance(one, Problem)]
    problems += [_problem(file.name or "file", file.problem) for file in uploads if file.problem]
    if uploads and folder:
        problems.append(Problem("folder", 0, 0, "", "files were uploaded beside", "name a folder, or upload the files"))
    if problems:
        raise ConfigurationError(tuple(problems))
    texts = {kind: one for kind, one in found.items() if isinstance(one, _Found)}
    return make_draft(
        DraftFiles(
            config=texts["config"].file,
            tasks=texts["tasks"].file,
            uploads=_with_earlier([TaskUpload(paths[id(file)], file.content) for file in uploads], before, folder),
            folder=folder,
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


def _paths(form: QueryDict, files: MultiValueDict[str, HeldFile]) -> dict[int, str]:
    """The path of each sent file in the folder that was chosen, as scripts tell it; without scripts its name alone."""
    sent, told = files.getlist("task_files"), form.getlist("task_paths")
    names = [storable(file.name or "file") for file in sent]
    paths = [storable(path) for path in told] if len(told) == len(sent) else names
    ends_alike = zip(sent, names, paths, strict=True)
    return {id(file): path if path.rpartition("/")[2] == name else name for file, name, path in ends_alike}


def _with_earlier(sent: list[TaskUpload], before: Draft | None, folder: str) -> list[TaskUpload]:
    """What was sent, and of an earlier draft what nothing of it replaces."""
    if before is None or folder:
        return sent
    earlier = {path.relative_to(before.folder).as_posix(): path for path in before.uploaded()}
    return sent + [
        TaskUpload(name, path.read_bytes())
        for name, path in earlier.items()
        if not any(upload.replaces(name) for upload in sent)
    ]


def _file(
    visible: VisibleSet, kind: str, form: QueryDict, files: MultiValueDict[str, HeldFile], before: Draft | None
) -> "_Found | Problem":
    uploaded = given(files.getlist(kind))
    if uploaded:
        return _uploaded(uploaded[0])
    if before is not None and not form.get(f"{kind}_of"):
        return _before(kind, before)
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


def _before(kind: str, draft: Draft) -> _Found:
    """What the second page was made from."""
    if kind == "config":
        return _Found(FileText(draft.config_name, draft.config_text), "", draft.keys)
    return _Found(FileText(draft.tasks_name, draft.tasks_text), "", {})


def _earlier(kind: str, trial_id: int, texts: TrialTexts) -> _Found:
    if kind == "config":
        return _Found(FileText(texts.config_name, texts.config), "", kept_keys(trial_id))
    return _Found(FileText(texts.tasks_name, texts.tasks), texts.folder, {})


def _problem(file: str, words: str) -> Problem:
    wrong, _, remedy = words.partition(". ")
    return Problem(file, 0, 0, "", wrong, remedy)
