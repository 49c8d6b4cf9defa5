"""A whole run: order, live events, cancel, and the false passes that agent-bober gave."""

import json
import threading
import time
from pathlib import Path
from threading import Event
from typing import Any

import pytest

from evaluator.engine.strategies.configuration import Configuration, StrategyChoice, read_configuration
from evaluator.engine.strategies.project_files import ProjectFiles
from evaluator.engine.strategies.reporting.verdict import Exit, decide
from evaluator.engine.strategies.runner import Plan, Watcher, run_strategies
from evaluator.engine.strategies.states import Reason, State
from tests.evaluator.strategies.projects import CONTRACT, choice, python, write


def plan(folder: Path, *choices: StrategyChoice, watcher: Watcher | None = None, cancel: Event | None = None) -> Plan:
    return Plan(ProjectFiles(folder), Configuration(choices), CONTRACT, watcher or Watcher(), cancel or Event())


def configured(folder: Path, *strategies: dict[str, Any]) -> Plan:
    document = {"project": {"mode": "brownfield"}, "evaluator": {"strategies": strategies}}
    write(folder, {"bober.config.json": json.dumps(document)})
    return plan(folder, *read_configuration(folder / "bober.config.json").strategies)


def test_all_run_in_the_documented_order_also_after_a_failure(tmp_path: Path) -> None:
    strategies = [
        {"type": kind, "required": True, "command": "false" if kind == "build" else "true"}
        for kind in ("custom", "own-check", "unit-test", "lint", "typecheck", "build")
    ]
    outcomes = list(run_strategies(configured(tmp_path, *strategies)))
    assert [(outcome.strategy, outcome.state) for outcome in outcomes] == [
        ("build", State.FAIL),
        ("typecheck", State.PASS),
        ("lint", State.PASS),
        ("unit-test", State.ERROR),
        ("custom", State.PASS),
        ("own-check", State.PASS),
    ]


def test_a_watcher_hears_of_each_beginning_and_of_output_while_it_runs(tmp_path: Path) -> None:
    events: list[str] = []
    watcher = Watcher(
        begin=lambda chosen: events.append(f"begin {chosen.type}"),
        say=lambda chosen, text: events.append(f"{chosen.type}: {text.strip()}"),
    )
    chosen = [choice("build", command="echo built"), choice("lint", command="echo clean")]
    run = run_strategies(plan(tmp_path, *chosen, watcher=watcher))
    events.extend(f"end {outcome.strategy}" for outcome in run)  # as they come, between what the watcher adds
    assert events == ["begin build", "build: built", "end build", "begin lint", "lint: clean", "end lint"]


def test_a_cancel_ends_the_run_with_the_strategy_that_was_running(tmp_path: Path) -> None:
    cancel = Event()
    watcher = Watcher(say=lambda _, __: cancel.set())
    sleeping = choice("build", command=python("import time; print('x', flush=True); time.sleep(60)"))
    started = time.monotonic()
    outcomes = list(
        run_strategies(plan(tmp_path, sleeping, choice("lint", command="true"), watcher=watcher, cancel=cancel))
    )
    assert [(outcome.strategy, outcome.reason) for outcome in outcomes] == [("build", Reason.CANCELLED)]
    assert time.monotonic() - started < 30


def test_a_run_may_be_on_any_thread(tmp_path: Path) -> None:
    states: list[State] = []
    thread = threading.Thread(
        target=lambda: states.extend(
            outcome.state for outcome in run_strategies(plan(tmp_path, choice("build", command="true")))
        )
    )
    thread.start()
    thread.join()
    assert states == [State.PASS]


ZERO = python('print(\'{"numTotalTests": 0, "testResults": []}\'); raise SystemExit(1)')
SUITE = python('print(\'{"testResults": [{"name": "a", "status": "failed", "message": "no module"}]}\')')


@pytest.mark.parametrize(
    ("strategies", "state", "expected"),
    [
        ([choice("unit-test", command=SUITE)], State.FAIL, Exit.FAILED),
        ([choice("unit-test", command=ZERO)], State.SKIPPED, Exit.NOT_EVALUATED),
        ([choice("unit-test", command="sleep 5", timeout=300)], State.ERROR, Exit.NOT_EVALUATED),
        ([choice("unit-test", command="no-such-program-here")], State.ERROR, Exit.NOT_EVALUATED),
        ([choice("custom", command="echo hi && false")], State.FAIL, Exit.FAILED),
        ([choice("custom", command='sh -c "exit 4"')], State.FAIL, Exit.FAILED),
        ([choice("custom", command="echo '{\"passed\": false}'")], State.FAIL, Exit.FAILED),
        (
            [choice("custom", command="echo '{\"n\": 1}'", parseOutput="json", passCondition="output.n > 1")],
            State.FAIL,
            Exit.FAILED,
        ),
        ([choice("build", command="true", outputDir="dist", verifyOutput=True)], State.FAIL, Exit.FAILED),
        (
            [
                choice("api-check", required=False, baseUrl="http://127.0.0.1:1", endpoints=[{"path": "/"}]),
                choice("build", command="true"),
            ],
            State.ERROR,
            Exit.PASSED,
        ),
        ([choice("lint", required=False, command="false"), choice("build", command="true")], State.FAIL, Exit.PASSED),
        ([], None, Exit.NOT_EVALUATED),
    ],
)
def test_what_agent_bober_passed_is_judged_honestly(
    tmp_path: Path, strategies: list[StrategyChoice], state: State | None, expected: Exit
) -> None:
    outcomes = list(run_strategies(plan(tmp_path, *strategies)))
    assert (outcomes[0].state if outcomes else None) is state
    assert decide(outcomes, ()).exit is expected
