"""How near to the ideal time a trial's tasks run, and what a request costs: time, processor, memory."""

import argparse
import json
import subprocess
import sys
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from benchmarks.import_speed import PROJECT
from benchmarks.report import Figure, print_table

LATENCY_SECONDS = 0.05
MOST_TIMES_IDEAL = 1.35
MOST_CPU_MS = 5.0
MOST_GROWTH_MB = 20.0
MODULES = {"openai": "Chat Completions", "anthropic": "Messages, streamed", "google": "Gemini"}


@dataclass(frozen=True, slots=True)
class Measured:
    """One trial."""

    seconds: float
    cpu_seconds: float
    growth_mb: float
    passed: int
    requests: int

    @property
    def cpu_ms(self) -> float:
        """The processor's time for one request."""
        return 1000 * self.cpu_seconds / self.requests

    def times_ideal(self, parallel: int) -> float:
        """How many times as long as the model's own time."""
        return self.seconds / (self.requests * LATENCY_SECONDS / parallel)


@contextmanager
def model_server() -> Iterator[str]:
    """Run the server; gives its address."""
    command = [sys.executable, "-m", "benchmarks.trial_models", str(LATENCY_SECONDS)]
    with subprocess.Popen(command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as server:
        if server.stdout is None or not (url := server.stdout.readline().strip()):
            raise SystemExit("the model server did not start")
        yield url
        if server.stdin is not None:
            server.stdin.close()


def measure(provider: str, url: str, tasks: int, parallel: int) -> Measured:
    """Run one trial in a process of its own."""
    words = [provider, url, str(tasks), str(parallel)]
    ran = subprocess.run(
        [sys.executable, "-m", "benchmarks.trial_run", *words], cwd=PROJECT, stdout=subprocess.PIPE, check=True
    )
    measured = Measured(**json.loads(ran.stdout))
    if measured.passed != measured.requests:
        raise SystemExit(f"only {measured.passed} of {measured.requests} results passed")
    return measured


def main(arguments: Sequence[str] | None = None) -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(prog="benchmarks.trials", description="Measure live trials beside a fake service.")
    parser.add_argument("--tasks", type=int, default=1000, help="tasks of each of the 4 runs")
    options = parser.parse_args(arguments)
    figures = []
    with model_server() as url:
        four = measure("openai", url, options.tasks, 4)
        times = four.times_ideal(4)
        name = f"{four.requests:,} requests of 50 ms, 4 in parallel"
        figures.append(
            Figure(
                name,
                f"{four.seconds:.1f} s",
                f"≤ {MOST_TIMES_IDEAL} × ideal",
                times <= MOST_TIMES_IDEAL,
                f"{four.seconds / times:.1f} s",
                f"{times:.2f}",
            )
        )
        for provider, dialect in MODULES.items():
            many = measure(provider, url, options.tasks, 16)
            figures.append(
                Figure(
                    f"processor per request, 16 in parallel: {dialect}",
                    f"{many.cpu_ms:.2f} ms",
                    f"≤ {MOST_CPU_MS:g} ms",
                    many.cpu_ms <= MOST_CPU_MS,
                )
            )
            if provider == "openai":
                figures.append(_growth(many))
    print_table(figures)


def _growth(many: Measured) -> Figure:
    is_met = many.growth_mb <= MOST_GROWTH_MB
    return Figure("growth of memory after a quarter", f"{many.growth_mb:.1f} MB", f"≤ {MOST_GROWTH_MB:g} MB", is_met)


if __name__ == "__main__":
    main()
