"""Runs the command of a strategy and reads its report: what all checks by a tool have in common."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Generic, TypeVar

from evaluator.engine.strategies.captured_output import shorten
from evaluator.engine.strategies.checks.check import Context, begin, stopped
from evaluator.engine.strategies.checks.obstacles import find_missing, find_obstacle
from evaluator.engine.strategies.command_lines import CommandLine, CommandLineError, Step, read_command
from evaluator.engine.strategies.configuration import StrategyChoice
from evaluator.engine.strategies.detection import detect, sought
from evaluator.engine.strategies.output_parsers.printed import Printed, UnreadableError
from evaluator.engine.strategies.processes import Finished, run_command
from evaluator.engine.strategies.states import Findings, Outcome, Reason, State, TestRun
from evaluator.engine.strategies.tools.registry import Recognised, missing_program, recognise, swallows_exit_codes
from evaluator.engine.strategies.tools.tool import Tool, without_flags

SHOWN_FILES = 5
CUT = "more was printed than is kept, and what is kept has no summary of a known kind"
SWALLOWED = "the command ends with exit code 0 whatever happens in it"

R = TypeVar("R", bound=Findings | TestRun)


@dataclass(frozen=True)
class Request(Generic[R]):
    """What to run for a strategy.

    Attributes:
        report: what kind of report is wanted.
        recognise_output: reads the output of a command whose tool is not known.
        configured: the command from `commands`, if any.
        asked: what the tool is asked for, by our names, with the values; what it cannot do is an error.
        files: to test, relative to the project; None = all that the tool finds.
        environment: variables beside the usual ones.
    """

    choice: StrategyChoice
    timeout_seconds: float
    report: type[R]
    recognise_output: Callable[[str], R | None]
    configured: str | None = None
    asked: Mapping[str, str] = field(default_factory=dict)
    files: Sequence[str] | None = None
    environment: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class Run(Generic[R]):
    """A command that ran to its end.

    Attributes:
        outcome: everything known so far, to be judged.
        report: what was read from its output; None if nothing was recognised in it.
        tool: None if the command's program is not known, or did not get its turn.
        printed: for what else may be read from it.
        doubt: why an exit code of 0 says nothing; empty = it says that the command succeeded.
    """

    outcome: Outcome
    exit_code: int
    report: R | None
    tool: Tool | None
    printed: Printed
    doubt: str = ""


def run_tool(request: Request[R], context: Context) -> Run[R]:
    """Run a strategy's command and read its report.

    Raises:
        StoppedError: there is no command, it could not run, or its output cannot be read.
    """
    choice = request.choice
    text, note = _command(request, context)
    begun = replace(begin(choice), command=text, notes=(note,))
    try:
        line = read_command(text, is_shell=choice.options.shell)
        known = recognise(line, context.project)
        if known and (known.tool.report is not request.report or not known.can_be_asked):
            known = None  # it says something else than is wanted: then what it prints has to do
        line, shown = _asking(line, known, request, context)
    except CommandLineError as error:
        raise stopped(begun, Reason.CONFIGURATION, f"{choice.type}: {error}.") from error
    begun = replace(begun, command=shown)
    _require_installed(begun, line, context)
    environment = {**request.environment, **(known.tool.report_environment(context.reports) if known else {})}
    finished = run_command(line, context.surroundings(environment), request.timeout_seconds)
    begun = _with_output(begun, finished, context)
    obstacle = find_obstacle(finished, request.timeout_seconds)
    if obstacle is not None:
        raise stopped(begun, obstacle.reason, obstacle.details)
    is_last = finished.step == len(line.steps) - 1
    return _read(begun, finished, line, known.tool if known and is_last else None, request, context)


def relative_to(outcome: Outcome, context: Context) -> Outcome:
    """The same with the project's own files named from its folder."""
    folder = f"{context.project.folder}/"
    real = f"{context.project.folder.resolve()}/"

    def short(text: str) -> str:
        return text.replace(f"file://{folder}", "").replace(folder, "").replace(real, "")

    problems = tuple(
        replace(
            problem,
            message=short(problem.message),
            file=short(problem.file).removeprefix("./") if problem.file else None,
        )
        for problem in outcome.problems
    )
    return replace(outcome, problems=problems, output=short(outcome.output))


