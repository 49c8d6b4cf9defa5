"""Which runs and tasks of a configuration are meant by patterns on a command line."""

from collections.abc import Sequence
from fnmatch import fnmatchcase

from evaluator.engine.trials.configuration import Configuration, RunChoice

MOST_SHOWN = 20  # names in a message


class NoMatchError(Exception):
    """A pattern fits nothing; the text says which, and what there is."""


def chosen_runs(whole: Configuration, patterns: Sequence[str]) -> list[RunChoice] | None:
    """The runs that patterns fit.

    Args:
        whole: the configuration.
        patterns: of `run`, or with a slash of `provider/run`, with `*` and `?`; a name in full also picks a run that
            is disabled.

    Returns:
        None when there are no patterns: then the enabled ones are meant.

    Raises:
        NoMatchError: a pattern fits no run.
    """
    if not patterns:
        return None
    enabled = set(whole.enabled_runs())
    names = {
        RunChoice(entry, run.name): (run.name, f"{provider.definition.name}/{run.name}")
        for entry, provider in enumerate(whole.providers)
        for run in provider.definition.runs
    }
    picked = [
        choice
        for choice, both in names.items()
        if any(pattern in both or (choice in enabled and _fits(both, pattern)) for pattern in patterns)
    ]
    for pattern in patterns:
        if not any(pattern in both or _fits(both, pattern) for both in names.values()):
            raise _no_match(pattern, [both[1] for both in names.values()], "run")
    return picked


def chosen_tasks(whole: Configuration, patterns: Sequence[str]) -> list[str] | None:
    """The names of the tasks that patterns fit; see `chosen_runs`.

    Raises:
        NoMatchError: a pattern fits no task.
    """
    if not patterns:
        return None
    enabled, names = set(whole.enabled_tasks()), [task.definition.name for task in whole.tasks]
    for pattern in patterns:
        if pattern not in names and not any(fnmatchcase(name, pattern) for name in names):
            raise _no_match(pattern, names, "task")
    return [
        name
        for name in names
        if any(pattern == name or (name in enabled and fnmatchcase(name, pattern)) for pattern in patterns)
    ]


def _fits(both: tuple[str, str], pattern: str) -> bool:
    return fnmatchcase(both[1] if "/" in pattern else both[0], pattern)


def _no_match(pattern: str, names: Sequence[str], what: str) -> NoMatchError:
    there = ", ".join(names[:MOST_SHOWN]) + (", …" if len(names) > MOST_SHOWN else "")
    return NoMatchError(f"No {what} is called {pattern!r}. There are: {there}.")
