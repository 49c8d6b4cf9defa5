"""Values as Go's standard library writes them, which is how MindTrial's files have them."""

import math
from decimal import ROUND_HALF_UP, Decimal

import msgspec

NANOSECONDS_PER_MILLISECOND = 1_000_000
SECOND, MINUTE = 1_000, 60_000  # milliseconds
_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_ITEMS = msgspec.json.Decoder(list[msgspec.Raw])
# `encoding/json` writes these so that HTML may hold them; in JSON they stand in texts only.
_ESCAPED = {ord(mark): f"\\u{ord(mark):04x}" for mark in "<>&\u2028\u2029"}


def milliseconds(nanoseconds: int) -> int:
    """Round to the nearest whole millisecond, halves away from 0."""
    return int((Decimal(nanoseconds) / NANOSECONDS_PER_MILLISECOND).to_integral_value(ROUND_HALF_UP))


def duration(nanoseconds: int) -> str:
    """A time rounded to milliseconds, as `time.Duration` prints it: `0s`, `500ms`, `3m0.8s`, `87h15m59.265s`."""
    rounded = milliseconds(nanoseconds)
    sign, size = ("-" if rounded < 0 else ""), abs(rounded)
    if size == 0:
        return "0s"
    if size < SECOND:
        return f"{sign}{size}ms"
    minutes, rest = divmod(size, MINUTE)
    hours, minutes = divmod(minutes, 60)
    seconds = f"{rest // SECOND}.{rest % SECOND:03}".rstrip("0").rstrip(".") + "s"
    return sign + (f"{hours}h" if hours else "") + (f"{minutes}m" if hours or minutes else "") + seconds


def percent(part: int, whole: int) -> str:
    """A share in percent with two decimals, halves away from 0; `0.00` of nothing, as MindTrial has it."""
    share = part / whole * 100 if whole else 0.0
    return f"{math.floor(share * 100 + 0.5) / 100:.2f}"


def text_of(source: bytes) -> str:
    """A JSON value as text: a text as it is, anything else as indented JSON, the keys of objects sorted."""
    if source.startswith(b'"'):
        return msgspec.json.decode(source, type=str)
    return indented(_sorted(source))


def indented(source: bytes) -> str:
    """JSON with two spaces per level, number tokens as they are, markup escaped."""
    return msgspec.json.format(source, indent=2).decode().translate(_ESCAPED)


def _sorted(source: bytes) -> bytes:
    if source.startswith(b"{"):
        members = sorted(_MEMBERS.decode(source).items())
        return b"{%b}" % b",".join(msgspec.json.encode(key) + b":" + _sorted(bytes(value)) for key, value in members)
    if source.startswith(b"["):
        return b"[%b]" % b",".join(_sorted(bytes(item)) for item in _ITEMS.decode(source))
    return source
