"""The one filter: parsed once from a query string or options, written back as one."""

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field, fields, replace
from typing import Any, Protocol
from urllib.parse import urlencode

from results.models.results import CALL_STATUSES, Outcome
from results.pricing import COST_STATES
from results.spans import Span, amounts, counts, durations, moments

UNSPECIFIED = "(unspecified)"
OUTCOMES = tuple(str(outcome.label) for outcome in Outcome)
OTHER_STATUS = "other"  # a call's status that is none of the six
# Keys whose values are words of ours; of all others they are names.
WORDS = {
    "outcome": OUTCOMES,
    "call_status": (*CALL_STATUSES, OTHER_STATUS),
    "transient": ("yes", "no", "unknown"),
    "cancelled": ("yes", "no"),
    "parsing": ("yes", "no", "unknown"),
    "judge": ("yes", "no"),
    "mismatch": ("yes", "no", "unknown"),
    "repeats": ("yes", "no"),
    "copies": ("yes", "no"),
    "priced": COST_STATES,
    "reviewed": ("yes", "no"),
    "corrected": ("yes", "no"),
}
CHOICES = (
    "project",
    "evaluation",
    "provider",
    "run",
    "model",
    "task",
    "suite",
    "category",
    "difficulty",
    "tag",
    "outcome",
    "tool",
    "call_status",
    "error",
    "transient",
    "cancelled",
    "parsing",
    "judge",
    "mismatch",
    "repeats",
    "copies",
    "currency",
    "priced",
    "label",
    "reason",
    "reviewed",
    "corrected",
)
RESULT = "result"  # single results that were picked out: a key like those of `CHOICES`, but nothing to choose from
KEYS = (*CHOICES, RESULT)
# Keys whose values are numbers: of what, and with how many digits at most.
NUMBERS = {"evaluation": ("an evaluation", 10), RESULT: ("a result", 18)}
SPANS = {
    "duration": durations,
    "input_tokens": counts,
    "output_tokens": counts,
    "tool_calls": counts,
    "cost": amounts,
    "attempts": counts,
    "repeat": counts,
    "started": moments,
}


class Parameters(Protocol):
    """What a filter is read from: a Django `QueryDict` or anything like it."""

    def getlist(self, key: str, /) -> list[str]:
        """All values of a key, in order; empty when absent."""
        ...


@dataclass(frozen=True)
class Choice:
    """What one repeatable key asks for: any of `included` (all when empty), none of `excluded`. None = unspecified."""

    included: tuple[str | None, ...] = ()
    excluded: tuple[str | None, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.included or self.excluded)

    def without(self, value: str | None) -> "Choice":
        """The same choice without one value."""
        return Choice(
            tuple(other for other in self.included if other != value),
            tuple(other for other in self.excluded if other != value),
        )


