"""What a check of a project can end with, and everything that is known about how it went."""

from dataclasses import dataclass
from enum import StrEnum

LINE_CHARACTERS = 300  # of a message in one line


class State(StrEnum):
    """How a strategy ended; only `pass` is a pass."""

    PASS = "pass"  # noqa: S105 - a state, not a secret
    FAIL = "fail"
    SKIPPED = "skipped"
    ERROR = "error"


class Reason(StrEnum):
    """Why a strategy was skipped or could not be judged."""

    TIMED_OUT = "timed out"
    TOOL_MISSING = "tool missing"
    UNREADABLE = "unreadable output"
    CONFIGURATION = "configuration"
    SERVER = "server not ready"
    NOTHING_TO_RUN = "nothing to run"
    NO_TESTS = "no tests found"
    NOT_INSTALLED = "not installed"
    CANCELLED = "cancelled"


class Severity(StrEnum):
    """How much one problem weighs."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True)
class Problem:
    """One thing that a tool found wrong.

    Attributes:
        message: what the tool says, without colours.
        file: as the tool names it; made relative to the project before anybody sees it. None = it names none.
        line: from 1.
        code: the tool's own name for it, such as `TS2322` or `no-unused-vars`.
        test: the name of the failed test.
        expected: what should be there instead, where the tool says so.
        reproduction: the command that shows it, where that is narrower than the strategy's command.
    """

    message: str
    severity: Severity = Severity.ERROR
    file: str | None = None
    line: int | None = None
    column: int | None = None
    code: str | None = None
    test: str | None = None
    expected: str | None = None
    reproduction: str | None = None

    @property
    def line_of_text(self) -> str:
        """All of it in one line, such as `src/a.ts:2: TS2322: …`."""
        place = f"{self.file}:{self.line}" if self.file and self.line else self.file
        parts = (place, self.code, self.test, self.message.partition("\n")[0][:LINE_CHARACTERS])
        return ": ".join(part for part in parts if part)


@dataclass(frozen=True)
class Findings:
    """What a compiler or linter reported; the counts may exceed the listed problems."""

    problems: tuple[Problem, ...]
    errors: int
    warnings: int


@dataclass(frozen=True)
class TestRun:
    """What a test runner reported. `broken` counts files that could not even be loaded, and errors outside of tests."""

    __test__ = False  # for pytest, which collects what is called so

    problems: tuple[Problem, ...]
    passed: int
    failed: int
    skipped: int
    broken: int = 0

    @property
    def total(self) -> int:
        """All tests, skipped ones included."""
        return self.passed + self.failed + self.skipped


Report = Findings | TestRun


@dataclass(frozen=True)
class Outcome:
    """How one strategy went.

    Attributes:
        strategy: its type, such as `lint`.
        reason: of a skip or an error.
        command: as a person would type it; None where nothing was to be run.
        exit_code: None where no command ended by itself.
        error_count: failed tests, type errors, failed endpoints …; None = not counted.
        output: an excerpt: the beginning and the end of what was printed.
        details: one or two sentences for a person.
        coverage_percent: in [0, 100]; None = not measured.
        notes: what was found and why it ran so.
    """

    strategy: str
    required: bool
    state: State
    details: str
    label: str | None = None
    reason: Reason | None = None
    command: str | None = None
    exit_code: int | None = None
    error_count: int | None = None
    warning_count: int | None = None
    duration_ns: int = 0
    output: str = ""
    problems: tuple[Problem, ...] = ()
    tests: TestRun | None = None
    coverage_percent: float | None = None
    notes: tuple[str, ...] = ()

    @property
    def name(self) -> str:
        """What to call it: its label, else its type."""
        return self.label or self.strategy

    @property
    def is_judged(self) -> bool:
        """Whether it ran far enough to say pass or fail."""
        return self.state in {State.PASS, State.FAIL}

    @property
    def is_configuration_issue(self) -> bool:
        """Whether somebody has to set something up before this strategy can say anything."""
        return not self.is_judged and self.reason not in {Reason.TIMED_OUT, Reason.CANCELLED}
