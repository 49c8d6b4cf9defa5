"""What the keys of the filter are called on a page: one line a key; a key without a line is called by its own name."""

from dataclasses import dataclass

from results.filters import CHOICES, RESULT, SPANS


@dataclass(frozen=True)
class ChoiceWord:
    """A key whose values are chosen.

    Attributes:
        title: of its facet.
        is_open: its values are counted on every page, not only when asked for.
    """

    title: str
    is_open: bool = False


@dataclass(frozen=True)
class SpanWord:
    """A key that takes a range.

    Attributes:
        unit: of a plain number in its fields, also their hint; empty for plain counts.
        from_example, to_example: shown in the empty fields.
        is_open: its fields are not folded away.
    """

    title: str
    unit: str = ""
    from_example: str = "0"
    to_example: str = ""
    is_open: bool = False
    is_date: bool = False


CHOICE_WORDS = {
    "outcome": ChoiceWord("Outcome", is_open=True),
    "category": ChoiceWord("Category", is_open=True),
    "provider": ChoiceWord("Provider", is_open=True),
    "run": ChoiceWord("Run", is_open=True),
    "difficulty": ChoiceWord("Difficulty", is_open=True),
    "tag": ChoiceWord("Tag", is_open=True),
    "evaluation": ChoiceWord("Evaluation", is_open=True),
    "project": ChoiceWord("Project"),
    "model": ChoiceWord("Model"),
    "suite": ChoiceWord("Suite"),
    "task": ChoiceWord("Task"),
    "tool": ChoiceWord("Tool"),
    "call_status": ChoiceWord("Tool-call status"),
    "error": ChoiceWord("Error title"),
    "transient": ChoiceWord("Transient error"),
    "cancelled": ChoiceWord("Cancelled work"),
    "parsing": ChoiceWord("Response parsing error"),
    "judge": ChoiceWord("Judge"),
    "mismatch": ChoiceWord("Type mismatch"),
    "repeats": ChoiceWord("Repeats"),
    "copies": ChoiceWord("Copy of an older result"),
    "priced": ChoiceWord("Price"),
    "currency": ChoiceWord("Currency"),
    "label": ChoiceWord("Label"),
    "reason": ChoiceWord("Reason"),
    "reviewed": ChoiceWord("Reviewed"),
    "corrected": ChoiceWord("Verdict corrected"),
}
PLAIN = {"q": "text", RESULT: "result"}  # keys without values to choose from
SPAN_WORDS = {
    "duration": SpanWord("Model time", "seconds", "0.5", "60", is_open=True),
    "started": SpanWord("Started", is_open=True, is_date=True),
    "cost": SpanWord("Cost", "of any currency", "0.01", "1.50"),
    "input_tokens": SpanWord("Input tokens", to_example="100000"),
    "output_tokens": SpanWord("Output tokens", to_example="8000"),
    "tool_calls": SpanWord("Tool calls", to_example="10"),
    "attempts": SpanWord("Attempts", from_example="1", to_example="3"),
    "repeat": SpanWord("Repeat number", from_example="1", to_example="3"),
}


def choice_names() -> tuple[str, ...]:
    """The keys with values, in the order of their facets."""
    return (
        *(name for name in CHOICE_WORDS if name in CHOICES),
        *(name for name in CHOICES if name not in CHOICE_WORDS),
    )


def span_names() -> tuple[str, ...]:
    """The keys with ranges, in the order of their fields."""
    return (*(name for name in SPAN_WORDS if name in SPANS), *(name for name in SPANS if name not in SPAN_WORDS))


def choice_word(name: str) -> ChoiceWord:
    """The words of a key of `CHOICES`."""
    return CHOICE_WORDS.get(name) or ChoiceWord(_plain(name))


def span_word(name: str) -> SpanWord:
    """The words of a key of `SPANS`."""
    return SPAN_WORDS.get(name) or SpanWord(_plain(name))


def key_word(name: str) -> str:
    """A key inside a sentence: `model time`."""
    if name in PLAIN:
        return PLAIN[name]
    title = choice_word(name).title if name in CHOICES else span_word(name).title
    return title[:1].lower() + title[1:]


def _plain(name: str) -> str:
    return name.replace("_", " ").capitalize()
