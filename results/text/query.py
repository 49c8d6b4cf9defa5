"""What a search box means: words, phrases, beginnings, exclusions, columns and exact texts. Nothing is an error."""

import re
from dataclasses import dataclass

from results.text.contents import indexable
from results.text.index_file import COLUMNS

MAX_QUERY_CHARACTERS = 2_000  # the rest is ignored
MAX_TERMS = 60  # the rest is ignored; far below SQLite's limit on the depth of an expression
_PART = re.compile(
    r"""(?P<sign>-?)(?:exact:"(?P<exact>[^"]*)"|"(?P<phrase>[^"]*)"(?P<phrase_star>\*?)|(?P<word>\S+))"""
)


@dataclass(frozen=True, slots=True)
class Term:
    """One word or phrase; a phrase's words stand side by side in that order."""

    text: str
    is_prefix: bool = False
    is_excluded: bool = False

    def expression(self) -> str:
        """The term in FTS5's language, quoted so that nothing in it is an operator."""
        quoted = indexable(self.text).replace('"', '""')
        return f'"{quoted}"' + ("*" if self.is_prefix else "")

    def has_words(self) -> bool:
        """Whether the index can know it: punctuation and emoji are not words."""
        return any(sign.isalnum() for sign in self.text)


@dataclass(frozen=True, slots=True)
class ExactText:
    """A text to be found letter by letter, punctuation and case included."""

    text: str
    is_excluded: bool = False


@dataclass(frozen=True, slots=True)
class TextQuery:
    """A parsed search. All terms must hold, in any order."""

    source: str
    terms: tuple[Term, ...] = ()
    exact: tuple[ExactText, ...] = ()
    columns: tuple[str, ...] = ()  # look only in these; empty = in all

    @property
    def is_empty(self) -> bool:
        """Whether it asks for nothing, so that every result matches."""
        return not self.terms and not self.exact

    @property
    def needs_scan(self) -> bool:
        """Whether documents must be read, which is refused for many results: apply every other filter first."""
        return bool(self.exact)

    @property
    def is_plain(self) -> bool:
        """Whether it is only words, so that it may be compared with names and trace ids as it stands."""
        return not (
            self.exact or self.columns or '"' in self.source or any(t.is_prefix or t.is_excluded for t in self.terms)
        )

    @property
    def unknowable(self) -> tuple[str, ...]:
        """Terms without a letter or digit, which only `exact:"…"` can find."""
        return tuple(term.text for term in self.terms if not term.has_words())

    def expression(self, is_excluded: bool) -> str:
        """The included or the excluded terms in FTS5's language; empty = there are none."""
        terms = [term.expression() for term in self.terms if term.is_excluded == is_excluded]
        if not terms:
            return ""
        columns = f"{{{' '.join(self.columns)}}} : " if self.columns else ""
        return f"{columns}({(' OR ' if is_excluded else ' ').join(terms)})"


def parse(source: str) -> TextQuery:
    """Understand a search.

    Args:
        source: any text. `word`, `"a phrase"`, `beginning*`, `-without`, `in:answer` (or `in:explanation`, `in:error`;
            several widen the search), `exact:"…"`; whatever else it holds is looked for as words.

    Returns:
        The search. It is empty for a blank text, and never an error.
    """
    terms: dict[Term, None] = {}
    exact: dict[ExactText, None] = {}
    columns: set[str] = set()
    source = (
        source[:MAX_QUERY_CHARACTERS].encode(errors="replace").decode()
    )  # no lone surrogates: nothing can hold them
    for part in _PART.finditer(source):
        is_excluded = part["sign"] == "-"
        if part["exact"] is not None:
            if part["exact"]:
                exact[ExactText(part["exact"], is_excluded)] = None
            continue
        column = _column(part)
        if column is not None:
            columns.add(column)
            continue
        term = _term(part, is_excluded)
        if term is not None and len(terms) < MAX_TERMS:
            terms[term] = None
    return TextQuery(source, tuple(terms), tuple(exact), tuple(name for name in COLUMNS if name in columns))


def has_words(source: str) -> bool:
    """Whether a search asks for anything: an exact text, or a word that a text can hold."""
    query = parse(source)
    return bool(query.exact) or len(query.unknowable) < len(query.terms)


def _column(part: re.Match[str]) -> str | None:
    prefix, _, name = (part["word"] or "").partition(":")
    return name if prefix == "in" and name in COLUMNS and not part["sign"] else None


def _term(part: re.Match[str], is_excluded: bool) -> Term | None:
    if part["phrase"] is not None:
        text, is_prefix = part["phrase"].strip(), bool(part["phrase_star"])
    else:
        text = part["word"].rstrip("*").strip('"')
        is_prefix = part["word"].endswith("*")
    return Term(text, is_prefix, is_excluded) if text.strip() else None
