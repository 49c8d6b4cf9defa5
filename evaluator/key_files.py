"""Keys that were taken out of uploaded configurations: one file a trial below `var/secrets`, for its owner's eyes only.

A trial's keys lie here while it runs, since a worker is another process than the one that took them in. Afterwards they
stay only if the user asked for it. So do the keys of a draft, which is not a trial yet, until it is begun.
"""

import time
from collections.abc import Mapping
from pathlib import Path

from django.conf import settings
from django.db.models import Q

from evaluator.private_files import private_path, read_private, write_private
from results.models.trials import Trial, TrialState

DRAFT_SECONDS = 60.0


def keep_keys(owner: int | str, keys: Mapping[str, str]) -> None:
    """Write the keys of a trial, or of a draft, by the names that stand for them; none = no file."""
    if not keys:
        forget_keys(owner)
        return
    write_private(_name(owner), keys)


def kept_keys(owner: int | str) -> dict[str, str]:
    """The keys of a trial or a draft by the names that stand for them; empty when none are kept."""
    return read_private(_name(owner))


def forget_keys(owner: int | str) -> None:
    """Remove the keys of a trial or a draft."""
    private_path(_name(owner)).unlink(missing_ok=True)


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


def _name(owner: int | str) -> str:
    return f"trial-{owner}.json"
