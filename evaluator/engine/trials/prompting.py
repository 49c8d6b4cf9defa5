"""What a model is sent about a task: words, files, the form of the answer."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, Final, Literal

from pydantic_ai.messages import BinaryContent, ModelRequest, SystemPromptPart, UserContent, UserPromptPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.output import OutputObjectDefinition
from pydantic_ai.tools import ToolDefinition

from evaluator.engine.trials import templates
from evaluator.engine.trials.answers import SUBMIT_TOOL, answer_schema, format_words, schema_prompt
from evaluator.engine.trials.attachments import Attachment
from evaluator.engine.trials.definitions import AnswerFormat, EnableFor, SystemPrompt, TaskDefinition
from evaluator.engine.trials.definitions import ToolDefinition as TrialTool
from evaluator.engine.trials.providers.connection import AnswerMode, Connection

DEFAULT_SYSTEM_PROMPT = SystemPrompt(
    "You are given a question. Keep the final answer apart from everything else that you say, and give it in exactly "
    "this format, without a word more:\n{{.ResponseResultFormat}}"
)
FORM_NAME = "response"
SUBMIT_WORDS = f"Hand in your answer by calling `{SUBMIT_TOOL}` once, at the end."
SUBMIT_DESCRIPTION = "Hands in the answer. Call it once, at the end."


@dataclass(frozen=True)
class Form:
    """The form of a task's answer, as a service is asked for it."""

    mode: AnswerMode
    output: OutputObjectDefinition | None = None
    submit: ToolDefinition | None = None
    words: str = ""  # that follow the prompt

    @cached_property
    def alone(self) -> ModelRequestParameters:
        """The parameters of a request that offers no tools: one object, which models remember."""
        return self.parameters(())

    def parameters(self, tools: Sequence[TrialTool]) -> ModelRequestParameters:
        """The parameters of a request that offers these tools."""
        return ModelRequestParameters(
            function_tools=[_tool(tool) for tool in tools],
            output_mode=_OUTPUT_MODES[self.mode],
            output_object=self.output,
            output_tools=[] if self.submit is None else [self.submit],
            prompted_output_template=False,  # ours are the words that describe the schema
            allow_text_output=self.submit is None,
        )


_OUTPUT_MODES: Final[dict[AnswerMode, Literal["native", "prompted", "text", "tool"]]] = {
    AnswerMode.SCHEMA: "native",
    AnswerMode.OBJECT: "prompted",
    AnswerMode.TEXT: "text",
    AnswerMode.CALL: "tool",
    AnswerMode.FREE: "text",
}


def answer_form(wanted: AnswerFormat, mode: AnswerMode, *, has_schema_in_prompt: bool) -> Form:
    """The form of an answer.

    Args:
        wanted: of the task.
        mode: of the run.
        has_schema_in_prompt: whether the schema is told in words where it is enforced, too.
    """
    if mode is AnswerMode.FREE:
        return Form(mode)
    schema = answer_schema(wanted)
    words = schema_prompt(schema)
    if mode is AnswerMode.CALL:
        return Form(mode, submit=_submit_tool(schema), words=SUBMIT_WORDS)
    if mode is AnswerMode.TEXT:
        return Form(mode, words=words)
    output = OutputObjectDefinition(json_schema=schema, name=FORM_NAME)
    if mode is AnswerMode.OBJECT:
        return Form(mode, output, words=words)
    return Form(mode, output, words=words if has_schema_in_prompt else "")


def first_message(
    task: TaskDefinition, form: Form, attachments: Sequence[Attachment], line: Connection
) -> ModelRequest:
    """The message that opens a conversation."""
    content: list[UserContent] = []
    for attachment in attachments:
        # A prompt speaks of its files by their names.
        content.append(f"File: {attachment.file.name}")
        notes = line.image_notes(attachment.file.image_detail)
        content.append(BinaryContent(attachment.data, media_type=attachment.media_type, vendor_metadata=notes))
    content.append("\n\n".join(words for words in (task.prompt, form.words) if words))
    user = UserPromptPart(content[0] if len(content) == 1 and isinstance(content[0], str) else content)
    system = system_words(task)
    return ModelRequest([user] if system is None else [SystemPromptPart(system), user])


def system_words(task: TaskDefinition) -> str | None:
    """The system prompt of a task, filled in; `None` where it has none."""
    prompt = task.system_prompt or DEFAULT_SYSTEM_PROMPT
    is_text = task.answer_format.schema is None
    if prompt.enable_for is EnableFor.NONE or (prompt.enable_for is EnableFor.TEXT and not is_text):
        return None
    values = {"ResponseResultFormat": format_words(task.answer_format)}
    return _system_template(prompt.template).render(values) or None


@lru_cache(maxsize=64)
def _system_template(text: str) -> templates.Template:
    return templates.parse(text, templates.SYSTEM_VARIABLES)


def _tool(tool: TrialTool) -> ToolDefinition:
    return ToolDefinition(name=tool.name, parameters_json_schema=dict(tool.parameters), description=tool.description)


def _submit_tool(schema: dict[str, Any]) -> ToolDefinition:
    return ToolDefinition(
        name=SUBMIT_TOOL, parameters_json_schema=schema, description=SUBMIT_DESCRIPTION, kind="output"
    )
