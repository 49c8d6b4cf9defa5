"""How answers are judged, prompted and helped by tools, leaf by leaf: what a task says stands over what all share."""

from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, TypeVar

import yaml

from evaluator.engine.trials.answer_schemas import schema_fault, value_fault
from evaluator.engine.trials.configuration_nodes import json_value
from evaluator.engine.trials.configuration_sections import NameRegister, Section, shown
from evaluator.engine.trials.definitions import (
    AnswerFormat,
    EnableFor,
    JsonValue,
    JudgePrompt,
    JudgeSelection,
    SystemPrompt,
    ToolLimits,
    ValidationRules,
)
from evaluator.engine.trials.templates import JUDGE_VARIABLES, SYSTEM_VARIABLES, TemplateError, parse

DEFAULT_SYSTEM_TEMPLATE = "Provide the final answer in exactly this format: {{.ResponseResultFormat}}"

_RULE_KEYS = ("case-sensitive", "ignore-whitespace", "trim-lines", "judge")
_TOOL_KEYS = ("name", "disabled", "max-calls", "timeout", "max-memory-mb", "cpu-percent")

Leaves = TypeVar("Leaves", bound="RuleLeaves | PromptLeaves | ToolLeaves")


@dataclass(frozen=True)
class RuleLeaves:
    """`validation-rules` as they are written; None = not said here."""

    is_case_sensitive: bool | None = None
    ignores_whitespace: bool | None = None
    trims_lines: bool | None = None
    is_judged: bool | None = None
    judge: str | None = None
    variant: str | None = None
    template: str | None = None
    verdict_format: AnswerFormat | None = None
    passing_verdicts: tuple[JsonValue, ...] | None = None


@dataclass(frozen=True)
class PromptLeaves:
    """`system-prompt` as it is written; None = not said here."""

    template: str | None = None
    enable_for: EnableFor | None = None


@dataclass(frozen=True)
class ToolLeaves:
    """What is said about one tool in a `tool-selector`; None = not said here."""

    name: str
    is_disabled: bool | None = None
    max_calls: int | None = None
    timeout_seconds: float | None = None
    max_memory_mb: int | None = None
    cpu_percent: int | None = None


@dataclass(frozen=True)
class ToolSelector:
    """`tool-selector` as it is written; the tools by name, in order."""

    is_disabled: bool | None
    tools: Mapping[str, ToolLeaves]


def merged(base: Leaves, own: Leaves) -> Leaves:
    """The leaves of `own` where it says something, else those of `base`."""
    said: dict[str, Any] = {one.name: value for one in fields(own) if (value := getattr(own, one.name)) is not None}
    return replace(base, **said)


def merged_tools(base: ToolSelector, own: ToolSelector) -> tuple[ToolLimits, ...]:
    """The tools that are enabled once a task's selector stands over the shared one, merged tool by tool."""
    tools = dict(base.tools)
    for name, leaves in own.tools.items():
        tools[name] = merged(tools[name], leaves) if name in tools else leaves
    is_disabled = own.is_disabled if own.is_disabled is not None else base.is_disabled
    return tuple(
        ToolLimits(one.name, one.max_calls, one.timeout_seconds, one.max_memory_mb, one.cpu_percent)
        for one in tools.values()
        if not (is_disabled if one.is_disabled is None else one.is_disabled)
    )


def read_rules(parent: Section) -> RuleLeaves:
    """Read `validation-rules`; without them nothing is said."""
    section = parent.section("validation-rules", _RULE_KEYS)
    if section is None:
        return RuleLeaves()
    said = RuleLeaves(
        section.boolean("case-sensitive"), section.boolean("ignore-whitespace"), section.boolean("trim-lines")
    )
    judge = section.section("judge", ("enabled", "name", "variant", "prompt"))
    if judge is None:
        return said
    said = replace(said, is_judged=judge.boolean("enabled"), judge=judge.text("name"), variant=judge.text("variant"))
    prompt = judge.section("prompt", ("template", "verdict-format", "passing-verdicts"))
    if prompt is None:
        return said
    return replace(
        said,
        template=_template(prompt, JUDGE_VARIABLES),
        verdict_format=read_format(prompt, "verdict-format", is_required=False),
        passing_verdicts=read_values(prompt, "passing-verdicts"),
    )


def resolved_rules(task: Section, rules: RuleLeaves) -> ValidationRules:
    """The rules of a task once everything is merged; what does not go together is a problem of the task."""
    judge = _judge(task, rules) if rules.is_judged else None
    return ValidationRules(
        is_case_sensitive=rules.is_case_sensitive or False,
        ignores_whitespace=rules.ignores_whitespace or False,
        trims_lines=rules.trims_lines or False,
        judge=judge,
    )


def read_prompt(parent: Section) -> PromptLeaves:
    """Read `system-prompt`; without it nothing is said."""
    section = parent.section("system-prompt", ("template", "enable-for"))
    if section is None:
        return PromptLeaves()
    word = section.choice("enable-for", tuple(EnableFor))
    return PromptLeaves(_template(section, SYSTEM_VARIABLES), EnableFor(word) if word else None)


