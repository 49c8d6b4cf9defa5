"""A progress bar on a terminal, none anywhere else, and words that are worth a line of their own."""

import shutil
import time
from typing import TextIO

from results.importing import Progress

BAR_CELLS = 24
REDRAW_SECONDS = 0.1


class ProgressBar:
    """One line that is drawn over itself: file, bar, share, results, rate and time left."""

    def __init__(self, stream: TextIO) -> None:
        """Draw on `stream` if it is a terminal."""
        self._stream = stream
        self._is_on = stream.isatty()
        self._file_name = ""
        self._began = self._drawn = 0.0

    def show(self, progress: Progress) -> None:
        """Draw the state of one file; at most ten times a second."""
        now = time.monotonic()
        if progress.file_name != self._file_name:
            self._file_name, self._began = progress.file_name, now
        if not self._is_on or now - self._drawn < REDRAW_SECONDS:
            return
        self._drawn = now
        line = progress_line(progress, now - self._began)
        width = shutil.get_terminal_size().columns
        self._stream.write(f"\r\x1b[K{line[: width - 1]}")
        self._stream.flush()

    def say(self, text: str) -> None:
        """Write a line of words, on a terminal or not: whoever waits wants to know for what."""
        self.clear()
        self._stream.write(f"{text}\n")
        self._stream.flush()

    def clear(self) -> None:
        """Take the line away."""
        if self._is_on:
            self._stream.write("\r\x1b[K")
            self._stream.flush()


def counted(number: int, noun: str) -> str:
    """Write a number with its noun: `1 result`, `2,000 results`."""
    return f"{number:,} {noun}" if number == 1 else f"{number:,} {noun}s"


def progress_line(progress: Progress, seconds: float) -> str:
    """Write the state of one file as a line, `seconds` after it began."""
    share = min(1.0, progress.done_bytes / progress.total_bytes) if progress.total_bytes else 1.0
    bar = "█" * round(share * BAR_CELLS)
    parts = [f"{share:4.0%}", f"{progress.results:,} results"]
    if seconds > 0 and progress.results:
        parts.append(f"{progress.results / seconds:,.0f}/s")
    if 0 < share < 1 and seconds > 0:
        parts.append(f"{seconds / share - seconds:.0f} s left")
    return f"{progress.file_name} {bar:░<{BAR_CELLS}} {' · '.join(parts)}"
