"""api-check: requests to the project's own server, and what must come back."""

import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace

import msgspec

from evaluator.engine.patterns import Pattern, PatternError
from evaluator.engine.strategies.captured_output import shorten
from evaluator.engine.strategies.checks.check import Context, begin, stopped
from evaluator.engine.strategies.checks.derived_endpoints import derive_endpoints
from evaluator.engine.strategies.checks.findings import counted
from evaluator.engine.strategies.checks.time_limits import seconds_of
from evaluator.engine.strategies.command_lines import CommandLineError, read_command
from evaluator.engine.strategies.configuration import StrategyChoice
from evaluator.engine.strategies.http_calls import Answer, Call, CallError, make_call, send
from evaluator.engine.strategies.options import ApiOptions, Endpoint
from evaluator.engine.strategies.servers import ServerError, ServerPlan, is_listening, running_server
from evaluator.engine.strategies.states import Outcome, Problem, Reason, State

SHOWN_BODY = 300
LOOKS_AROUND = re.compile(r"\(\?(?:<?[=!]|P=)|\\[1-9]")


def check(choice: StrategyChoice, context: Context) -> Outcome:
    """Send all requests; every answer as expected passes.

    Raises:
        StoppedError: there is nothing to ask, or no server that answers.
    """
    options = choice.options
    assert isinstance(options, ApiOptions)  # noqa: S101 - by its kind
    endpoints = options.endpoints or derive_endpoints(context.contract)
    if not endpoints:
        raise stopped(
            begin(choice),
            Reason.NOTHING_TO_RUN,
            "Nothing to ask: the config has no endpoints, and the contract names no request such as `GET /path`.",
            state=State.SKIPPED,
        )
    with ExitStack() as stack:
        note = _serve(choice, options, context, stack)
        answers = [list(_ask(endpoint, choice, options, context)) for endpoint in endpoints]
    failed = sum(bool(faults) for faults in answers)
    problems = [problem for faults in answers for problem in faults]
    source = "" if options.endpoints else " The requests come from the contract's text."
    return replace(
        begin(choice),
        state=State.FAIL if problems else State.PASS,
        details=f"{counted(len(endpoints), 'request')}: {len(endpoints) - failed:,} answered as expected, "
        f"{failed:,} not.{source}",
        error_count=failed,
        output=shorten("\n".join(problem.message for problem in problems)),
        problems=tuple(problems),
        notes=(note,),
    )


def _serve(choice: StrategyChoice, options: ApiOptions, context: Context, stack: ExitStack) -> str:
    """Have a server for as long as the stack lasts.

    Raises:
        StoppedError: it does not come up, or none is there.
    """
    if not options.start_server:
        if is_listening(options.base_url):
            return f"the server at {options.base_url} was running already"
        raise stopped(
            begin(choice),
            Reason.SERVER,
            f"Nothing listens at {options.base_url}. Start the server, or let it be started with "
            '"startServer": true and a "serverCommand".',
        )
    text = options.server_command or choice.own_command or context.commands.dev
    if text is None:
        raise stopped(
            begin(choice), Reason.CONFIGURATION, "startServer is set, but there is no serverCommand. Write one."
        )
    try:
        plan = ServerPlan(
            command=read_command(text, is_shell=options.shell),
            timeout_seconds=options.server_timeout / 1000,
            address=options.base_url,
            ready=_pattern(options.server_ready_pattern, choice),
        )
        return stack.enter_context(running_server(plan, context.surroundings()))
    except CommandLineError as error:
        raise stopped(begin(choice), Reason.CONFIGURATION, f"serverCommand: {error}.") from error
    except ServerError as error:
        reason = Reason.CANCELLED if context.cancel.is_set() else Reason.SERVER
        raise stopped(begin(choice), reason, f"The server: {error}.") from error


