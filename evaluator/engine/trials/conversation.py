"""One conversation of a model about a task: asked, called back with what its tools gave, until it answers."""

import json
import time
from collections.abc import Sequence

from pydantic_ai.direct import model_request, model_request_stream
from pydantic_ai.messages import ModelMessage, ModelRequest, ModelResponse, ToolCallPart, ToolReturnPart
from pydantic_ai.models import ModelRequestParameters
from pydantic_ai.settings import ModelSettings

from evaluator.engine.trials import failures, ignored_settings
from evaluator.engine.trials.answers import (
    SUBMIT_TOOL,
    AnswerError,
    WrappedAnswer,
    read_answer,
    unstructured,
    unwrapped,
)
from evaluator.engine.trials.attachments import attached
from evaluator.engine.trials.definitions import AnswerFormat, RunDefinition, TaskDefinition, ToolDefinition
from evaluator.engine.trials.interfaces import Answer, ConversationError, FailureKind, Spent, Toolbox
from evaluator.engine.trials.prompting import Form, answer_form, first_message
from evaluator.engine.trials.providers.connection import BROKEN_STREAM, AnswerMode, Connection
from evaluator.engine.trials.secrecy import Redactor
from evaluator.engine.trials.usage import impossible_counts, token_usage, tool_usage, total_usage
from results.records import TokenUsage, ToolCallSummary

TOO_MANY_TURNS = "maximum conversation turns exceeded"
LONGEST_REPLY = 4000  # characters of a reply without an answer that are kept
_TEXT = AnswerFormat(instruction="")  # the form of all text answers is the same


class ModelAsker:
    """Asks one run's model (an `Asker`). To be made and used in one asyncio loop."""

    def __init__(self, run: RunDefinition, line: Connection, redactor: Redactor) -> None:
        ignored_settings.listen()
        self.run = run
        self.line = line
        self.redactor = redactor
        self._text_forms: dict[AnswerMode, Form] = {}
        self._told = set[str]()

    async def ask(self, task: TaskDefinition, toolbox: Toolbox | None) -> Answer:
        """Hold one conversation about a task.

        Raises:
            ConversationError: it failed; it knows what was spent up to then.
        """
        talk = _Talk(self, task, toolbox)
        try:
            wrapped = await talk.hold()
        except ConversationError as error:
            error.spent = talk.spent()
            raise
        except Exception as fault:  # noqa: BLE001 - a fault of ours; what was spent up to it is known here only
            message = self.redactor.text(f"{type(fault).__name__}: {fault}")
            raise ConversationError(FailureKind.EXECUTION, message, spent=talk.spent()) from None
        return Answer(wrapped.title, wrapped.explanation, wrapped.final_answer, talk.spent())

    async def close(self) -> None:
        """Close connections."""
        await self.line.http.aclose()

    def form(self, wanted: AnswerFormat, *, has_tools: bool) -> Form:
        """How the answer to a task is asked for."""
        line = self.line
        mode = line.mode_with_tools if has_tools and line.mode_with_tools else line.mode
        if wanted.schema is not None:
            return answer_form(wanted, mode, has_schema_in_prompt=line.has_schema_in_prompt)
        if mode not in self._text_forms:
            self._text_forms[mode] = answer_form(_TEXT, mode, has_schema_in_prompt=line.has_schema_in_prompt)
        return self._text_forms[mode]

    async def send(
        self, messages: Sequence[ModelMessage], settings: ModelSettings, parameters: ModelRequestParameters
    ) -> ModelResponse:
        """One request."""
        model = self.line.model
        if not self.line.is_streaming:
            return await model_request(
                model, messages, model_settings=settings, model_request_parameters=parameters, instrument=False
            )
        async with model_request_stream(
            model, messages, model_settings=settings, model_request_parameters=parameters, instrument=False
        ) as stream:
            async for _event in stream:
                pass
            response = stream.get()
        if response.finish_reason is None:
            raise ConnectionError(BROKEN_STREAM)
        return response

    def news(self, notes: Sequence[str]) -> list[str]:
        """What a run has not told yet: a setting that is ignored is ignored in each of its tasks."""
        new = [note for note in dict.fromkeys(notes) if note not in self._told]
        self._told.update(new)
        return new