def _command(request: Request[R], context: Context) -> tuple[str, str]:
    """The command, and where it comes from."""
    choice = request.choice
    if choice.own_command:
        return choice.own_command, "the command stands in the strategy"
    if request.configured:
        return request.configured, "the command stands under commands in the configuration"
    found = detect(choice.type, context.project)
    if found is None:
        details = f"Nothing to run: {sought(choice.type)}"
        raise stopped(begin(choice), Reason.NOTHING_TO_RUN, details, state=State.SKIPPED)
    return found.command, found.reason


def _asking(
    line: CommandLine, known: Recognised | None, request: Request[R], context: Context
) -> tuple[CommandLine, str]:
    """The command with what the tool is asked for, and as a person would type it, without our report files.

    Raises:
        CommandLineError: the tool cannot do what is asked.
    """
    asked = _asked(line, known, request, context)
    if known is None:
        return line, line.text
    report = known.tool.report_arguments(known.words, context.reports)
    last = line.steps[-1]
    added = [*report, *asked]
    own = last.words if known.is_script else without_flags(last.words, known.tool.report_flags)
    whole = Step((*own, *(known.separator if added else ()), *added), last.environment)
    folder = f"{context.project.folder}/"
    visible = [word.removeprefix(folder) for word in asked if str(context.reports) not in word]
    if request.files is not None and len(request.files) > SHOWN_FILES:
        visible = visible[: -len(request.files)]
    shown = f"{line.text} {shlex.join([*known.separator, *visible])}" if visible else line.text
    return replace(line, steps=(*line.steps[:-1], whole)), shown


def _asked(line: CommandLine, known: Recognised | None, request: Request[R], context: Context) -> list[str]:
    """The arguments for what the tool is asked for; none of it is ever left out silently."""
    what = known.tool.name if known else f"the program of {line.text!r}, which is not known here,"
    asked: list[str] = []
    for name, value in request.asked.items():
        arguments = known.tool.options.get(name) if known else None
        if arguments is None:
            raise CommandLineError(f"{what} cannot be asked for {name}. Leave the option out, or name another command")
        asked += arguments(value, context.reports)
    if request.files is not None:
        if known is None or known.tool.files is None:
            raise CommandLineError(f"{what} does not take files to test. Leave testMatch out")
        asked += known.tool.files(request.files, context.project.folder)
    return asked


def _require_installed(begun: Outcome, line: CommandLine, context: Context) -> None:
    for step in line.steps:
        name = missing_program(step, context.project)
        if name:
            raise stopped(
                begun,
                Reason.TOOL_MISSING,
                f"{name} is not in node_modules, and nothing is downloaded while a project is evaluated. "
                f"Install the project's packages first{_install_hint(context)}.",
            )


def _install_hint(context: Context) -> str:
    return f" ({context.commands.install})" if context.commands.install else " (npm install)"


def _with_output(begun: Outcome, finished: Finished, context: Context) -> Outcome:
    """What was printed, without the lines about our report files."""
    lines = [line for line in finished.excerpt.splitlines() if str(context.reports) not in line]
    return replace(begun, exit_code=finished.exit_code, output=shorten("\n".join(lines)))


def _require_complete(begun: Outcome, finished: Finished) -> None:
    """Stop where a program without a report says that something is missing."""
    missing = find_missing(finished)
    if missing is not None:
        raise stopped(begun, missing.reason, missing.details)


def _read(
    begun: Outcome, finished: Finished, line: CommandLine, tool: Tool | None, request: Request[R], context: Context
) -> Run[R]:
    exit_code = finished.exit_code if finished.exit_code is not None else -1
    printed = Printed(finished.stdout, finished.stderr, exit_code, context.reports, context.project.folder)
    if tool is None:
        report = request.recognise_output(printed.everything)
        if report is None:
            _require_complete(begun, finished)
        doubt = CUT if finished.is_cut else SWALLOWED if swallows_exit_codes(line, context.project) else ""
        return Run(begun, exit_code, report, None, printed, doubt)
    try:
        found = tool.read(printed)
    except UnreadableError as error:
        _require_complete(begun, finished)
        cut = " More was printed than is kept." if finished.is_cut else ""
        raise stopped(
            begun, Reason.UNREADABLE, f"{tool.name} ended with exit code {exit_code}, but {error}.{cut}"
        ) from error
    if not isinstance(found, request.report):
        raise TypeError(f"{tool.name} read {type(found).__name__} instead of {request.report.__name__}")
    return Run(begun, exit_code, found, tool, printed)
