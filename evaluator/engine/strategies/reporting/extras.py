"""What we record beside the documented keys of a strategy's result, in one extra key of its own."""

import msgspec

from evaluator.engine.strategies.states import Outcome


class Tests(msgspec.Struct, frozen=True, kw_only=True, rename="camel"):
    """Counts of tests."""

    __test__ = False  # for pytest, which collects what is called so

    total: int
    passed: int
    failed: int
    skipped: int
    broken: int


class Ours(msgspec.Struct, frozen=True, kw_only=True, rename="camel", omit_defaults=True):
    """The state in our own four words, and what the document has no key for; None = not known."""

    state: str = ""
    reason: str | None = None
    is_configuration_issue: bool = False
    command: str | None = None
    duration_ms: int = -1
    warning_count: int | None = None
    tests: Tests | None = None
    coverage_percent: float | None = None
    notes: tuple[str, ...] = ()


def ours_of(outcome: Outcome) -> Ours:
    """What to record beside the documented keys."""
    tests = outcome.tests
    return Ours(
        state=outcome.state.value,
        reason=outcome.reason.value if outcome.reason else None,
        is_configuration_issue=outcome.is_configuration_issue,
        command=outcome.command,
        duration_ms=outcome.duration_ns // 1_000_000,
        warning_count=outcome.warning_count,
        tests=Tests(
            total=tests.total,
            passed=tests.passed,
            failed=tests.failed,
            skipped=tests.skipped,
            broken=tests.broken,
        )
        if tests
        else None,
        coverage_percent=outcome.coverage_percent,
        notes=outcome.notes,
    )
