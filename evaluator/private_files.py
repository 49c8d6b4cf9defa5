"""Small files with secrets below `var/secrets`, for their owner's eyes only."""

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings


def private_path(name: str) -> Path:
    """Where the file of that name lies."""
    return Path(settings.VAR_DIR) / "secrets" / name


def write_private(name: str, values: Mapping[str, str]) -> None:
    """Write texts by their names; the file is whole or as it was."""
    path = private_path(name)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(dict(values), file)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def read_private(name: str) -> dict[str, str]:
    """The texts of a file by their names; empty when there is none."""
    try:
        values: dict[str, str] = json.loads(private_path(name).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return values
