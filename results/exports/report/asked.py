"""What a report is asked to hold: results of a filter, and what they are compared with."""

from dataclasses import dataclass

from results.filters import ResultFilter
from results.queries.visibility import VisibleSet

CHARTS = {
    "outcomes": "Outcomes by run",
    "categories": "Pass rate by category",
    "times": "Median model time by run",
    "differences": "Difference to the baseline",
}


@dataclass(frozen=True)
class Baseline:
    """What the runs of a report are compared with.

    Attributes:
        provider, run: of the one run of this evaluation; None = each run is compared with itself there.
    """

    evaluation_id: int
    provider: str | None = None
    run: str | None = None


@dataclass(frozen=True)
class Links:
    """Addresses of pages that numbers lead to; both empty in a file, which leads nowhere."""

    explorer: str = ""
    compare: str = ""


@dataclass(frozen=True)
class ReportAsked:
    """One report.

    Attributes:
        notes: plain text of any length; may be empty.
        visible: evaluations that may be seen.
        chosen: the results that it is about.
        baseline: None = nothing is compared.
        charts: keys of `CHARTS`, in order.
        missing: what its definition names and is not there any more, one sentence each.
        links: where its numbers lead to.
    """

    title: str
    notes: str
    visible: VisibleSet
    chosen: ResultFilter
    baseline: Baseline | None = None
    charts: tuple[str, ...] = tuple(CHARTS)
    missing: tuple[str, ...] = ()
    links: Links = Links()
