"""Quantiles of whole numbers in SQL: exact at any size, by linear interpolation between the two closest ranks."""

from decimal import Decimal
from fractions import Fraction

MEDIAN, P95 = Fraction(1, 2), Fraction(19, 20)


def quantiles_sql(value: str, shares: tuple[Fraction, ...], *, is_large: bool) -> str:
    """SQL of a list with one quantile a share, NULL where no value is known; `quantile` reads its elements.

    Args:
        value: SQL of a whole number, NULL = unknown.
        shares: in [0, 1], each a multiple of a hundredth.
        is_large: some values are beyond what floating point keeps: then they are sorted and weighed as whole numbers,
            which takes longer.

    Source: Hyndman & Fan 1996, definition 7.
    """
    if not is_large:
        return f"quantile_cont({value}, [{', '.join(str(float(share)) for share in shares)}])"
    return f"CASE WHEN count({value}) > 0 THEN [{', '.join(_exact(value, share) for share in shares)}] END"


def _exact(value: str, share: Fraction) -> str:
    """The weighted sum of the two closest ranks in hundredths, as a decimal."""
    part, whole = share.numerator, share.denominator
    listed = f"list_sort(list({value}::HUGEINT) FILTER ({value} IS NOT NULL))"
    place = f"({part} * (count({value}) - 1))"
    low, high = f"({place} // {whole} + 1)", f"least({place} // {whole} + 2, count({value}))"
    rest = f"({place} % {whole})"
    weighed = f"({listed}[{low}] * ({whole} - {rest}) + {listed}[{high}] * {rest}) * {100 // whole}"
    return f"({weighed})::DECIMAL(36, 0) * 0.01::DECIMAL(2, 2)"


def quantile(found: float | Decimal | None, share: Fraction) -> Decimal | None:
    """A quantile as SQL gave it, exact: of whole numbers it is a multiple of one part of the share's denominator."""
    if found is None:
        return None
    if isinstance(found, Decimal):
        return found.normalize() if found % 1 else found.quantize(Decimal(1))
    return Decimal(round(found * share.denominator)) / share.denominator
