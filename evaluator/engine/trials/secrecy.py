"""Keeps the keys of services out of everything that a trial gives away."""

from collections.abc import Iterable

import msgspec

from evaluator.engine.trials.definitions import Secret, TrialDefinition
from results.records import RunResult, decode_result

SHORTEST = 8  # characters: what is shorter is a placeholder for services that want no key, and may be any word
HIDDEN = "[key]"


class Redactor:
    """Puts `[key]` in place of each key: a service may send it back in an error message."""

    def __init__(self, secrets: Iterable[Secret]) -> None:
        known = {value for secret in secrets for value in (secret.value, *secret.parts)}
        values = {value for value in known if len(value) >= SHORTEST}
        self._values = sorted(values, key=len, reverse=True)
        self._encoded = [msgspec.json.encode(value)[1:-1] for value in self._values]
        self._encoder = msgspec.json.Encoder(decimal_format="number")

    def text(self, text: str) -> str:
        """A text without any key."""
        for value in self._values:
            text = text.replace(value, HIDDEN)
        return text

    def result(self, record: RunResult) -> tuple[RunResult, bytes]:
        """A record without any key, and its JSON."""
        source = self._encoder.encode(record)
        clean = source
        for value in self._encoded:
            clean = clean.replace(value, HIDDEN.encode())
        return (record, source) if clean is source or clean == source else (decode_result(clean), clean)


def redactor_of(definition: TrialDefinition) -> Redactor:
    """Knows every key of a trial, judges' included."""
    providers = (*definition.providers, *(judge.provider for judge in definition.judges))
    return Redactor(provider.client.api_key for provider in providers)
