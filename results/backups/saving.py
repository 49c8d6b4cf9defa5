"""Makes a backup while the server runs: a copy of the database at one instant, without what can be made again."""

import sqlite3
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory

from django.conf import settings
from django.db import connection
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone

from results.backups.container import Manifest, count_rows, write
from results.backups.copies import copy_out, opened, stored_models
from results.models.facts_files import FactsFile
from results.models.jobs import Job, JobState, Upload

UNDER_WAY = "it was under way when the backup was made that was restored; start it again"


@dataclass(frozen=True)
class Saved:
    """A backup that was made: its file and what it holds."""

    path: Path
    size_bytes: int
    manifest: Manifest


def save(path: Path) -> Saved:
    """Make a backup.

    Args:
        path: of the file; one of this name is replaced once the new one is complete.

    Raises:
        OSError: there is no room for the copy or the file.
    """
    with TemporaryDirectory(prefix="backup-", dir=settings.VAR_DIR) as folder:
        database = Path(folder, "database.sqlite3")
        copy_out(database)
        migrations = _leave_out(database)
        with closing(sqlite3.connect(database, isolation_level=None)) as copy:
            copy.execute("PRAGMA journal_mode = DELETE")  # one file, nothing beside it
            counts = count_rows(copy, [model._meta.db_table for model in stored_models()])
        manifest = Manifest(
            version=settings.VERSION,
            made_at=timezone.now(),
            database=connection.vendor,
            migrations=migrations,
            tables=counts,
            size_bytes=0,
            digest="",
        )
        write(path, database, manifest)
    return Saved(path, path.stat().st_size, manifest)


def _leave_out(database: Path) -> list[str]:
    """Take out of a copy what means nothing elsewhere; say which migrations it has."""
    with opened(database) as copy:
        FactsFile.objects.using(copy.alias).all().delete()
        jobs = Job.objects.using(copy.alias)
        jobs.filter(upload__isnull=False).update(upload=None)
        unfinished = jobs.filter(state__in=[JobState.QUEUED, JobState.RUNNING])
        unfinished.update(
            state=JobState.FAILED, owner="", lease_until=None, finished_at=timezone.now(), error=UNDER_WAY
        )
        Upload.objects.using(copy.alias).all().delete()
        return sorted(f"{app}.{name}" for app, name in MigrationRecorder(copy).applied_migrations())
