"""What a try at a task came to, as the result that is written: with MindTrial's titles, in its order of decisions."""

from dataclasses import dataclass
from math import ceil

from msgspec import Raw

from evaluator.engine.trials.definitions import RunDefinition, TaskDefinition
from evaluator.engine.trials.interfaces import Answer, ConversationError, FailureKind, Spent, Verdict
from evaluator.engine.trials.matching import canonical, canonical_set
from evaluator.engine.trials.sound_json import encoded, lines_of, sound_lines, sound_text
from results.records import (
    AnswerDetails,
    Details,
    ErrorDetails,
    ResultKind,
    RetryPolicy,
    RunConfig,
    RunResult,
    Semantic,
    TaskMetadata,
    ValidationDetails,
)

INCOMPATIBLE_FORMAT = "Incompatible Response Format"
FEATURE_DISABLED = "Feature Disabled"
CONFIGURATION_ERROR = "Configuration Error"
NULL = Raw(b"null")


@dataclass(frozen=True)
class Case:
    """One run at one task, before it came to anything."""

    trace_id: str
    run: RunDefinition
    task: TaskDefinition


def skipped_unasked(case: Case) -> RunResult | None:
    """The result of a task that the run's settings exclude; None where it is to be asked."""
    run, task = case.run, case.task
    if not run.is_structured and task.answer_format.schema is not None:
        message = (
            f"The task {task.name!r} wants an answer by a JSON schema, and the run {run.name!r} has "
            "disable-structured-output."
        )
        return _unasked(case, INCOMPATIBLE_FORMAT, message, ResultKind.SKIPPED)
    if run.is_text_only and task.files:
        message = f"The task {task.name!r} comes with files, and the run {run.name!r} is text-only."
        return _unasked(case, FEATURE_DISABLED, message, ResultKind.SKIPPED)
    return None


def not_configured(case: Case, message: str) -> RunResult:
    """The result of a task whose validator cannot be made."""
    return _unasked(case, CONFIGURATION_ERROR, message, ResultKind.ERROR)


def not_answered(case: Case, error: ConversationError) -> RunResult:
    """The result of a conversation that failed."""
    is_skipped = error.kind is FailureKind.UNSUPPORTED
    details = ErrorDetails(
        title=str(error.kind),
        message=sound_text(error.message),
        details=_sound_details(error.details),
        usage=error.spent.usage,
        tool_usage=error.spent.tool_usage or {},
        tool_calls=list(error.spent.tool_calls),
        transient=False if is_skipped else error.is_transient,
        response_parsing=True if error.kind is FailureKind.PARSING else None,
    )
    return _result(
        case,
        ResultKind.SKIPPED if is_skipped else ResultKind.ERROR,
        got=encoded(error.message),
        want=_want(case.task),
        details=Details(error=details),
        duration_ns=error.spent.duration_ns,
    )


def not_validated(case: Case, answer: Answer, error: ConversationError) -> RunResult:
    """The result of an answer whose judge failed; the error's usage is the judge's."""
    details = ErrorDetails(
        title=str(FailureKind.VALIDATION),
        message=sound_text(error.message),
        details=_sound_details(error.details),
        usage=error.spent.usage,
        tool_usage=error.spent.tool_usage or {},
        tool_calls=list(error.spent.tool_calls),
        transient=error.is_transient,
    )
    return _result(
        case,
        ResultKind.ERROR,
        got=encoded(answer.final_answer),
        want=_want(case.task),
        details=Details(answer=_answer_details(case.task, answer), error=details),
        duration_ns=answer.spent.duration_ns,
    )


def broken(case: Case, fault: Exception, answer: Answer | None) -> RunResult:
    """The result of a fault of ours in the middle of a task; an answer that was there before is kept."""
    text = sound_text(str(fault))
    message = f"{type(fault).__name__}: {text}" if text else type(fault).__name__
    return _result(
        case,
        ResultKind.ERROR,
        got=encoded(message),
        want=_want(case.task),
        details=Details(
            answer=None if answer is None else _answer_details(case.task, answer),
            error=ErrorDetails(title=str(FailureKind.EXECUTION), message=message),
        ),
        duration_ns=0 if answer is None else answer.spent.duration_ns,
    )


def validated(case: Case, answer: Answer, verdict: Verdict) -> RunResult:
    """The result of an answer that was compared."""
    spent = verdict.spent or Spent()
    semantic = None if verdict.semantic_verdict is None else Semantic(verdict=encoded(verdict.semantic_verdict))
    validation = ValidationDetails(
        title=verdict.title,
        explanation=sound_lines(verdict.explanation),
        usage=spent.usage,
        tool_usage=spent.tool_usage or {},
        tool_calls=list(spent.tool_calls),
        semantic=semantic,
    )
    return _result(
        case,
        ResultKind.PASSED if verdict.is_correct else ResultKind.FAILED,
        got=encoded(canonical(answer.final_answer, case.task.rules)),
        want=_want(case.task),
        details=Details(answer=_answer_details(case.task, answer), validation=validation),
        duration_ns=answer.spent.duration_ns,
    )


def run_config(run: RunDefinition) -> RunConfig:
    """The configuration of a run as results record it."""
    policy = run.retry
    retry = RetryPolicy(max_retry_attempts=policy.attempts, initial_delay_seconds=ceil(policy.initial_delay_seconds))
    return RunConfig(
        model=run.model,
        max_requests_per_minute=run.max_requests_per_minute,
        model_parameters=encoded(dict(run.parameters)),
        retry_policy=retry if policy.attempts else None,
    )


def _unasked(case: Case, title: str, message: str, kind: ResultKind) -> RunResult:
    error = ErrorDetails(title=title, message=message, transient=False)
    return _result(case, kind, got=encoded(message), want=NULL, details=Details(error=error), duration_ns=0)


def _result(case: Case, kind: ResultKind, *, got: Raw, want: Raw, details: Details, duration_ns: int) -> RunResult:
    run, task = case.run, case.task
    return RunResult(
        trace_id=case.trace_id,
        kind=kind,
        task=task.name,
        provider=run.provider,
        run=run.name,
        run_config=run_config(run),
        got=got,
        want=want,
        task_metadata=TaskMetadata(
            suite=task.suite, category=task.category, difficulty=task.difficulty, tags=list(task.tags)
        ),
        details=details,
        duration_ns=duration_ns,
    )


def _want(task: TaskDefinition) -> Raw:
    """The accepted answers: a single one stands bare, as MindTrial writes it."""
    accepted = canonical_set(task.accepted, task.rules)
    return encoded(accepted[0] if len(accepted) == 1 else list(accepted))


def _answer_details(task: TaskDefinition, answer: Answer) -> AnswerDetails:
    return AnswerDetails(
        title=sound_text(answer.title),
        explanation=sound_lines([answer.explanation]) if answer.explanation else [],
        actual_answer=lines_of(answer.final_answer),
        expected_answer=[lines_of(value) for value in task.accepted],
        usage=answer.spent.usage,
        tool_usage=answer.spent.tool_usage or {},
        tool_calls=list(answer.spent.tool_calls),
    )


def _sound_details(details: dict[str, list[str]]) -> dict[str, list[str]]:
    return {sound_text(name): sound_lines(texts) for name, texts in details.items()}
