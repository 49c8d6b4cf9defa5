"""What `/metrics` answers, in Prometheus's text format."""

import shutil
from collections.abc import Iterable, Iterator, Mapping
from itertools import accumulate, groupby

from django.conf import settings

from frontend.measures import BOUNDS_SECONDS, Counts
from results.queries.operation import Operation

CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"
ESCAPES = str.maketrans({"\\": r"\\", '"': r"\"", "\n": r"\n"})
Sample = tuple[Mapping[str, str], float]


def exposition(operation: Operation, requests: Iterable[Counts]) -> str:
    """The whole text; routes stand in it as the table of addresses has them, never with ids."""
    lines = [*_requests(list(requests)), *_state(operation)]
    return "".join(f"{line}\n" for line in lines)


def _requests(requests: list[Counts]) -> Iterator[str]:
    answers = [({"route": one.route, "status": str(one.status)}, one.answers) for one in requests]
    yield from _family("evalboard_requests_total", "counter", "Requests answered, by route and status.", answers)
    name = "evalboard_request_seconds"
    yield from _head(name, "histogram", "Time until an answer began, by route.")
    for route, group in groupby(requests, key=lambda one: one.route):
        whole = Counts(route, 0)
        for one in group:
            whole.add(one)
        for bound, reached in zip([*map(str, BOUNDS_SECONDS), "+Inf"], accumulate(whole.by_bound), strict=True):
            yield _sample(f"{name}_bucket", {"route": route, "le": bound}, reached)
        yield _sample(f"{name}_sum", {"route": route}, whole.seconds)
        yield _sample(f"{name}_count", {"route": route}, whole.answers)


def _state(now: Operation) -> Iterator[str]:
    jobs = [({"kind": one.kind, "state": one.state}, one.jobs) for one in now.jobs]
    yield from _family("evalboard_jobs", "gauge", "Jobs, by kind and state.", jobs)
    evaluations = [({"state": one.state}, one.evaluations) for one in now.evaluations]
    yield from _family("evalboard_evaluations", "gauge", "Evaluations, by state.", evaluations)
    results = [({"state": one.state}, one.results) for one in now.evaluations]
    yield from _family("evalboard_results", "gauge", "Results, by the state of their evaluation.", results)
    disk = shutil.disk_usage(settings.VAR_DIR)
    for name, text, value in (
        ("oldest_waiting_job_seconds", "Age of the oldest queued job; 0 = none waits.", now.oldest_waiting_seconds),
        ("facts_files", "File sets that the facts consist of.", now.facts_files),
        ("text_index_lagging_evaluations", "Evaluations that searching does not find whole yet.", now.lagging),
        ("disk_free_bytes", "Free room on the disk of the state folder.", disk.free),
        ("disk_size_bytes", "Size of the disk of the state folder.", disk.total),
        ("recent_imports", "Imports that succeeded within the last hour.", now.imports.imports),
        ("recent_import_results", "Results that they brought.", now.imports.results),
        ("recent_import_bytes", "Bytes of their documents.", now.imports.size_bytes),
        ("recent_import_seconds", "Time that they took, added up.", now.imports.seconds),
    ):
        yield from _family(f"evalboard_{name}", "gauge", text, [({}, value or 0)])


def _family(name: str, kind: str, text: str, samples: Iterable[Sample]) -> Iterator[str]:
    yield from _head(name, kind, text)
    for labels, value in samples:
        yield _sample(name, labels, value)


def _head(name: str, kind: str, text: str) -> Iterator[str]:
    yield f"# HELP {name} {text}"
    yield f"# TYPE {name} {kind}"


def _sample(name: str, labels: Mapping[str, str], value: float) -> str:
    inside = ",".join(f'{key}="{text.translate(ESCAPES)}"' for key, text in labels.items())
    return f"{name}{{{inside}}} {value!r}" if inside else f"{name} {value!r}"
