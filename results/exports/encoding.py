"""Values of exports as text: exact numbers, times in UTC, JSON."""

from datetime import UTC, datetime
from decimal import Context, Decimal
from typing import Any

import msgspec

_EXACT = Context(prec=100)
_JSON = msgspec.json.Encoder(decimal_format="number")
LARGEST = 2**63 - 1  # of the whole numbers that msgspec's encoder takes; larger ones go in as decimals


def as_json(value: Any) -> bytes:  # noqa: ANN401  (any JSON)
    """Compact JSON; whole numbers of any size and decimals are exact; a lone surrogate becomes `?`."""
    return _JSON.encode(_widened(value))


def instant(moment: datetime) -> str:
    """ISO 8601 in UTC: `2026-11-30T09:00:00.123Z`."""
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


def plain(value: Decimal) -> str:
    """All digits of a decimal, without an exponent and without zeros at its end."""
    return f"{value.normalize(_EXACT):f}"


def _widened(value: Any) -> Any:  # noqa: ANN401
    match value:
        case dict():
            value = {key: _widened(inner) for key, inner in value.items()}
        case list() | tuple():
            value = [_widened(inner) for inner in value]
        case int() if not -LARGEST <= value <= LARGEST:
            value = Decimal(value)
        case datetime():
            value = instant(value)
        case Decimal():
            value = Decimal(plain(value))
        case str() if not value.isascii():
            value = value.encode(errors="replace").decode()
    return value
