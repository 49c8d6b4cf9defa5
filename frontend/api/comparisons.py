"""Runs of evaluations side by side, paired by task; the first is the baseline."""

from http import HTTPStatus
from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema

from frontend.api.answers import ApiError, ErrorAnswer, not_found
from frontend.api.asking import FilterQuery, Json, asked_filter, visible
from results.queries.compare import Candidate, Kind, compare
from results.queries.compare_columns import ColumnKey, compared_runs
from results.queries.compare_figures import Shift

MOST_CANDIDATES = 19
Candidates = Annotated[list[str], Query(description="repeatable, `<evaluation id>:<run id>`")]
router = Router(tags=["figures"])


class ColumnAnswer(Schema):
    """One column: a run of an evaluation."""

    evaluation_id: int
    run_id: int
    evaluation: str
    provider: str
    run: str
    n: int
    passed: int
    failed: int
    error: int
    skipped: int
    pass_rate: float | None


class ShiftAnswer(Schema):
    """How much more the candidate took than the baseline over the pairs where both are known; less is below zero."""

    pairs: int
    sum: int | None
    median: int | None


class CandidateAnswer(ColumnAnswer):
    """One column against the baseline.

    `p_value` is the exact McNemar test's, `p_value_corrected` the same after Holm's correction over all candidates;
    `difference` that of the pass rates over the pairs, `interval` its bootstrap interval; null without pairs.
    """

    improved: int
    regressed: int
    same: int
    only_here: int
    not_here: int
    changed_task: int
    skipped_pairs: int
    pairs: int
    p_value: float | None
    p_value_corrected: float | None
    difference: float | None
    interval: list[float] | None
    effect_size: float | None
    duration_ns: ShiftAnswer
    input_tokens: ShiftAnswer
    output_tokens: ShiftAnswer


class ComparisonAnswer(Schema):
    """The baseline, and each candidate against it, in the order of the request."""

    baseline: ColumnAnswer
    candidates: list[CandidateAnswer]


@router.get("", response={200: ComparisonAnswer, 404: ErrorAnswer, 422: ErrorAnswer})
def compare_columns(
    request: HttpRequest,
    filters: Query[FilterQuery],  # type: ignore[valid-type]  # noqa: ARG001
    baseline: str,
    candidate: Candidates,
) -> Json:
    """Compare runs: `baseline` and each repeatable `candidate` is `<evaluation id>:<run id>`, as in the pages.

    Only results that the filter lets through count, on every side.
    """
    asked = asked_filter(request, "baseline", "candidate")
    texts = [baseline, *candidate]
    keys = [_key(text, "baseline" if place == 0 else "candidate") for place, text in enumerate(texts)]
    if not 1 < len(keys) <= MOST_CANDIDATES + 1 or len(set(keys)) < len(keys):
        message = f"Name one to {MOST_CANDIDATES} different candidates beside the baseline."
        raise ApiError(422, "invalid", message, "query.candidate")
    found = compared_runs(visible(request), keys)
    for key in keys:
        if key not in {column.key for column in found}:
            raise not_found("run of an evaluation", key.text)
    comparison = compare(visible(request), keys, asked)
    columns = [
        {
            "evaluation_id": column.key.evaluation_id,
            "run_id": column.key.run_id,
            "evaluation": column.evaluation.name,
            "provider": column.provider,
            "run": column.run,
            "n": figures.outcomes.counted,
            "passed": figures.outcomes.passed,
            "failed": figures.outcomes.failed,
            "error": figures.outcomes.errors,
            "skipped": figures.outcomes.skipped,
            "pass_rate": figures.outcomes.pass_rate.value,
        }
        for column, figures in zip(found, comparison.columns, strict=True)
    ]
    candidates = zip(columns[1:], comparison.candidates, strict=True)
    return {"baseline": columns[0], "candidates": [column | _against(candidate) for column, candidate in candidates]}


def _key(text: str, name: str) -> ColumnKey:
    key = ColumnKey.parse(text)
    if key is None:
        message = f"{name}={text} is not <evaluation id>:<run id>."
        raise ApiError(HTTPStatus.UNPROCESSABLE_ENTITY, "invalid", message, f"query.{name}")
    return key


def _against(candidate: Candidate) -> dict[str, Json]:
    pairs, interval, differences = candidate.pairs, candidate.interval, candidate.differences
    return {
        "improved": pairs.improved,
        "regressed": pairs.regressed,
        "same": pairs.same,
        "only_here": candidate.kinds[Kind.ONLY_HERE],
        "not_here": candidate.kinds[Kind.NOT_HERE],
        "changed_task": candidate.kinds[Kind.OTHER_ANSWER],
        "skipped_pairs": candidate.kinds[Kind.SKIPPED],
        "pairs": pairs.pairs,
        "p_value": pairs.p_value,
        "p_value_corrected": candidate.corrected_p_value,
        "difference": pairs.difference,
        "interval": None if interval is None else [interval.low, interval.high],
        "effect_size": pairs.effect_size,
        "duration_ns": _shift(differences.duration),
        "input_tokens": _shift(differences.input_tokens),
        "output_tokens": _shift(differences.output_tokens),
    }


def _shift(shift: Shift) -> dict[str, int | None]:
    return {"pairs": shift.pairs, "sum": shift.total, "median": shift.median}
