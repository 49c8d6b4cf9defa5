"""Keeps the text index up with an import, in a process of its own on another core."""

import os
import sqlite3
import subprocess
import sys
import time
from contextlib import suppress
from pathlib import Path
from threading import Thread
from types import TracebackType
from typing import Self

from django.conf import settings
from django.db import DatabaseError

from results.models.evaluations import Evaluation, EvaluationState
from results.text.ahead import RESULTS_PER_STEP, clear, find, keep
from results.text.index import (
    RESULTS_PER_TRANSACTION,
    forget,
    index_pending,
    is_complete,
    next_ordinal,
    read_step,
)
from results.text.index_file import IndexLostError

POLL_SECONDS = 0.08
STEPS_AHEAD = 4  # that are read for the process before it needs them
FOLLOW_FROM_BYTES = 4 * 2**20  # smaller files are indexed within a second; starting a process would cost half of that
BEGIN_AT_SHARE = 0.9  # of the file: until then the machine is left to those who read and write
NICENESS = 19  # it only uses time that nobody else wants, from its first moment on
_LIVING_STATES = (EvaluationState.IMPORTING, EvaluationState.RUNNING)


class Follower:
    """A child process that indexes an evaluation's results as they are committed.

    Use it around the writing, tell it how far that is, and call `finish` once the evaluation is ready. If the process
    cannot be started, dies or is too slow, nothing is lost: `index_pending` does what is left.
    """

    def __init__(self, evaluation_id: int, size_bytes: int) -> None:
        """Prepare to follow.

        Args:
            evaluation_id: the evaluation that is being written.
            size_bytes: size of its file; a small one is indexed by `finish` without a process.
        """
        self.evaluation_id = evaluation_id
        self._process: subprocess.Popen[bytes] | None = None
        self._begins_at = size_bytes * BEGIN_AT_SHARE
        self._is_due = size_bytes >= FOLLOW_FROM_BYTES and _is_reproducible()

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if error is not None:
            self.stop()
            clear(self.evaluation_id)

    def notice(self, done_bytes: int) -> None:
        """Start the process once enough of the file is written; call it after a commit."""
        if self._is_due and done_bytes >= self._begins_at:
            self._is_due = False
            self._process = _start(self.evaluation_id)

    def finish(self, timeout: float | None = None) -> bool:
        """Wait until a ready evaluation can be searched, doing the work here if no process does it.

        Never fails: what cannot be indexed now lags, and is tried again by the next `index_pending`.

        Args:
            timeout: seconds to wait at most; the process goes on after that. None = as long as it takes.

        Returns:
            Whether everything is in the index.
        """
        deadline = None if timeout is None else time.monotonic() + timeout
        try:
            if self._process is not None:
                self._help(self._process, deadline)
            if not is_complete(self.evaluation_id):
                index_pending(self.evaluation_id, lambda: deadline is not None and time.monotonic() > deadline)
            return is_complete(self.evaluation_id)
        except (IndexLostError, sqlite3.Error, DatabaseError, OSError):
            return False
        finally:
            clear(self.evaluation_id)
            if self._process is not None:  # it tidies up; its end is waited for, so that it does not stay a zombie
                Thread(target=self._process.wait, name="follower", daemon=True).start()

    def _help(self, process: "subprocess.Popen[bytes]", deadline: float | None) -> None:
        """Wait until the process has indexed all, and read for it meanwhile what it will need next."""
        ready, is_end = 0, False
        while process.poll() is None and (deadline is None or time.monotonic() < deadline):
            now_at = next_ordinal(self.evaluation_id)
            start = max(ready, now_at + RESULTS_PER_TRANSACTION)
            if is_complete(self.evaluation_id):
                return
            if is_end or start > now_at + RESULTS_PER_TRANSACTION + STEPS_AHEAD * RESULTS_PER_STEP:
                time.sleep(POLL_SECONDS)
            elif kept := find(self.evaluation_id, start):
                ready = kept.end
            else:
                step = read_step(self.evaluation_id, start)
                keep(self.evaluation_id, start, step)
                ready, is_end = start + len(step.rows), step.is_end

    def stop(self) -> None:
        """End the process, if it runs. What it committed stays."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait()


def follow(evaluation_id: int, parent_id: int) -> int:
    """Index an evaluation's results as they are committed, until it is complete or gone.

    Args:
        evaluation_id: the evaluation that another process writes.
        parent_id: process id of that one; when it is gone and the evaluation is not ready, nothing more will come.

    Returns:
        Number of results indexed.
    """
    indexed = 0
    while True:
        has_parent = os.getppid() == parent_id
        state = Evaluation.objects.filter(pk=evaluation_id).values_list("state", flat=True).first()
        if state != EvaluationState.READY and state not in _LIVING_STATES:
            forget(evaluation_id)
            return indexed
        new = index_pending(evaluation_id)
        indexed += new
        is_over = is_complete(evaluation_id) if state == EvaluationState.READY else not has_parent
        if is_over:
            return indexed
        if not new:
            time.sleep(POLL_SECONDS)


def _start(evaluation_id: int) -> subprocess.Popen[bytes] | None:
    program = [sys.executable, str(settings.BASE_DIR / "manage.py"), "index_text"]
    options = ["--evaluation", str(evaluation_id), "--follow", "--parent", str(os.getpid())]
    try:
        process = subprocess.Popen(  # noqa: S603 - our own program and numbers
            [*program, *options],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            start_new_session=True,  # Ctrl-C is for the parent; the child notices that it went
        )
    except OSError:
        return None
    with suppress(OSError):  # it has ended already
        os.setpriority(os.PRIO_PROCESS, process.pid, NICENESS)
    return process


def _is_reproducible() -> bool:
    """Whether a new process would find the same state folder: not so where a test has set its own."""
    folder = Path(os.environ.get("EVALBOARD_VAR") or settings.BASE_DIR / "var")
    return folder.expanduser().resolve() == Path(settings.VAR_DIR)
