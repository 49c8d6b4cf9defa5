"""What a new trial would ask: providers with their runs and keys, judges, tools."""

from collections.abc import Collection
from dataclasses import dataclass

from evaluator.engine.trials.configuration import Configuration
from evaluator.engine.trials.configuration_keys import KEY_PREFIX
from evaluator.engine.trials.configuration_providers import ListedProvider
from evaluator.engine.trials.definitions import ProviderDefinition, RunDefinition, TaskDefinition
from evaluator.engine.trials.tools.engine import missing_images
from frontend.formats import plural


@dataclass(frozen=True)
class KeyState:
    """Where a service's key comes from, never the key.

    Attributes:
        source: such as `${OPENAI_API_KEY}`.
        is_from_file: it stood in the uploaded file; `is_set`: it is known now.
    """

    source: str
    is_from_file: bool
    is_set: bool

    @classmethod
    def of(cls, provider: ProviderDefinition) -> "KeyState":
        """The key of a provider."""
        key = provider.client.api_key
        return cls(key.source, KEY_PREFIX in key.source, bool(key.value))


@dataclass(frozen=True)
class RunTick:
    """A run that can be picked; `notes` say how it is limited."""

    value: str
    name: str
    model: str
    is_checked: bool
    is_off: bool
    notes: str


@dataclass(frozen=True)
class ServiceLine:
    """One entry of `providers`; `endpoint` is empty for the provider's own."""

    entry: int
    name: str
    endpoint: str
    key: KeyState
    notes: str
    runs: tuple[RunTick, ...]


@dataclass(frozen=True)
class JudgeLine:
    """A judge's variant that picked tasks ask for."""

    name: str
    variant: str
    provider: str
    key: KeyState
    tasks: int


@dataclass(frozen=True)
class ToolLine:
    """A tool that picked tasks may use; `is_absent`: Docker answers here, and does not have its image."""

    name: str
    image: str
    tasks: int
    is_absent: bool


def service_lines(whole: Configuration, picked: Collection[str]) -> tuple[ServiceLine, ...]:
    """The entries of `providers`; `picked` are the values of picked runs."""
    return tuple(_service(entry, provider, picked) for entry, provider in enumerate(whole.providers))


def judge_lines(whole: Configuration, tasks: Collection[TaskDefinition]) -> tuple[JudgeLine, ...]:
    """The judges that tasks ask for; those that do not exist are a problem, not a line."""
    wanted = [task.rules.judge for task in tasks if task.rules.judge is not None]
    counts = {
        (judge.name, run.name): sum(one.name == judge.name and one.variant == run.name for one in wanted)
        for judge in whole.judges
        for run in judge.provider.definition.runs
    }
    keys = {judge.name: judge.provider.definition for judge in whole.judges}
    return tuple(
        JudgeLine(name, variant, keys[name].name, KeyState.of(keys[name]), count)
        for (name, variant), count in counts.items()
        if count
    )


def tool_lines(whole: Configuration, tasks: Collection[TaskDefinition]) -> tuple[ToolLine, ...]:
    """The tools that tasks may use."""
    counts = {
        tool.name: sum(any(one.name == tool.name for one in task.tools) for task in tasks) for tool in whole.tools
    }
    used = [tool for tool in whole.tools if counts[tool.name]]
    absent = missing_images({tool.image for tool in used}) if used else frozenset[str]()
    return tuple(ToolLine(tool.name, tool.image, counts[tool.name], tool.image in absent) for tool in used)


def _service(entry: int, provider: ListedProvider, picked: Collection[str]) -> ServiceLine:
    definition = provider.definition
    limit = definition.max_parallel_requests_per_minute
    return ServiceLine(
        entry=entry,
        name=definition.name,
        endpoint=(definition.client.endpoint or "").partition("?")[0],
        key=KeyState.of(definition),
        notes=f"runs beside each other, {plural(limit, 'request')} a minute together" if limit else "",
        runs=tuple(
            RunTick(
                value=f"{entry}:{place}",
                name=run.name,
                model=run.model,
                is_checked=f"{entry}:{place}" in picked,
                is_off=run.name in provider.disabled_runs,
                notes=_notes(run),
            )
            for place, run in enumerate(definition.runs)
        ),
    )


def _notes(run: RunDefinition) -> str:
    limit = run.max_requests_per_minute
    notes = [f"{plural(limit, 'request')} a minute"] if limit else []
    notes += ["no files"] if run.is_text_only else []
    notes += [] if run.is_structured else ["unstructured"]
    return ", ".join(notes)
