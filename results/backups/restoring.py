"""Restores a backup while the server runs: everything is checked first, then all rows change at once."""

import fcntl
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.core.management import call_command
from django.db import connection
from django.db.migrations.loader import MigrationLoader
from django.utils import timezone

from results.backups.container import BackupRefusedError, Manifest, read_manifest, unpack
from results.backups.copies import copy_in, migrate_copy
from results.backups.saving import save
from results.facts import engine
from results.facts.rebuild import rebuild
from results.models.evaluations import Evaluation
from results.models.jobs import Job
from results.models.sprints import Sprint
from results.text.index import index_pending
from results.text.index_file import current_path, replace

SAFETY_FOLDER = "backups"  # below the state folder

Say = Callable[[str], None]


@dataclass(frozen=True)
class Restored:
    """A backup that was restored; `safety` is the backup of what was there before, None where there was nothing."""

    manifest: Manifest
    safety: Path | None


def restore(path: Path, *, may_replace: bool, say: Say) -> Restored:
    """Put a backup in the place of what is there.

    Args:
        path: of the backup.
        may_replace: whether there may be anything; it is kept as a backup below `var/backups`.
        say: told what is done next.

    Raises:
        BackupRefusedError: it cannot be restored; nothing was changed.
        OSError: there is no room for it; nothing was changed.
    """
    with _alone(), TemporaryDirectory(prefix="restore-", dir=settings.VAR_DIR) as folder:
        say("Checking the backup …")
        manifest = read_manifest(path)
        _check_migrations(path, manifest)
        database = Path(folder, "database.sqlite3")
        unpack(path, manifest, database)
        migrate_copy(database)  # an older one is brought up to date before anything is touched
        call_command("migrate", interactive=False, verbosity=0)
        safety = _kept_safe(say, may_replace=may_replace)
        say("Restoring …")
        copy_in(database)
    say("Making the facts and the text index again …")
    engine.reset()
    replace(current_path(), None)
    rebuild()
    index_pending()
    return Restored(manifest, safety)


def _kept_safe(say: Say, *, may_replace: bool) -> Path | None:
    if not any(model._default_manager.exists() for model in (Evaluation, Sprint, Job)):
        return None
    if not may_replace:
        held = Evaluation.objects.count()
        raise BackupRefusedError(
            f"There is something here already ({held} evaluations). Add --replace to put the backup in its place; "
            "what is here is kept as a backup first."
        )
    folder = Path(settings.VAR_DIR, SAFETY_FOLDER)
    folder.mkdir(mode=0o700, exist_ok=True)
    safety = folder / f"before-restore-{timezone.now():%Y%m%dT%H%M%S%f}.backup"
    say(f"Keeping what is here as {safety} …")
    save(safety)
    return safety


def _check_migrations(path: Path, manifest: Manifest) -> None:
    known = {f"{app}.{name}" for app, name in MigrationLoader(connection).disk_migrations}
    newer = sorted(set(manifest.migrations) - known)
    if newer:
        raise BackupRefusedError(
            f"{path} was made by another release, Evalboard {manifest.version}: this one does not know its tables "
            f"({newer[0]}). Update Evalboard."
        )


@contextmanager
def _alone() -> Iterator[None]:
    """One restore at a time."""
    with Path(settings.VAR_DIR, "restore.lock").open("w") as lock:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError as error:
            raise BackupRefusedError("Another restore is under way. Wait for it.") from error
        yield
