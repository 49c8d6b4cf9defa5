"""The parts of an iteration: score, strategies, criteria, regressions and feedback, each in all its written forms."""

import re
from collections.abc import Iterator

from results.importers.agent_bober_fields import Fields, text_of
from results.importers.agent_bober_words import JUDGE, NOT_RUN, STRATEGY_OF_DISPLAY_NAME, Word, read_word
from results.iteration_records import (
    KNOWN_CATEGORIES,
    KNOWN_PRIORITIES,
    KNOWN_SEVERITIES,
    KNOWN_STRATEGIES,
    CriterionResult,
    Failure,
    Feedback,
    PartResult,
    Regression,
    Score,
    StrategyResult,
)

COUNTS = (
    "criteriaTotal",
    "criteriaPassed",
    "criteriaFailed",
    "criteriaSkipped",
    "requiredPassed",
    "requiredFailed",
    "requiredTotal",
)
NAME_AND_RESULT = re.compile(r"(\S+?)\s*[=:]\s*(\S+)")
FIRST_NUMBER = re.compile(r"[0-9]{1,18}")


def read_score(root: Fields) -> Score | None:
    """The score of the document: counts of criteria, or a number of points.

    Raises:
        ImportRefused: a count is negative.
    """
    if not root.has("score"):
        return None
    fields = root.object("score")
    if fields is not None:
        counts = {name: fields.count(name) for name in COUNTS}
        points = fields.number("points")
        return Score(
            criteria_total=counts["criteriaTotal"],
            criteria_passed=counts["criteriaPassed"],
            criteria_failed=counts["criteriaFailed"],
            criteria_skipped=counts["criteriaSkipped"],
            required_passed=counts["requiredPassed"],
            required_failed=counts["requiredFailed"],
            required_total=counts["requiredTotal"],
            points=points,
            extras=fields.extras(),
        )
    points = root.number("score")
    return None if points is None else Score(points=points)


def read_strategies(root: Fields) -> list[StrategyResult] | None:
    """The checks: of `strategyResults`, else of `results`, else of `strategies` written as one text."""
    section = "strategyResults" if root.has("strategyResults") else "results"
    if root.has(section):
        return None if root.items(section) is None else [_strategy(item) for item in root.objects(section, "strategy")]
    return list(_strategies_of_text(root)) or None if root.is_text("strategies") else None


def read_criteria(root: Fields) -> list[CriterionResult] | None:
    """The success criteria, or None when not recorded."""
    if root.items("criteriaResults") is None:
        return None
    return [_criterion(fields) for fields in root.objects("criteriaResults", "criterionId")]


def read_regressions(root: Fields) -> list[Regression] | None:
    """The regressions, or None when not recorded; a bare text is a description."""
    if root.items("regressions") is None:
        return None
    return [
        Regression(
            description=fields.text("description"),
            evidence=fields.text("evidence"),
            severity=_listed(fields, "severity", KNOWN_SEVERITIES),
            affected_files=fields.texts("affectedFiles"),
            anti_pattern=fields.text("antiPattern"),
            source=fields.text("source"),
            extras=fields.extras(),
        )
        for fields in root.objects("regressions", "description")
    ]


def read_feedback(root: Fields) -> list[Feedback] | None:
    """The feedback items, or None when not recorded; a bare text is a description."""
    if root.items("generatorFeedback") is None:
        return None
    return [_feedback(fields) for fields in root.objects("generatorFeedback", "description")]


def _feedback(fields: Fields) -> Feedback:
    line, line_text = _line(fields)
    return Feedback(
        priority=_listed(fields, "priority", KNOWN_PRIORITIES),
        category=_listed(fields, "category", KNOWN_CATEGORIES),
        description=fields.text("description"),
        file=fields.text("file"),
        line=line,
        line_text=line_text,
        expected=fields.text("expected"),
        reproduction=fields.text("reproduction"),
        criterion=fields.text("criterion"),
        extras=fields.extras(),
    )


