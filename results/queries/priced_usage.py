"""What one usage object cost, as SQL: the rules of `results.pricing.estimate`, in their order.

The row holds the recorded counters of the section, and beside them the prices of its period: `RATES` in whole amounts a
token (NULL = not known), `table_reason` (why there are none) and `longest` (input tokens up to which they hold).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from results.pricing import Reason

RATES = ("input_rate", "read_rate", "write_rate", "output_rate", "reasoning_rate")
_READ_RATE, _WRITE_RATE = "coalesce(read_rate, input_rate)", "coalesce(write_rate, input_rate)"
_REASONING_RATE = "coalesce(reasoning_rate, output_rate)"


@dataclass(frozen=True)
class Usage:
    """One section: whose counters, and SQL of whether they are the model's."""

    section: str
    condition: str = "true"

    @property
    def columns(self) -> str:
        """The recorded columns that are read."""
        words = f"{self.section}_input_accounting, {self.section}_output_accounting"
        return f"{', '.join(self._counters)}, {words}"

    @property
    def reason(self) -> str:
        """SQL: one of `Reason`, the first that holds."""
        steps = " ".join(f"WHEN {condition} THEN {result}" for condition, result in self._steps())
        return f"(CASE {steps} ELSE {Reason.PRICED:d} END)"

    @property
    def amount(self) -> str:
        """SQL (HUGEINT): the sum over the buckets; means something where `reason` is `PRICED` or `NOTHING_USED`."""
        parts = " + ".join(f"coalesce({tokens}, 0)::HUGEINT * coalesce({rate}, 0)" for tokens, rate in self._buckets())
        return f"(CASE WHEN {self.condition} THEN {parts} ELSE 0 END)"

    @property
    def _counters(self) -> tuple[str, ...]:
        names = ("input_tokens", "cache_read_tokens", "cache_write_tokens", "output_tokens", "reasoning_tokens")
        return tuple(f"{self.section}_{name}" for name in names)

    @property
    def _cached(self) -> str:
        _, read, write, _, _ = self._counters
        return f"(coalesce({read}, 0)::HUGEINT + coalesce({write}, 0))"

    def _buckets(self) -> list[tuple[str, str]]:
        """Tokens that are billed alike, and their rate."""
        whole, read, write, output, reasoning = self._counters
        is_included = f"{self.section}_input_accounting = 2"
        rest = f"(CASE WHEN {is_included} THEN {whole}::HUGEINT - {self._cached} ELSE {whole} END)"
        is_apart = f"({self.section}_output_accounting = 1 OR {reasoning} IS NULL)"
        visible = f"(CASE WHEN {is_apart} THEN {output} ELSE {output}::HUGEINT - {reasoning} END)"
        rated = [(rest, "input_rate"), (read, _READ_RATE), (write, _WRITE_RATE)]
        return [*rated, (visible, "output_rate"), (reasoning, _REASONING_RATE)]

    def _steps(self) -> Iterator[tuple[str, str]]:
        used = " OR ".join(f"coalesce({name}, 0) <> 0" for name in self._counters)
        yield f"NOT ({self.condition}) OR NOT ({used})", f"{Reason.NOTHING_USED:d}"
        yield f"table_reason <> {Reason.PRICED:d}", "table_reason"
        yield f"{self.section}_input_accounting = 3", f"{Reason.UNKNOWN_ACCOUNTING:d}"
        yield self._is_input_missing(), f"{Reason.MISSING_COUNTER:d}"
        yield f"{self.section}_output_accounting = 3", f"{Reason.UNKNOWN_ACCOUNTING:d}"
        yield self._is_output_missing(), f"{Reason.MISSING_COUNTER:d}"
        for tokens, rate in self._buckets():
            yield f"{tokens} < 0", f"{Reason.INCONSISTENT:d}"
            yield f"{tokens} > 0 AND {rate} IS NULL", f"{Reason.NO_RATE:d}"
        yield f"{self._length()} > longest", f"{Reason.LENGTH_UNKNOWN:d}"

    def _is_input_missing(self) -> str:
        whole, read, write, _, _ = self._counters
        word = f"{self.section}_input_accounting"
        is_unclear = " OR ".join(
            f"{subset} IS NULL AND {_is_unlike(rate, 'input_rate')}"
            for subset, rate in ((read, "read_rate"), (write, "write_rate"))
        )
        return (
            f"{word} = 2 AND {whole} IS NOT NULL AND ({is_unclear}) OR {word} = 2 AND {whole} IS NULL "
            f"AND {self._cached} <> 0 OR {word} = 1 AND {whole} IS NOT NULL AND ({read} IS NULL OR {write} IS NULL)"
        )

    def _is_output_missing(self) -> str:
        _, _, _, output, reasoning = self._counters
        word = f"{self.section}_output_accounting"
        is_unclear = f"({word} = 1 OR {word} = 2 AND {_is_unlike('reasoning_rate', 'output_rate')})"
        return f"{output} IS NOT NULL AND {reasoning} IS NULL AND {is_unclear}"

    def _length(self) -> str:
        whole = self._counters[0]
        is_included = f"{self.section}_input_accounting = 2"
        return f"(CASE WHEN {is_included} THEN {whole} ELSE coalesce({whole}, 0)::HUGEINT + {self._cached} END)"


def _is_unlike(own: str, parent: str) -> str:
    return f"{own} IS NOT NULL AND {own} IS DISTINCT FROM {parent}"
