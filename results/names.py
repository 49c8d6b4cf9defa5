"""Names as they can be stored: every text keeps an identity of its own on every database."""

import re
from hashlib import blake2b

# PostgreSQL cannot hold NUL, and neither database can hold a lone surrogate.
UNSTORABLE = re.compile("[\x00\ud800-\udfff]")
LOOKS_ESCAPED = re.compile(r"\\u(?:0000|d[89a-f][0-9a-f]{2})")
DIGEST_BYTES = 16


def storable(text: str) -> str:
    r"""Escape NUL and lone surrogates so that different texts stay different.

    Args:
        text: any text.

    Returns:
        The same text when nothing needs escaping; otherwise `\u0000` style escapes with doubled backslashes. A text
        that already looks like such an escape has its backslashes doubled too, so no two texts meet.
    """
    if text.isascii() and text.isalnum():  # a trace id, most of the time: quicker than two searches
        return text
    if UNSTORABLE.search(text) is None and LOOKS_ESCAPED.search(text) is None:
        return text
    return UNSTORABLE.sub(lambda match: f"\\u{ord(match[0]):04x}", text.replace("\\", "\\\\"))


def digest_of(*parts: str | bytes) -> str:
    """Identify a sequence of texts by 32 hex digits (BLAKE2b-128); lengths count, so parts cannot run together."""
    digest = blake2b(digest_size=DIGEST_BYTES)
    for part in parts:
        raw = part.encode() if isinstance(part, str) else part
        digest.update(len(raw).to_bytes(8, "big"))
        digest.update(raw)
    return digest.hexdigest()
