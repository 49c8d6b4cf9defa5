"""Reads `bober.config.json`: which strategies to run, with which options and commands; a wrong key is named."""

import difflib
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from evaluator.engine.regular_files import read_regular
from evaluator.engine.strategies.known_keys import known_keys
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
UNKNOWN_FIELD = re.compile(r"Object contains unknown field `([^`]*)`")
MOST_CONDITION = 10_000  # characters of a pass condition
PLACE = re.compile(r" - at `\$(.*)`$")

T = TypeVar("T")


class ConfigurationError(ValueError):
    """The configuration cannot be used; the text names the file, the key, the value and the remedy."""


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
    strategies: Annotated[list[_Strategy], Meta(max_length=MOST_STRATEGIES)] | None = None
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
        ConfigurationError: it cannot be read, a key is unknown or missing, or a value is of the wrong kind.
    """
    root = _read_root(path)
    name = path.name
    project = _convert(root.get("project", {}), _Project, "project", name)
    mode, preset = _mode_and_preset(project, name)
    commands = _convert(root.get("commands", {}), Commands, "commands", name)
    evaluator = _convert(root.get("evaluator", {}), _Evaluator, "evaluator", name)
    notes: tuple[str, ...] = ()
    if evaluator.strategies is None:
        strategies = _preset_strategies(preset, mode, name)
        notes = (f"{name} names no strategies; those of {preset or mode} are used",)
    else:
        strategies = tuple(
            _choice(strategy, f"evaluator.strategies[{number}]", name)
            for number, strategy in enumerate(evaluator.strategies)
        )
    passed = tuple(_convert(root.get("environment", {}), _Environment, "environment", name).passed)
    return Configuration(in_order(strategies), commands, project.name, preset, name, notes, passed)


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
    unknown = sorted(set(root) - SECTIONS - OTHER_SECTIONS)
    if unknown:
        raise _unknown_key(path.name, unknown[0], unknown[0], SECTIONS)
    if "project" not in root:
        raise ConfigurationError(f'{path.name}: project is missing. Write "project": {{"mode": "brownfield"}}.')
    return root


def _mode_and_preset(project: _Project, name: str) -> tuple[str, str | None]:
    if project.type is not None:
        older = OLDER_TYPES.get(project.type)
        if older is None:
            raise ConfigurationError(
                f"{name}: project.type is {project.type!r}, which is none of {', '.join(OLDER_TYPES)}. "
                "Write project.mode and project.preset instead."
            )
        return project.mode or older[0], project.preset or older[1]
    if project.mode is None:
        raise ConfigurationError(f"{name}: project.mode is missing. Write greenfield or brownfield.")
    return project.mode, project.preset


def _preset_strategies(preset: str | None, mode: str, name: str) -> tuple[StrategyChoice, ...]:
    wanted = preset or ("brownfield" if mode == "brownfield" else "generic")
    if wanted not in PRESETS:
        raise ConfigurationError(
            f"{name}: project.preset is {wanted!r}, which is none of {', '.join(PRESETS)}. "
            "Write one of them, or list the strategies under evaluator.strategies."
        )
    return tuple(default_choice(strategy, required=required) for strategy, required in PRESETS[wanted].items())


def _choice(strategy: _Strategy, path: str, name: str) -> StrategyChoice:
    kind = strategy.type if strategy.type in OPTIONS else "custom"
    has_command = strategy.command is not None or "command" in strategy.config
    if strategy.type not in OPTIONS and not has_command:
        close = difflib.get_close_matches(strategy.type, OPTIONS, n=1)
        hint = f"Did you mean {close[0]!r}? " if close else ""
        raise ConfigurationError(
            f"{name}: {path}.type is {strategy.type!r}, which is none of {', '.join(OPTIONS)}. {hint}"
            "A check of your own needs a command."
        )
    options = _convert(strategy.config, OPTIONS[kind], f"{path}.config", name)
    if kind == "custom" and not has_command:
        raise ConfigurationError(f"{name}: {path}.config.command is missing. A custom check is a command; write it.")
    if isinstance(options, CustomOptions) and options.pass_condition and len(options.pass_condition) > MOST_CONDITION:
        raise ConfigurationError(f"{name}: {path}.config.passCondition has more than {MOST_CONDITION:,} characters.")
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


def _convert(value: object, kind: type[T], path: str, name: str) -> T:
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        text = str(error)
        place = PLACE.search(text)
        at = path + (place[1] if place else "")
        unknown = UNKNOWN_FIELD.match(text)
        if unknown:
            raise _unknown_key(name, f"{at}.{unknown[1]}", unknown[1], known_keys(kind, at[len(path) :])) from error
        raise ConfigurationError(f"{name}: {at}: {PLACE.sub('', text)}. Correct it.") from error


def _unknown_key(name: str, path: str, key: str, known: Iterable[str]) -> ConfigurationError:
    names = sorted(known)
    close = difflib.get_close_matches(key, names, n=1)
    hint = f"Did you mean {close[0]!r}? " if close else ""
    return ConfigurationError(f"{name}: {path} is not a key that is known here. {hint}Known: {', '.join(names)}.")
