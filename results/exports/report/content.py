"""What a report says above its rows, as texts: tiles, runs, the comparison, charts, provenance."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from django.utils import timezone

from results import formats
from results.exports.report.asked import ReportAsked
from results.exports.report.charts import Chart, charts_of
from results.exports.report.comparing import Compared, compared
from results.exports.report.comparison import ComparisonPart, comparison_part
from results.exports.report.filter_words import filter_words
from results.exports.report.runs import RunsPart, runs_part
from results.exports.report.tiles import Tile, tiles_of
from results.exports.shown_text import visible
from results.queries.evaluations import EvaluationRow, evaluations_among
from results.queries.group_figures import COST, GroupFigures, group_figures

MEASURES = ("duration", "input_tokens", "output_tokens", "tool_calls", COST)
SPREAD = ("duration",)
MOST_SOURCES = 200
MEASURE_WORDS = {
    "duration": "model time",
    "input_tokens": "input tokens",
    "output_tokens": "output tokens",
    "tool_calls": "tool calls",
}


@dataclass(frozen=True)
class Source:
    """A file that results come from; empty where nothing is recorded."""

    name: str
    file_name: str
    digest: str


@dataclass(frozen=True)
class Provenance:
    """Where the numbers come from.

    Attributes:
        filters: in words; none = everything. query: the same as an address has it.
        unknown: what some results do not say, with how many they are.
    """

    sources: tuple[Source, ...]
    more_sources: int
    filters: tuple[str, ...]
    query: str
    baseline: str
    computed: str
    version: str
    unknown: tuple[str, ...]


@dataclass(frozen=True)
class ReportContent:
    """Everything above the rows. Texts are fit to be shown, and not yet escaped.

    Attributes:
        total: results that it is about.
        missing: what the definition names and is not there any more.
        comparison: None when nothing is compared.
    """

    title: str
    notes: str
    total: int
    missing: tuple[str, ...]
    tiles: tuple[Tile, ...]
    runs: RunsPart
    comparison: ComparisonPart | None
    charts: tuple[Chart, ...]
    provenance: Provenance

    @classmethod
    def build(cls, asked: ReportAsked, version: str, made_at: datetime | None = None) -> "ReportContent":
        """Compute a report as of now.

        Raises:
            results.text.search.TooManyToScanError: an exact text was asked of too many results.
        """
        by_run = ("evaluation", "provider", "run")
        levels = group_figures(asked.visible, asked.chosen, ((), by_run, ("category",)), MEASURES, SPREAD)
        whole, runs, categories = (level.selected for level in levels)
        total = whole[0] if whole else None
        listed = _evaluations(asked, runs)
        names = {str(row.id): row.name for row in listed}
        found = compared(asked)
        return cls(
            title=visible(asked.title),
            notes=visible(asked.notes),
            total=0 if total is None else total.outcomes.total,
            missing=tuple(map(visible, asked.missing)),
            tiles=tiles_of(total, found, asked),
            runs=runs_part(runs, names, asked),
            comparison=None if found is None else comparison_part(found, asked),
            charts=charts_of(asked, runs, names, categories, found),
            provenance=_provenance(asked, listed, names, total, found, version, made_at or timezone.now()),
        )


def _evaluations(asked: ReportAsked, runs: Sequence[GroupFigures]) -> list[EvaluationRow]:
    """The evaluations that the results and the baseline come from, the newest first."""
    ids = {int(group.key[0]) for group in runs if group.key[0] is not None}
    if asked.baseline is not None:
        ids.add(asked.baseline.evaluation_id)
    picked = {int(value) for value in asked.chosen.evaluation.included if value is not None}
    return evaluations_among(asked.visible, ids | picked)


def _provenance(  # noqa: PLR0917  (each is a line of it)
    asked: ReportAsked,
    listed: Sequence[EvaluationRow],
    names: dict[str, str],
    total: GroupFigures | None,
    found: Compared | None,
    version: str,
    made_at: datetime,
) -> Provenance:
    return Provenance(
        sources=tuple(
            Source(visible(row.name), visible(row.file_name.rpartition("/")[2]), row.digest)
            for row in listed[:MOST_SOURCES]
        ),
        more_sources=max(0, len(listed) - MOST_SOURCES),
        filters=tuple(visible(phrase) for phrase in filter_words(asked.chosen, names)),
        query=visible(asked.chosen.to_query()),
        baseline="" if found is None else _baseline(asked, names),
        computed=formats.moment(made_at),
        version=version,
        unknown=() if total is None else tuple(_unknown(total)),
    )


def _baseline(asked: ReportAsked, names: dict[str, str]) -> str:
    baseline = asked.baseline
    if baseline is None:
        return ""
    name = names.get(str(baseline.evaluation_id), f"evaluation {baseline.evaluation_id}, deleted")
    return visible(name if baseline.run is None else f"{baseline.run}, {name}")


def _unknown(total: GroupFigures) -> list[str]:
    """How many of the counted results do not say what sums and medians are made of."""
    found = [
        f"{word} of {formats.plural(measure.unknown, 'result')}"
        for name, word in MEASURE_WORDS.items()
        if (measure := total.measure(name)) is not None and measure.unknown
    ]
    costs = total.costs
    if costs is not None and costs.unpriced:
        found.append(f"{formats.plural(costs.unpriced, 'result')} unpriced")
    if costs is not None and costs.inconsistent:
        found.append(f"counters of {formats.plural(costs.inconsistent, 'result')} contradict each other")
    return found
