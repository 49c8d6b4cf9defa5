"""Outcomes and criteria with every field defaulted."""

from dataclasses import replace
from typing import Any

from evaluator.engine.strategies.contracts import Criterion
from evaluator.engine.strategies.states import Outcome, Problem, Reason, State

BUILD = "build"


def outcome(strategy: str = BUILD, state: State = State.PASS, *, required: bool = True, **changes: Any) -> Outcome:
    """An outcome."""
    reason = Reason.TIMED_OUT if state is State.ERROR else Reason.NO_TESTS if state is State.SKIPPED else None
    made = Outcome(strategy, required, state, f"{strategy} is {state}.", reason=reason, command=f"run {strategy}")
    return replace(made, **changes)


def criterion(number: int = 1, method: str | None = BUILD, *, required: bool = True) -> Criterion:
    """A criterion `sc-1-<number>`."""
    return Criterion(f"sc-1-{number}", f"Criterion {number} holds.", method, required)


def problem(message: str = "wrong", **changes: Any) -> Problem:
    """A problem in src/a.ts."""
    return replace(Problem(message, file="src/a.ts", line=3), **changes)
