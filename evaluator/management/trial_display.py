"""A live trial in a terminal: bars that are drawn over themselves; plain lines anywhere else."""

import shutil
import time
import unicodedata
from collections import Counter
from collections.abc import Sequence
from typing import TextIO

from evaluator.engine.trials.finished_results import FinishedResult
from evaluator.live_work import TrialStep
from results.queries.trials import RunProgress, TrialProgress
from results.records import ResultKind

BAR_CELLS = 24
REDRAW_SECONDS = 0.2
MOST_RUNS = 12  # lines of single runs; those that are done give way
NS_PER_SECOND = 1_000_000_000
MARKS = {
    ResultKind.PASSED: "passed",
    ResultKind.FAILED: "failed",
    ResultKind.ERROR: "error",
    ResultKind.SKIPPED: "skipped",
}


class TrialDisplay:
    """Shows what a trial does on a stream."""

    def __init__(self, stream: TextIO, began: TrialProgress) -> None:
        """Begin.

        Args:
            stream: drawn on if it is a terminal.
            began: the trial as it stood when this session began.
        """
        self._stream = stream
        self._is_terminal = stream.isatty()
        self._began = began
        self._began_at = time.monotonic()
        self._drawn_at = 0.0
        self._lines = 0
        self._counts: dict[tuple[str, str], Counter[ResultKind]] = {}
        self._done = began.done

    def show(self, step: TrialStep) -> None:
        """Show a step."""
        for one in step.finished:
            self._counts.setdefault((one.record.provider, one.record.run), Counter())[one.record.kind] += 1
        self._done = self._began.done + step.done
        if not self._is_terminal:
            self._print(step)
        elif step.messages or time.monotonic() - self._drawn_at >= REDRAW_SECONDS:
            self._draw(step.messages)

    def end(self) -> None:
        """Leave the last state standing."""
        if self._is_terminal:
            self._draw(())

    def _print(self, step: TrialStep) -> None:
        for message in step.messages:
            self._stream.write(f"note: {printable(message)}\n")
        first = self._done - len(step.finished) + 1
        for number, one in enumerate(step.finished, first):
            self._stream.write(f"{number}/{self._began.total} {line_of(one)}\n")
        self._stream.flush()

    def _draw(self, messages: Sequence[str]) -> None:
        self._drawn_at = time.monotonic()
        width = shutil.get_terminal_size().columns - 1
        lines = [self._summary(), *self._run_lines()]
        up = f"\x1b[{self._lines}A" if self._lines else ""
        said = "".join(f"\x1b[K{printable(message)[:width]}\n" for message in messages)
        drawn = "".join(f"\x1b[K{line[:width]}\n" for line in lines)
        self._stream.write(f"{up}\r{said}{drawn}\x1b[J")
        self._stream.flush()
        self._lines = len(lines)

    def _summary(self) -> str:
        began, elapsed = self._began, time.monotonic() - self._began_at
        done = self._done - began.done
        left = f" · {duration(elapsed * (began.total - self._done) / done)} left" if done else ""
        share = self._done / began.total if began.total else 1.0
        return f"{bar(share)} {share:4.0%} · {self._done:,} of {began.total:,} results · {duration(elapsed)}{left}"

    def _run_lines(self) -> list[str]:
        rows = [(run, self._counts.get((run.run.provider, run.run.run), Counter())) for run in self._began.runs]
        open_first = sorted(rows, key=lambda row: row[0].done + row[1].total() >= row[0].total)
        lines = [_run_line(run, counts) for run, counts in open_first[:MOST_RUNS]]
        if len(rows) > MOST_RUNS:
            lines.append(f"  … and {len(rows) - MOST_RUNS} more runs")
        return lines


def line_of(one: FinishedResult) -> str:
    """One result as a line."""
    record = one.record
    seconds = f" ({record.duration_ns / NS_PER_SECOND:.1f} s)" if record.duration_ns else ""
    error = record.details.error
    why = f": {error.title}" if error is not None and error.title else ""
    return printable(f"{record.provider} {record.run}, {record.task}: {MARKS[record.kind]}{seconds}{why}")


def bar(share: float) -> str:
    """A bar of a share in [0, 1]."""
    return f"{'█' * round(min(1.0, share) * BAR_CELLS):░<{BAR_CELLS}}"


def duration(seconds: float) -> str:
    """A time in the two units that matter: `45 s`, `3 min 05 s`, `2 h 10 min`."""
    whole = round(seconds)
    if whole < 60:  # noqa: PLR2004 - a minute
        return f"{whole} s"
    minutes, rest = divmod(whole, 60)
    if minutes < 60:  # noqa: PLR2004 - an hour
        return f"{minutes} min {rest:02} s"
    return f"{minutes // 60} h {minutes % 60:02} min"


def printable(text: str) -> str:
    """A text that a terminal shows and does not obey: control characters are written out."""
    return "".join(
        character if unicodedata.category(character) not in ("Cc", "Cf", "Cs") else f"\\u{ord(character):04x}"
        for character in text.replace("\n", " ⏎ ")
    )


def _run_line(run: RunProgress, counts: Counter[ResultKind]) -> str:
    done = run.done + counts.total()
    before = run.outcomes
    told = [
        f"{counts[ResultKind.PASSED] + before.passed} passed",
        f"{counts[ResultKind.FAILED] + before.failed} failed",
        f"{counts[ResultKind.ERROR] + before.errors} errors",
    ]
    if skipped := counts[ResultKind.SKIPPED] + before.skipped:
        told.append(f"{skipped} skipped")
    share = done / run.total if run.total else 1.0
    name = printable(f"{run.run.provider} {run.run.run}")
    return f"  {bar(share)} {done:>4}/{run.total} {name}: {', '.join(told)}"