@dataclass(frozen=True)
class ResultFilter:
    """Which results are meant; hashable, and equal when it means the same query string.

    Values are exact names, projects are slugs, evaluations and results are ids as text, those of `WORDS` are words.
    `problems` says what could not be read and was left out, so that a page can tell; it takes no part in comparison.

    Attributes:
        tool, call_status: tools that the model used, and statuses of its recorded calls; both together ask for a call
            of one of these tools with one of these statuses. None: it used no tool; no call is recorded, or none of one
            of these tools that was used.
        transient, parsing: what is recorded of an error; a result without one is unknown.
        cancelled: whether the message of an error says that somebody cancelled the work.
        judge: whether a judge took part. mismatch: whether the types of answer and accepted answer differ.
        repeats: whether the evaluation holds several results of the run and task.
        copies: whether an older evaluation holds the result too; `no` is what history and trends count.
        label, reason: what people put on the result, and what they say it comes from. reviewed: whether anything is
            said of it. corrected: whether its recorded outcome is said to be wrong.
        priced, cost: how the model's cost could be estimated, and the amount in 10^-9 of whatever currency.
        input_tokens, output_tokens: effective tokens of the model. duration: model time in nanoseconds.
        started: microseconds since 1970 UTC. text: the search, in texts and, as part of them, in names and trace ids.
    """

    project: Choice = Choice()
    evaluation: Choice = Choice()
    provider: Choice = Choice()
    run: Choice = Choice()
    model: Choice = Choice()
    task: Choice = Choice()
    suite: Choice = Choice()
    category: Choice = Choice()
    difficulty: Choice = Choice()
    tag: Choice = Choice()
    outcome: Choice = Choice()
    tool: Choice = Choice()
    call_status: Choice = Choice()
    error: Choice = Choice()
    transient: Choice = Choice()
    cancelled: Choice = Choice()
    parsing: Choice = Choice()
    judge: Choice = Choice()
    mismatch: Choice = Choice()
    repeats: Choice = Choice()
    copies: Choice = Choice()
    currency: Choice = Choice()
    priced: Choice = Choice()
    label: Choice = Choice()
    reason: Choice = Choice()
    reviewed: Choice = Choice()
    corrected: Choice = Choice()
    result: Choice = Choice()
    is_every_tag: bool = False
    duration: Span = Span()
    input_tokens: Span = Span()
    output_tokens: Span = Span()
    tool_calls: Span = Span()
    cost: Span = Span()
    attempts: Span = Span()
    repeat: Span = Span()
    started: Span = Span()
    text: str = ""
    problems: tuple[str, ...] = field(default=(), compare=False)

    @classmethod
    def parse(cls, parameters: Parameters) -> "ResultFilter":
        """Read a filter; keys it does not know are not its business.

        Args:
            parameters: repeatable keys are OR, `-` before a value excludes, `(unspecified)` is blank metadata,
                a backslash before a value takes it literally; ranges are `a..b`, `a..` or `..b`;
                `tags=all` asks for every tag instead of any; `q` is the text search.
        """
        problems: list[str] = []
        found: dict[str, Any] = {name: _choice(name, parameters.getlist(name), problems) for name in KEYS}
        for name, read in SPANS.items():
            found[name] = _span(name, parameters.getlist(name), read.parse, problems)
        return cls(
            **found,
            is_every_tag=_last(parameters.getlist("tags")) == "all",
            text=_last(parameters.getlist("q")).strip(),
            problems=tuple(problems),
        )

    def pairs(self) -> list[tuple[str, str]]:
        """The filter as key and value pairs, in a fixed order, which `parse` reads back to an equal filter."""
        found: list[tuple[str, str]] = []
        for name in KEYS:
            found += [(name, text) for text in written(self.choice(name))]
        for name, writer in SPANS.items():
            if span := self.span(name):
                found.append((name, writer.text(span)))
        if self.is_every_tag:
            found.append(("tags", "all"))
        if self.text:
            found.append(("q", self.text))
        return found

    def to_query(self) -> str:
        """The filter as a query string; empty for no filter."""
        return urlencode(self.pairs())

    def choice(self, name: str) -> Choice:
        """The choice of one of `KEYS`."""
        chosen = getattr(self, name)
        if not isinstance(chosen, Choice):
            raise KeyError(name)
        return chosen

    def span(self, name: str) -> Span:
        """The range of one of `SPANS`."""
        span = getattr(self, name)
        if not isinstance(span, Span):
            raise KeyError(name)
        return span

    def with_choice(self, name: str, choice: Choice) -> "ResultFilter":
        """The same filter with another choice; an empty one takes the key away."""
        self.choice(name)
        changed: dict[str, Any] = {name: choice}
        return replace(self, **changed)

    def without(self, name: str) -> "ResultFilter":
        """The same filter without one of its keys (a name of `KEYS` or `SPANS`, `tags` or `text`)."""
        default = next(
            item.default for item in fields(self) if item.name == ("is_every_tag" if name == "tags" else name)
        )
        changed: dict[str, Any] = {"is_every_tag" if name == "tags" else name: default}
        return replace(self, **changed)

    def toggled(self, name: str, value: str | None) -> "ResultFilter":
        """The same filter with one value ticked or unticked; what was excluded becomes ticked."""
        choice = self.choice(name)
        if value in choice.included:
            included = tuple(other for other in choice.included if other != value)
        else:
            included = (*choice.included, value)
        excluded = tuple(other for other in choice.excluded if other != value)
        return self.with_choice(name, Choice(included, excluded))

    def negated(self, name: str, value: str | None) -> "ResultFilter":
        """The same filter with one value asked for instead of excluded, or excluded instead of asked for."""
        choice = self.choice(name)
        rest = self.with_choice(name, choice.without(value)).choice(name)
        if value in choice.included:
            return self.with_choice(name, Choice(rest.included, (*rest.excluded, value)))
        return self.with_choice(name, Choice((*rest.included, value), rest.excluded))

    def without_value(self, name: str, value: str | None) -> "ResultFilter":
        """The same filter without one value of a key, asked for or excluded."""
        return self.with_choice(name, self.choice(name).without(value))

    def __bool__(self) -> bool:
        return bool(self.pairs())


def written(choice: Choice) -> list[str]:
    """A choice as the values of its key in an address, which are read back to an equal choice."""
    return [_escaped(value) for value in choice.included] + ["-" + _escaped(value) for value in choice.excluded]


def _last(values: list[str]) -> str:
    return _readable(values[-1]) if values else ""


def _readable(text: str) -> str:
    """A text without lone surrogates, which no address and no database can hold."""
    return text.encode(errors="replace").decode()


def _escaped(value: str | None) -> str:
    if value is None:
        return UNSPECIFIED
    return "\\" + value if value in ("", UNSPECIFIED) or value.startswith(("-", "\\")) else value


def _value(text: str) -> str | None:
    if text == UNSPECIFIED:
        return None
    return text.removeprefix("\\")


def _choice(name: str, texts: Iterable[str], problems: list[str]) -> Choice:
    included: dict[str | None, None] = {}
    excluded: dict[str | None, None] = {}
    for text in map(_readable, texts):
        is_excluded = len(text) > 1 and text.startswith("-")
        value = _value(text[1:] if is_excluded else text)
        if text == "":
            continue
        if problem := _problem(name, value):
            problems.append(problem)
            continue
        (excluded if is_excluded else included)[value] = None
    return Choice(tuple(included), tuple(excluded))


def _problem(name: str, value: str | None) -> str | None:
    said = f"{name}={UNSPECIFIED if value is None else value}"
    words = WORDS.get(name)
    if words is not None and value not in words and not (value is None and name == "call_status"):
        return f"{said} is not one of {', '.join(words)}; it was left out."
    if name in NUMBERS:
        what, digits = NUMBERS[name]
        if value is None or not (value.isascii() and value.isdigit() and len(value) <= digits):
            return f"{said} is not the number of {what}; it was left out."
    return None


def _span(name: str, texts: list[str], parse: Callable[[str], Span], problems: list[str]) -> Span:
    text = _last(texts).strip()
    try:
        return parse(text)
    except ValueError as error:
        problems.append(f"{name}={text} was left out: {error}")
        return Span()
