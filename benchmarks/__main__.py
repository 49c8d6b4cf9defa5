"""Runs every benchmark, each in a process of its own: `python -m benchmarks [--quick]`."""

import argparse
import subprocess
import sys
from pathlib import Path

PROJECT = Path(__file__).resolve().parent.parent
BENCHMARKS = ("import_speed", "contention", "facts", "pages", "exports", "trials")
QUICK = {
    "import_speed": ["--results", "5000", "--large", "20000", "--rounds", "1"],
    "contention": ["--results", "5000"],
    "facts": ["--results", "50000"],
    "pages": ["--documents", "2", "--results", "5000", "--rounds", "3", "--clicks", "1"],
    "exports": ["--documents", "2", "--results", "5000"],
    "trials": ["--tasks", "50"],
}


def main() -> int:
    """Run what was asked for; answers 1 if any benchmark could not be run."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks", description="Measure imports, memory, queries, pages, exports and live trials."
    )
    parser.add_argument("names", nargs="*", help=f"which ones (default: {' '.join(BENCHMARKS)})")
    parser.add_argument("--quick", action="store_true", help="small sizes: does it run at all?")
    options = parser.parse_args()
    codes = []
    for name in options.names or BENCHMARKS:
        if name not in BENCHMARKS:
            parser.error(f"there is no benchmark {name!r}; there are {', '.join(BENCHMARKS)}")
        print(f"== {name}", flush=True)
        command = [sys.executable, "-m", f"benchmarks.{name}", *(QUICK[name] if options.quick else [])]
        codes.append(subprocess.run(command, cwd=PROJECT, check=False).returncode)
    return int(any(codes))


if __name__ == "__main__":
    sys.exit(main())
