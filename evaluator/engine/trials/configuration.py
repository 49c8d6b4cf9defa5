"""Reads MindTrial's two files, unchanged, into what a live trial is made of; all problems are told at once."""

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.engine.trials.configuration_nodes import ConfigurationError, Problem, Source, read_document
from evaluator.engine.trials.configuration_providers import (
    ListedJudge,
    ListedProvider,
    read_judges,
    read_providers,
    read_tools,
    with_runs,
)
from evaluator.engine.trials.configuration_sections import read_section
from evaluator.engine.trials.definitions import ToolDefinition, TrialDefinition
from evaluator.engine.trials.task_files import Folders, ListedTask, read_tasks

_CONFIG_KEYS = ("log-file", "output-dir", "output-basename", "task-source", "providers", "judges", "tools")


@dataclass(frozen=True)
class FileText:
    """A file's name, as its user knows it, and what it says; keys may stand in it, so it is not shown."""

    name: str
    text: str = field(repr=False)


@dataclass(frozen=True, order=True)
class RunChoice:
    """A run by its place: which entry of `providers`, from 0 (a provider may be listed twice), and its name."""

    entry: int
    run: str


@dataclass(frozen=True)
class Configuration:
    """Both files, everything in them, the disabled ones included."""

    providers: tuple[ListedProvider, ...]
    judges: tuple[ListedJudge, ...]
    tools: tuple[ToolDefinition, ...]
    tasks: tuple[ListedTask, ...]
    folder: Path  # where the tasks' relative files start

    def enabled_runs(self) -> list[RunChoice]:
        """The runs that the file does not disable, in its order."""
        return [
            RunChoice(entry, run.name)
            for entry, provider in enumerate(self.providers)
            for run in provider.definition.runs
            if run.name not in provider.disabled_runs
        ]

    def enabled_tasks(self) -> list[str]:
        """The names of the tasks that the file does not disable, in its order."""
        return [task.definition.name for task in self.tasks if not task.is_disabled]

    def picked(
        self, runs: Collection[RunChoice] | None = None, tasks: Collection[str] | None = None
    ) -> TrialDefinition:
        """What is to be run.

        Args:
            runs: None = the enabled ones; a disabled one may be picked.
            tasks: names; None = the enabled ones.

        Raises:
            ConfigurationError: a key, a variable or a file that the picked ones need is missing.
        """
        wanted_runs = set(self.enabled_runs() if runs is None else runs)
        wanted_tasks = set(self.enabled_tasks() if tasks is None else tasks)
        kept_tasks = [task for task in self.tasks if task.definition.name in wanted_tasks]
        asked = {rules.judge.name for task in kept_tasks if (rules := task.definition.rules).judge is not None}
        providers = [
            (provider, names)
            for entry, provider in enumerate(self.providers)
            if (names := frozenset(choice.run for choice in wanted_runs if choice.entry == entry))
        ]
        needed = [provider for provider, _ in providers]
        needed += [judge.provider for judge in self.judges if judge.name in asked]
        _raise_any(
            problem for problems in (*map(_problems, needed), *map(_problems, kept_tasks)) for problem in problems
        )
        return TrialDefinition(
            providers=tuple(with_runs(provider.definition, names) for provider, names in providers),
            judges=tuple(judge.enabled() for judge in self.judges),
            tools=self.tools,
            tasks=tuple(task.definition for task in kept_tasks),
            folder=self.folder,
        )


def load(
    config_file: Path,
    tasks_file: Path | None,
    environment: Mapping[str, str],
    *,
    allowed: Sequence[Path] = (),
) -> Configuration:
    """Load the two files.

    Args:
        config_file: MindTrial's `config.yaml`.
        tasks_file: its `tasks.yaml`; None = where `task-source` says, relative to the configuration's folder.
        environment: variables for `${NAME}` and for keys that the file leaves out.
        allowed: folders beside the task file's from which tasks may take local files.

    Raises:
        ConfigurationError: every problem of both files.
    """
    config = read_file(config_file)
    if tasks_file is None:
        tasks_file = config_file.parent / task_source(config)
    return understand(config, read_file(tasks_file), environment, Folders(tasks_file.parent.absolute(), allowed))


def understand(config: FileText, tasks: FileText, environment: Mapping[str, str], folders: Folders) -> Configuration:
    """Understand the texts of the two files.

    Raises:
        ConfigurationError: every problem of both files.
    """
    config_source, tasks_source = Source(config.name, config.text), Source(tasks.name, tasks.text)
    problems: list[Problem] = []
    listed: tuple[ListedTask, ...] = ()
    read: Configuration | None = None
    try:
        read = _read_config(config_source, environment, folders.base)
    except ConfigurationError as error:
        problems += error.problems
    try:
        listed = read_tasks(tasks_source, folders)
    except ConfigurationError as error:
        problems += error.problems
    _raise_any((*problems, *config_source.problems, *tasks_source.problems))
    if read is None:
        raise AssertionError("a configuration that was not read has problems")
    return Configuration(read.providers, read.judges, read.tools, listed, folders.base)


def read_file(path: Path) -> FileText:
    """Read a file's text.

    Raises:
        ConfigurationError: it cannot be read, or is no UTF-8.
    """
    try:
        return FileText(str(path), path.read_text(encoding="utf-8-sig"))
    except UnicodeDecodeError:
        wrong, remedy = "the file is not in UTF-8", "save it as UTF-8 text"
    except OSError as error:
        wrong, remedy = f"the file cannot be read: {error.strerror}", "correct the path, or who may read it"
    raise ConfigurationError((Problem(str(path), 0, 0, "", wrong, remedy),))


def task_source(config: FileText) -> str:
    """Where a configuration says that its tasks are.

    Raises:
        ConfigurationError: it does not say.
    """
    source = Source(config.name, config.text)
    root = read_section(source, read_document(source), "", None)
    section = root.section("config", None, is_required=True) if root is not None else None
    path = section.text("task-source", is_required=True) if section is not None else None
    _raise_any(source.problems)
    return path or ""


def _read_config(source: Source, environment: Mapping[str, str], folder: Path) -> Configuration:
    root = read_section(source, read_document(source), "", ("config",))
    section = root.section("config", _CONFIG_KEYS, is_required=True) if root is not None else None
    if section is None:
        return Configuration((), (), (), (), folder)
    for key in ("log-file", "output-dir", "output-basename", "task-source"):
        section.text(key)
    return Configuration(
        read_providers(section, environment), read_judges(section, environment), read_tools(section), (), folder
    )


def _problems(needed: ListedProvider | ListedTask) -> tuple[Problem, ...]:
    return needed.problems


def _raise_any(problems: Iterable[Problem]) -> None:
    if found := tuple(problems):
        raise ConfigurationError(found)