def resolved_prompt(prompt: PromptLeaves) -> SystemPrompt | None:
    """The system prompt once everything is merged; None = the default one.

    The default template speaks of a format in words only, so `all` without a template of one's own means `text`.
    """
    enable_for = prompt.enable_for or EnableFor.TEXT
    if prompt.template is None:
        return SystemPrompt(DEFAULT_SYSTEM_TEMPLATE, EnableFor.NONE) if enable_for is EnableFor.NONE else None
    return SystemPrompt(prompt.template, enable_for)


def read_tool_selector(parent: Section) -> ToolSelector:
    """Read `tool-selector`; without it nothing is said."""
    section = parent.section("tool-selector", ("disabled", "tools"))
    if section is None:
        return ToolSelector(None, {})
    names, tools = NameRegister("tools"), dict[str, ToolLeaves]()
    for entry in section.sections("tools", _TOOL_KEYS):
        name = entry.text("name", is_required=True)
        names.add(entry, name)
        tools[name or ""] = ToolLeaves(
            name or "",
            entry.boolean("disabled"),
            entry.integer("max-calls", least=1),
            entry.duration_seconds("timeout"),
            entry.integer("max-memory-mb", least=1),
            entry.integer("cpu-percent", least=1, most=100),
        )
    return ToolSelector(section.boolean("disabled"), tools)


def read_format(section: Section, key: str, *, is_required: bool = True) -> AnswerFormat | None:
    """Read what an answer must look like: words, or a JSON schema."""
    node = section.value_node(key)
    if isinstance(node, yaml.MappingNode):
        schema = json_value(section.source, node, section.at(key))
        if not isinstance(schema, dict):
            return None
        if (fault := schema_fault(schema)) is not None:
            section.complain(key, f"it is no JSON schema: {fault}", "correct it, or describe the format in words")
            return None
        return AnswerFormat(schema=schema)
    text = section.text(key, is_required=is_required)
    return None if text is None else AnswerFormat(instruction=text)


def read_values(section: Section, key: str) -> tuple[JsonValue, ...] | None:
    """Read one value, or a list of alternatives; None when nothing is given."""
    node = section.value_node(key)
    if node is None:
        return None
    values = json_value(section.source, node, section.at(key))
    if isinstance(values, list):
        return tuple(values)
    return (values,)


def check_values(section: Section, key: str, values: tuple[JsonValue, ...], answer_format: AnswerFormat) -> None:
    """Note every value that does not fit its format: words want texts, a schema wants what conforms to it."""
    node = section.value_node(key)
    nodes = node.value if isinstance(node, yaml.SequenceNode) else [node or section.node]
    if not values:
        section.complain(key, "there is no value", "write at least one")
    for index, (value, value_node) in enumerate(zip(values, nodes, strict=False)):
        path = f"{section.at(key)}[{index}]" if isinstance(node, yaml.SequenceNode) else section.at(key)
        if answer_format.schema is None:
            if not isinstance(value, str):
                remedy = "put it in quotes, as the format is described in words"
                section.source.complain(value_node, path, f"{shown(value_node)} is no text", remedy)
        elif (fault := value_fault(answer_format.schema, value)) is not None:
            remedy = "correct it, or the schema; a list that is one value is written as a list inside a list"
            section.source.complain(value_node, path, f"it does not conform to the schema: {fault}", remedy)


def _judge(task: Section, rules: RuleLeaves) -> JudgeSelection | None:
    for name, value in (("name", rules.judge), ("variant", rules.variant)):
        if not value:
            task.complain("validation-rules", f"its judge has no `{name}`", f"write `{name}` below `judge`")
    return JudgeSelection(rules.judge or "", rules.variant or "", _judge_prompt(task, rules))


def _judge_prompt(task: Section, rules: RuleLeaves) -> JudgePrompt | None:
    parts = {
        "template": rules.template,
        "verdict-format": rules.verdict_format,
        "passing-verdicts": rules.passing_verdicts,
    }
    missing = [name for name, value in parts.items() if value is None]
    if rules.template is None or rules.verdict_format is None or rules.passing_verdicts is None:
        if len(missing) < len(parts):
            wrong = f"the judge's prompt has no {' and no '.join(f'`{name}`' for name in missing)}"
            task.complain("validation-rules", wrong, "give all three of them, or none")
        return None
    for value in rules.passing_verdicts:
        if (fault := _fault(value, rules.verdict_format)) is not None:
            wrong = f"a passing verdict of its judge does not fit the `verdict-format`: {fault}"
            task.complain("validation-rules", wrong, "correct the one or the other")
    return JudgePrompt(rules.template, rules.verdict_format, rules.passing_verdicts)


def _fault(value: JsonValue, answer_format: AnswerFormat) -> str | None:
    if answer_format.schema is not None:
        return value_fault(answer_format.schema, value)
    return None if isinstance(value, str) else "it is described in words, so verdicts are texts"


def _template(section: Section, variables: frozenset[str]) -> str | None:
    """A template that is understood; a blank one counts as none."""
    text = section.text("template")
    if text is None or not text.strip():
        return None
    try:
        parse(text, variables)
    except TemplateError as error:
        section.complain("template", f"line {error.line} of it: {error.reason}", "correct it")
        return None
    return text
