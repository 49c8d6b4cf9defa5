"""The `task-config` of a task file: every task with what it inherits filled in."""

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import unquote, urlsplit

from evaluator.engine.trials.configuration_nodes import Problem, Source, read_document
from evaluator.engine.trials.configuration_sections import NameRegister, Section, read_section
from evaluator.engine.trials.definitions import AnswerFormat, ImageDetail, TaskDefinition, TaskFile
from evaluator.engine.trials.task_rules import (
    PromptLeaves,
    RuleLeaves,
    ToolSelector,
    check_values,
    merged,
    merged_tools,
    read_format,
    read_prompt,
    read_rules,
    read_tool_selector,
    read_values,
    resolved_prompt,
    resolved_rules,
)

_SHARED_KEYS = ("validation-rules", "system-prompt", "tool-selector", "max-turns", "disabled")
_CONFIG_KEYS = ("tasks", "file-options", *_SHARED_KEYS)
_TASK_KEYS = (
    "name",
    "prompt",
    "response-result-format",
    "expected-result",
    "files",
    "suite",
    "category",
    "difficulty",
    "tags",
    *_SHARED_KEYS,
)
_FILE_KEYS = ("name", "uri", "type", "options")


@dataclass(frozen=True)
class ListedTask:
    """A task of the file, a disabled one included."""

    definition: TaskDefinition
    is_disabled: bool
    problems: tuple[Problem, ...] = ()  # what is in the way once it is picked, such as a missing file


@dataclass(frozen=True)
class Folders:
    """Where the files of tasks are looked for: relative ones below `base`, and only below it or the allowed ones.

    `is_uploaded`: `base` holds what was sent with the task file, and means nothing to the user.
    """

    base: Path
    allowed: Sequence[Path] = ()
    is_uploaded: bool = False


@dataclass(frozen=True)
class _Shared:
    """What tasks inherit."""

    rules: RuleLeaves
    prompt: PromptLeaves
    tools: ToolSelector
    detail: ImageDetail
    max_turns: int
    is_disabled: bool


def read_tasks(source: Source, folders: Folders) -> tuple[ListedTask, ...]:
    """Read a task file; what is wrong with it is noted in the source.

    Raises:
        ConfigurationError: it is no YAML.
    """
    root = read_section(source, read_document(source), "", ("task-config",))
    config = root.section("task-config", _CONFIG_KEYS, is_required=True) if root is not None else None
    if config is None:
        return ()
    shared = _Shared(
        rules=read_rules(config),
        prompt=read_prompt(config),
        tools=read_tool_selector(config),
        detail=_read_detail(config, "file-options", ImageDetail.AUTO),
        max_turns=config.integer("max-turns") or 0,
        is_disabled=config.boolean("disabled") or False,
    )
    names, tasks = NameRegister("tasks"), list[ListedTask]()
    for section in config.sections("tasks", _TASK_KEYS, is_required=True):
        task = _read_task(section, shared, folders)
        names.add(section, task.definition.name or None)
        tasks.append(task)
    return tuple(tasks)


def _read_task(section: Section, shared: _Shared, folders: Folders) -> ListedTask:
    answer_format = read_format(section, "response-result-format")
    accepted = read_values(section, "expected-result")
    rules = resolved_rules(section, merged(shared.rules, read_rules(section)))
    if accepted is None:
        section.complain("expected-result", "it is missing", "write the accepted answer, or a list of them")
    elif answer_format is not None:
        check_values(section, "expected-result", accepted, answer_format)
    if answer_format is not None and answer_format.schema is not None and rules.judge is not None:
        section.complain("response-result-format", "a judge reads texts, no structures", "switch the judge off here")
    problems: list[Problem] = []
    max_turns, is_disabled = section.integer("max-turns"), section.boolean("disabled")
    definition = TaskDefinition(
        name=section.text("name", is_required=True) or "",
        prompt=section.text("prompt", is_required=True) or "",
        answer_format=answer_format or AnswerFormat(instruction=""),
        accepted=accepted or (),
        rules=rules,
        system_prompt=resolved_prompt(merged(shared.prompt, read_prompt(section))),
        files=_read_files(section, shared.detail, folders, problems),
        tools=merged_tools(shared.tools, read_tool_selector(section)),
        max_turns=shared.max_turns if max_turns is None else max_turns,
        suite=section.text("suite") or "",
        category=section.text("category") or "",
        difficulty=section.text("difficulty") or "",
        tags=section.texts("tags") or (),
    )
    return ListedTask(definition, shared.is_disabled if is_disabled is None else is_disabled, tuple(problems))


def _read_files(task: Section, detail: ImageDetail, folders: Folders, problems: list[Problem]) -> tuple[TaskFile, ...]:
    names, files = NameRegister("files of this task"), list[TaskFile]()
    for section in task.sections("files", _FILE_KEYS):
        name = section.text("name", is_required=True) or ""
        names.add(section, name or None)
        _check_name(section, name)
        uri = _read_uri(section, folders, problems)
        media_type = section.text("type") or None
        if media_type is not None and media_type.count("/") != 1:
            section.complain("type", f"{media_type!r} is no media type", "write one such as image/png, or leave it out")
        files.append(TaskFile(name, uri, media_type, _read_detail(section, "options", detail)))
    return tuple(files)


def _check_name(section: Section, name: str) -> None:
    """A file's name becomes one in a folder that tools see."""
    if "/" in name or "\0" in name or name in (".", ".."):
        section.complain("name", f"{name!r} is no name of a file", "write a name without slashes")


def _read_uri(section: Section, folders: Folders, problems: list[Problem]) -> str:
    """The absolute place of a file; a local one that cannot be had is a problem once its task is picked."""
    uri = (section.text("uri", is_required=True) or "").strip()
    scheme = uri.partition("://")[0].lower() if "://" in uri else ""
    if scheme in ("http", "https"):
        if not urlsplit(uri).hostname:
            section.complain("uri", "it names no host", "write an address such as https://host/picture.png")
        return uri
    if scheme not in ("", "file"):
        section.complain("uri", f"{scheme}:// cannot be read", "write a path, or an http:// or https:// address")
        return uri
    if not uri:
        return uri
    path = folders.base / (unquote(urlsplit(uri).path) if scheme else uri)
    if (fault := _fault_of_file(path, folders)) is not None:
        problems.append(section.source.problem(section.value_node("uri"), section.at("uri"), *fault))
    return str(path.absolute())


def _fault_of_file(path: Path, folders: Folders) -> tuple[str, str] | None:
    try:
        real = path.resolve()
        is_below = any(real.is_relative_to(folder.resolve()) for folder in (folders.base, *folders.allowed))
        is_file = real.is_file()
    except (OSError, ValueError):
        return f"{path.name} cannot be read", "check its path and who may read it"
    if not is_below:
        return f"{path} lies outside the folder of the task file", f"move it below {folders.base}"
    if not is_file and folders.is_uploaded:
        return f"the file {path.relative_to(folders.base)} was not sent", "upload it with the task file"
    if not is_file:
        return f"the file {path} does not exist", "correct the path, or put the file there"
    return None


def _read_detail(section: Section, key: str, inherited: ImageDetail) -> ImageDetail:
    options = section.section(key, ("image-detail",))
    word = options.choice("image-detail", tuple(ImageDetail)) if options is not None else None
    return ImageDetail(word) if word is not None else inherited
