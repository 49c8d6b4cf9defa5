"""Reads a large results document in a process of its own: JSON is taken apart there while rows are written here."""

import gc
import os
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import suppress
from itertools import islice

from django.conf import settings

from results.importers.registry import IMPORTERS
from results.importers.source import (
    Envelope,
    EvaluationHead,
    EvaluationSource,
    Importer,
    ImportRefused,
    ImportWarning,
    Limits,
    SourceFile,
)
from results.reading_frames import (
    Ended,
    Frame,
    Opened,
    ReadingTask,
    Refused,
    Results,
    decoded,
    decoded_task,
    receive,
    send,
)
from results.store.chunks import Chunk, ChunkMaker
from results.store.dimensions import RunKey, TaskKey
from results.store.prepared import Gatherer, PreparedChunk


class ReaderLostError(Exception):
    """The process could not be started, was ended by somebody, or met a fault: the file has to be read here."""


class WaitingReader:
    """A child process that starts and then waits for its task; it ends with this object or with this process."""

    def __init__(self) -> None:
        """Start it, if that is possible; what it is asked is lost otherwise."""
        self.connection, theirs = socket.socketpair()
        self._process = _start(theirs)
        theirs.close()

    def tell(self, task: ReadingTask) -> None:
        """Give it its task."""
        with suppress(OSError):  # it is lost, and the connection at its end
            send(self.connection, task)

    def close(self) -> None:
        """End the process, if it still runs."""
        self.connection.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()


class ReaderProcess:
    """Reads one file in a child process."""

    def __init__(self, importer: Importer, file: SourceFile, limits: Limits, reader: WaitingReader) -> None:
        """Begin; the reader is ended with this object."""
        self._importer, self._file, self._limits, self._reader = importer, file, limits, reader
        self._ended: Ended | None = None
        self._runs: list[RunKey] = []
        self._tasks: list[TaskKey] = []
        self._words: list[str] = []
        self._thread = ThreadPoolExecutor(max_workers=1, thread_name_prefix="reader")
        reader.tell(ReadingTask(importer.name, str(file.path), file.file_name, file.size_bytes, limits))
        self._next = self._thread.submit(receive, reader.connection)

    def head(self) -> EvaluationHead:
        """What the document says about itself.

        Raises:
            ImportRefused: the file is bad.
            ReaderLostError: read it here instead.
        """
        frame = self._frame()
        if not isinstance(frame, Opened):
            raise ReaderLostError
        return frame.head

    def chunks(self) -> Iterator[Chunk]:
        """Walk the results; where the process is lost, the rest is read here.

        Raises:
            ImportRefused: a result is bad.
        """
        done = 0
        try:
            while isinstance(frame := self._frame(), Results):
                done += len(frame.bodies)
                self._note_names(frame.prepared)
                bodies: Future[list[bytes]] = Future()
                bodies.set_result(frame.bodies)
                yield Chunk(frame.prepared, bodies, frame.offset)
            self._ended = frame if isinstance(frame, Ended) else None
        except ReaderLostError:
            yield from self._rest(done)

    def envelope(self) -> Envelope:
        """The document without its results."""
        return self._end().envelope

    def warnings(self) -> list[ImportWarning]:
        """What the reader had to say."""
        return self._end().warnings

    def close(self) -> None:
        """End the process, if it still runs."""
        with suppress(OSError):
            self._reader.connection.shutdown(socket.SHUT_RDWR)  # so that the thread wakes up
        self._thread.shutdown()
        self._reader.close()

    def _end(self) -> Ended:
        if self._ended is None:
            raise RuntimeError("the document has not been read to its end")
        return self._ended

    def _frame(self) -> Frame:
        """The next frame; the one after it is received meanwhile."""
        try:
            content = self._next.result()
        except (EOFError, OSError) as error:
            raise ReaderLostError from error
        self._next = self._thread.submit(receive, self._reader.connection)
        frame = decoded(content)
        if isinstance(frame, Refused):
            raise frame.error()
        return frame

    def _note_names(self, chunk: PreparedChunk) -> None:
        """Keep the names in their order: should the process be lost, they are numbered on from there."""
        self._runs += chunk.new_runs
        self._tasks += chunk.new_tasks
        self._words += chunk.new_words

    def _rest(self, done: int) -> Iterator[Chunk]:
        source = self._importer.read(self._file, self._limits)
        if not isinstance(source, EvaluationSource):
            raise TypeError(f"{self._importer.name} no longer finds results in {self._file.file_name}.")
        maker = ChunkMaker(Gatherer(self._runs, self._tasks, self._words))
        try:
            yield from maker.chunks(islice(source.results, done, None))
        finally:
            maker.close()
        self._ended = Ended(source.envelope(), source.warnings)


def serve(connection: socket.socket) -> None:
    """Wait for a task, read the file and tell the results; ends this process as soon as nobody listens any more."""
    try:
        task = decoded_task(receive(connection))
    except (EOFError, OSError):  # no file came
        return
    gc.disable()  # as in the import itself: millions of short-lived records and no cycles
    threading.Thread(target=_end_with, args=[connection], daemon=True).start()
    try:
        source = IMPORTERS[task.importer].read(task.file, task.limits)
        if isinstance(source, EvaluationSource):
            send(connection, Opened(source.head))
            _send_results(source, connection)
    except ImportRefused as error:
        send(connection, Refused.of(error))


def _send_results(source: EvaluationSource, connection: socket.socket) -> None:
    """Send each chunk when the next one is read: until then its documents are compressed beside that."""
    maker, waiting = ChunkMaker(), None
    try:
        for chunk in maker.chunks(source.results):
            _send_chunk(waiting, connection)
            waiting = chunk
        _send_chunk(waiting, connection)
    finally:
        maker.close()
    send(connection, Ended(source.envelope(), source.warnings))


def _send_chunk(chunk: Chunk | None, connection: socket.socket) -> None:
    if chunk is not None:
        send(connection, Results(chunk.prepared, chunk.bodies.result(), chunk.offset))


def _end_with(connection: socket.socket) -> None:
    """Wait for the other side to close; then no one needs this process."""
    with suppress(OSError):
        connection.recv(1)
    os._exit(1)


def _start(connection: socket.socket) -> "subprocess.Popen[bytes] | None":
    program = [sys.executable, str(settings.BASE_DIR / "manage.py"), "read_results"]
    options = ["--descriptor", str(connection.fileno())]
    try:
        return subprocess.Popen(  # noqa: S603 - our own program, path and numbers
            [*program, *options],
            env=os.environ | {"EVALBOARD_VAR": str(settings.VAR_DIR)},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            pass_fds=[connection.fileno()],
            start_new_session=True,  # Ctrl-C is for the parent; the child notices that it went
        )
    except OSError:
        return None
