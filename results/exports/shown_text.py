"""Texts of models made harmless for programs that would obey them: spreadsheets, terminals, Markdown."""

DANGEROUS = ("=", "+", "-", "@", "\t", "\r", "\n")  # with these a spreadsheet begins a formula
CONTROLS = {code: f"\\x{code:02x}" for code in (*range(32), *range(127, 160))}
# Characters that turn the direction of what follows, or do not show at all.
INVISIBLE = {
    code: f"\\u{code:04x}"
    for code in (0x061C, *range(0x200B, 0x2010), *range(0x2028, 0x202F), *range(0x2060, 0x2070), 0xFEFF)
}
_LINES_KEPT = {code: text for code, text in (CONTROLS | INVISIBLE).items() if chr(code) not in "\t\n"}


def harmless(text: str) -> str:
    """A text that no spreadsheet takes for a formula: `'` stands before one that begins like it."""
    return f"'{text}" if text.startswith(DANGEROUS) else text


def visible(text: str) -> str:
    r"""A text whose control characters and turns of direction are seen, as `\x1b` or `\u202e`; lines and tabs stay."""
    return text.replace("\r\n", "\n").translate(_LINES_KEPT)
