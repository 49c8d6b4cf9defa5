"""The words of agent-bober documents: verdicts, results and names, as they are written in the wild."""

import re
from dataclasses import dataclass

from results.iteration_records import PartResult

PASS_WORDS = frozenset({"pass", "passed", "ok", "true"})
FAIL_WORDS = frozenset({"fail", "failed", "error", "false"})
SKIP_WORDS = frozenset({"skip", "skipped", "n-a", "n/a"})
# `pass-AMENDED`, `pass (with notes)`: the verdict stands first, then what somebody changed about it.
AMENDED = re.compile(r"(pass|passed|fail|failed)[\s\-_(:]+\S")

# What the engine shows as the name of a check -> the strategy in its configuration. The judge is not configured.
JUDGE = "agent-evaluation"
STRATEGY_OF_DISPLAY_NAME = {
    "TypeScript Check": "typecheck",
    "Lint": "lint",
    "Unit Tests": "unit-test",
    "Playwright E2E": "playwright",
    "API Check": "api-check",
    "Build Check": "build",
    "Agent Evaluation": JUDGE,
    "panel": JUDGE,
}
NOT_RUN = re.compile(r"\bskipped\b.*prerequisites not met", re.IGNORECASE | re.DOTALL)


@dataclass(frozen=True)
class Word:
    """What a result word means, and whether it says that the result was amended afterwards."""

    result: PartResult
    is_amended: bool = False


def read_word(text: str) -> Word | None:
    """Read a result or verdict word in any case and in any of its usual synonyms.

    Args:
        text: the word as written.

    Returns:
        Its meaning, or None for a word that we do not know; nothing is guessed.
    """
    word = text.strip().casefold()
    for words, result in (
        (PASS_WORDS, PartResult.PASS),
        (FAIL_WORDS, PartResult.FAIL),
        (SKIP_WORDS, PartResult.SKIPPED),
    ):
        if word in words:
            return Word(result)
    amended = AMENDED.match(word)
    if amended is None:
        return None
    return Word(PartResult.PASS if amended[1] in PASS_WORDS else PartResult.FAIL, is_amended=True)
