"""One trial in a process of its own: `python -m benchmarks.trial_run PROVIDER URL TASKS PARALLEL`, prints JSON."""

import json
import sys
import time
from pathlib import Path

from evaluator.engine.trials.definitions import (
    AnswerFormat,
    Client,
    ProviderDefinition,
    RunDefinition,
    Secret,
    TaskDefinition,
    TrialDefinition,
)
from evaluator.engine.trials.judging import TrialValidators
from evaluator.engine.trials.providers.registry import make_asker
from evaluator.engine.trials.result_sets import AsyncResultSet
from evaluator.engine.trials.runner import Runner
from results.records import ResultKind

RUNS = 4
NO_LIMIT = 10**9  # requests per minute: the runs stand beside each other, and nothing holds them back
MODELS = {"openai": "gpt-4o", "anthropic": "claude-sonnet-4-5", "google": "gemini-2.5-flash"}
SAMPLED = 10  # results from one look at the memory to the next
SETTLED_SHARE = 0.25  # of the results: what memory is compared with


def definition(provider: str, url: str) -> TrialDefinition:
    """Four runs of a provider that stand beside each other."""
    endpoint = f"{url}/v1" if provider == "openai" else url
    runs = tuple(RunDefinition(provider, f"run {number}", MODELS[provider]) for number in range(RUNS))
    client = Client(Secret("sk-bench-0123456789", "a benchmark"), endpoint)
    return TrialDefinition((ProviderDefinition(provider, client, runs, NO_LIMIT),))


def memory_mb() -> float:
    """What this process holds in memory of its own."""
    lines = Path("/proc/self/status").read_text(encoding="utf-8").splitlines()
    return next(int(line.split()[1]) for line in lines if line.startswith("RssAnon")) / 1024


def follow(results: AsyncResultSet, total: int) -> tuple[int, float]:
    """Read every result and drop it; answers how many passed, and how much memory grew after the first quarter."""
    passed = 0
    settled = most = 0.0
    for seen, finished in enumerate(results, 1):
        passed += finished.record.kind is ResultKind.PASSED
        if seen % SAMPLED == 0:
            now = memory_mb()
            if seen <= total * SETTLED_SHARE:
                settled = now
            most = max(most, now)
    return passed, most - settled


def main() -> None:
    """Run and print seconds, processor seconds, growth of memory, and how many passed."""
    provider, url, tasks, parallel = sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])
    asked = [TaskDefinition(f"task {n}", "What is 2 + 2?", AnswerFormat("a number"), ("4",)) for n in range(tasks)]
    warm, measured = asked[:2], asked[2:]
    trial = definition(provider, url)

    def make_validators() -> TrialValidators:
        return TrialValidators(trial, make_asker)

    with Runner(trial, make_asker, make_validators, parallel_per_run=parallel // RUNS) as runner:
        runner.run(warm)  # imports of the service's package are no part of a request
        begun, cpu_begun = time.perf_counter(), time.process_time()
        passed, growth_mb = follow(runner.start(measured), RUNS * len(measured))
        seconds, cpu_seconds = time.perf_counter() - begun, time.process_time() - cpu_begun
    print(
        json.dumps(
            {
                "seconds": seconds,
                "cpu_seconds": cpu_seconds,
                "growth_mb": growth_mb,
                "passed": passed,
                "requests": RUNS * len(measured),
            }
        )
    )


if __name__ == "__main__":
    main()