def _strategy(fields: Fields) -> StrategyResult:
    named = fields.first_text("strategy", "evaluator", "type") or ""
    written = NAME_AND_RESULT.fullmatch(named) if not any(map(fields.has, ("result", "status", "passed"))) else None
    name = written[1] if written and read_word(written[2]) else named
    strategy = STRATEGY_OF_DISPLAY_NAME.get(name, name)
    label = fields.text("label") or (name if strategy != name else None)
    if strategy not in KNOWN_STRATEGIES and strategy != JUDGE:
        fields.warn("", f"strategy {strategy!r} is not one of the documented ones; kept as a check of its own")
    word, result_text = _result(fields, written[2] if written and name != named else None)
    details = fields.first_text("details", "summary")
    is_not_run = word is not None and word.result is PartResult.PASS and NOT_RUN.search(details or "") is not None
    if is_not_run:
        fields.warn("", f"{label or strategy} is recorded as passed, but its text says that it never ran")
    return StrategyResult(
        strategy=strategy,
        label=label,
        required=fields.flag("required"),
        result=word.result if word else None,
        result_text=result_text,
        is_amended=word is not None and word.is_amended,
        is_not_run=is_not_run,
        exit_code=fields.integer("exitCode"),
        error_count=fields.count("errorCount"),
        score=fields.number("score"),
        output=fields.text("output"),
        details=details,
        feedback=fields.text("feedback"),
        failures=_failures(fields),
        extras=fields.extras(),
    )


def _failures(fields: Fields) -> list[Failure] | None:
    section = "failures" if fields.has("failures") else "failedCriteria"
    if fields.items(section) is None:
        return None
    return [_failure(item) for item in fields.objects(section, "message")]


def _failure(fields: Fields) -> Failure:
    line, line_text = _line(fields)
    return Failure(
        criterion=fields.text("criterion"),
        message=fields.text("message"),
        severity=fields.text("severity"),
        file=fields.text("file"),
        line=line,
        line_text=line_text,
        extras=fields.extras(),
    )


def _strategies_of_text(root: Fields) -> Iterator[StrategyResult]:
    root.warn("strategies", "the checks are written as one text; read from its name=result pairs")
    for name, word in NAME_AND_RESULT.findall(text_of(root.raw["strategies"]) or ""):
        meaning = read_word(word.rstrip(",;."))
        if meaning is not None:
            yield StrategyResult(strategy=name, result=meaning.result, is_amended=meaning.is_amended)


def _criterion(fields: Fields) -> CriterionResult:
    criterion_id = fields.first_text("criterionId", "id")
    if not criterion_id:
        fields.warn("criterionId", "the criterion has no id, so it cannot be joined with its contract")
    word, result_text = _result(fields, None)
    evidence = fields.text("evidence")
    if word is not None and word.result is PartResult.PASS and not (evidence or "").strip():
        fields.warn("evidence", f"criterion {criterion_id!r} passes without evidence")
    return CriterionResult(
        criterion_id=criterion_id or "",
        description=fields.text("description"),
        required=fields.flag("required"),
        result=word.result if word else None,
        result_text=result_text,
        is_amended=word is not None and word.is_amended,
        evidence=evidence,
        feedback=fields.text("feedback"),
        verification_method=fields.text("verificationMethod"),
        extras=fields.extras(),
    )


def _result(fields: Fields, written: str | None) -> tuple[Word | None, str | None]:
    """The meaning of a part's result, and its word where that is not the documented one."""
    key = next((key for key in ("result", "status", "passed") if fields.has(key)), "result")
    is_flag = fields.is_flag(key)
    text = fields.text(key) if written is None else written
    if text is None:
        fields.warn("result", "no result is recorded")
        return None, None
    word = read_word(text)
    if word is None:
        fields.warn(key, f"result {text!r} is neither pass, fail nor skipped; kept as unknown")
        return None, text
    if is_flag or text == word.result:
        return word, None
    fields.warn(key, f"result {text!r} is read as {word.result}{', amended' if word.is_amended else ''}")
    return word, text


def _line(fields: Fields) -> tuple[int | None, str | None]:
    """The first whole number of a line, and its text where it is more or less than that."""
    text = fields.text("line")
    if text is None:
        return None, None
    number = FIRST_NUMBER.search(text)
    line = int(number[0]) if number else None
    return line, None if text == str(line) else text


def _listed(fields: Fields, key: str, known: frozenset[str]) -> str | None:
    text = fields.text(key)
    if text is not None and text not in known:
        fields.warn(key, f"{text!r} is not one of {', '.join(sorted(known))}; kept as it is")
    return text
