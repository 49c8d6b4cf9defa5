"""How long other writers wait while an import runs: 200 job and message writes from another process."""

import argparse
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from statistics import median

from benchmarks.import_speed import PROJECT, Bench, child_environment
from benchmarks.report import Figure, print_table

WRITES = 200
MOST_WAIT_MS = 200


def measure_waits(bench: Bench, results: int) -> list[float]:
    """Import a document in one process and write jobs in another.

    Returns:
        Milliseconds that each write took, in order.
    """
    path = bench.document(results)
    with bench.state() as state:
        environment = child_environment(state)
        commands = [["ours", str(path)], ["writes", str(WRITES)]]
        children = [
            subprocess.Popen(
                [sys.executable, "-m", "benchmarks.child", *words],
                cwd=PROJECT,
                env=environment,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                text=True,
            )
            for words in commands
        ]
        for child in children:
            if child.stdout is None or child.stdout.readline() != "ready\n":
                raise SystemExit("a process of the benchmark did not start")
        importing, writing = children
        if importing.stdin is None:
            raise SystemExit("the import cannot be started")
        importing.stdin.write("go\n")
        importing.stdin.flush()
        output, _ = writing.communicate("go\n")
        importing.communicate()
    if importing.returncode or writing.returncode:
        raise SystemExit(f"import ended with {importing.returncode}, writes with {writing.returncode}")
    waits: list[float] = json.loads(output)["waits_ms"]
    return waits


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.contention", description="Measure writes beside an import.")
    parser.add_argument("--results", type=int, default=100_000, help="size of the document that is imported")
    options = parser.parse_args(arguments)
    with tempfile.TemporaryDirectory(prefix="evalboard-bench-") as folder:
        waits = measure_waits(Bench(Path(folder)), options.results)
    print_table(
        [
            Figure(
                f"writes beside an import of {options.results:,}", str(len(waits)), str(WRITES), len(waits) == WRITES
            ),
            Figure("longest wait", f"{max(waits):.0f} ms", f"≤ {MOST_WAIT_MS} ms", max(waits) <= MOST_WAIT_MS),
            Figure("median wait", f"{median(waits):.1f} ms", "", is_met=True),
        ]
    )


if __name__ == "__main__":
    main()
