"""One iteration as Markdown, in the layout of agent-bober's own report: its parts in tables, then what failed."""

from collections.abc import Iterator

from results.exports.markdown import escaped
from results.exports.shown_text import visible
from results.iteration_records import (
    CriterionResult,
    EvalResult,
    Failure,
    Feedback,
    PartResult,
    Regression,
    StrategyResult,
)
from results.iteration_verdicts import computed_verdict
from results.queries.iterations import IterationDetail

NOT_RECORDED, NONE = "Not recorded.\n", "None.\n"


def as_markdown(detail: IterationDetail) -> Iterator[str]:
    """Head, strategies, criteria, failures, regressions, feedback, summary; what was not recorded says so."""
    record = detail.record
    yield f"# {_line(detail.sprint.name)}, iteration {record.iteration}: {record.overall_result.value.upper()}\n\n"
    yield from _head(detail)
    yield "\n## Strategies\n\n"
    yield from _strategies(record.strategy_results)
    yield "\n## Criteria\n\n"
    yield from _criteria(record.criteria_results)
    yield "\n## Failures\n\n"
    yield from _failures(record)
    yield "\n## Regressions\n\n"
    yield from _regressions(record.regressions)
    yield "\n## Feedback\n\n"
    yield from _feedback(record.generator_feedback)
    yield "\n## Summary\n\n"
    yield _block(record.summary) if record.summary else NOT_RECORDED


def _head(detail: IterationDetail) -> Iterator[str]:
    record, computed = detail.record, computed_verdict(detail.record)
    yield f"- Contract: {_line(detail.sprint.contract_id)}\n"
    if record.spec_id:
        yield f"- Spec: {_line(record.spec_id)}\n"
    yield f"- Result: {record.overall_result.value}\n"
    if computed is not None and computed is not record.overall_result:
        yield f"- From the parts alone it would be: {computed.value}\n"
    yield f"- Time: {_line(record.timestamp) if record.timestamp else 'not recorded'}\n"
    score = record.score
    if score is not None and score.criteria_total is not None:
        counts = {"passed": score.criteria_passed, "failed": score.criteria_failed, "skipped": score.skipped}
        listed = ", ".join(f"{_count(number)} {name}" for name, number in counts.items())
        yield f"- Criteria: {score.criteria_total}: {listed}\n"
    if score is not None and score.required_total is not None:
        yield f"- Required criteria: {_count(score.required_passed)} of {score.required_total} passed\n"
    if score is not None and score.points is not None:
        yield f"- Score: {score.points:g}\n"


def _strategies(parts: list[StrategyResult] | None) -> Iterator[str]:
    if not parts:
        yield NOT_RECORDED if parts is None else NONE
        return
    yield "| Strategy | Required | Result | Details |\n| --- | --- | --- | --- |\n"
    for part in parts:
        told = [text for text in (part.details, part.output) if text]
        yield _row(part.label or part.strategy, _flag(part.required), _result(part), " ".join(told))


def _criteria(parts: list[CriterionResult] | None) -> Iterator[str]:
    if not parts:
        yield NOT_RECORDED if parts is None else NONE
        return
    yield "| Criterion | Description | Required | Result | Evidence |\n| --- | --- | --- | --- | --- |\n"
    for part in parts:
        told = (part.description or "", _flag(part.required), _result(part), part.evidence or "")
        yield _row(part.criterion_id, *told)


def _failures(record: EvalResult) -> Iterator[str]:
    """What failed, where, how that is known and what was expected instead."""
    has_any = False
    for strategy in record.strategy_results or []:
        if strategy.result is PartResult.FAIL:
            has_any = True
            yield f"- **{_line(strategy.label or strategy.strategy)}**"
            yield from _told({"": strategy.feedback or strategy.details or strategy.output})
            for failure in strategy.failures or []:
                yield f"  - {_line(failure.message or failure.criterion or 'no message')}"
                yield from _told({"Where": _place(failure)}, "    ")
    for criterion in record.criteria_results or []:
        if criterion.result is PartResult.FAIL:
            has_any = True
            yield f"- **{_line(criterion.criterion_id)}**"
            told = {"What": criterion.description, "Evidence": criterion.evidence, "Expected": criterion.feedback}
            yield from _told(told)
    for name in record.failed_criteria or []:
        has_any = True
        yield f"- **{_line(name)}**\n"
    if record.failure_reason:
        has_any = True
        yield f"- {_line(record.failure_reason)}\n"
    if not has_any:
        yield NONE


def _regressions(items: list[Regression] | None) -> Iterator[str]:
    if not items:
        yield NOT_RECORDED if items is None else NONE
    for item in items or []:
        yield f"- {_line(item.description or 'no description')}"
        files = ", ".join(item.affected_files or [])
        yield from _told({"Severity": item.severity, "Evidence": item.evidence, "Files": files})


def _feedback(items: list[Feedback] | None) -> Iterator[str]:
    if not items:
        yield NOT_RECORDED if items is None else NONE
    for item in items or []:
        words = ", ".join(word for word in (item.priority, item.category) if word)
        yield f"- {f'**{_line(words)}** ' if words else ''}{_line(item.description or 'no description')}"
        told = {"Where": _place(item), "Expected": item.expected, "Reproduction": item.reproduction}
        yield from _told(told | {"Criterion": item.criterion})


def _told(named: dict[str, str | None], indent: str = "  ") -> Iterator[str]:
    """The end of an item: what is known of it, an item each below it."""
    yield "\n"
    for name, text in named.items():
        if text:
            yield f"{indent}- {f'{name}: ' if name else ''}{_line(text)}\n"


def _place(item: Failure | Feedback) -> str:
    line = item.line_text or ("" if item.line is None else str(item.line))
    return ":".join(part for part in (item.file or "", line) if part)


def _result(part: StrategyResult | CriterionResult) -> str:
    word = part.result_text or (part.result.value if part.result else "not recorded")
    return f"{word} (did not run)" if isinstance(part, StrategyResult) and part.is_not_run else word


def _flag(is_required: bool | None) -> str:
    return "not recorded" if is_required is None else "yes" if is_required else "no"


def _count(number: int | None) -> str:
    return "?" if number is None else str(number)


def _row(*cells: str) -> str:
    return f"| {' | '.join(_line(cell) for cell in cells)} |\n"


def _line(text: str) -> str:
    return escaped(visible(text))


def _block(text: str) -> str:
    """A text of several lines as a quotation."""
    return "".join(f"> {_line(line.strip())}".rstrip() + "\n" for line in text.splitlines())
