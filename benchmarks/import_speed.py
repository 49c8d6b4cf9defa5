"""How fast a document goes in, beside the plain loop, and how much memory that takes.

Both sides import the same file in processes and state folders of their own, in turn, in one run.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import median

from benchmarks.generate import generate_results, write_document
from benchmarks.report import Figure, print_table

PROJECT = Path(__file__).resolve().parent.parent
SAMPLE_SECONDS = 0.02
MOST_GROWTH_MB = 200
VISIBLE_TARGET = 2 / 3
SEARCHABLE_TARGET = 1 / 2


@dataclass(frozen=True, slots=True)
class Measured:
    """One import: seconds until visible, and until searchable (None for the plain loop); growth of RssAnon.

    `reader_mb` is the RssAnon of the process that reads the file for it, all that it takes; 0 = there is none.
    """

    visible_s: float
    searchable_s: float | None
    growth_mb: float
    reader_mb: float


class Bench:
    """A folder with generated documents and a migrated, empty state folder to start from."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._template = folder / "template"
        command = [sys.executable, "manage.py", "migrate", "--verbosity", "0", "--skip-checks"]
        subprocess.run(command, cwd=PROJECT, env=child_environment(self._template), check=True)

    def document(self, results: int) -> Path:
        """Write a document, once per size."""
        path = self._folder / f"results-{results}.json"
        if not path.exists():
            with path.open("wb", buffering=2**20) as out:
                write_document(out, generate_results(results))
        return path

    def measure(self, who: str, path: Path) -> Measured:
        """Import a document by `ours` or `reference` into a fresh state folder."""
        with self.state() as state:
            return _measure(who, path, state)

    @contextmanager
    def state(self) -> Iterator[Path]:
        """Lend a fresh state folder."""
        state = self._folder / "state"
        shutil.copytree(self._template, state)
        try:
            yield state
        finally:
            shutil.rmtree(state)


def measure_speed(bench: Bench, results: int, rounds: int) -> list[Figure]:
    """Compare both sides at one size.

    Args:
        bench: where to work.
        results: size of the document.
        rounds: each side imports it this often, in turn; medians count.
    """
    path = bench.document(results)
    ours: list[Measured] = []
    reference: list[Measured] = []
    for round_number in range(rounds):
        order = ("reference", "ours") if round_number % 2 == 0 else ("ours", "reference")
        for who in order:
            measured = bench.measure(who, path)
            (ours if who == "ours" else reference).append(measured)
            print(f"  {who}: {results / measured.visible_s:,.0f} results/s until visible", flush=True)
    base = results / median(measured.visible_s for measured in reference)
    visible = results / median(measured.visible_s for measured in ours)
    searchable = results / median(measured.searchable_s or 0.0 for measured in ours)
    return [
        _speed_figure(f"import of {results:,} until visible", visible, base, VISIBLE_TARGET),
        _speed_figure(f"import of {results:,} until searchable", searchable, base, SEARCHABLE_TARGET),
    ]


def measure_memory(bench: Bench, results: int) -> list[Figure]:
    """Import one large document and see how the process grows."""
    path = bench.document(results)
    measured = bench.measure("ours", path)
    size_mb = path.stat().st_size / 1e6
    return [
        Figure(
            name=f"RssAnon growth importing {size_mb:,.0f} MB",
            ours=f"{measured.growth_mb:,.0f} MB",
            target=f"< {MOST_GROWTH_MB} MB",
            is_met=measured.growth_mb < MOST_GROWTH_MB,
        ),
        Figure(
            name="RssAnon of its reading process",
            ours=f"{measured.reader_mb:,.0f} MB",
            target=f"< {MOST_GROWTH_MB} MB",
            is_met=measured.reader_mb < MOST_GROWTH_MB,
        ),
    ]


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.import_speed", description="Measure imports.")
    parser.add_argument("--results", type=int, default=100_000, help="size of the document for speed")
    parser.add_argument("--large", type=int, default=250_000, help="size of the document for memory; 0 = leave it out")
    parser.add_argument("--rounds", type=int, default=3, help="imports of each side")
    parser.add_argument("--folder", type=Path, help="where to work (default: the system's temporary folder)")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="evalboard-bench-", dir=options.folder) as folder:
        bench = Bench(Path(folder))
        figures = measure_speed(bench, options.results, options.rounds)
        if options.large:
            figures += measure_memory(bench, options.large)
    print_table(figures)


def _speed_figure(name: str, ours: float, reference: float, target: float) -> Figure:
    ratio = ours / reference
    return Figure(
        name=name,
        ours=f"{ours:,.0f}/s",
        reference=f"{reference:,.0f}/s",
        ratio=f"{ratio:.2f}",
        target=f"≥ {target:.2f}",
        is_met=ratio >= target,
    )


def _measure(who: str, path: Path, state: Path) -> Measured:
    command = [sys.executable, "-m", "benchmarks.child", who, str(path)]
    with subprocess.Popen(
        command, cwd=PROJECT, env=child_environment(state), stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        if process.stdin is None or process.stdout is None or process.stdout.readline() != "ready\n":
            raise SystemExit(f"the import by {who} did not start")
        before = _anonymous_mb(process.pid)
        process.stdin.write("go\n")
        process.stdin.flush()
        most, reader = before, 0.0
        while process.poll() is None:
            most = max(most, _anonymous_mb(process.pid))
            reader = max(reader, *map(_anonymous_mb, _readers(process.pid)), 0.0)
            time.sleep(SAMPLE_SECONDS)
        output = process.stdout.read()
    if process.returncode:
        raise SystemExit(f"the import by {who} failed with code {process.returncode}")
    times = json.loads(output)
    return Measured(times["visible_s"], times.get("searchable_s"), most - before, reader)


def _anonymous_mb(process_id: int) -> float:
    try:
        lines = Path(f"/proc/{process_id}/status").read_text().splitlines()
    except OSError:  # it has just ended
        return 0.0
    return next((int(line.split()[1]) / 1024 for line in lines if line.startswith("RssAnon:")), 0.0)


def _readers(process_id: int) -> list[int]:
    """Process ids of the children that read a file for an import."""
    try:
        children = Path(f"/proc/{process_id}/task/{process_id}/children").read_text().split()
        return [int(child) for child in children if b"read_results" in Path(f"/proc/{child}/cmdline").read_bytes()]
    except OSError:  # one of them has just ended
        return []


def child_environment(state: Path) -> dict[str, str]:
    """The environment of a process that uses a state folder and the SQLite database in it."""
    environment = {name: value for name, value in os.environ.items() if name != "DATABASE_URL"}
    return environment | {"EVALBOARD_VAR": str(state), "DJANGO_SETTINGS_MODULE": "evaluator.settings"}


if __name__ == "__main__":
    main()
