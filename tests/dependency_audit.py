"""Asks whether the pinned packages have known vulnerabilities.

Used as `python -m tests.dependency_audit FOLDER`, with the folder of pip-audit. Where the list of vulnerabilities
cannot be reached, one line says so, and the exit code is 0: `make check` works offline.
"""

import subprocess
import sys
from pathlib import Path

FOUND = "known vulnerabilit"  # pip-audit's own words, in the singular and the plural
SECONDS = 120
REQUIREMENTS = ("live.txt", "dev.txt")


def main(folder: str) -> int:
    """Audit, and print what was found.

    Returns:
        1 when a package has a known vulnerability; 0 also when nobody could be asked.
    """
    command = [str(Path(folder) / "pip-audit"), "--no-deps", "--disable-pip", "--progress-spinner", "off"]
    for name in REQUIREMENTS:
        command += ["--requirement", f"requirements/{name}"]
    try:
        done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=SECONDS)
    except (OSError, subprocess.TimeoutExpired) as error:
        return skip(type(error).__name__)
    if done.returncode == 0:
        print("Dependency audit: no known vulnerabilities.")  # noqa: T201
        return 0
    if FOUND in done.stderr and "Found" in done.stderr:
        print(done.stdout + done.stderr, file=sys.stderr)  # noqa: T201
        return 1
    lines = done.stderr.strip().splitlines()
    return skip(lines[-1] if lines else f"exit code {done.returncode}")


def skip(reason: str) -> int:
    """Say why nothing was asked."""
    print(f"Dependency audit skipped: the list of vulnerabilities cannot be asked ({reason[:200]}).")  # noqa: T201
    return 0


if __name__ == "__main__":
    sys.exit(main(*sys.argv[1:]))
