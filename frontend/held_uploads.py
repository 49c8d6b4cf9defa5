"""Files of a new trial are held in memory: a configuration may hold keys, which must never touch the disk."""

from collections.abc import Sequence

from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler, StopFutureHandlers

from frontend.formats import size

FIELDS = ("config", "tasks", "task_files")  # of the form for new trials
LARGEST_BYTES = 20_000_000  # of one file: no service takes larger images
MOST_BYTES = 64_000_000  # of one form


class HeldFile(UploadedFile):  # type: ignore[type-arg]  # generic for the checker only
    """A file that arrived and lies in memory until the request ends.

    Attributes:
        content: its bytes; empty where `problem` says why it was not taken.
    """

    def __init__(self, name: str, content: bytes, problem: str) -> None:
        super().__init__(None, name, size=len(content))
        self.content = content
        self.problem = problem


class HoldingUploadHandler(FileUploadHandler):
    """Holds the files of some fields; those of all others go on to the next handler."""

    def __init__(self, request: object = None) -> None:
        super().__init__(request)  # type: ignore[arg-type]  # Django's own argument, passed on as it is
        self._taken = 0  # bytes of this form
        self._blocks: list[bytes] | None = None  # None = the file is not ours
        self._problem = ""

    def new_file(self, field_name: str, *args: object, **kwargs: object) -> None:
        """Begin a file.

        Raises:
            StopFutureHandlers: it is ours; no other handler hears of it.
        """
        super().new_file(field_name, *args, **kwargs)  # type: ignore[arg-type]  # see above
        self._blocks, self._problem = None, ""
        if field_name in FIELDS:
            self._blocks = []
            raise StopFutureHandlers

    def receive_data_chunk(self, raw_data: bytes, start: int) -> bytes | None:
        """Take the next bytes; what is too much is read and thrown away."""
        if self._blocks is None:
            return raw_data
        self._taken += len(raw_data)
        if start + len(raw_data) > LARGEST_BYTES:
            self._give_up(f"the file has more than {size(LARGEST_BYTES)}. Name a folder of the server instead.")
        elif self._taken > MOST_BYTES:
            wrong = f"the files have more than {size(MOST_BYTES)} together. Name a folder of the server instead."
            self._give_up(wrong)
        elif not self._problem:
            self._blocks.append(raw_data)
        return None

    def file_complete(self, file_size: int) -> HeldFile | None:  # noqa: ARG002  (ours counts itself)
        """End a file."""
        if self._blocks is None:
            return None
        return HeldFile(self.file_name or "file", b"".join(self._blocks), self._problem)

    def _give_up(self, problem: str) -> None:
        self._problem = problem
        self._blocks = []


def given(files: Sequence[HeldFile]) -> list[HeldFile]:
    """Without what a browser sends for a field that was left empty."""
    return [file for file in files if file.content or file.problem]
