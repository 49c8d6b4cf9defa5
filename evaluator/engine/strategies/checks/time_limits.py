"""How long each strategy may take where its config does not say."""

from evaluator.engine.strategies.configuration import StrategyChoice

SECONDS = {"typecheck": 120.0, "lint": 120.0, "build": 300.0, "unit-test": 300.0, "playwright": 600.0, "custom": 120.0}
REQUEST_SECONDS = 10.0  # of api-check, for each request


def seconds_of(choice: StrategyChoice) -> float:
    """The time limit of a strategy: its `timeout`, in milliseconds, else the default."""
    if choice.options.timeout is not None:
        return choice.options.timeout / 1000
    return REQUEST_SECONDS if choice.kind == "api-check" else SECONDS[choice.kind]
