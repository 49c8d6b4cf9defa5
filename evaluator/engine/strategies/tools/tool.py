"""What is known about a program that checks something: how to ask it for a report, and how to read that."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from evaluator.engine.strategies.output_parsers.printed import Printed
from evaluator.engine.strategies.states import Findings, Report, TestRun

# Gives the arguments for an option's value; the folder is for report files.
OptionArguments = Callable[[str, Path], tuple[str, ...]]


def no_arguments(_: Sequence[str], __: Path) -> tuple[str, ...]:
    """Ask for nothing: what the tool prints anyway can be read."""
    return ()


def no_environment(_: Path) -> Mapping[str, str]:
    """Set nothing."""
    return {}


@dataclass(frozen=True)
class Tool:
    """One program.

    Attributes:
        matches: whether a command's words, without wrappers such as npx, run this program in the way meant here.
        report: what kind of report it gives.
        read: its report from its output; raises UnreadableError.
        report_arguments: what to add to the words so that it writes a report into the folder.
        report_environment: variables for the same.
        report_flags: flags with a value that contradict those, and may be given only once.
        options: what it can be asked for, by our names: strict, tsconfig, fix, coverage, project, retries.
        files: the arguments for testing only some files of a folder; None where it cannot.
        read_coverage: percent, from its output; None where it cannot measure.
    """

    name: str
    matches: Callable[[Sequence[str]], bool]
    report: type[Findings] | type[TestRun]
    read: Callable[[Printed], Report]
    report_arguments: Callable[[Sequence[str], Path], tuple[str, ...]] = no_arguments
    report_environment: Callable[[Path], Mapping[str, str]] = no_environment
    report_flags: tuple[str, ...] = ()
    options: Mapping[str, OptionArguments] = field(default_factory=dict)
    files: Callable[[Sequence[str], Path], tuple[str, ...]] | None = None
    read_coverage: Callable[[Printed], float | None] | None = None


def without_flags(words: Sequence[str], flags: Sequence[str]) -> tuple[str, ...]:
    """Words without some flags and their values, written as `--flag=value` or as two words."""
    kept: list[str] = []
    is_value = False
    for word in words:
        if is_value:
            is_value = False
        elif word in flags:
            is_value = True
        elif word.partition("=")[0] not in flags:
            kept.append(word)
    return tuple(kept)


def runs(*programs: str, first: Sequence[str] = ()) -> Callable[[Sequence[str]], bool]:
    """Match commands whose program is one of these, with one of `first` as the first argument, if any are named."""

    def matches(words: Sequence[str]) -> bool:
        if not words or Path(words[0]).name not in programs:
            return False
        return not first or (len(words) > 1 and words[1] in first)

    return matches


def plain_files(files: Sequence[str], _: Path) -> tuple[str, ...]:
    """Files as they are."""
    return tuple(files)


def fixed(*arguments: str) -> OptionArguments:
    """An option that adds the same arguments whatever its value."""
    return lambda _value, _folder: arguments
