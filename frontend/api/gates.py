"""A gate: an evaluation held against rules and a baseline."""

from typing import Annotated

from django.http import HttpRequest
from ninja import Query, Router, Schema
from pydantic import Field, WithJsonSchema

from frontend.api.answers import ApiError, ErrorAnswer
from frontend.api.asking import Exact, FilterQuery, Json, asked_filter, visible
from results.gating.plain import plain_report
from results.gating.report import REFUSED_KEYS, Gate, judge
from results.gating.rules import RuleError, Rules

MOST_OF_A_NAME = 10_000
RULES = ("min_pass_rate", "max_regressions", "max_error_rate", "max_cost", "min_results", "significance")
Named = Annotated[str, Field(max_length=MOST_OF_A_NAME)]


# Rules are read as texts, so that they are exact.
Short = Field(max_length=100)
Rate = Annotated[str, Short, WithJsonSchema({"type": "number", "minimum": 0, "maximum": 1})]
Level = Annotated[
    str,
    Short,
    WithJsonSchema(
        {
            "type": "number",
            "description": "worse by the exact paired test at this level fails",
            "exclusiveMinimum": 0,
            "exclusiveMaximum": 1,
        }
    ),
]
Regressions = Annotated[
    str,
    Short,
    WithJsonSchema(
        {"type": "integer", "description": "tasks that passed in the baseline and do not pass now", "minimum": 0}
    ),
]
Least = Annotated[
    str,
    Short,
    WithJsonSchema({"type": "integer", "description": "with fewer results (or pairs) nothing is judged", "minimum": 1}),
]
Cost = Annotated[str, Short, WithJsonSchema({"type": "string", "description": "`2.50` or `2.50 USD`, of the model"})]


class EvaluationSide(Schema):
    """One of the two evaluations."""

    id: int
    name: str
    project: str
    address: str


class RulesAnswer(Schema):
    """What was demanded; null = not demanded."""

    min_pass_rate: Exact | None
    max_regressions: int | None
    max_error_rate: Exact | None
    max_cost: Exact | None
    currency: str | None
    min_results: int | None
    significance: Exact | None


class CheckAnswer(Schema):
    """One rule held against one run; without a run it is about the whole. `state`: passed, failed or unjudged."""

    rule: str
    state: str
    provider: str | None
    run: str | None
    figure: Exact | None
    threshold: Exact | None
    counts: dict[str, int]
    message: str
    address: str


class ColumnSide(Schema):
    """A run of one of the two evaluations."""

    evaluation_id: int
    run_id: int
    provider: str
    run: str


class TaskChange(Schema):
    """A task, or one repeat of it, with its outcome in the baseline and in the candidate; null = absent."""

    task_id: int
    task: str
    repeat: int
    before: str | None
    after: str | None
    baseline_result_id: int | None
    candidate_result_id: int | None
    address: str


class ComparedAnswer(Schema):
    """A run against the baseline; at most 1,000 tasks of a kind are listed, all are counted."""

    pairs: int
    improved: int
    regressed: int
    same: int
    missing: int
    uncertain: int
    difference: float | None
    p_value: float | None
    regressions: list[TaskChange]
    missing_tasks: list[TaskChange]


class JudgedRunAnswer(Schema):
    """A run that was judged; counts are null where the candidate lacks it, `compared` where the baseline does."""

    provider: str
    run: str
    candidate: ColumnSide | None
    baseline: ColumnSide | None
    n: int | None
    passed: int | None
    failed: int | None
    error: int | None
    skipped: int | None
    pass_rate: float | None
    compared: ComparedAnswer | None
    address: str


class GateAnswer(Schema):
    """What came of a gate; `exit_code` is that of the command: 0 passed, 1 failed, 2 could not be judged."""

    state: str
    exit_code: int
    candidate: EvaluationSide
    baseline: EvaluationSide | None
    filter: str
    rules: RulesAnswer
    counts: dict[str, int]
    checks: list[CheckAnswer]
    runs: list[JudgedRunAnswer]


router = Router(tags=["figures"])


@router.get("", response={200: GateAnswer, 404: ErrorAnswer, 422: ErrorAnswer})
def judge_candidate(  # noqa: PLR0913, PLR0917 (a parameter a rule)
    request: HttpRequest,
    filters: Query[FilterQuery],  # type: ignore[valid-type]  # noqa: ARG001
    candidate: Named,
    baseline: Named = "",
    min_pass_rate: Rate = "",
    max_regressions: Regressions = "",
    max_error_rate: Rate = "",
    max_cost: Cost = "",
    min_results: Least = "",
    significance: Level = "",
) -> Json:
    """Hold each run of `candidate` (id, name, or `latest`) against rules and `baseline` (likewise, or `pinned`).

    The filter's `provider` and `run` pick runs, its `project` says where the candidate is looked for; `evaluation`,
    `result` and `outcome` are refused. Without a rule no regression is allowed.
    """
    chosen = asked_filter(request, "candidate", "baseline", *RULES)
    for name in REFUSED_KEYS:
        if chosen.choice(name):
            raise ApiError(422, "invalid", f"{name} is not for a gate: it says itself what is judged.", f"query.{name}")
    texts = (min_pass_rate, max_regressions, max_error_rate, max_cost, min_results, significance)
    try:
        rules = Rules.read(dict(zip(RULES, texts, strict=True)))
    except RuleError as error:
        raise ApiError(422, "invalid", str(error), f"query.{error.rule}") from error
    project = chosen.project.included[0] if len(chosen.project.included) == 1 else None
    report = judge(visible(request), Gate(candidate, baseline, (), chosen, project or "", rules))
    if report.candidate is None:
        raise ApiError(404, "not_found", report.checks[0].message, "query.candidate")
    return plain_report(report)
