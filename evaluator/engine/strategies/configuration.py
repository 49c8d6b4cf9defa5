"""Reads `bober.config.json`: which strategies to run, with which options and commands; a wrong key is named."""

import difflib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta, Struct, structs

from evaluator.engine.regular_files import read_regular
from evaluator.engine.strategies.configuration_problems import ConfigurationError, Findings
from evaluator.engine.strategies.options import OPTIONS, AnyOptions, CustomOptions
from evaluator.engine.strategies.presets import PRESETS, place_of

FILE_NAMES = ("bober.config.json", ".bober/config.json")
MOST_BYTES = 2_000_000
MOST_STRATEGIES = 50
# Sections of agent-bober that have nothing to do with evaluating.
OTHER_SECTIONS = frozenset(
    [
        "planner",
        "curator",
        "generator",
        "sprint",
        "pipeline",
        "graph",
        "codeReview",
        "documenter",
        "observability",
        "incident",
        "telemetry",
        "architect",
        "history",
        "chat",
        "teams",
        "defaultTeam",
        "medical",
        "fleet",
        "vault",
        "taskInbox",
        "calendar",
        "research",
        "security",
    ]
)
SECTIONS = frozenset({"project", "evaluator", "commands", "environment"})
# What `project.type` of older files stands for: mode and preset.
OLDER_TYPES = {
    "react-fullstack": ("greenfield", "react-vite"),
    "brownfield": ("brownfield", "brownfield"),
    "generic": ("greenfield", "generic"),
}
MOST_CONDITION = 10_000  # characters of a pass condition


@dataclass(frozen=True)
class StrategyChoice:
    """One strategy that is to run.

    Attributes:
        kind: which of the seven checks does it; `type` may be a name of the project's own, which is then `custom`.
        command: written beside the type; wins over the options and `commands`.
        given: the `config` as it stands, for plugins.
    """

    type: str
    kind: str
    required: bool
    options: AnyOptions
    command: str | None = None
    plugin: str | None = None
    label: str | None = None
    given: Mapping[str, Any] | None = None

    @property
    def own_command(self) -> str | None:
        """The command that this strategy itself names."""
        return self.command or self.options.command


