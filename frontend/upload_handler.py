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

    def __init__(self, name: str, copy: PrivateCopy | None, problem: str) -> None:
        super().__init__(None, name, size=copy.size_bytes if copy else 0)
        self.problem = problem
        self._copy = copy
        self._is_kept = False

    def keep(self, file_name: str) -> Upload:
        """Save the row of the copy; `file_name` is what the user calls it.

        Raises:
            ImportRefused: there is no copy; `problem` says why.
        """
        if self._copy is None:
            raise ImportRefused(self.problem)
        upload = self._copy.keep(file_name)
        self._is_kept = True
        return upload

    def close(self) -> None:
        """Remove the copy unless it was kept; Django calls this at the end of the request."""
        if self._copy is not None and not self._is_kept:
            self._copy.discard()


class StagingUploadHandler(FileUploadHandler):
    """Writes each file of a form to its private place. One that is too large is read to its end and thrown away."""

    def new_file(self, *args: object, **kwargs: object) -> None:
        """Begin a file."""
        super().new_file(*args, **kwargs)  # type: ignore[arg-type]  # Django's own arguments, passed on as they are
        self.copy: PrivateCopy | None = None
        self.problem = ""
        try:
            self.copy = PrivateCopy(Limits(file_bytes=settings.MAX_UPLOAD_BYTES))
        except OSError as error:
            self.problem = reason_of(error)

    def receive_data_chunk(self, raw_data: bytes, start: int) -> None:  # noqa: ARG002  (Django passes it)
        """Write the next bytes."""
        if self.copy is None or self.problem:
            return
        try:
            self.copy.write(raw_data)
        except (ImportRefused, OSError) as error:
            self._give_up(self.copy, error)

    def file_complete(self, file_size: int) -> StagedFile:  # noqa: ARG002  (ours counts itself)
        """End a file."""
        if self.copy is not None and not self.problem:
            try:
                self.copy.finish()
            except OSError as error:  # the last bytes did not fit
                self._give_up(self.copy, error)
        return StagedFile(self.file_name or "", self.copy, self.problem)

    def upload_interrupted(self) -> None:
        """The browser went away: nothing stays."""
        copy: PrivateCopy | None = getattr(self, "copy", None)
        if copy is not None:
            copy.discard()

    def _give_up(self, copy: PrivateCopy, error: ImportRefused | OSError) -> None:
        copy.discard()
        self.problem = reason_of(error)
