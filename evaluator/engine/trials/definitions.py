"""What a live trial is made of, as the two configuration files say it once every default has been filled in."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path

JsonValue = None | bool | int | float | str | list["JsonValue"] | dict[str, "JsonValue"]


class EnableFor(StrEnum):
    """For which tasks the system prompt is sent."""

    ALL = "all"
    TEXT = "text"
    NONE = "none"


class ImageDetail(StrEnum):
    """How closely a model is asked to look at an image."""

    AUTO = "auto"
    LOW = "low"
    MEDIUM = "medium"
    HIGH = "high"
    ORIGINAL = "original"


@dataclass(frozen=True)
class RetryPolicy:
    """How often a failed task is tried again: the first time after `initial_delay_seconds`, then doubling."""

    attempts: int = 0  # beside the first
    initial_delay_seconds: float = 0.0


@dataclass(frozen=True)
class Secret:
    """A key that never shows itself: neither `repr`, nor `str`, nor a traceback holds it.

    `source` says where it came from in words fit for a page, such as `${OPENAI_API_KEY}`; `parts` are the values of
    variables that the value was put together from.
    """

    value: str = field(repr=False)
    source: str
    parts: tuple[str, ...] = field(default=(), repr=False)

    def __str__(self) -> str:
        return self.source


@dataclass(frozen=True)
class Client:
    """How a provider's service is reached."""

    api_key: Secret
    endpoint: str | None = None  # None = the provider's own
    request_timeout_seconds: float | None = None


@dataclass(frozen=True)
class RunDefinition:
    """A named configuration of a provider."""

    provider: str  # the provider's name, such as `openai`
    name: str
    model: str
    max_requests_per_minute: int = 0  # 0 = no limit
    is_text_only: bool = False
    is_structured: bool = True  # False = `disable-structured-output`
    parameters: Mapping[str, JsonValue] = field(default_factory=dict)  # model-parameters, as written, checked
    retry: RetryPolicy = RetryPolicy()


@dataclass(frozen=True)
class ProviderDefinition:
    """One entry of `providers`: a service, how it is reached and its runs. Disabled runs are not among them."""

    name: str
    client: Client
    runs: tuple[RunDefinition, ...]
    max_parallel_requests_per_minute: int = 0  # above 0: runs in parallel under this shared limit


@dataclass(frozen=True)
class JudgeDefinition:
    """A model that compares answers; its provider's runs are the variants."""

    name: str
    provider: ProviderDefinition


@dataclass(frozen=True)
class ToolDefinition:
    """A tool that models may call: a command in a container of a local image."""

    name: str
    image: str
    description: str
    parameters: Mapping[str, JsonValue]  # a JSON schema
    parameter_files: Mapping[str, str] = field(default_factory=dict)  # argument -> path in the container
    auxiliary_dir: str | None = None  # where the task's files are seen
    shared_dir: str | None = None  # kept between the calls of one task
    command: tuple[str, ...] = ()
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class ToolLimits:
    """A tool that a task may use, and how much of it; None = no limit."""

    name: str
    max_calls: int | None = None
    timeout_seconds: float | None = None
    max_memory_mb: int | None = None
    cpu_percent: int | None = None  # of the whole host


@dataclass(frozen=True)
class SystemPrompt:
    """The template of the system prompt (`{{.ResponseResultFormat}}`), and for which tasks it is sent."""

    template: str
    enable_for: EnableFor = EnableFor.TEXT


@dataclass(frozen=True)
class JudgePrompt:
    """A judge's own template, the format of its verdict and the verdicts that pass."""

    template: str
    verdict_format: "AnswerFormat"
    passing_verdicts: tuple[JsonValue, ...]


@dataclass(frozen=True)
class JudgeSelection:
    """Which judge validates a task, in which variant (a run of its provider)."""

    name: str
    variant: str
    prompt: JudgePrompt | None = None  # None = the default prompt, verdict format and passing verdict


@dataclass(frozen=True)
class ValidationRules:
    """How an answer is compared with the accepted ones."""

    is_case_sensitive: bool = False
    ignores_whitespace: bool = False
    trims_lines: bool = False
    judge: JudgeSelection | None = None  # None = compared by value


@dataclass(frozen=True)
class AnswerFormat:
    """What an answer must look like: an instruction in words, or a JSON schema. Exactly one is given."""

    instruction: str | None = None
    schema: Mapping[str, JsonValue] | None = None


@dataclass(frozen=True)
class TaskFile:
    """A file that goes with a task's prompt. `uri` is absolute: a path, `file://` or `http(s)://`."""

    name: str
    uri: str
    media_type: str | None = None  # None = guessed from its name or contents
    image_detail: ImageDetail = ImageDetail.AUTO


@dataclass(frozen=True)
class TaskDefinition:
    """One question with everything it inherits filled in."""

    name: str
    prompt: str
    answer_format: AnswerFormat
    accepted: tuple[JsonValue, ...]  # any of them passes
    rules: ValidationRules = ValidationRules()
    system_prompt: SystemPrompt | None = None  # None = the default one
    files: tuple[TaskFile, ...] = ()
    tools: tuple[ToolLimits, ...] = ()  # the enabled ones
    max_turns: int = 0  # 0 = no limit
    suite: str = ""
    category: str = ""
    difficulty: str = ""
    tags: tuple[str, ...] = ()


@dataclass(frozen=True)
class TrialDefinition:
    """Everything of one live trial. Disabled providers, runs and tasks are gone from it."""

    providers: tuple[ProviderDefinition, ...]
    judges: tuple[JudgeDefinition, ...] = ()
    tools: tuple[ToolDefinition, ...] = ()
    tasks: tuple[TaskDefinition, ...] = ()
    folder: Path = Path()  # relative files start from here
