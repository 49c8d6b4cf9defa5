"""What a reading process is told and tells: frames on a socket, each a length of eight bytes and MessagePack."""

import socket
from pathlib import Path

import msgspec
from msgspec import Struct

from results.importers.source import Envelope, EvaluationHead, ImportRefused, ImportWarning, Limits, SourceFile
from results.store.prepared import PreparedChunk

_LENGTH_BYTES = 8


class ReadingTask(Struct):
    """What is to be read: the private copy at `path`, by the importer of that name."""

    importer: str
    path: str
    file_name: str
    size_bytes: int
    limits: Limits

    @property
    def file(self) -> SourceFile:
        """The private copy."""
        return SourceFile(Path(self.path), self.file_name, self.size_bytes)


class Opened(Struct, tag=True):
    """The document is well-formed; its results follow."""

    head: EvaluationHead


class Results(Struct, tag=True):
    """A chunk: what its rows hold, its compressed documents, and the file's byte that was reached."""

    prepared: PreparedChunk
    bodies: list[bytes]
    offset: int


class Ended(Struct, tag=True):
    """There are no more results."""

    envelope: Envelope
    warnings: list[ImportWarning]


class Refused(Struct, tag=True):
    """The document is bad; the parts of an `ImportRefused`."""

    reason: str
    path: str
    row: int | None
    offset: int | None
    remedy: str

    @classmethod
    def of(cls, error: ImportRefused) -> "Refused":
        """Take a refusal apart."""
        return cls(error.reason, error.path, error.row, error.offset, error.remedy)

    def error(self) -> ImportRefused:
        """Put it together again."""
        return ImportRefused(self.reason, path=self.path, row=self.row, offset=self.offset, remedy=self.remedy)


Frame = Opened | Results | Ended | Refused

_ENCODER = msgspec.msgpack.Encoder()
_DECODER: msgspec.msgpack.Decoder[Frame] = msgspec.msgpack.Decoder(Frame)
_TASK_DECODER = msgspec.msgpack.Decoder(ReadingTask)


def send(connection: socket.socket, frame: Frame | ReadingTask) -> None:
    """Send a frame whole.

    Raises:
        OSError: the other side is gone.
    """
    content = _ENCODER.encode(frame)
    connection.sendall(len(content).to_bytes(_LENGTH_BYTES, "big"))
    connection.sendall(content)


def receive(connection: socket.socket) -> bytearray:
    """Wait for a frame and get it as it came; `decoded` reads it.

    Raises:
        EOFError: the other side ended.
        OSError: the connection is broken.
    """
    return _receive(connection, int.from_bytes(_receive(connection, _LENGTH_BYTES), "big"))


def decoded(content: bytearray) -> Frame:
    """Read a frame."""
    return _DECODER.decode(content)


def decoded_task(content: bytearray) -> ReadingTask:
    """Read the frame that a reading process is sent first."""
    return _TASK_DECODER.decode(content)


def _receive(connection: socket.socket, size: int) -> bytearray:
    content = bytearray(size)
    rest = memoryview(content)
    while rest:
        # One call for all bytes: each return to Python waits for its turn beside a busy thread.
        count = connection.recv_into(rest, len(rest), socket.MSG_WAITALL)
        if not count:
            raise EOFError("the other side ended")
        rest = rest[count:]
    return content
