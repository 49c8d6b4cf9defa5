"""Where the pages are that a gate's numbers come from; without the host, which only whoever asks knows."""

from urllib.parse import urlencode

from django.urls import reverse

from results.filters import Choice, ResultFilter
from results.queries.compare_columns import ComparedRun


def evaluation_address(evaluation_id: int) -> str:
    """The page of an evaluation."""
    return reverse("evaluation-show", args=[evaluation_id])


def result_address(result_id: int) -> str:
    """The page of a result."""
    return reverse("result-show", args=[result_id])


def results_address(chosen: ResultFilter, column: ComparedRun, *outcomes: str) -> str:
    """The explorer with the results of a run that a gate counts, or those of some outcomes."""
    named = {"evaluation": str(column.key.evaluation_id), "provider": column.provider, "run": column.run}
    for name, value in named.items():
        chosen = chosen.with_choice(name, Choice((value,)))
    if outcomes:
        chosen = chosen.with_choice("outcome", Choice(outcomes))
    return f"{reverse('results-list')}?{chosen.to_query()}"


def compare_address(baseline: ComparedRun, candidate: ComparedRun, shown: str = "") -> str:
    """The page that compares two runs, with the tasks that a word of its menu means."""
    columns = [("column", baseline.key.text), ("column", candidate.key.text), *([("show", shown)] if shown else [])]
    return f"{reverse('compare')}?{urlencode(columns, safe=':')}"