def _pattern(text: str | None, choice: StrategyChoice) -> Pattern | None:
    """The ready pattern: an expression, or a plain text where it is none.

    Raises:
        StoppedError: it is an expression that could take for ever.
    """
    if text is None:
        return None
    try:
        return Pattern(text)
    except PatternError as error:
        if LOOKS_AROUND.search(text):
            raise stopped(
                begin(choice), Reason.CONFIGURATION, f"serverReadyPattern {text[:100]!r}: {error}."
            ) from error
        return Pattern(re.escape(text))


def _ask(endpoint: Endpoint, choice: StrategyChoice, options: ApiOptions, context: Context) -> Iterator[Problem]:
    if context.cancel.is_set():
        raise stopped(begin(choice), Reason.CANCELLED, "Cancelled.")
    body = None if endpoint.body is msgspec.UNSET else endpoint.body
    url = f"{options.base_url.rstrip('/')}/{endpoint.path.lstrip('/')}"
    call = make_call(endpoint.method, url, endpoint.headers, body)
    name = f"{call.method} {endpoint.path}" + (f" ({endpoint.description})" if endpoint.description else "")
    try:
        answer = send(call, seconds_of(choice))
        faults = list(_faults(endpoint, answer))
        context.say(f"{name}: {answer.status}{' ok' if not faults else ''}\n")
    except CallError as error:
        faults = [str(error)]
        context.say(f"{name}: {error}\n")
    for fault in faults:
        yield _problem(name, fault, endpoint, call)


def _problem(name: str, fault: str, endpoint: Endpoint, call: Call) -> Problem:
    return Problem(f"{name}: {fault}", test=name, expected=_expectation(endpoint), reproduction=call.as_curl())


def _faults(endpoint: Endpoint, answer: Answer) -> Iterator[str]:
    """Everything in which an answer is not as expected; after a wrong status the body is another one anyway."""
    is_expected = answer.status == endpoint.expected_status if endpoint.expected_status else answer.status // 100 == 2  # noqa: PLR2004
    if not is_expected:
        said = shorten(answer.text(), SHOWN_BODY)
        yield f"answered {answer.status} instead of {endpoint.expected_status or '2xx'}" + (f": {said}" if said else "")
        return
    if endpoint.expected_content_type and answer.content_type != endpoint.expected_content_type.lower():
        yield f"content type is {answer.content_type or 'missing'}, not {endpoint.expected_content_type}"
    for name, value in endpoint.expected_headers.items():
        found = answer.headers.get(name.lower())
        if found != value:
            yield f"header {name} is {'missing' if found is None else repr(found)}, not {value!r}"
    if endpoint.expected_body_keys:
        yield from _missing_keys(endpoint.expected_body_keys, answer)


def _missing_keys(keys: tuple[str, ...], answer: Answer) -> Iterator[str]:
    try:
        body = json.loads(answer.body)
    except (ValueError, RecursionError):
        yield f"the body is not JSON and has none of {', '.join(keys)}: {shorten(answer.text(), SHOWN_BODY)}"
        return
    for key in keys:
        if not _has(body, key.split(".")):
            yield f"the body has no key {key!r}: {shorten(answer.text(), SHOWN_BODY)}"


def _has(value: object, path: list[str]) -> bool:
    """Whether a key is there; in a list, in each of its items, of which there must be one."""
    if not path:
        return True
    if isinstance(value, list):
        return bool(value) and all(_has(item, path) for item in value)
    return isinstance(value, dict) and path[0] in value and _has(value[path[0]], path[1:])


def _expectation(endpoint: Endpoint) -> str:
    parts = [f"status {endpoint.expected_status or '2xx'}"]
    parts += [f"content type {endpoint.expected_content_type}"] if endpoint.expected_content_type else []
    parts += [f"header {name}: {value}" for name, value in endpoint.expected_headers.items()]
    parts += [f"the keys {', '.join(endpoint.expected_body_keys)}"] if endpoint.expected_body_keys else []
    return f"The answer has {', '.join(parts)}."
