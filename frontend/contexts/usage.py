"""Tokens of one usage object: unknown, 0 and absent are three different things."""

from dataclasses import dataclass

from results.queries.results import ResultRow
from results.records import TokenUsage
from results.statistics import effective_input_tokens, effective_output_tokens

INPUT_RULES = {
    "": "Input = input + cache write + cache read: the file does not say how cache tokens count, so they count apart.",
    "cache_tokens_separate": "Input = input + cache write + cache read, as this provider counts cache tokens apart "
    "(cache_tokens_separate).",
    "cache_tokens_included": "Input = input alone, because this provider's input already holds the cache tokens "
    "(cache_tokens_included).",
}
OUTPUT_RULES = {
    "": "Output = output alone: the file does not say that reasoning is counted apart.",
    "reasoning_tokens_separate": "Output = output + reasoning, because this provider counts reasoning apart "
    "(reasoning_tokens_separate).",
    "reasoning_tokens_included": "Output = output alone, because this provider's output already holds the reasoning "
    "(reasoning_tokens_included).",
}
UNKNOWN_RULE = "is unknown, because the file counts it in a way that we do not know"
REASONING = {"reasoning_tokens_included": "of which reasoning", "reasoning_tokens_separate": "Reasoning, apart"}


@dataclass(frozen=True)
class UsagePanel:
    """One usage object of a result: the model's, the judge's, or a failed try's.

    Attributes:
        usage: as recorded; None = the section has none.
        effective_input, effective_output: None = unknown.
        note: whose usage this is, where the section's name would mislead; else empty.
        absent: what is said when there is no usage.
        rules: how the effective tokens come about, in words.
        reasoning_label: what the reasoning tokens are to the output.
        priced: the result whose cost is told below the counters; None = this usage has no cost of its own.
    """

    title: str
    usage: TokenUsage | None
    effective_input: int | None
    effective_output: int | None
    note: str
    absent: str
    rules: tuple[str, ...]
    reasoning_label: str
    priced: ResultRow | None

    @classmethod
    def build(
        cls,
        title: str,
        usage: TokenUsage | None,
        note: str = "",
        absent: str = "not recorded",
        priced: ResultRow | None = None,
    ) -> "UsagePanel":
        """The panel of a usage object."""
        words = ("", "") if usage is None else (usage.input_token_accounting, usage.output_token_accounting)
        inputs, outputs = (word or "" for word in words)
        return cls(
            title=title,
            usage=usage,
            effective_input=None if usage is None else effective_input_tokens(usage),
            effective_output=None if usage is None else effective_output_tokens(usage),
            note=note,
            absent=absent,
            rules=(
                INPUT_RULES.get(inputs, f"Input {UNKNOWN_RULE} ({inputs})."),
                OUTPUT_RULES.get(outputs, f"Output {UNKNOWN_RULE} ({outputs})."),
            ),
            reasoning_label=REASONING.get(outputs, "Reasoning"),
            priced=priced,
        )
