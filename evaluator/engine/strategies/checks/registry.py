"""The checks: one line each."""

from evaluator.engine.strategies.checks import api_check, build, custom, lint, playwright, typecheck, unit_test
from evaluator.engine.strategies.checks.check import Check

CHECKS: dict[str, Check] = {
    "build": build.check,
    "typecheck": typecheck.check,
    "lint": lint.check,
    "unit-test": unit_test.check,
    "api-check": api_check.check,
    "playwright": playwright.check,
    "custom": custom.check,
}
