"""Tells what kept a command from saying anything: time-out, cancel, or a program that is not there."""

from dataclasses import dataclass

from evaluator.engine.patterns import Pattern
from evaluator.engine.strategies.processes import NOT_FOUND_EXIT, Finished
from evaluator.engine.strategies.states import Reason

# What programs print when one that they need is not there; looked for only where no report could be read.
MISSING = Pattern(
    r"(?m)npx canceled due to missing packages.*|could not determine executable to run|"
    r"This is not the tsc command you are looking for|^\S*python\S*: No module named \S+$|"
    r"^(?:/bin/)?(?:ba|da|z)?sh: (?:\d+: |line \d+: )?\S+: (?:command )?not found$|"
    r"is not installed for the toolchain.*|no such (?:sub)?command: .*|MISSING DEPENDENCY.*|"
    r"unrecognized arguments: --cov\b.*"
)
NO_SCRIPT = Pattern(r"Missing script: .*|ERR_PNPM_NO_SCRIPT.*")
SEARCHED_CHARACTERS = 200_000  # at the end of what was printed


@dataclass(frozen=True)
class Obstacle:
    """Why nothing can be said."""

    reason: Reason
    details: str


def find_obstacle(finished: Finished, timeout_seconds: float) -> Obstacle | None:
    """What kept a command from running to its end; None if it did."""
    if finished.is_cancelled:
        return Obstacle(Reason.CANCELLED, "Cancelled while it ran.")
    if finished.is_timed_out:
        return Obstacle(
            Reason.TIMED_OUT,
            f"Not done within {timeout_seconds:g} s; it was ended with all that it started. "
            'Make it faster, or give it more time with "timeout" (milliseconds) in its config.',
        )
    if finished.missing:
        return Obstacle(Reason.TOOL_MISSING, f"{finished.missing}. Install it, or correct the command.")
    if finished.exit_code == NOT_FOUND_EXIT:
        return find_missing(finished) or Obstacle(
            Reason.TOOL_MISSING, "A program was not found (exit code 127). Install the project's packages first."
        )
    return None


def find_missing(finished: Finished) -> Obstacle | None:
    """What a failed command says is not there; to be asked only where it wrote no report."""
    if finished.exit_code == 0:
        return None
    printed = finished.everything[-SEARCHED_CHARACTERS:]
    said = NO_SCRIPT.first(printed)
    if said:
        return Obstacle(Reason.CONFIGURATION, f"{said[0].strip()}. Add the script, or correct the command.")
    said = MISSING.first(printed)
    return Obstacle(Reason.TOOL_MISSING, f"{said[0].strip()}. Install what is missing first.") if said else None
