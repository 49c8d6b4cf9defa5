"""Trials that are being put together on a page: the two files without their keys, and the files that tasks name.

A draft lies below `var/trials` under a name that cannot be guessed. Once it is begun only the files of its tasks stay,
for as long as a trial names their folder.
"""

import os
import re
import shutil
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from secrets import token_hex

import msgspec
from django.conf import settings

from evaluator import live
from evaluator.engine.trials import preflight
from evaluator.engine.trials.configuration import Configuration, FileText, RunChoice, understand
from evaluator.engine.trials.configuration_keys import KEY_PREFIX, KeyedText, take_out_keys
from evaluator.engine.trials.configuration_nodes import ConfigurationError, Problem, Source
from evaluator.engine.trials.task_files import Folders, read_tasks
from evaluator.key_files import forget_keys, keep_keys, kept_keys
from evaluator.trial_uploads import TaskUpload, place_uploads
from results.archives import place_below
from results.importers.source import ImportRefused
from results.models.trials import Trial

KEYS_KEPT_SECONDS = 3600  # of a draft that nobody begins
DRAFT_KEPT_SECONDS = 24 * 3600
_TOKEN = re.compile(r"[0-9a-f]{32}")
_KEY_REFERENCE = re.compile(rf"\$\{{({KEY_PREFIX}\w+)\}}")


@dataclass(frozen=True)
class DraftFiles:
    """What a draft is made from.

    Attributes:
        config, tasks: as they were given; keys may stand in the first.
        uploads: files that tasks name, sent beside.
        folder: of this machine, where the tasks' relative files start; empty = that of the earlier trial whose tasks
            these are, or where the uploads are put.
        earlier_folder: that of the earlier trial; empty = there is none.
        keys: known before, by the names that stand for them.
    """

    config: FileText
    tasks: FileText
    uploads: Sequence[TaskUpload] = ()
    folder: str = ""
    earlier_folder: str = ""
    keys: Mapping[str, str] = field(default_factory=dict, repr=False)


class Draft(msgspec.Struct, frozen=True):
    """A draft as it is kept; no key stands in it."""

    token: str
    config_name: str
    config_text: str
    tasks_name: str
    tasks_text: str
    folder: str

    @property
    def keys(self) -> dict[str, str]:
        """The keys that stood in its file, or that were given since."""
        return kept_keys(_owner(self.token))

    @property
    def server_folder(self) -> str:
        """The folder of the server that was named; empty where files were sent, or none are."""
        return "" if Path(self.folder).is_relative_to(_trials_folder()) else self.folder

    def uploaded(self) -> list[Path]:
        """The files of tasks that were sent; they lie below `folder` as the tasks name them."""
        base = Path(self.folder)
        if self.server_folder or not base.is_dir():
            return []
        return sorted(path for path in base.rglob("*") if path.is_file())

    def asked_keys(self) -> list[str]:
        """The names that stand for keys which nobody knows: they were in another trial's file, or are forgotten."""
        known = {**live.open_environment(), **self.keys}
        return sorted({name for name in _KEY_REFERENCE.findall(self.config_text) if not known.get(name)})

    def understood(self) -> Configuration:
        """Both files.

        Raises:
            ConfigurationError: they cannot be used any more.
        """
        environment = {**live.open_environment(), **self.keys}
        config, tasks = FileText(self.config_name, self.config_text), FileText(self.tasks_name, self.tasks_text)
        return understand(config, tasks, environment, _folders(Path(self.folder)))


def make_draft(given: DraftFiles) -> Draft:
    """Check the files and keep them, without the keys.

    Raises:
        ConfigurationError: they cannot be used, with every problem; nothing is kept then.
        OSError: the disk is full, or the like.
    """
    token = token_hex(16)
    own = _home(token) / "files"
    base = _folder_of(given.folder) if given.folder else own if given.uploads else Path(given.earlier_folder or own)
    keyed = _without_keys(given, _folders(base))
    config, keys = FileText(given.config.name, keyed.text), {**given.keys, **keyed.secrets}
    whole = understand(config, given.tasks, {**live.open_environment(), **keys}, _folders(base))
    placed = place_uploads(set(_wanted(whole, own)), given.uploads, own)
    if placed.problems:
        raise ConfigurationError(placed.problems)
    draft = Draft(token, config.name, keyed.text, given.tasks.name, given.tasks.text, str(base))
    try:
        _write(draft, placed.places, keys)
    except OSError:
        forget_keys(_owner(token))
        shutil.rmtree(_home(token), ignore_errors=True)
        raise
    return draft


def _folders(base: Path) -> Folders:
    return Folders(base, is_uploaded=base.is_relative_to(_trials_folder()))


