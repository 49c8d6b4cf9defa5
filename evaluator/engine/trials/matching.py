"""Compares an answer with the accepted ones by value, under the same canonical form as MindTrial's.

Source: MindTrial's value validator, written in Go; where Go and Python differ in what is white space and what is lower
case, Go's way is spelled out here.
"""

import re
from collections.abc import Iterable

from evaluator.engine.trials.definitions import JsonValue, TaskDefinition, ValidationRules
from evaluator.engine.trials.interfaces import Verdict

TITLE = "Response Assessment"
MATCHES = "Response matches one of the accepted answers."
DOES_NOT_MATCH = "Response does not match any of the accepted answers."

# Python's own `strip` would take U+001C to U+001F too, which Go keeps.
_WHITE_SPACE = (
    "\t\n\v\f\r \u0085\u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000"
)
_IGNORED = re.compile(
    "[\t\n\f\r ]+"
)  # what `\s` means in a regular expression of Go: no vertical tab, nothing beyond ASCII
_LINE_END = re.compile("\r?\n")
_INT64 = range(-(2**63), 2**63)


class ValueValidator:
    """Passes an answer that equals one of the accepted ones; asks nobody."""

    async def validate(self, task: TaskDefinition, answer: JsonValue) -> Verdict:
        """Compare; see `matches`."""
        is_correct = matches(task.accepted, answer, task.rules)
        return Verdict(is_correct, TITLE, (MATCHES if is_correct else DOES_NOT_MATCH,))


def matches(accepted: Iterable[JsonValue], answer: JsonValue, rules: ValidationRules) -> bool:
    """Tell whether an answer equals any accepted one, both in canonical form."""
    given = canonical(answer, rules)
    return any(is_same(canonical(value, rules), given) for value in accepted)


def canonical_set(accepted: Iterable[JsonValue], rules: ValidationRules) -> tuple[JsonValue, ...]:
    """The accepted answers as a results document shows them: in canonical form, each once, in their order."""
    kept: list[JsonValue] = []
    for value in accepted:
        form = canonical(value, rules)
        if not any(is_same(form, other) for other in kept):
            kept.append(form)
    return tuple(kept)


def canonical(value: JsonValue, rules: ValidationRules) -> JsonValue:
    """Bring a value into the form in which it is compared and shown.

    Under a judge, a text is only trimmed. Keys of objects stay as they are; whole floats of 64 bits become integers.
    """
    if rules.judge is not None:
        return value.strip(_WHITE_SPACE) if isinstance(value, str) else value
    if isinstance(value, str):
        return canonical_text(value, rules)
    if isinstance(value, dict):
        return {key: canonical(part, rules) for key, part in value.items()}
    if isinstance(value, list):
        return [canonical(part, rules) for part in value]
    if isinstance(value, float) and value.is_integer() and int(value) in _INT64:
        return int(value)
    return value


def canonical_text(text: str, rules: ValidationRules) -> str:
    """Trim lines, take white space away or trim the ends, and lower the case, in this order and as the rules say."""
    if rules.ignores_whitespace:
        text = _IGNORED.sub("", text)
    else:
        if rules.trims_lines:
            text = "\n".join(line.strip(_WHITE_SPACE) for line in _LINE_END.split(text))
        text = text.strip(_WHITE_SPACE)
    return text if rules.is_case_sensitive else lowered(text)


def lowered(text: str) -> str:
    """Lower the case of each character for itself.

    Python's `lower` looks at the neighbours of a capital sigma and makes two characters of a dotted capital I; these
    are its only two differences from a rule per character.
    """
    return text.replace("\u0130", "i").replace("\u03a3", "\u03c3").lower()


def is_same(one: JsonValue, other: JsonValue) -> bool:
    """Compare deeply and by type: a number never equals a text or a boolean; order and length of lists count."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(is_same(part, other[key]) for key, part in one.items())
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(is_same(*pair) for pair in zip(one, other, strict=True))
    if isinstance(one, bool) or isinstance(other, bool):
        return one is other
    return one == other
