"""The folder that holds all state, and the secret made in it."""

import os
import secrets
from pathlib import Path

from django.core.exceptions import ImproperlyConfigured

FOLDERS = ("uploads", "facts", "static", "broker/queue", "broker/control", "broker/processed")
SECRET_BYTES = 50
SHORTEST_SECRET = 32


def make_state_folder(folder: Path) -> None:
    """Make the folder and the ones inside; only its owner may look into `secrets`.

    Raises:
        ImproperlyConfigured: it cannot be made.
    """
    try:
        for name in FOLDERS:
            (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / "secrets").mkdir(mode=0o700, exist_ok=True)
    except OSError as error:
        message = f"EVALBOARD_VAR is {str(folder)!r}: that folder cannot be made or written ({error.strerror}); "
        raise ImproperlyConfigured(message + "name one that this user may write.") from error


def lasting_secret(folder: Path, name: str) -> str:
    """The secret `name` kept below `secrets/`: made at random the first time, readable by its owner only."""
    path = folder / "secrets" / name
    if not path.exists():
        # Written aside and linked, so that of two processes starting at once both read the same secret.
        draft = path.with_name(f"{name}.{secrets.token_hex(8)}")
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(SECRET_BYTES))
        try:
            path.hardlink_to(draft)
        except FileExistsError:
            pass
        finally:
            draft.unlink()
    return path.read_text(encoding="ascii").strip()
