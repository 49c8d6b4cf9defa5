"""How each service that follows OpenAI departs from it: where it is, what its settings are called, how it answers."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from evaluator.engine.trials.definitions import JsonValue
from evaluator.engine.trials.providers.connection import AnswerMode

Parameters = Mapping[str, JsonValue]
MakeBody = Callable[[Parameters], dict[str, Any]]

_SAMPLING: Final = {
    "temperature": "temperature",
    "top-p": "top_p",
    "presence-penalty": "presence_penalty",
    "frequency-penalty": "frequency_penalty",
}
_EFFORT: Final = {"reasoning-effort": "openai_reasoning_effort"}
_TOKENS: Final = {"max-tokens": "max_tokens", "max-completion-tokens": "max_tokens"}
# What says how the answer is asked for; it is no setting of the service.
_FORMS: Final = frozenset(
    {"response-format", "text-response-format", "disable-legacy-json-mode", "stream", "server-tools"}
)


@dataclass(frozen=True)
class Manners:
    """One service. Settings are those of pydantic-ai; what it does not know stands in the request's body."""

    endpoint: str | None
    mode: AnswerMode
    settings: Mapping[str, str]  # parameter -> setting
    body: Mapping[str, str] = field(default_factory=dict)  # parameter -> key of the body
    more_body: tuple[MakeBody, ...] = ()
    has_schema_in_prompt: bool = False
    has_strict_tools: bool = True
    returns_thoughts: bool = False  # wants its own thoughts back in the next turn
    takes_extras: bool = False

    @property
    def known(self) -> frozenset[str]:
        """The parameters that are no extras."""
        return _FORMS | self.settings.keys() | self.body.keys() | {"reasoning-effort"}


def _switched_thinking(parameters: Parameters) -> dict[str, Any]:
    """DeepSeek's and Moonshot's switch, and Moonshot's wish to keep the thoughts of earlier turns."""
    thinking = {"type": parameters.get("thinking"), "keep": parameters.get("preserve-thinking")}
    given = {key: value for key, value in thinking.items() if value is not None}
    return {"thinking": {"type": "enabled", **given}} if given else {}


def _routed_effort(parameters: Parameters) -> dict[str, Any]:
    effort = parameters.get("reasoning-effort")
    return {} if effort is None else {"reasoning": {"effort": effort}}


MANNERS: Final[Mapping[str, Manners]] = {
    "deepseek": Manners(
        "https://api.deepseek.com",
        AnswerMode.OBJECT,
        {**_SAMPLING, **_EFFORT, **_TOKENS},
        more_body=(_switched_thinking,),
        returns_thoughts=True,
    ),
    "mistralai": Manners(
        "https://api.mistral.ai/v1",
        AnswerMode.SCHEMA,
        {**_SAMPLING, **_EFFORT, **_TOKENS},
        {"random-seed": "random_seed", "prompt-mode": "prompt_mode", "safe-prompt": "safe_prompt"},
    ),
    "xai": Manners(
        "https://api.x.ai/v1",
        AnswerMode.SCHEMA,
        {**_SAMPLING, **_EFFORT, **_TOKENS, "seed": "seed"},
    ),
    "alibaba": Manners(
        "https://dashscope-intl.aliyuncs.com/compatible-mode/v1",
        AnswerMode.SCHEMA,
        {**_SAMPLING, **_EFFORT, **_TOKENS, "seed": "seed"},
        {
            "enable-thinking": "enable_thinking",
            "preserve-thinking": "preserve_thinking",
            "thinking-budget": "thinking_budget",
        },
        has_schema_in_prompt=True,
    ),
    "moonshotai": Manners(
        "https://api.moonshot.ai/v1",
        AnswerMode.OBJECT,
        {**_SAMPLING, **_EFFORT, **_TOKENS},
        more_body=(_switched_thinking,),
        has_strict_tools=False,
        returns_thoughts=True,
    ),
    "openrouter": Manners(
        "https://openrouter.ai/api/v1",
        AnswerMode.SCHEMA,
        {
            **_SAMPLING,
            **_TOKENS,
            "seed": "seed",
            "verbosity": "openai_text_verbosity",
            "parallel-tool-calls": "parallel_tool_calls",
        },
        {"top-k": "top_k", "min-p": "min_p", "top-a": "top_a", "repetition-penalty": "repetition_penalty"},
        more_body=(_routed_effort,),
        takes_extras=True,
    ),
}

# A service that we do not know: what is common, and everything else as it is written.
ANY: Final = Manners(None, AnswerMode.SCHEMA, {**_SAMPLING, **_EFFORT, **_TOKENS, "seed": "seed"}, takes_extras=True)
