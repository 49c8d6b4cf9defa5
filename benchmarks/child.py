"""One timed import in a process of its own: `python -m benchmarks.child ours|reference FILE`.

Prints a line when it is ready, and one JSON object at the end. The state folder is `EVALBOARD_VAR`.
"""

import json
import os
import sys
import time
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluator.settings")
django.setup()

from django.conf import settings
from django.db import connection

from benchmarks import reference_loop
from results.importing import Progress
from results.intake import ImportOptions, import_file


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


def main() -> None:
    """Say that it is ready, wait for a line, import, and print the times."""
    who, path = sys.argv[1], Path(sys.argv[2])
    connection.ensure_connection()
    print("ready", flush=True)
    sys.stdin.readline()
    print(json.dumps(import_ours(path) if who == "ours" else import_reference(path)), flush=True)


if __name__ == "__main__":
    main()
