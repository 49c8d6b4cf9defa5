"""The documented form of an evaluation as a JSON Schema, written down from the document's own description."""

from typing import Any

TEXT = {"type": "string"}
NUMBER = {"type": "number"}
PART_RESULT = {"enum": ["pass", "fail", "skipped"]}


def _object(keys: list[str], /, **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": keys, "properties": properties}


def _list(item: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "items": item}


COUNTS = [
    "criteriaTotal",
    "criteriaPassed",
    "criteriaFailed",
    "criteriaSkipped",
    "requiredPassed",
    "requiredFailed",
    "requiredTotal",
]
STRATEGY = _object(
    ["strategy", "required", "result", "output", "details"],
    strategy=TEXT,
    required={"type": "boolean"},
    result=PART_RESULT,
    exitCode=NUMBER,
    output=TEXT,
    errorCount=NUMBER,
    details=TEXT,
)
CRITERION = _object(
    ["criterionId", "description", "required", "result", "evidence", "feedback"],
    criterionId=TEXT,
    description=TEXT,
    required={"type": "boolean"},
    result=PART_RESULT,
    evidence=TEXT,
    feedback=TEXT,
)
REGRESSION = _object(
    ["description", "evidence", "severity"],
    description=TEXT,
    evidence=TEXT,
    severity={"enum": ["critical", "major", "minor"]},
    affectedFiles=_list(TEXT),
)
FEEDBACK = _object(
    ["priority", "category", "description", "expected"],
    priority={"enum": ["critical", "high", "medium", "low"]},
    category={"enum": ["bug", "missing-feature", "regression", "quality", "performance"]},
    file=TEXT,
    line=NUMBER,
    description=TEXT,
    expected=TEXT,
    reproduction=TEXT,
)
SCHEMA = _object(
    [
        "evalId",
        "contractId",
        "specId",
        "timestamp",
        "iteration",
        "overallResult",
        "score",
        "strategyResults",
        "criteriaResults",
        "regressions",
        "generatorFeedback",
        "summary",
    ],
    evalId={"type": "string", "pattern": "^eval-.+-[0-9]+$"},
    contractId=TEXT,
    specId=TEXT,
    timestamp={"type": "string", "pattern": r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z$"},
    iteration={"type": "integer", "minimum": 1},
    overallResult={"enum": ["pass", "fail"]},
    score=_object(COUNTS, **dict.fromkeys(COUNTS, NUMBER)),
    strategyResults=_list(STRATEGY),
    criteriaResults=_list(CRITERION),
    regressions=_list(REGRESSION),
    generatorFeedback=_list(FEEDBACK),
    summary=TEXT,
)
