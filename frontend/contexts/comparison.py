"""The answer against the accepted answer that it is nearest to, or another one that the address asks for."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import msgspec
from django.http import QueryDict

from frontend.contexts.answers import Answers, Value
from frontend.contexts.columns import changed
from frontend.formats import count, plural
from results.diff.lines import Change, DiffLine, Tally
from results.diff.nearness import nearest
from results.diff.structures import comparable_lines
from results.diff.texts import Comparison, Difference, compare_texts

VIEWS = {"diff": "Diff", "side": "Side by side", "raw": "Raw", "canonical": "Canonical"}
STRUCTURES = ("object", "list")
JSON_INDENT = 2  # spaces
SHOWN_LINES = 400  # of a comparison
SHOWN_SPACES = 2_000  # runs of white space that are drawn: each is an element of the page
MOST_DIGITS = 3  # of the number of an accepted answer


@dataclass(frozen=True)
class ViewLink:
    """One way to look at the answers."""

    label: str
    href: str
    is_current: bool


@dataclass(frozen=True)
class AcceptedLink:
    """One of several accepted answers, counted from 1."""

    number: int
    href: str
    is_current: bool
    is_nearest: bool


@dataclass(frozen=True)
class Side:
    """Two lines that stand side by side; None where one text has none. A fold stands on both sides."""

    expected: DiffLine | None
    answer: DiffLine | None


@dataclass(frozen=True)
class ComparisonPanel:
    """What `_comparison.html` reads.

    Attributes:
        views: ways to look at the answers.
        view: a key of `VIEWS`.
        summary: how much differs, in words; empty when nothing is compared.
        warnings: what makes the comparison misleading, such as different types.
        notes: how it was made, and what was left out.
        accepted: links to the other accepted answers; empty when there is one.
        caption: what the table compares.
        has_changes: some line is in one text only.
        lines: for `diff`, else empty; sides: for `side`, else empty.
        spaces: which white space is drawn: `all`, `changed` or `none`.
    """

    views: tuple[ViewLink, ...]
    view: str
    summary: str
    warnings: tuple[str, ...]
    notes: tuple[str, ...]
    accepted: tuple[AcceptedLink, ...]
    caption: str
    has_changes: bool
    lines: tuple[DiffLine, ...]
    sides: tuple[Side, ...]
    spaces: str

    @classmethod
    def build(cls, answers: Answers, params: QueryDict) -> "ComparisonPanel | None":
        """The panel of a result; None where there is nothing to compare, as for an error or a skip.

        Args:
            answers: of the result.
            params: of the page; `view` and `want` are read.
        """
        texts = None if answers.is_message else _Texts.build(answers)
        if texts is None:
            return None
        closest = nearest(texts.answer, texts.accepted)
        chosen = _chosen(params, len(texts.accepted), closest)
        view = params.get("view", "diff") if params.get("view") in VIEWS else "diff"
        comparison = compare_texts(texts.accepted[chosen], texts.answer)
        lines = comparison.lines[:SHOWN_LINES]
        return cls(
            views=tuple(ViewLink(label, changed(params, view=key), key == view) for key, label in VIEWS.items()),
            view=view,
            summary=_summary(comparison, texts.types_differ(chosen)),
            warnings=tuple(_warnings(texts, chosen)),
            notes=tuple(_notes(comparison, texts)),
            accepted=_accepted_links(params, len(texts.accepted), chosen, closest),
            caption=f"Answer against accepted answer {chosen + 1} of {len(texts.accepted)}",
            has_changes=any(line.change in (Change.EXPECTED, Change.ANSWER) for line in comparison.lines),
            lines=lines if view == "diff" else (),
            sides=tuple(_sides(lines)) if view == "side" else (),
            spaces="none" if comparison.difference is Difference.NONE else drawn_spaces(lines),
        )


@dataclass(frozen=True)
class _Texts:
    """What is compared.

    Attributes:
        accepted: one text per accepted answer.
        types: the JSON types of those, where they are known.
        is_raw: the texts are as the model and the task wrote them, not as they were compared.
        has_sorted_keys: the texts are JSON with its keys in order.
    """

    answer: str
    accepted: tuple[str, ...]
    answer_type: str
    types: tuple[str, ...]
    is_raw: bool
    has_sorted_keys: bool

    @classmethod
    def build(cls, answers: Answers) -> "_Texts | None":
        got, accepted = answers.got, answers.accepted
        if got is None or not accepted:
            return None
        types = tuple(value.type_name for value in accepted)
        if answers.raw is not None and answers.accepted_raw and {got.type_name, *types} == {"text"}:
            kept = types if len(answers.accepted_raw) == len(types) else ()
            return cls(answers.raw, answers.accepted_raw, got.type_name, kept, True, False)
        structures = {got.type_name, *types} & set(STRUCTURES)
        texts = [comparable_lines(value.source) if structures else None for value in (got, *accepted)]
        is_sorted = bool(structures) and all(text is not None for text in texts)
        shown = [_text(value, text if is_sorted else None) for value, text in zip((got, *accepted), texts, strict=True)]
        return cls(shown[0], tuple(shown[1:]), got.type_name, types, False, is_sorted)

    def types_differ(self, place: int) -> bool:
        """Whether the accepted answer at this place has another JSON type."""
        return bool(self.types) and _kind(self.types[place]) != _kind(self.answer_type)


def _kind(type_name: str) -> str:
    return "boolean" if type_name in ("true", "false") else type_name


def _text(value: Value, sorted_lines: str | None) -> str:
    if value.text is not None:
        return value.text
    if sorted_lines is not None:
        return sorted_lines
    return msgspec.json.format(value.source, indent=JSON_INDENT).decode("utf-8", "replace")


def _chosen(params: QueryDict, number: int, closest: int) -> int:
    asked = params.get("want", "")
    is_number = asked.isascii() and asked.isdigit() and len(asked) <= MOST_DIGITS
    return int(asked) - 1 if is_number and 1 <= int(asked) <= number else closest


def _accepted_links(params: QueryDict, number: int, chosen: int, closest: int) -> tuple[AcceptedLink, ...]:
    if number == 1:
        return ()
    return tuple(
        AcceptedLink(place + 1, changed(params, want=str(place + 1)), place == chosen, place == closest)
        for place in range(number)
    )


def _summary(comparison: Comparison, has_other_type: bool) -> str:
    if comparison.difference is Difference.NONE:
        return (
            "The characters are the same, the types are not" if has_other_type else "The same, character by character"
        )
    if comparison.difference is Difference.WHITE_SPACE:
        return "Only white space differs"
    if comparison.difference is Difference.CASE:
        return "Only letter case differs"
    sides = (("accepted answer", comparison.expected), ("answer", comparison.answer))
    return "; ".join(f"{text} only in the {name}" for name, tally in sides if (text := _tallied(tally)))


def _tallied(tally: Tally) -> str:
    named = [(tally.words, "word"), (tally.line_ends, "line end")]
    named += [(tally.spaces, "space")] if not tally.words else []
    return ", ".join(plural(number, noun) for number, noun in named if number)


def _warnings(texts: _Texts, chosen: int) -> Iterator[str]:
    if texts.types_differ(chosen):
        accepted = texts.types[chosen]
        yield f"The types differ: the answer is {_named(texts.answer_type)}, the accepted answer {_named(accepted)}."


def _named(type_name: str) -> str:
    if type_name in ("true", "false", "null"):
        return type_name
    return f"an {type_name}" if type_name == "object" else f"a {type_name}"


def _notes(comparison: Comparison, texts: _Texts) -> Iterator[str]:
    if texts.has_sorted_keys:
        yield "Compared as JSON: keys in alphabetical order on both sides, number tokens as written."
    elif not texts.is_raw:
        yield "The canonical values are compared: the texts as written are not recorded, or are no plain texts."
    if comparison.before:
        yield f"{plural(comparison.before, 'equal character')} before this place not shown."
    if comparison.is_cut:
        yield (
            f"Too long to compare as a whole: {plural(comparison.expected_after, 'character')} of the accepted answer "
            f"and {count(comparison.answer_after)} of the answer after this place were not compared."
        )
    elif comparison.answer_after:
        yield f"{plural(comparison.answer_after, 'equal character')} after this place not shown."
    if not comparison.is_by_word:
        yield "Some lines are marked as a whole: there are too many words to match."
    if len(comparison.lines) > SHOWN_LINES:
        yield f"{plural(len(comparison.lines) - SHOWN_LINES, 'more line')} not shown."


def drawn_spaces(lines: Sequence[DiffLine]) -> str:
    """Everywhere when there are few, else where something changed, else nowhere."""
    runs = [(stretch.is_changed, len(stretch.text.split())) for line in lines for stretch in line.stretches]
    if sum(number for _, number in runs) <= SHOWN_SPACES:
        return "all"
    return "changed" if sum(number for is_changed, number in runs if is_changed) <= SHOWN_SPACES else "none"


def _sides(lines: Sequence[DiffLine]) -> Iterator[Side]:
    """Lines in pairs: a block of changed lines side by side from its first lines on."""
    expected: list[DiffLine] = []
    answer: list[DiffLine] = []
    for line in lines:
        if line.change is Change.EXPECTED:
            expected.append(line)
        elif line.change is Change.ANSWER:
            answer.append(line)
        else:
            yield from _paired(expected, answer)
            expected, answer = [], []
            yield Side(line, line)
    yield from _paired(expected, answer)


def _paired(expected: list[DiffLine], answer: list[DiffLine]) -> Iterator[Side]:
    for place in range(max(len(expected), len(answer))):
        yield Side(
            expected[place] if place < len(expected) else None,
            answer[place] if place < len(answer) else None,
        )
