"""Which model parameters each provider knows, and which values they take.

Source: the documentation of MindTrial's `model-parameters`, provider by provider.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from evaluator.engine.trials.configuration_nodes import json_value
from evaluator.engine.trials.configuration_sections import Section, read_section
from evaluator.engine.trials.definitions import JsonValue

Check = Callable[[Section, str], JsonValue]

_DEFAULT_ANTHROPIC_TOKENS = 32_768
_INT32 = 2**31 - 1
_FORMATS = ("json-schema", "json-object", "text")
_EFFORTS = ("none", "minimal", "low", "medium", "high", "xhigh", "max")
_EFFORTS_THAT_THINK = ("xhigh", "max")


def _boolean(section: Section, key: str) -> JsonValue:
    return section.boolean(key)


def _number(least: float | None = None, most: float | None = None) -> Check:
    return lambda section, key: section.number(key, least=least, most=most)


def _integer(least: int = 0, most: int = _INT32) -> Check:
    return lambda section, key: section.integer(key, least=least, most=most)


def _choice(*words: str) -> Check:
    return lambda section, key: section.choice(key, words)


def _server_tools(section: Section, key: str) -> JsonValue:
    tools: list[JsonValue] = []
    for tool in section.sections(key, ("type", "parameters")):
        entry: dict[str, JsonValue] = {"type": tool.text("type", is_required=True)}
        if (parameters := tool.section("parameters", None)) is not None:
            entry["parameters"] = json_value(tool.source, parameters.node, parameters.path)
        tools.append(entry)
    return tools


_SEED = _integer(-(2**63), 2**63 - 1)
_SEED_32 = _integer(-(2**31), _INT32)
_PENALTIES = {"presence-penalty": _number(-2, 2), "frequency-penalty": _number(-2, 2)}
_SAMPLING = {"temperature": _number(0, 2), "top-p": _number(0, 1)}


@dataclass(frozen=True)
class ParameterRules:
    """What may stand in a provider's `model-parameters`."""

    checks: Mapping[str, Check]
    exclusive: tuple[tuple[str, str], ...] = ()  # pairs of which only one may be given
    takes_extras: bool = False  # any other key goes to the service as it is


_MAX_TOKENS = ("max-tokens", "max-completion-tokens")

RULES: Mapping[str, ParameterRules] = {
    "openai": ParameterRules(
        {
            "text-response-format": _boolean,
            "reasoning-effort": _choice(*_EFFORTS),
            "reasoning-context": _choice("auto", "current_turn", "all_turns"),
            "reasoning-mode": _choice("pro"),
            "verbosity": _choice("low", "medium", "high"),
            **_SAMPLING,
            **_PENALTIES,
            "max-completion-tokens": _integer(1),
        }
    ),
    "openrouter": ParameterRules(
        {
            "response-format": _choice(*_FORMATS),
            **_SAMPLING,
            **_PENALTIES,
            "top-k": _integer(),
            "min-p": _number(0, 1),
            "top-a": _number(0, 1),
            "repetition-penalty": _number(0, 2),
            "max-tokens": _integer(1),
            "max-completion-tokens": _integer(1),
            "reasoning-effort": _choice(*_EFFORTS),
            "seed": _SEED,
            "parallel-tool-calls": _boolean,
            "verbosity": _choice("low", "medium", "high"),
            "server-tools": _server_tools,
        },
        exclusive=(_MAX_TOKENS,),
        takes_extras=True,
    ),
    "google": ParameterRules(
        {
            "text-response-format": _boolean,
            "text-response-format-with-tools": _boolean,
            "thinking-level": _choice("minimal", "low", "medium", "high"),
            "media-resolution": _choice("low", "medium", "high"),
            **_SAMPLING,
            "top-k": _integer(),
            "presence-penalty": _number(),
            "frequency-penalty": _number(),
            "seed": _SEED_32,
        }
    ),
    "anthropic": ParameterRules(
        {
            "max-tokens": _integer(0, 2**63 - 1),
            "thinking-budget-tokens": _integer(1024, 2**63 - 1),
            "effort": _choice("low", "medium", "high", "xhigh", "max"),
            "thinking": _choice("disabled"),
            "temperature": _number(0, 1),
            "top-p": _number(0, 1),
            "top-k": _integer(0, 2**63 - 1),
            "stream": _boolean,
            "legacy-structured-output": _boolean,
            "prompt-cache-ttl": _choice("5m", "1h"),
        },
        exclusive=(("thinking", "thinking-budget-tokens"),),
    ),
    "deepseek": ParameterRules(
        {
            **_SAMPLING,
            **_PENALTIES,
            "thinking": _choice("enabled", "disabled"),
            "reasoning-effort": _choice("low", "medium", "high", "xhigh", "max"),
        }
    ),
    "mistralai": ParameterRules(
        {
            "reasoning-effort": _choice("none", "minimal", "low", "medium", "high", "xhigh"),
            "temperature": _number(0, 1.5),
            "top-p": _number(0, 1),
            "max-tokens": _integer(),
            **_PENALTIES,
            "random-seed": _SEED_32,
            "prompt-mode": _choice("reasoning"),
            "safe-prompt": _boolean,
        }
    ),
    "xai": ParameterRules(
        {
            **_SAMPLING,
            "max-completion-tokens": _integer(),
            **_PENALTIES,
            "reasoning-effort": _choice("low", "medium", "high"),
            "seed": _SEED_32,
        }
    ),
    "alibaba": ParameterRules(
        {
            "enable-thinking": _boolean,
            "preserve-thinking": _boolean,
            "thinking-budget": _integer(1),
            "reasoning-effort": _choice(*_EFFORTS),
            "response-format": _choice(*_FORMATS),
            "text-response-format": _boolean,
            "disable-legacy-json-mode": _boolean,
            **_SAMPLING,
            **_PENALTIES,
            "max-tokens": _integer(),
            "max-completion-tokens": _integer(1),
            "seed": _integer(0, 2**32 - 1),
            "stream": _boolean,
        },
        exclusive=(
            _MAX_TOKENS,
            ("thinking-budget", "reasoning-effort"),
            ("response-format", "text-response-format"),
            ("response-format", "disable-legacy-json-mode"),
        ),
    ),
    "moonshotai": ParameterRules(
        {
            "reasoning-effort": _choice("low", "high", "max"),
            "max-completion-tokens": _integer(1),
            "response-format": _choice(*_FORMATS),
            "stream": _boolean,
            "temperature": _number(0, 1),
            "top-p": _number(0, 1),
            "max-tokens": _integer(),
            **_PENALTIES,
            "thinking": _choice("enabled", "disabled"),
            "preserve-thinking": _choice("all"),
        },
        exclusive=(_MAX_TOKENS,),
    ),
}

