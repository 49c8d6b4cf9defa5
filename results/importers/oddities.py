"""Values in a result that were taken in as they stand, but that nobody will know how to count."""

from typing import NamedTuple

from results.records import AnswerDetails, ErrorDetails, ResultKind, RunResult, TokenUsage, ToolUsage, ValidationDetails

INPUT_ACCOUNTINGS = frozenset({None, "", "cache_tokens_separate", "cache_tokens_included"})
OUTPUT_ACCOUNTINGS = frozenset({None, "", "reasoning_tokens_separate", "reasoning_tokens_included"})
TOOL_STATUSES = frozenset(
    {"", "success", "nonzero_exit", "empty_output", "timeout", "invalid_arguments", "infrastructure_error"}
)
Section = AnswerDetails | ValidationDetails | ErrorDetails


class Oddity(NamedTuple):
    """One odd value: its path inside the result, such as `Details.Answer.Usage`, and what is odd."""

    path: str
    message: str


def oddities(record: RunResult) -> list[Oddity]:
    """Look through one result; quick when there is nothing odd.

    Args:
        record: the result, as it was decoded.

    Returns:
        What is odd, in the order of the document's fields; usually nothing.
    """
    found: list[Oddity] = []
    answer, validation, error = record.details.answer, record.details.validation, record.details.error
    if answer is not None:
        _look_through("Details.Answer", answer, found)
    if validation is not None:
        _look_through("Details.Validation", validation, found)
    if error is not None:
        _look_through("Details.Error", error, found)
        if record.kind in (ResultKind.PASSED, ResultKind.FAILED):
            found.append(Oddity("Details.Error", f"a result that is {record.kind} has error details"))
    if type(record) is not RunResult:  # what was decoded strictly has no negative counts
        _look_for_negatives(record, found)
    return found


def _look_through(path: str, section: Section, found: list[Oddity]) -> None:
    usage = section.usage
    if usage is not None:
        if usage.input_token_accounting not in INPUT_ACCOUNTINGS:
            found.append(_unknown_word(f"{path}.Usage.InputTokenAccounting", usage.input_token_accounting, "input"))
        if usage.output_token_accounting not in OUTPUT_ACCOUNTINGS:
            found.append(_unknown_word(f"{path}.Usage.OutputTokenAccounting", usage.output_token_accounting, "output"))
    for position, call in enumerate(section.tool_calls):
        if call.status not in TOOL_STATUSES:
            found.append(Oddity(f"{path}.ToolCalls[{position}].Status", f'"{call.status}" is no status we know'))


def _unknown_word(path: str, word: str | None, tokens: str) -> Oddity:
    return Oddity(path, f'"{word}" is no way of counting we know; the {tokens} tokens of this usage are unknown')


def _look_for_negatives(record: RunResult, found: list[Oddity]) -> None:
    if record.duration_ns is not None and record.duration_ns < 0:
        found.append(Oddity("DurationNS", f"the duration is negative: {record.duration_ns}"))
    details = record.details
    sections: dict[str, Section | None] = {
        "Details.Answer": details.answer,
        "Details.Validation": details.validation,
        "Details.Error": details.error,
    }
    for path, section in sections.items():
        if section is None:
            continue
        if section.usage is not None:
            found.extend(Oddity(f"{path}.Usage", text) for text in _negative(section.usage))
        for tool, used in section.tool_usage.items():
            found.extend(Oddity(f"{path}.ToolUsage.{tool}", text) for text in _negative(used))
        for position, call in enumerate(section.tool_calls):
            if min(call.duration_ns or 0, call.wall_time_ns or 0) < 0:
                found.append(Oddity(f"{path}.ToolCalls[{position}]", "a duration is negative"))


def _negative(numbers: TokenUsage | ToolUsage) -> list[str]:
    values = {name: getattr(numbers, name) for name in numbers.__struct_fields__}
    return [f"{name} is negative: {value}" for name, value in values.items() if isinstance(value, int) and value < 0]
