"""Keys that were taken out of uploaded configurations: one file a trial below `var/secrets`, for its owner's eyes only.

A trial's keys lie here while it runs, since a worker is another process than the one that took them in. Afterwards they
stay only if the user asked for it. So do the keys of a draft, which is not a trial yet, until it is begun.
"""

import json
import os
import secrets
import time
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings
from django.db.models import Q

from results.models.trials import Trial, TrialState

DRAFT_SECONDS = 60.0


def keep_keys(owner: int | str, keys: Mapping[str, str]) -> None:
    """Write the keys of a trial, or of a draft, by the names that stand for them; none = no file."""
    if not keys:
        forget_keys(owner)
        return
    path = _path(owner)
    path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
    path.parent.chmod(0o700)
    draft = path.with_name(f"{path.name}.{secrets.token_hex(8)}")
    try:
        with os.fdopen(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
            json.dump(dict(keys), file)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)


def kept_keys(owner: int | str) -> dict[str, str]:
    """The keys of a trial or a draft by the names that stand for them; empty when none are kept."""
    try:
        keys: dict[str, str] = json.loads(_path(owner).read_text(encoding="utf-8"))
    except (FileNotFoundError, ValueError):
        return {}
    return keys


def forget_keys(owner: int | str) -> None:
    """Remove the keys of a trial or a draft."""
    _path(owner).unlink(missing_ok=True)


def forget_idle_keys() -> None:
    """Remove the keys of trials that are gone, and of those that ended and whose user did not want them kept."""
    for path in (Path(settings.VAR_DIR) / "secrets").glob("trial-*.json*"):
        number, is_whole = path.name.removeprefix("trial-").partition(".")[0], path.suffix == ".json"
        if is_whole and not number.isdecimal():
            continue  # of a draft
        trial = Trial.objects.filter(pk=int(number)) if is_whole else Trial.objects.none()
        is_needed = trial.filter(Q(state=TrialState.RUNNING) | Q(keeps_keys=True)).exists()
        if not is_needed and (trial.exists() or not _is_new(path)):
            path.unlink(missing_ok=True)


def _is_new(path: Path) -> bool:
    """Whether a file is being written now, or its trial is, and not what a process that died has left."""
    try:
        return time.time() - path.stat().st_mtime < DRAFT_SECONDS
    except FileNotFoundError:
        return False


def _path(owner: int | str) -> Path:
    return Path(settings.VAR_DIR) / "secrets" / f"trial-{owner}.json"
