"""Which folders may be evaluated: to evaluate a project is to run its code."""

from collections.abc import Sequence
from pathlib import Path


class FolderRefusedError(ValueError):
    """The folder may not be evaluated; the text says why, and what to do."""


def place_project(folder: str, roots: Sequence[str], *, by_hand: bool) -> Path:
    """Where a project's folder really lies, symbolic links followed.

    Args:
        folder: as somebody wrote it.
        roots: the folders that the operator allowed.
        by_hand: somebody typed it in a terminal, where they may run anything anyway: without roots, any folder will do.
            For anybody else there is no folder without roots.

    Raises:
        FolderRefusedError: it is not there, or not below one of the roots.
    """
    if "\0" in folder:
        raise FolderRefusedError("The folder's name has a NUL character. Correct it.")
    try:
        real = Path(folder).resolve(strict=True)
    except (OSError, RuntimeError) as error:
        raise FolderRefusedError(f"There is no folder {folder}. Check the path.") from error
    if not real.is_dir():
        raise FolderRefusedError(f"{folder} is not a folder. Name the project's folder.")
    if by_hand and not roots:
        return real
    if not any(real.is_relative_to(Path(root).resolve()) for root in roots):
        allowed = f"Allowed: {', '.join(roots)}." if roots else "None is allowed: set EVALBOARD_PROJECT_ROOTS."
        raise FolderRefusedError(f"{real} is not below a folder whose projects may be evaluated. {allowed}")
    return real