class Commands(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """How the project builds, tests, … itself; None = the default of the strategy."""

    install: str | None = None
    build: str | None = None
    test: str | None = None
    lint: str | None = None
    dev: str | None = None
    typecheck: str | None = None


@dataclass(frozen=True)
class Configuration:
    """What to run. `file` is None where there is no configuration and the project itself decides."""

    strategies: tuple[StrategyChoice, ...]
    commands: Commands = field(default_factory=Commands)
    name: str | None = None
    preset: str | None = None
    file: str | None = None
    notes: tuple[str, ...] = ()
    passed_variables: tuple[str, ...] = ()  # names that programs may see although they look secret


class _Environment(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    passed: list[str] = msgspec.field(default_factory=list, name="pass")


class _Project(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1)] | None = None
    mode: Literal["greenfield", "brownfield"] | None = None
    preset: str | None = None
    stack: Any = None
    description: str | None = None
    type: str | None = None


class _Strategy(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    type: Annotated[str, Meta(min_length=1)]
    required: bool
    plugin: str | None = None
    command: str | None = None
    config: dict[str, Any] = {}
    label: str | None = None


class _Evaluator(Struct, frozen=True, kw_only=True, rename="camel", forbid_unknown_fields=True):
    strategies: Annotated[list[Any], Meta(max_length=MOST_STRATEGIES)] | None = None
    max_iterations: Annotated[int, Meta(ge=1)] = 3
    model: Any = None
    plugins: Any = None
    provider: Any = None
    endpoint: Any = None
    provider_config: Any = None
    panel: Any = None
    effort: Any = None
    budget: Any = None


def find_configuration(folder: Path) -> Path | None:
    """The configuration file of a project; None if it has none."""
    return next((folder / name for name in FILE_NAMES if (folder / name).is_file()), None)


def read_configuration(path: Path) -> Configuration:
    """Read a configuration file.

    Raises:
        ConfigurationError: it cannot be read, keys are unknown or missing, or values are of the wrong kind; all of it.
    """
    name, root = path.name, _read_root(path)
    found = Findings(name)
    for key in sorted(set(root) - SECTIONS - OTHER_SECTIONS):
        found.add_unknown_key(key, key, SECTIONS)
    commands = found.convert(root.get("commands", {}), Commands, "commands")
    evaluator = found.convert(root.get("evaluator", {}), _Evaluator, "evaluator")
    given = None if evaluator is None else evaluator.strategies
    project = _project(root, found)
    strategies: tuple[StrategyChoice, ...] = ()
    notes: tuple[str, ...] = ()
    if given is not None:
        strategies = tuple(_choices(given, found))
    elif evaluator is not None and project is not None:
        strategies = _preset_strategies(project, found)
        notes = (f"{name} names no strategies; those of {project.preset or project.mode} are used",)
    environment = found.convert(root.get("environment", {}), _Environment, "environment")
    found.end()
    return Configuration(
        in_order(strategies),
        commands or Commands(),
        None if project is None else project.name,
        None if project is None else project.preset,
        name,
        notes,
        () if environment is None else tuple(environment.passed),
    )


def in_order(choices: Iterable[StrategyChoice]) -> tuple[StrategyChoice, ...]:
    """Strategies in the order in which they run."""
    return tuple(sorted(choices, key=lambda choice: place_of(choice.type)))


def default_choice(strategy: str, *, required: bool) -> StrategyChoice:
    """A strategy with nothing configured."""
    return StrategyChoice(strategy, strategy, required, OPTIONS[strategy]())


def _read_root(path: Path) -> dict[str, Any]:
    try:
        data = read_regular(path, MOST_BYTES + 1)
        root = msgspec.json.decode(data.removeprefix(b"\xef\xbb\xbf"))
    except OSError as error:
        raise ConfigurationError(f"{path} cannot be read: {error.strerror or error}. Check the path.") from error
    except (msgspec.DecodeError, RecursionError) as error:
        raise ConfigurationError(f"{path.name} is not JSON: {error}. Correct it.") from error
    if len(data) > MOST_BYTES or not isinstance(root, dict):
        raise ConfigurationError(f"{path.name} is not a JSON object of less than {MOST_BYTES:,} bytes. Correct it.")
    return root


def _project(root: dict[str, Any], found: Findings) -> _Project | None:
    """The project with its mode, and the preset that an older type stands for; None if it cannot be used."""
    if "project" not in root:
        found.add('project is missing. Write "project": {"mode": "brownfield"}.')
        return None
    project = found.convert(root["project"], _Project, "project")
    if project is None:
        return None
    if project.type is not None:
        older = OLDER_TYPES.get(project.type)
        if older is None:
            found.add(
                f"project.type is {project.type!r}, which is none of {', '.join(OLDER_TYPES)}. "
                "Write project.mode and project.preset instead."
            )
            return None
        return structs.replace(project, mode=project.mode or older[0], preset=project.preset or older[1])
    if project.mode is None:
        found.add("project.mode is missing. Write greenfield or brownfield.")
        return None
    return project


def _preset_strategies(project: _Project, found: Findings) -> tuple[StrategyChoice, ...]:
    wanted = project.preset or ("brownfield" if project.mode == "brownfield" else "generic")
    if wanted not in PRESETS:
        found.add(
            f"project.preset is {wanted!r}, which is none of {', '.join(PRESETS)}. "
            "Write one of them, or list the strategies under evaluator.strategies."
        )
        return ()
    return tuple(default_choice(strategy, required=required) for strategy, required in PRESETS[wanted].items())


def _choices(given: list[Any], found: Findings) -> Iterator[StrategyChoice]:
    for number, one in enumerate(given):
        path = f"evaluator.strategies[{number}]"
        strategy = found.convert(one, _Strategy, path)
        choice = None if strategy is None else _choice(strategy, path, found)
        if choice is not None:
            yield choice


def _choice(strategy: _Strategy, path: str, found: Findings) -> StrategyChoice | None:
    kind = strategy.type if strategy.type in OPTIONS else "custom"
    has_command = strategy.command is not None or "command" in strategy.config
    if strategy.type not in OPTIONS and not has_command:
        close = difflib.get_close_matches(strategy.type, OPTIONS, n=1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        found.add(
            f"{path}.type is {strategy.type!r}, which is none of {', '.join(OPTIONS)}. {hint}"
            "A check of your own needs a command."
        )
        return None
    options = found.convert(strategy.config, OPTIONS[kind], f"{path}.config")
    if kind == "custom" and not has_command:
        found.add(f"{path}.config.command is missing. A custom check is a command; write it.")
    if isinstance(options, CustomOptions) and options.pass_condition and len(options.pass_condition) > MOST_CONDITION:
        found.add(f"{path}.config.passCondition has more than {MOST_CONDITION:,} characters.")
    if options is None:
        return None
    return StrategyChoice(
        type=strategy.type,
        kind=kind,
        required=strategy.required,
        options=options,
        command=strategy.command,
        plugin=strategy.plugin,
        label=strategy.label or (strategy.plugin if kind == "custom" else None),
        given=strategy.config,
    )
