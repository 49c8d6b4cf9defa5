"""How long pages take with 1,000,000 results: server time, and the time from a click until rows are visible.

`python -m benchmarks.pages [--folder F] [--postgres [URL]]`. The results are imported once into a folder, which is used
again when it is named. For PostgreSQL name an empty database, or run it below `python -m tests.with_postgresql`, which
starts a private server: `python -m tests.with_postgresql python -m benchmarks.pages --postgres`.
"""

import argparse
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path

from benchmarks import page_browser
from benchmarks.page_figures import PageTime
from benchmarks.page_state import PROJECT, Size, State, prepared
from benchmarks.report import print_table
from tests.with_postgresql import VARIABLE


def server_times(state: State, rounds: int, only: str) -> list[PageTime]:
    """Measure every page in a process of its own."""
    command = [sys.executable, "-m", "benchmarks.page_times", "--rounds", str(rounds), "--only", only]
    found = []
    with subprocess.Popen(command, cwd=PROJECT, env=state.environment, stdout=subprocess.PIPE, text=True) as process:
        for line in process.stdout or ():
            found.append(PageTime(**json.loads(line)))
            print(f"  {found[-1].name}: {found[-1].median_ms:.0f} ms", flush=True)
    if process.returncode:
        raise SystemExit(f"the pages could not be measured: code {process.returncode}")
    return found


def main(arguments: Sequence[str] | None = None) -> None:
    """Prepare, measure, print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.pages", description="Measure pages.")
    parser.add_argument("--documents", type=int, default=10, help="how many are imported")
    parser.add_argument("--results", type=int, default=100_000, help="results of each document")
    parser.add_argument("--rounds", type=int, default=20, help="requests of each page")
    parser.add_argument("--clicks", type=int, default=7, help="clicks of each kind; 0 = no browser")
    parser.add_argument("--folder", type=Path, help="keep the results here (default: a temporary folder)")
    parser.add_argument("--only", default="", help="pages whose name holds this text")
    parser.add_argument(
        "--postgres", nargs="?", const=os.environ.get(VARIABLE, ""), default="", help="URL of a database to be filled"
    )
    options = parser.parse_args(arguments)
    if options.folder:
        options.folder.mkdir(parents=True, exist_ok=True)
    with (
        nullcontext(options.folder) if options.folder else tempfile.TemporaryDirectory(prefix="evalboard-bench-") as to
    ):
        state = prepared(Path(to).resolve(), Size(options.documents, options.results), options.postgres)
        figures = [found.figure for found in server_times(state, options.rounds, options.only)]
        reason = page_browser.why_not() if options.clicks else "not asked for"
        if not reason:
            figures += [seen.figure for seen in page_browser.measure(state, options.clicks)]
    print(
        f"server times: median / 95th percentile, CPU time in brackets; {options.documents * options.results:,} results"
    )
    print_table(figures)
    if reason:
        print(f"clicks in Chromium left out: {reason}")


if __name__ == "__main__":
    main()
