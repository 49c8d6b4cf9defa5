"""Looks for everything that would keep a trial from running, before it begins."""

from collections.abc import Iterator, Sequence
from pathlib import Path
from urllib.parse import unquote, urlsplit

from evaluator.engine.trials.definitions import ProviderDefinition, TaskDefinition, TrialDefinition
from evaluator.engine.trials.interfaces import Toolboxes


class PreflightError(Exception):
    """The trial cannot begin; `problems` are all that was found, one sentence each."""

    def __init__(self, problems: Sequence[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = tuple(problems)


def check(
    definition: TrialDefinition,
    providers: Sequence[ProviderDefinition],
    tasks: Sequence[TaskDefinition],
    toolboxes: Toolboxes | None,
) -> None:
    """Check what the configuration alone does not show.

    Args:
        definition: where judges and tools stand.
        providers: those that will be asked.
        tasks: those that will be run.
        toolboxes: where tools would run; None = nowhere.

    Raises:
        PreflightError: with every problem, each once.
    """
    found = [
        *_missing_keys(definition, providers, tasks),
        *_judge_problems(definition, tasks),
        *_missing_files(definition.folder, tasks),
        *_tool_problems(definition, tasks, toolboxes),
    ]
    if found:
        raise PreflightError(list(dict.fromkeys(found)))


def _missing_keys(
    definition: TrialDefinition, providers: Sequence[ProviderDefinition], tasks: Sequence[TaskDefinition]
) -> Iterator[str]:
    for provider in providers:
        key = provider.client.api_key
        if provider.runs and not key.value:
            yield f"The provider {provider.name!r} has no API key: {key.source} is empty or not set."
    used = {task.rules.judge.name for task in tasks if task.rules.judge is not None}
    for judge in definition.judges:
        key = judge.provider.client.api_key
        if judge.name in used and not key.value:
            yield f"The judge {judge.name!r} has no API key: {key.source} is empty or not set."


def _judge_problems(definition: TrialDefinition, tasks: Sequence[TaskDefinition]) -> Iterator[str]:
    variants = {judge.name: [run.name for run in judge.provider.runs] for judge in definition.judges}
    for task in tasks:
        wanted = task.rules.judge
        if wanted is None:
            continue
        if wanted.name not in variants:
            yield f"The task {task.name!r} asks for the judge {wanted.name!r}; {_there_are('judges', list(variants))}."
        elif wanted.variant not in variants[wanted.name]:
            there = _there_are("variants", variants[wanted.name])
            yield f"The task {task.name!r} asks for the variant {wanted.variant!r} of {wanted.name!r}; {there}."


def _missing_files(folder: Path, tasks: Sequence[TaskDefinition]) -> Iterator[str]:
    for task in tasks:
        for file in task.files:
            path = local_path(folder, file.uri)
            if path is not None and not path.is_file():
                yield f"The task {task.name!r} comes with {file.name!r}, but there is no file {path}."


def local_path(folder: Path, uri: str) -> Path | None:
    """Where a task's file lies; None when it comes over the network."""
    parts = urlsplit(uri)
    if parts.scheme in {"http", "https"}:
        return None
    return folder / (unquote(parts.path) if parts.scheme == "file" else uri)


def _tool_problems(
    definition: TrialDefinition, tasks: Sequence[TaskDefinition], toolboxes: Toolboxes | None
) -> Iterator[str]:
    tools = {tool.name: tool for tool in definition.tools}
    wanted = dict.fromkeys(limits.name for task in tasks for limits in task.tools)
    for task in tasks:
        for limits in task.tools:
            if limits.name not in tools:
                yield f"The task {task.name!r} may use the tool {limits.name!r}; {_there_are('tools', list(tools))}."
    used = [tools[name] for name in wanted if name in tools]
    if not used:
        return
    if toolboxes is None:
        names = ", ".join(tool.name for tool in used)
        yield f"Tools cannot run here: there is no Docker engine for {names}."
    else:
        yield from toolboxes.problems(used)


def _there_are(kind: str, names: Sequence[str]) -> str:
    return f"there are {', '.join(map(repr, names))}" if names else f"there are no {kind}"
