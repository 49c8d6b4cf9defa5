"""Uploads go straight to their private place below `var/uploads`: in one pass, hashed on the way, within the limit."""

from django.conf import settings
from django.core.files.uploadedfile import UploadedFile
from django.core.files.uploadhandler import FileUploadHandler

from results.importers.source import ImportRefused, Limits
from results.importing import reason_of
from results.models.jobs import Upload
from results.uploads import PrivateCopy


class StagedFile(UploadedFile):  # type: ignore[type-arg]  # generic for the checker only
    """A file that arrived. Unless it is kept it goes away with the request.

    Attributes:
        problem: why it cannot be kept; empty when it can.
    """

    def __init__(self, name: str, copy: PrivateCopy, problem: str) -> None:
        super().__init__(None, name, size=copy.size_bytes)
        self.problem = problem
        self._copy = copy
        self._is_kept = False

    def keep(self, file_name: str) -> Upload:
        """Save the row of the copy; `file_name` is what the user calls it."""
        self._is_kept = True
        return self._copy.keep(file_name)

    def close(self) -> None:
        """Remove the copy unless it was kept; Django calls this at the end of the request."""
        if not self._is_kept:
            self._copy.discard()


class StagingUploadHandler(FileUploadHandler):
    """Writes each file of a form to its private place. One that is too large is read to its end and thrown away."""

    def new_file(self, *args: object, **kwargs: object) -> None:
        """Begin a file."""
        super().new_file(*args, **kwargs)  # type: ignore[arg-type]  # Django's own arguments, passed on as they are
        self.copy = PrivateCopy(Limits(file_bytes=settings.MAX_UPLOAD_BYTES))
        self.problem = ""

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:  # noqa: ARG002  (Django passes it)
        """Write the next bytes."""
        if self.problem:
            return
        try:
            self.copy.write(raw_data)
        except (ImportRefused, OSError) as error:
            self.copy.discard()
            self.problem = reason_of(error)

    def file_complete(self, file_size: int) -> StagedFile:  # noqa: ARG002  (ours counts itself)
        """End a file."""
        if not self.problem:
            self.copy.finish()
        return StagedFile(self.file_name or "", self.copy, self.problem)

    def upload_interrupted(self) -> None:
        """The browser went away: nothing stays."""
        copy: PrivateCopy | None = getattr(self, "copy", None)
        if copy is not None:
            copy.discard()