class _Talk:
    """A conversation while it goes on."""

    def __init__(self, asker: ModelAsker, task: TaskDefinition, toolbox: Toolbox | None) -> None:
        self.asker = asker
        self.task = task
        self.toolbox = toolbox
        self.history: list[ModelMessage] = []
        self.usages: list[TokenUsage | None] = []
        self.calls: list[ToolCallSummary] = []
        self.duration_ns = 0
        self.notes = asker.news(asker.line.notes)
        self.settings = asker.line.settings
        self.offered: tuple[ToolDefinition, ...] = () if toolbox is None else tuple(toolbox.offered())

    async def hold(self) -> WrappedAnswer:
        line = self.asker.line
        attachments = [await attached(file, line.image_types) for file in self.task.files]
        form = self.asker.form(self.task.answer_format, has_tools=bool(self.offered))
        self.history.append(first_message(self.task, form, attachments, line))
        parameters = form.parameters(self.offered) if self.offered else form.alone
        turn = 0
        while self.task.max_turns == 0 or turn < self.task.max_turns:
            turn += 1
            response = await self._request(parameters)
            calls = response.tool_calls
            if not calls or any(call.tool_name == SUBMIT_TOOL for call in calls):
                return self._answer(response, form)
            await self._run_tools(response, calls, turn)
            if self._withdraw():
                parameters = form.parameters(self.offered)
        raise ConversationError(FailureKind.EXECUTION, TOO_MANY_TURNS, is_transient=False)

    async def _request(self, parameters: ModelRequestParameters) -> ModelResponse:
        warned: list[str] = []
        started = time.monotonic_ns()
        try:
            with ignored_settings.heard() as warned:
                response = await self.asker.send(self.history, self.settings, parameters)
        except Exception as error:  # noqa: BLE001 - whatever an SDK raises is this conversation's failure
            asker = self.asker
            failure = failures.explained(error, asker.redactor, is_streaming=asker.line.is_streaming)
        else:
            self.usages.append(token_usage(response.usage))
            self.notes += impossible_counts(response.usage)
            return response
        finally:
            self.duration_ns += time.monotonic_ns() - started
            self.notes += self.asker.news(warned)
        raise failure  # outside, so that nothing of the request's own exception follows it

    async def _run_tools(self, response: ModelResponse, calls: Sequence[ToolCallPart], turn: int) -> None:
        """Run what the model calls, in its order, and put what they give into the history."""
        if self.toolbox is None:
            names = ", ".join(f"`{call.tool_name}`" for call in calls)
            message = f"the model called {names}, and this task has no tools"
            raise ConversationError(FailureKind.EXECUTION, message)
        returns = []
        for call in calls:
            reply = await self.toolbox.call(call.tool_name, _written(call), call.tool_call_id, turn)
            if reply.call is not None:
                self.calls.append(reply.call)
            if reply.note and reply.note not in self.notes:
                self.notes.append(reply.note)
            returns.append(ToolReturnPart(call.tool_name, reply.text, tool_call_id=call.tool_call_id))
        self.history += [response, ModelRequest(returns)]

    def _withdraw(self) -> bool:
        """Stop offering tools that may not be called any more; whether there was one."""
        if self.toolbox is None:
            return False
        left = tuple(self.toolbox.offered())
        gone = [tool.name for tool in self.offered if tool not in left]
        if not gone or self.settings.get("tool_choice") == "none":
            return False
        self.notes += [f"the tool `{name}` was withdrawn: it was called as often as the task allows" for name in gone]
        if left:
            self.offered = left
        else:  # services want to know the tools that the conversation speaks of
            self.settings = {**self.settings, "tool_choice": "none"}
        return True

    def _answer(self, response: ModelResponse, form: Form) -> WrappedAnswer:
        if response.finish_reason == "content_filter":
            told = (response.provider_details or {}).get("refusal") or response.text
            message = "the service refused to answer" + (f": {self.asker.redactor.text(str(told))}" if told else "")
            raise ConversationError(FailureKind.EXECUTION, message, is_transient=False)
        text = response.text or ""
        if form.mode is AnswerMode.FREE:
            return unstructured(text)
        try:
            return _read(response, text, self.task.answer_format)
        except AnswerError as error:
            reason = str(error)
        if response.finish_reason == "length":
            reason += "; the model stopped at its limit of tokens"
        finish: str = response.finish_reason or "unknown"
        hide = self.asker.redactor.text
        details = {"Reply": [hide(text)[:LONGEST_REPLY]], "Finish Reason": [finish]}
        raise ConversationError(FailureKind.PARSING, hide(reason), details=details)

    def spent(self) -> Spent:
        """What was used up to now."""
        return Spent(
            usage=total_usage(self.usages),
            tool_usage=tool_usage(self.calls),
            tool_calls=tuple(self.calls),
            duration_ns=self.duration_ns,
            messages=tuple(self.notes),
        )


def _read(response: ModelResponse, text: str, wanted: AnswerFormat) -> WrappedAnswer:
    submitted = [call for call in response.tool_calls if call.tool_name == SUBMIT_TOOL]
    if not submitted:
        return read_answer(text, wanted)
    try:
        arguments = submitted[-1].args_as_dict(raise_if_invalid=True)
    except (ValueError, AssertionError) as error:
        raise AnswerError(f"the arguments of `{SUBMIT_TOOL}` are not a JSON object: {error}") from None
    return unwrapped(arguments, wanted)


def _written(call: ToolCallPart) -> str:
    """The arguments of a call as the model wrote them; some services give them decoded."""
    return call.args if isinstance(call.args, str) else json.dumps(call.args or {}, ensure_ascii=False)