COMPATIBLE = ParameterRules(  # of a service that is none of these and speaks as OpenAI does
    {
        "response-format": _choice(*_FORMATS),
        "text-response-format": _boolean,
        "reasoning-effort": _choice(*_EFFORTS),
        **_SAMPLING,
        **_PENALTIES,
        "max-tokens": _integer(1),
        "max-completion-tokens": _integer(1),
        "seed": _SEED,
        "stream": _boolean,
    },
    exclusive=(_MAX_TOKENS,),
    takes_extras=True,
)


def read_parameters(run: Section, provider: str) -> dict[str, JsonValue]:
    """Read and check a run's `model-parameters`.

    Args:
        run: the run's section.
        provider: one of `RULES`, or any other name that has an endpoint.

    Returns:
        The values by their names as written; those that were wrong are problems and missing.
    """
    node, rules = run.value_node("model-parameters"), RULES.get(provider, COMPATIBLE)
    known = None if rules.takes_extras else rules.checks
    section = read_section(run.source, node, run.at("model-parameters"), known) if node is not None else None
    if section is None:
        return {}
    values: dict[str, JsonValue] = {}
    for key in section.pairs:
        check = rules.checks.get(key)
        if check is not None and (value := check(section, key)) is not None:
            values[key] = value
        elif check is None and rules.takes_extras:
            values[key] = section.json(key)
    for one, other in rules.exclusive:
        if section.value_node(one) is not None and section.value_node(other) is not None:
            section.complain(other, f"`{other}` cannot be given beside `{one}`", "take one of them out")
    if provider == "anthropic":
        _check_thinking(section, values)
    return values


def _check_thinking(section: Section, values: Mapping[str, JsonValue]) -> None:
    """A budget for thinking is part of all tokens; switched off, there is nothing to think much about."""
    budget, most = values.get("thinking-budget-tokens"), values.get("max-tokens", _DEFAULT_ANTHROPIC_TOKENS)
    if isinstance(budget, int) and isinstance(most, int) and budget >= most:
        section.complain(
            "thinking-budget-tokens", f"{budget} is not below `max-tokens`, which is {most}", "write a smaller number"
        )
    if "thinking" in values and values.get("effort") in _EFFORTS_THAT_THINK:
        section.complain("effort", "it asks for more than `high` while `thinking` is disabled", "take one of them out")
