"""playwright: end-to-end tests in a browser, with the server that they need."""

import re
from contextlib import ExitStack
from dataclasses import replace

from evaluator.engine.strategies.checks.check import Context, begin, stopped
from evaluator.engine.strategies.checks.test_runs import judge_tests
from evaluator.engine.strategies.checks.time_limits import seconds_of
from evaluator.engine.strategies.checks.tool_run import Request, Run, relative_to, run_tool
from evaluator.engine.strategies.command_lines import CommandLineError, read_command
from evaluator.engine.strategies.configuration import StrategyChoice
from evaluator.engine.strategies.options import PlaywrightOptions, WebServer
from evaluator.engine.strategies.output_parsers.registry import recognise_tests
from evaluator.engine.strategies.servers import ServerError, ServerPlan, running_server
from evaluator.engine.strategies.states import Outcome, Reason, State, TestRun

PACKAGES = frozenset({"@playwright/test", "playwright"})
NO_BROWSER = re.compile(r"Executable doesn't exist at|Please run the following command to download new browsers")
# Playwright reads it where its own configuration sets no baseURL; the other name is what many configurations read.
BASE_URL_NAMES = ("PLAYWRIGHT_TEST_BASE_URL", "BASE_URL")


def check(choice: StrategyChoice, context: Context) -> Outcome:
    """Run the end-to-end tests; judged like unit tests, a test that passes in a retry counts as passed.

    Raises:
        StoppedError: Playwright or its browsers are not installed, the server does not come up, there are no tests, …
    """
    options = choice.options
    assert isinstance(options, PlaywrightOptions)  # noqa: S101 - by its kind
    if choice.own_command is None and not _is_installed(context):
        raise stopped(
            begin(choice),
            Reason.NOT_INSTALLED,
            "Playwright is not installed: neither package.json nor node_modules has @playwright/test. "
            "Install it, or leave this strategy out of the configuration.",
            state=State.SKIPPED,
        )
    asked = {"project": options.project} if options.project else {}
    asked |= {"retries": str(options.retries)} if options.retries is not None else {}
    address = options.base_url or (_address(options.web_server) if options.web_server else None)
    request = Request(
        choice,
        seconds_of(choice),
        TestRun,
        recognise_tests,
        asked=asked,
        environment=dict.fromkeys(BASE_URL_NAMES, address) if address else {},
    )
    with ExitStack() as stack:
        note = _serve(choice, options.web_server, context, stack) if options.web_server else None
        run = run_tool(request, context)
    run = replace(run, outcome=replace(run.outcome, notes=(*run.outcome.notes, note))) if note else run
    _require_browser(run)
    return relative_to(judge_tests(run), context)


def _is_installed(context: Context) -> bool:
    project = context.project
    return bool(PACKAGES & project.node_packages) or project.installed_program("playwright") is not None


def _address(server: WebServer) -> str:
    return server.url or f"http://localhost:{server.port or 3000}"


def _serve(choice: StrategyChoice, server: WebServer, context: Context, stack: ExitStack) -> str:
    """Start the server for as long as the stack lasts."""
    try:
        plan = ServerPlan(
            command=read_command(server.command, is_shell=choice.options.shell),
            timeout_seconds=server.timeout / 1000,
            address=_address(server),
            may_reuse=server.reuse_existing_server,
        )
        environment = {"PORT": str(server.port)} if server.port else {}
        said = stack.enter_context(running_server(plan, context.surroundings(environment)))
    except CommandLineError as error:
        raise stopped(begin(choice), Reason.CONFIGURATION, f"webServer.command: {error}.") from error
    except ServerError as error:
        reason = Reason.CANCELLED if context.cancel.is_set() else Reason.SERVER
        raise stopped(begin(choice), reason, f"The web server: {error}.") from error
    return f"web server: {said}"


def _require_browser(run: Run[TestRun]) -> None:
    tests = run.report
    if tests is None or tests.passed or not tests.problems:
        return
    if all(NO_BROWSER.search(problem.message) for problem in tests.problems):
        raise stopped(
            run.outcome,
            Reason.NOT_INSTALLED,
            "Playwright's browsers are not installed. Run: npx playwright install",
            state=State.SKIPPED,
        )
