"""The document of a merge, written as its results come: nothing but the envelope is kept in memory."""

from collections.abc import Iterator
from email.utils import format_datetime
from hashlib import sha256

import msgspec
import numpy as np
from django.conf import settings
from django.utils import timezone

from results.compression import decompress
from results.facts.links import Numbers
from results.importers.envelope import EnvelopeBuilder
from results.importers.source import EvaluationHead
from results.models.evaluations import RESULTS_PER_EVALUATION
from results.models.results import ResultDocument

APP_NAME = "Evalboard"
DOCUMENTS_PER_READ = 500  # documents held in memory at once


class GoneError(Exception):
    """A source was deleted while it was read; the text names it."""


class MergedDocument:
    """The merged document as it would be written: its envelope, and size and digest of the whole."""

    def __init__(self, head: EvaluationHead) -> None:
        self.envelope = EnvelopeBuilder()
        self.size_bytes = 0
        self._hash = sha256()
        self._is_in_provider = False
        self._needs_comma = False
        about = {
            "FormatVersion": 1,
            "AppName": head.app_name,
            "AppVersion": head.app_version,
            "CreatedAt": head.created_at_text,
        }
        self._around(msgspec.json.encode(about)[:-1] + b',"Results":{')

    @property
    def digest(self) -> str:
        """SHA-256 of what was written, hex."""
        return self._hash.hexdigest()

    def begin_provider(self, name: str, results: int) -> None:
        """So many results of a provider follow."""
        self._around((b"]," if self._is_in_provider else b"") + msgspec.json.encode(name) + b":[")
        self.envelope.add_slot(results)
        self._is_in_provider, self._needs_comma = True, False

    def add(self, source: bytes) -> None:
        """Take a result's own text."""
        self._count(b"," + source if self._needs_comma else source)
        self._needs_comma = True

    def end(self) -> None:
        """Nothing more follows."""
        self._around(b"]}}" if self._is_in_provider else b"}}")

    def _around(self, text: bytes) -> None:
        self.envelope.add(text)
        self._count(text)

    def _count(self, text: bytes) -> None:
        self._hash.update(text)
        self.size_bytes += len(text)


def merged_head() -> EvaluationHead:
    """What a document that is merged now says about itself."""
    now = timezone.now().replace(microsecond=0)
    return EvaluationHead(
        app_name=APP_NAME,
        app_version=settings.VERSION,
        created_at_text=format_datetime(now),
        created_at=now,
        created_at_source="document",
    )


def documents_of(result_ids: Numbers) -> Iterator[bytes]:
    """The documents of results in the order of their ids given, few in memory at once.

    Raises:
        GoneError: one is not there any more.
    """
    for part in np.array_split(result_ids, max(1, -(-len(result_ids) // DOCUMENTS_PER_READ))):
        wanted = part.tolist()
        bodies = dict(ResultDocument.objects.filter(pk__in=wanted).values_list("pk", "body"))
        for pk in wanted:
            if pk not in bodies:
                raise GoneError(f"Evaluation {pk // RESULTS_PER_EVALUATION} was deleted while it was merged.")
            yield decompress(bodies.pop(pk))
