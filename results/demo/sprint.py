"""The demo's sprint: a first iteration that fails and a second one that passes."""

import json

CONTRACT_ID = "sprint-search-3"
SPEC_ID = "spec-search"
DESCRIPTIONS = {
    "sc-3-1": "Typing in the search box shows matching articles within half a second.",
    "sc-3-2": "A search without matches shows a sentence and a link to all articles.",
    "sc-3-3": "The number of matches is announced to screen readers.",
    "sc-3-4": "Searching works without JavaScript.",
}
STRATEGIES = {
    "build": "vite build: 214 modules, 1.9 s",
    "typecheck": "0 errors",
    "lint": "0 errors, 2 warnings",
    "unit-test": "148 passed",
}

Json = dict[str, object]


def failing_iteration() -> bytes:
    """The first iteration: an empty search fails, and so does the test that would have shown it."""
    evidence = {
        "sc-3-1": "Typed “solar” in the browser: 12 articles after 180 ms.",
        "sc-3-2": "Typed “qqq”: the list is empty and the page says nothing.",
        "sc-3-3": "The list has aria-live=polite; the count is read aloud.",
        "sc-3-4": "Sent the form with scripts off: the server answered 500.",
    }
    feedback = {
        "sc-3-2": "Show a sentence and a link to all articles when nothing matches.",
        "sc-3-4": "GET /articles?q=… must answer with a page; it fails when the header Accept is text/html.",
    }
    strategies = [_strategy(name, STRATEGIES[name]) for name in ("build", "typecheck", "lint")]
    strategies.append(
        {
            "strategy": "unit-test",
            "required": True,
            "result": "fail",
            "exitCode": 1,
            "output": "146 passed, 1 failed: articles.test.ts > answers with a page",
            "errorCount": 1,
            "details": "Expected 200 but received 500.",
        }
    )
    findings = [
        _finding(
            ("critical", "bug", "src/routes/articles.ts", 41),
            "The handler calls renderPage without the list of topics: the template throws, the server answers 500.",
            "GET /articles?q=solar with Accept: text/html answers 200 with the list of articles.",
        ),
        _finding(
            ("high", "missing-feature", "src/pages/Search.tsx", 63),
            "Nothing is rendered when the list of matches is empty.",
            "A sentence that names the search, and a link to all articles.",
        ),
        _finding(
            ("low", "quality", "src/pages/Search.tsx", 17),
            "The delay of 150 ms before a search is a bare number.",
            "A constant with a name that says what it is.",
        ),
    ]
    return _document(
        iteration=1,
        is_passed=False,
        strategies=strategies,
        criteria=[_criterion(name, evidence[name], feedback.get(name)) for name in DESCRIPTIONS],
        findings=findings,
        summary="Live search works. An empty search shows nothing, and searching without JavaScript ends in an error.",
    )


def passing_iteration() -> bytes:
    """The second iteration: everything holds; one small remark is left."""
    evidence = {
        "sc-3-1": "Typed “solar” in the browser: 12 articles after 170 ms.",
        "sc-3-2": "Typed “qqq”: “No article matches qqq.” and a link to all articles.",
        "sc-3-3": "The list has aria-live=polite; the count is read aloud.",
        "sc-3-4": "Sent the form with scripts off: a page with 12 articles.",
    }
    finding = _finding(
        ("low", "quality", "src/pages/Search.tsx", 17),
        "The delay of 150 ms before a search is still a bare number.",
        "A constant with a name that says what it is.",
    )
    return _document(
        iteration=2,
        is_passed=True,
        strategies=[_strategy(name, output) for name, output in STRATEGIES.items()],
        criteria=[_criterion(name, evidence[name], None) for name in DESCRIPTIONS],
        findings=[finding],
        summary="All four criteria hold. Both faults of the first iteration are repaired and covered by tests.",
    )


def _document(
    *, iteration: int, is_passed: bool, strategies: list[Json], criteria: list[Json], findings: list[Json], summary: str
) -> bytes:
    failed = sum(criterion["result"] == "fail" for criterion in criteria)
    document = {
        "evalId": f"eval-{CONTRACT_ID}-{iteration}",
        "contractId": CONTRACT_ID,
        "specId": SPEC_ID,
        "timestamp": f"2026-11-{16 + iteration}T15:2{iteration}:07Z",
        "iteration": iteration,
        "overallResult": "pass" if is_passed else "fail",
        "score": {
            "criteriaTotal": len(criteria),
            "criteriaPassed": len(criteria) - failed,
            "criteriaFailed": failed,
            "criteriaSkipped": 0,
            "requiredPassed": len(criteria) - failed,
            "requiredFailed": failed,
            "requiredTotal": len(criteria),
        },
        "strategyResults": strategies,
        "criteriaResults": criteria,
        "regressions": [],
        "generatorFeedback": findings,
        "summary": summary,
    }
    return json.dumps(document, indent=2, ensure_ascii=False).encode() + b"\n"


def _strategy(name: str, output: str) -> Json:
    return {"strategy": name, "required": name != "lint", "result": "pass", "exitCode": 0, "output": output}


def _criterion(name: str, evidence: str, feedback: str | None) -> Json:
    result = "pass" if feedback is None else "fail"
    criterion: Json = {"criterionId": name, "description": DESCRIPTIONS[name], "required": True, "result": result}
    return criterion | {"evidence": evidence, "feedback": feedback or ""}


def _finding(place: tuple[str, str, str, int], description: str, expected: str) -> Json:
    priority, category, file, line = place
    finding: Json = {"priority": priority, "category": category, "file": file, "line": line}
    return finding | {"description": description, "expected": expected}
