"""Tokens of one usage object: unknown, 0 and absent are three different things."""

from dataclasses import dataclass

from results.records import TokenUsage
from results.statistics import effective_input_tokens, effective_output_tokens


@dataclass(frozen=True)
class UsagePanel:
    """One usage object of a result: the model's, the judge's, or a failed try's.

    Attributes:
        usage: as recorded; None = the section has none.
        effective_input, effective_output: None = unknown.
        note: whose usage this is, where the section's name would mislead; else empty.
    """

    title: str
    usage: TokenUsage | None
    effective_input: int | None
    effective_output: int | None
    note: str

    @classmethod
    def build(cls, title: str, usage: TokenUsage | None, note: str = "") -> "UsagePanel":
        """The panel of a usage object."""
        return cls(
            title=title,
            usage=usage,
            effective_input=None if usage is None else effective_input_tokens(usage),
            effective_output=None if usage is None else effective_output_tokens(usage),
            note=note,
        )