def find_draft(token: str) -> Draft | None:
    """A draft by its name; None if it is begun, forgotten, or never was."""
    try:
        return msgspec.json.decode((_home(token) / "draft.json").read_bytes(), type=Draft)
    except (OSError, ValueError, msgspec.DecodeError):
        return None


def take_draft(token: str) -> Draft | None:
    """Claim a draft, so that it is begun once however often it is asked for; None if somebody else did."""
    draft = find_draft(token)
    if draft is None:
        return None
    try:
        (_home(token) / "draft.json").rename(_home(token) / "taken.json")
    except FileNotFoundError:
        return None
    return draft


def put_back(draft: Draft) -> None:
    """Undo `take_draft`: it could not be begun."""
    (_home(draft.token) / "taken.json").rename(_home(draft.token) / "draft.json")


def check_picks(whole: Configuration, runs: Sequence[RunChoice], tasks: Sequence[str]) -> None:
    """Look for what the picked runs and tasks lack; tools are looked at by the worker that runs them.

    Raises:
        ConfigurationError, PreflightError: with every problem.
    """
    definition = whole.picked(runs, tasks)
    preflight.check(definition, definition.providers, definition.tasks, live.NoChecks())


def give_keys(draft: Draft, keys: Mapping[str, str]) -> None:
    """Let a draft know keys, by the names that stand for them; blank ones and other names are passed over."""
    wanted = set(_KEY_REFERENCE.findall(draft.config_text))
    given = {name: value.strip() for name, value in keys.items() if name in wanted and value.strip()}
    if given:
        keep_keys(_owner(draft.token), {**draft.keys, **given})


def end_draft(draft: Draft, trial_id: int) -> None:
    """Forget a draft that was begun, and its keys; the files of its tasks stay, since the trial names them."""
    forget_keys(_owner(draft.token))
    (_home(draft.token) / "begun").write_text(str(trial_id))
    (_home(draft.token) / "taken.json").unlink(missing_ok=True)


def begun(token: str) -> int | None:
    """The trial that a draft became; None if it became none."""
    try:
        return int((_home(token) / "begun").read_text())
    except (OSError, ValueError):
        return None


def prune_drafts() -> None:
    """Remove the keys and files of drafts that nobody began, and files of trials that were deleted."""
    now, folders = time.time(), _trials_folder()
    for home in [path for path in folders.iterdir() if _TOKEN.fullmatch(path.name)] if folders.is_dir() else []:
        age_seconds = now - home.stat().st_mtime
        if age_seconds > KEYS_KEPT_SECONDS:
            forget_keys(_owner(home.name))
        if age_seconds > DRAFT_KEPT_SECONDS and not Trial.objects.filter(folder=str(home / "files")).exists():
            shutil.rmtree(home, ignore_errors=True)


def _write(draft: Draft, places: Mapping[Path, bytes], keys: Mapping[str, str]) -> None:
    home = _home(draft.token)
    (home / "files").mkdir(mode=0o700, parents=True)
    for path, content in places.items():
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    keep_keys(_owner(draft.token), keys)
    (home / "draft.json").write_bytes(msgspec.json.encode(draft))


def _without_keys(given: DraftFiles, folders: Folders) -> KeyedText:
    """The configuration without its keys.

    Raises:
        ConfigurationError: it is no YAML, so that nothing of it may be kept; the problems of the tasks are told too.
    """
    try:
        return take_out_keys(given.config.name, given.config.text)
    except ConfigurationError as error:
        tasks, problems = Source(given.tasks.name, given.tasks.text), error.problems
    try:
        read_tasks(tasks, folders)
    except ConfigurationError as error:
        problems += error.problems
    raise ConfigurationError((*problems, *tasks.problems))


def _folder_of(path: str) -> Path:
    """A folder of this machine that the operator allows.

    Raises:
        ConfigurationError: it is none.
    """
    try:
        real = place_below(Path(path), settings.IMPORT_ROOTS)
        wrong = "" if real.is_dir() else f"there is no folder {path} on the server"
    except (ImportRefused, OSError) as error:
        wrong = str(error)
    if wrong:
        raise ConfigurationError((Problem("folder", 0, 0, "", wrong, "name another, or upload the files"),))
    return real


def _wanted(whole: Configuration, base: Path) -> Iterator[Path]:
    for task in whole.tasks:
        for file in task.definition.files:
            path = Path(os.path.normpath(file.uri))
            if path.is_relative_to(base):
                yield path


def _trials_folder() -> Path:
    return Path(settings.VAR_DIR) / "trials"


def _home(token: str) -> Path:
    if not _TOKEN.fullmatch(token):
        raise ValueError(token)
    return _trials_folder() / token


def _owner(token: str) -> str:
    """Whose keys they are; never the number of a trial."""
    return f"draft-{token}"
