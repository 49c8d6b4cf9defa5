"""How much memory and time an export of 1,000,000 results takes: `python -m benchmarks.exports [--folder F]`.

The results are those of `benchmarks.pages`; a folder that is named is used again. Memory is anonymous memory (RssAnon)
beyond what the process had after it exported a few rows: libraries and files that are mapped do not count.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluator.settings")

from benchmarks.page_state import PROJECT, Size, State, prepared
from benchmarks.report import Figure, print_table

FORMATS = ("csv", "parquet")
MOST_GROWTH_MB = 200
SAMPLE_SECONDS = 0.02
MEGABYTE = 1 << 20


def rss_anon() -> int:
    """Anonymous memory of this process, in bytes."""
    for line in Path("/proc/self/status").read_text(encoding="ascii").splitlines():
        if line.startswith("RssAnon:"):
            return int(line.split()[1]) * 1024
    return 0


def measure_here(form: str, out: Path) -> dict[str, float]:
    """Export everything in this process; gives rows, bytes, seconds and the growth of memory in MB."""
    django.setup()
    from django.http import QueryDict  # noqa: PLC0415  (once Django is set up)

    from results.exports.table import table_of  # noqa: PLC0415
    from results.exports.table_formats import TABLE_FORMATS  # noqa: PLC0415
    from results.filters import ResultFilter  # noqa: PLC0415
    from results.models.dimensions import Task  # noqa: PLC0415
    from results.queries.visibility import visible_evaluations  # noqa: PLC0415

    def export(query: QueryDict) -> int:
        table = table_of(visible_evaluations(), ResultFilter.parse(query), "-input_tokens", (), "benchmark")
        with out.open("wb") as file:
            file.writelines(TABLE_FORMATS[form].write(table))
        return table.total

    few = QueryDict(mutable=True)
    few["task"] = Task.objects.order_by("pk").values_list("name", flat=True)[0]
    export(few)
    before = peak = rss_anon()
    done = threading.Event()

    def watch() -> None:
        nonlocal peak
        while not done.wait(SAMPLE_SECONDS):
            peak = max(peak, rss_anon())

    watcher = threading.Thread(target=watch)
    watcher.start()
    began = time.perf_counter()
    rows = export(QueryDict("project=default"))
    seconds = time.perf_counter() - began
    done.set()
    watcher.join()
    return {
        "rows": rows,
        "bytes": out.stat().st_size,
        "seconds": seconds,
        "growth_mb": (max(peak, rss_anon()) - before) / MEGABYTE,
    }


def measured(state: State, form: str) -> Figure:
    """Measure one format in a process of its own."""
    with tempfile.TemporaryDirectory(dir=state.folder) as folder:
        command = [sys.executable, "-m", "benchmarks.exports", "--child", form, "--out", str(Path(folder, "out"))]
        ended = subprocess.run(
            command, cwd=PROJECT, env=state.environment, check=True, stdout=subprocess.PIPE, text=True
        )
    found = json.loads(ended.stdout)
    name = f"{form}: {found['rows']:,.0f} rows, {found['bytes'] / MEGABYTE:,.0f} MB in {found['seconds']:.0f} s"
    is_met = found["growth_mb"] < MOST_GROWTH_MB
    return Figure(name, f"+{found['growth_mb']:.0f} MB", f"below +{MOST_GROWTH_MB} MB", is_met)


def main(arguments: Sequence[str] | None = None) -> None:
    """Prepare, measure, print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.exports", description="Measure exports.")
    parser.add_argument("--documents", type=int, default=10, help="how many are imported")
    parser.add_argument("--results", type=int, default=100_000, help="results of each document")
    parser.add_argument("--folder", type=Path, help="keep the results here (default: a temporary folder)")
    parser.add_argument("--child", choices=FORMATS, help=argparse.SUPPRESS)
    parser.add_argument("--out", type=Path, help=argparse.SUPPRESS)
    options = parser.parse_args(arguments)
    if options.child:
        print(json.dumps(measure_here(options.child, options.out)))
        return
    if options.folder:
        options.folder.mkdir(parents=True, exist_ok=True)
    with (
        nullcontext(options.folder) if options.folder else tempfile.TemporaryDirectory(prefix="evalboard-bench-") as to
    ):
        state = prepared(Path(to).resolve(), Size(options.documents, options.results))
        figures = [measured(state, form) for form in FORMATS]
    print_table(figures)
    if not all(figure.is_met for figure in figures):
        raise SystemExit("an export takes too much memory")


if __name__ == "__main__":
    main()
