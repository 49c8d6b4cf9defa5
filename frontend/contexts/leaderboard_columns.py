"""The columns of a leaderboard: which there are, which are shown, and the menu that chooses them."""

from collections.abc import Iterable
from dataclasses import dataclass

from django.http import QueryDict

from frontend.contexts.columns import Column, changed
from frontend.contexts.filters import Kept, kept
from results.queries.figure_values import PARTS, TOTAL
from results.queries.group_figures import COST

INPUT = "Effective input tokens of the model: with cache reads and writes where the provider counts them apart"
OUTPUT = "Effective output tokens of the model: with reasoning where the provider counts it apart"
READ = "Recorded cache reads of the model; they may be part of its input"
WRITTEN = "Recorded cache writes of the model; they may be part of its input"
REASONING = "Recorded reasoning tokens of the model; they may be part of its output"
JUDGE = "Effective tokens of the judge, in no other column"
CALLS = "Calls in the recorded totals of the model’s tools, never the judge’s"
COSTS = "What the model cost, an estimate without the judge: prices in the file, else those of the day it ran"
COSTS_OF_ONE = "The cost of the priced results over those of them that passed"
SIGMA = "\N{GREEK SMALL LETTER SIGMA}"
MEDIAN_NOTE = "the middle of the known values"
P95_NOTE = "95 % of the known values are at most this"
DEVIATION_NOTE = "population standard deviation of the known values"


def _number(key: str, label: str, hint: str = "") -> Column:
    return Column(key, label, is_number=True, starts_descending=True, hint=hint)


def _measure(key: str, label: str, hint: str) -> tuple[Column, ...]:
    return (
        _number(key, label, f"{hint}: the sum"),
        _number(f"{key}_median", f"{label} median", f"{hint}: {MEDIAN_NOTE}"),
        _number(f"{key}_deviation", f"{label} {SIGMA}", f"{hint}: {DEVIATION_NOTE}"),
    )


COLUMNS: tuple[Column, ...] = (
    _number("pass_rate", "Pass rate", "passed / (passed + failed + error), with its 95 % Wilson interval"),
    _number("passed", "Passed"),
    _number("failed", "Failed"),
    _number("error", "Error"),
    _number("skipped", "Skipped"),
    _number("accuracy", "Accuracy", "passed / (passed + failed)"),
    _number("error_rate", "Error rate", "error / (passed + failed + error)"),
    _number("duration", "Model time", "The model’s time: the sum, skipped results left out"),
    _number("duration_median", "Median time", f"Model time: {MEDIAN_NOTE}"),
    _number("duration_p95", "p95", f"Model time: {P95_NOTE}"),
    _number("duration_deviation", f"Model time {SIGMA}", f"Model time: {DEVIATION_NOTE}"),
    *_measure("input_tokens", "Input", INPUT),
    *_measure("output_tokens", "Output", OUTPUT),
    *_measure("cache_read_tokens", "Cache read", READ),
    *_measure("cache_write_tokens", "Cache write", WRITTEN),
    *_measure("reasoning_tokens", "Reasoning", REASONING),
    *_measure("judge_input_tokens", "Judge input", JUDGE),
    *_measure("judge_output_tokens", "Judge output", JUDGE),
    *_measure("tool_calls", "Tool calls", CALLS),
    _number("cost", "Cost", COSTS),
    _number("cost_per_pass", "Per pass", COSTS_OF_ONE),
    _number("transient", "Transient errors"),
    _number("parsing", "Parsing errors", "Errors in reading the model’s response"),
)
USUAL = (  # as many as fit into a window of 1,440 pixels; the tiles above have accuracy and error rate
    "pass_rate",
    "passed",
    "failed",
    "error",
    "skipped",
    "duration_median",
    "duration_p95",
    "input_tokens",
    "output_tokens",
    "tool_calls",
    "cost",
    "cost_per_pass",
)
OF_MONEY = ("cost", "cost_per_pass")
KEY = "show"


@dataclass(frozen=True)
class BoardColumn:
    """One column in the menu that chooses them."""

    key: str
    label: str
    is_shown: bool


@dataclass(frozen=True)
class BoardChooser:
    """The menu that chooses columns.

    Attributes:
        count: how many are shown.
        kept: what its form carries along.
        reset_href: the page with the usual columns; empty when it has them.
    """

    columns: tuple[BoardColumn, ...]
    count: int
    kept: tuple[Kept, ...]
    reset_href: str

    @classmethod
    def build(cls, shown: tuple[Column, ...], params: QueryDict) -> "BoardChooser":
        """The menu for a table that shows these columns."""
        return cls(
            columns=tuple(BoardColumn(column.key, column.label, column in shown) for column in COLUMNS),
            count=len(shown),
            kept=kept(params, (KEY,)),
            reset_href=changed(params, **{KEY: None}) if KEY in params else "",
        )


def shown_columns(params: QueryDict) -> tuple[Column, ...]:
    """The columns that the address asks for as `show=passed&show=…`, in their own order; the usual ones otherwise."""
    asked = {key for text in params.getlist(KEY) for key in text.split(",")}
    found = tuple(column for column in COLUMNS if column.key in asked)
    return found or tuple(column for column in COLUMNS if column.key in USUAL)


def needed(keys: Iterable[str]) -> tuple[str, ...]:
    """The figures that some columns need, as `results.queries.group_figures` calls them."""
    listed = list(keys)
    measures = [PARTS[key].measure for key in listed if key in PARTS]
    return (*dict.fromkeys(measures), *((COST,) if not set(OF_MONEY).isdisjoint(listed) else ()))


def spread(keys: Iterable[str]) -> tuple[str, ...]:
    """The measures of which some columns need more than the sum."""
    return tuple(PARTS[key].measure for key in keys if key in PARTS and PARTS[key].statistic != TOTAL)
