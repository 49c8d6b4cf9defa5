"""The summary that MindTrial writes into its log: a line per run, in columns.

Its rates are its own: 0.00 where there is nothing to divide by, and its total duration counts skipped results too.
Source: MindTrial's `formatters/summary_log.go`, as of v0.22.
"""

from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field

from results.exports.go_text import duration, percent
from results.exports.shown_text import CONTROLS, INVISIBLE
from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation
from results.models.results import Outcome, Result

HEADER = (
    *("Provider", "Run", "Passed", "Failed", "Error", "Skipped"),
    *("Pass Rate (%)", "Accuracy (%)", "Error Rate (%)", "Total Duration"),
)


@dataclass
class _Tally:
    """The results of one run."""

    outcomes: Counter[int] = field(default_factory=Counter)
    duration_ns: int = 0


def export_summary(evaluation: Evaluation) -> Iterator[bytes]:
    """The whole table; runs are sorted by provider and name."""
    rows: list[tuple[str, ...]] = [HEADER]
    rows += [_cells(provider, run, tally) for (provider, run), tally in sorted(_tallies(evaluation).items())]
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for row in rows:
        yield ("".join(f"{cell:{width}} |" for cell, width in zip(row, widths, strict=True)) + "\n").encode()


def _tallies(evaluation: Evaluation) -> dict[tuple[str, str], _Tally]:
    low = evaluation.result_id(0)
    found = Result.objects.filter(pk__gte=low, pk__lt=low + RESULTS_PER_EVALUATION)
    names = ("run_version__run__provider__name", "run_version__run__name")
    tallies: dict[tuple[str, str], _Tally] = {}
    for provider, run, outcome, spent in found.values_list(*names, "outcome", "duration_ns").iterator():
        tally = tallies.setdefault((provider, run), _Tally())
        tally.outcomes[outcome] += 1
        tally.duration_ns += spent or 0
    return tallies


def _cells(provider: str, run: str, tally: _Tally) -> tuple[str, ...]:
    counts = tally.outcomes
    passed, failed, errors = counts[Outcome.PASSED], counts[Outcome.FAILED], counts[Outcome.ERROR]
    return (
        provider.translate(CONTROLS | INVISIBLE),
        run.translate(CONTROLS | INVISIBLE),
        *(str(count) for count in (passed, failed, errors, counts[Outcome.SKIPPED])),
        percent(passed, passed + failed + errors),
        percent(passed, passed + failed),
        percent(errors, passed + failed + errors),
        duration(tally.duration_ns),
    )
