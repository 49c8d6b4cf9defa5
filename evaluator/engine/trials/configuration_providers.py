"""The `config` of a configuration file: providers with their runs, judges and tools, every default filled in."""

from collections.abc import Mapping
from dataclasses import dataclass

import yaml

from evaluator.engine.trials.answer_schemas import schema_fault
from evaluator.engine.trials.configuration_keys import VARIABLES, read_client
from evaluator.engine.trials.configuration_nodes import Problem
from evaluator.engine.trials.configuration_sections import NameRegister, Section
from evaluator.engine.trials.definitions import (
    JsonValue,
    JudgeDefinition,
    ProviderDefinition,
    RetryPolicy,
    RunDefinition,
    ToolDefinition,
)
from evaluator.engine.trials.parameters import RULES, read_parameters

_PROVIDER_KEYS = ("name", "client-config", "runs", "max-parallel-requests-per-minute", "disabled", "retry-policy")
_RUN_KEYS = (
    "name",
    "model",
    "max-requests-per-minute",
    "disabled",
    "text-only",
    "disable-structured-output",
    "model-parameters",
    "retry-policy",
)
_RETRY_KEYS = ("max-retry-attempts", "initial-delay-seconds")
_TOOL_KEYS = (
    "name",
    "image",
    "description",
    "parameters",
    "parameter-files",
    "auxiliary-dir",
    "shared-dir",
    "command",
    "env",
)


MOST_RUNS = 2_000  # of one file: more make its pages slow, and nobody would pick among them


@dataclass(frozen=True)
class ListedProvider:
    """An entry of `providers` with all its runs, the disabled ones included."""

    definition: ProviderDefinition
    disabled_runs: frozenset[str]
    problems: tuple[Problem, ...] = ()  # what is in the way once a run of it is picked, such as a missing key


@dataclass(frozen=True)
class ListedJudge:
    """A judge with all its variants, the disabled ones included."""

    name: str
    provider: ListedProvider

    def enabled(self) -> JudgeDefinition:
        """The judge with the variants that may be used."""
        whole, disabled = self.provider.definition, self.provider.disabled_runs
        return JudgeDefinition(self.name, with_runs(whole, frozenset(run.name for run in whole.runs) - disabled))


def with_runs(provider: ProviderDefinition, names: frozenset[str]) -> ProviderDefinition:
    """A provider with only some of its runs."""
    return ProviderDefinition(
        provider.name,
        provider.client,
        tuple(run for run in provider.runs if run.name in names),
        provider.max_parallel_requests_per_minute,
    )


def read_providers(config: Section, environment: Mapping[str, str]) -> tuple[ListedProvider, ...]:
    """Read `providers`; entries that cannot be used at all are problems and missing."""
    entries = list(config.sections("providers", _PROVIDER_KEYS, is_required=True))
    if (runs := sum(_listed_runs(entry) for entry in entries)) > MOST_RUNS:
        config.complain("providers", f"there are {runs:,} runs", f"split the file: it may have {MOST_RUNS:,}")
        return ()
    return tuple(read for entry in entries if (read := _read_provider(entry, environment)) is not None)


def _listed_runs(provider: Section) -> int:
    """How many runs an entry lists, without a look at them."""
    node = provider.value_node("runs")
    return len(node.value) if isinstance(node, yaml.SequenceNode) else 0


def read_judges(config: Section, environment: Mapping[str, str]) -> tuple[ListedJudge, ...]:
    """Read `judges`."""
    names, judges = NameRegister("judges"), list[ListedJudge]()
    for entry in config.sections("judges", ("name", "provider")):
        name = entry.text("name", is_required=True)
        names.add(entry, name)
        provider = entry.section("provider", _PROVIDER_KEYS, is_required=True)
        read = _read_provider(provider, environment, is_judge=True) if provider is not None else None
        if name is not None and read is not None:
            judges.append(ListedJudge(name, read))
    return tuple(judges)


def read_tools(config: Section) -> tuple[ToolDefinition, ...]:
    """Read `tools`."""
    names, tools = NameRegister("tools"), list[ToolDefinition]()
    for entry in config.sections("tools", _TOOL_KEYS):
        name = entry.text("name", is_required=True)
        names.add(entry, name)
        tools.append(
            ToolDefinition(
                name=name or "",
                image=entry.text("image", is_required=True) or "",
                description=entry.text("description", is_required=True) or "",
                parameters=_tool_schema(entry),
                parameter_files=entry.text_map("parameter-files"),
                auxiliary_dir=entry.text("auxiliary-dir") or None,
                shared_dir=entry.text("shared-dir") or None,
                command=entry.texts("command") or (),
                environment=entry.text_map("env"),
            )
        )
    return tuple(tools)


def _tool_schema(entry: Section) -> dict[str, JsonValue]:
    schema = entry.json("parameters")
    if not isinstance(schema, dict):
        wrong = "it is missing" if schema is None else "it is no mapping"
        entry.complain("parameters", wrong, "write the JSON schema of the tool's arguments")
        return {}
    if (fault := schema_fault(schema)) is not None:
        entry.complain("parameters", f"it is no JSON schema: {fault}", "correct it")
    return schema


def _read_provider(entry: Section, environment: Mapping[str, str], *, is_judge: bool = False) -> ListedProvider | None:
    name = entry.text("name", is_required=True)
    client = read_client(entry, name or "", environment)
    if name is not None and name not in RULES and client.client.endpoint is None:
        remedy = f"write one of {', '.join(VARIABLES)}, or the `endpoint` of a service that speaks as OpenAI does"
        entry.complain("name", f"{name!r} is not a provider that we know", remedy)
    is_disabled, retry = entry.boolean("disabled") or False, _read_retry(entry) or RetryPolicy()
    most = entry.integer("max-parallel-requests-per-minute") or 0
    runs, disabled, names = list[RunDefinition](), set[str](), NameRegister("runs of this entry")
    for section in entry.sections("runs", _RUN_KEYS, is_required=True):
        run = _read_run(section, name or "", retry, is_judge=is_judge)
        names.add(section, run.name or None)
        runs.append(run)
        if _given(section.boolean("disabled"), is_disabled):
            disabled.add(run.name)
    if name is None:
        return None
    return ListedProvider(
        ProviderDefinition(name, client.client, tuple(runs), most), frozenset(disabled), client.problems
    )


def _read_run(section: Section, provider: str, inherited: RetryPolicy, *, is_judge: bool) -> RunDefinition:
    is_unstructured = section.boolean("disable-structured-output") or False
    if is_judge and is_unstructured:
        wrong = "a judge must give its verdict in a structure"
        section.complain("disable-structured-output", wrong, "take it out")
    return RunDefinition(
        provider=provider,
        name=section.text("name", is_required=True) or "",
        model=section.text("model", is_required=True) or "",
        max_requests_per_minute=section.integer("max-requests-per-minute") or 0,
        is_text_only=section.boolean("text-only") or False,
        is_structured=not is_unstructured,
        parameters=read_parameters(section, provider),
        retry=_read_retry(section) or inherited,
    )


def _read_retry(section: Section) -> RetryPolicy | None:
    """A policy as a whole: one that is given inherits nothing."""
    policy = section.section("retry-policy", _RETRY_KEYS)
    if policy is None:
        return None
    attempts = policy.integer("max-retry-attempts", most=1_000) or 0
    return RetryPolicy(attempts, float(policy.integer("initial-delay-seconds", most=86_400) or 0))


def _given(own: bool | None, inherited: bool) -> bool:
    return inherited if own is None else own
