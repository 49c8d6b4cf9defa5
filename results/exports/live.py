"""Evaluations as MindTrial documents; that of a live trial lists everything in the order of its configuration."""

from collections.abc import Callable, Iterator, Sequence
from email.utils import format_datetime
from typing import Any

import msgspec
from django.utils import timezone

from results.compression import decompress
from results.exports.documents import export_document, unchanged
from results.models.evaluations import Evaluation
from results.models.merges import Merge
from results.models.results import ResultDocument
from results.models.trials import Trial, TrialResult
from results.trial_plan import plan_from

DOCUMENTS_PER_READ = 500  # documents held in memory at once
# What MindTrial's published schema of version 1 does not know, and therefore forbids; later releases write some of it.
_NEW_IN_RESULTS = ("RunConfig", "Evalboard")
_NEW_IN_DETAILS = ("Semantic", "ResponseParsing")
_NEW_IN_USAGE = ("ReasoningTokens", "OutputTokenAccounting")
_REQUIRED = {"Got": msgspec.Raw(b"null"), "Want": msgspec.Raw(b"null"), "DurationNS": msgspec.Raw(b"0")}

_MEMBERS = msgspec.json.Decoder(dict[str, msgspec.Raw])
_DETAILS = msgspec.json.Decoder(dict[str, dict[str, Any]])


def export_live(evaluation: Evaluation) -> Iterator[bytes]:
    """Give back the source document; of a live trial write everything that is known, as far as it is, in pieces.

    Raises:
        NoDocumentError: the evaluation has no source document.
    """
    trial = _trial_of(evaluation)
    yield from export_document(evaluation) if trial is None else _document(trial, unchanged)


def export_mindtrial(evaluation: Evaluation) -> Iterator[bytes]:
    """Give back the source document; of what was made here write what MindTrial's published schema knows.

    That is a live trial, as far as it is, and a merge, whose results may come from one.

    Raises:
        NoDocumentError: the evaluation has no source document.
    """
    trial = _trial_of(evaluation)
    if trial is not None:
        yield from _document(trial, _plain)
    else:
        is_merged = Merge.objects.filter(evaluation=evaluation).exists()
        yield from export_document(evaluation, _plain if is_merged else unchanged)


def _trial_of(evaluation: Evaluation) -> Trial | None:
    return Trial.objects.filter(evaluation=evaluation).select_related("evaluation").first()


def _document(trial: Trial, shape: Callable[[bytes], bytes]) -> Iterator[bytes]:
    yield _head(trial)
    entries: dict[str, list[int]] = {}
    for run in plan_from(trial.plan).runs:
        entries.setdefault(run.provider, []).append(run.entry)
    is_first = True
    for provider, places in entries.items():
        done = TrialResult.objects.filter(trial=trial, entry__in=set(places)).order_by("entry", "run", "task")
        ids = list(done.values_list("result_id", flat=True))
        if ids:
            yield (b"" if is_first else b",") + msgspec.json.encode(provider) + b":["
            yield from _joined(ids, shape)
            yield b"]"
            is_first = False
    yield b"}}"


def _head(trial: Trial) -> bytes:
    evaluation = trial.evaluation
    about = {
        "FormatVersion": 1,
        "AppName": evaluation.app_name,
        "AppVersion": evaluation.app_version,
        "CreatedAt": format_datetime((trial.ended_at or timezone.now()).replace(microsecond=0)),
    }
    return msgspec.json.encode(about)[:-1] + b',"Results":{'


def _joined(ids: Sequence[int], shape: Callable[[bytes], bytes]) -> Iterator[bytes]:
    for start in range(0, len(ids), DOCUMENTS_PER_READ):
        part = ids[start : start + DOCUMENTS_PER_READ]
        bodies = dict(ResultDocument.objects.filter(pk__in=part).values_list("pk", "body"))
        for index, pk in enumerate(part, start):
            yield (b"," if index else b"") + shape(decompress(bodies[pk]))


def _plain(source: bytes) -> bytes:
    members = {**_REQUIRED, **_MEMBERS.decode(source)}
    details = _DETAILS.decode(members.get("Details", b"{}"))
    for section in details.values():
        _without(section, _NEW_IN_DETAILS)
        _without(section.get("Usage", {}), _NEW_IN_USAGE)
    _without(members, _NEW_IN_RESULTS)
    members["Details"] = msgspec.Raw(msgspec.json.encode(details))
    return msgspec.json.encode(members)


def _without(members: dict[str, Any], names: Sequence[str]) -> None:
    for name in names:
        members.pop(name, None)
