"""One timed import in a process of its own: `python -m benchmarks.child ours|reference FILE`, or `writes COUNT`.

Prints a line when it is ready, and one JSON object at the end. The state folder is `EVALBOARD_VAR`.
"""

import json
import os
import sys
import time
from contextlib import suppress
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluator.settings")
django.setup()

from django.conf import settings
from django.db import connection, transaction

from benchmarks import reference_loop
from results.importing import Progress
from results.intake import ImportOptions, import_file
from results.jobs import create_job, say
from results.models.jobs import JobKind

WRITE_PAUSE_SECONDS = 0.03  # 200 writes spread over the import of 100,000 results


def import_ours(path: Path) -> dict[str, float]:
    """Import a file as the command does.

    Returns:
        Seconds until it is visible (tables, documents and facts) and until it is searchable too.
    """
    begun = time.perf_counter()
    visible_at = begun

    def watch(_: Progress) -> None:
        nonlocal visible_at
        visible_at = time.perf_counter()  # the last call comes right after the flip

    report = import_file(path, ImportOptions(watch=watch))
    searchable_at = time.perf_counter()
    if report.totals.stored != 1:
        raise SystemExit(f"not stored: {report.files}")
    return {"visible_s": visible_at - begun, "searchable_s": searchable_at - begun}


def import_reference(path: Path) -> dict[str, float]:
    """Import a file by the plain loop; answers the seconds it took."""
    begun = time.perf_counter()
    reference_loop.import_file(path, Path(settings.DATABASES["default"]["NAME"]))
    return {"visible_s": time.perf_counter() - begun}


def write_jobs(count: int) -> dict[str, list[float]]:
    """Write a job and a message many times; answers the milliseconds that each took."""
    waits_ms = []
    for _ in range(count):
        time.sleep(WRITE_PAUSE_SECONDS)
        begun = time.perf_counter()
        with transaction.atomic():
            say(create_job(JobKind.INDEX).pk, "written beside an import")
        waits_ms.append((time.perf_counter() - begun) * 1000)
    return {"waits_ms": waits_ms}


def main() -> None:
    """Say that it is ready, wait for a line, do the work, and print the times."""
    who, what = sys.argv[1:3]
    connection.ensure_connection()
    print("ready", flush=True)
    sys.stdin.readline()
    if who == "writes":
        found: object = write_jobs(int(what))
    else:
        found = import_ours(Path(what)) if who == "ours" else import_reference(Path(what))
    with suppress(ChildProcessError):  # what goes on beside an import ends before its folder is removed
        while True:
            os.wait()
    print(json.dumps(found), flush=True)


if __name__ == "__main__":
    main()
