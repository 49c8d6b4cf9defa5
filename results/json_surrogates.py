r"""Escapes of lone surrogates (`\ud800` without its partner): allowed by JSON's grammar, but no text.

For meaning each becomes U+FFFD, as Go does it. The bytes of the document keep the escape.
"""

import mmap
import re

REPLACEMENT = rb"\ufffd"  # as long as the escape it stands for, so that no position moves

_PAIR = rb"u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}"
_LONE_OR_OTHER = re.compile(rb"\\(?:" + _PAIR + rb"|(u[dD][89a-fA-F][0-9a-fA-F]{2})|.)", re.DOTALL)
_ESCAPE = re.compile(rb"\\(?:u[0-9a-fA-F]{4}|.)", re.DOTALL)
_HINT = re.compile(rb"\\u[dD][89a-fA-F]")


def has_lone_surrogates(text: bytes | mmap.mmap) -> bool:
    """Whether any escape of a surrogate has no partner."""
    if _HINT.search(text) is None:
        return False
    return any(found[1] for found in _LONE_OR_OTHER.finditer(text))


def without_lone_surrogates(text: bytes) -> bytes:
    """The same JSON text, of the same length, with U+FFFD for every lone surrogate."""
    return _LONE_OR_OTHER.sub(lambda found: REPLACEMENT if found[1] else found[0], text)


def replace_in_place(text: mmap.mmap) -> None:
    """Put U+FFFD for every lone surrogate of a writable map."""
    for found in _LONE_OR_OTHER.finditer(text):
        if found[1]:
            text[found.start() : found.end()] = REPLACEMENT


def with_escapes_of(compact: bytes, original: bytes) -> bytes:
    """Give a compacted text the escapes of its original; both hold equally many in equal order."""
    escapes = iter(_ESCAPE.findall(original))
    return _ESCAPE.sub(lambda _: next(escapes), compact)
