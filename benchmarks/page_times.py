"""Server time of each page, in this process, on the state of `EVALBOARD_VAR`: `python -m benchmarks.page_times`.

Requests go through the whole WSGI application, middleware included. Answers of the facts and of the text index are
forgotten before each, so that the questions are computed; everything else is as warm as in a server that has run for a
while.
"""

import argparse
import io
import json
import os
import time
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass
from itertools import cycle
from statistics import median, quantiles
from typing import Any
from urllib.parse import quote, urlencode

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluator.settings")
django.setup()

from django.core.signals import request_finished, request_started
from django.db import close_old_connections, transaction
from django.http import QueryDict

from benchmarks.corpus import Corpus
from benchmarks.page_figures import PageTime
from benchmarks.page_state import SHAPES, shape_file
from evaluator.static_stamp import collect_if_changed
from evaluator.wsgi import application
from results.facts import engine
from results.filters import CHOICES, ResultFilter
from results.models.dimensions import Run, Task, Term
from results.models.evaluations import Evaluation, EvaluationLabel, EvaluationRun, EvaluationState
from results.queries.results import result_page
from results.queries.visibility import visible_evaluations
from results.text.search import forget_matches

WARM_UP = 3  # requests before the first that counts
EXPLORER_MS, FILTERED_MS, EVALUATIONS_MS, RESULT_MS = 100, 150, 40, 30
OVERVIEW_MS, EVALUATION_MS, COMPARE_MS, TASK_MS, HISTORY_MS = 100, 150, 500, 60, 150
COMPARED_RUNS = 20
OPENED = 10  # tasks, runs and tools whose pages are asked for in turn
MANY_EVALUATIONS = 1_000
LIST = {"outcome": "failed", "suite": "core", "sort": "-output_tokens"}


@dataclass(frozen=True, slots=True)
class Page:
    """A page: one or more addresses of it that are asked for in turn, and what its median must stay below."""

    name: str
    addresses: tuple[str, ...]
    target_ms: float


def explorer_pages() -> Iterator[Page]:
    """The explorer: unfiltered, filtered, sorted, searched."""
    sentences = Corpus(1, 1)
    common, rare = sentences.words[0], sentences.words[-1]
    phrase = " ".join(sentences.sentences[0].rstrip(".").split()[1:4])
    yield _explorer("explorer, unfiltered", {}, EXPLORER_MS)
    yield _explorer("explorer, every facet opened", {"open": list(CHOICES)}, EXPLORER_MS)
    yield _explorer("one facet", {"suite": "core"})
    yield _explorer("two facets", {"provider": ["openai", "google"], "category": "math"})
    yield _explorer("excluded values", {"outcome": "-passed", "provider": "-openai"})
    yield _explorer("all of two tags", {"tag": ["tag-03", "tag-07"], "tags": "all"})
    yield _explorer("a tool and a status", {"tool": "python", "call_status": "timeout"})
    yield _explorer("ranges", {"duration": "10s..60s", "output_tokens": "500..5000"})
    yield _explorer("outcome and suite by tokens", LIST)
    yield _explorer("sorted by name of task", {"sort": "task"})
    yield _explorer("page 5,000", {"page": "5000"})
    yield _explorer(f"search: common word ({common})", {"q": common})
    yield _explorer(f"search: rare word ({rare})", {"q": rare})
    yield _explorer(f"search: phrase ({phrase})", {"q": f'"{phrase}"'})
    yield _explorer(f"search and facet ({common})", {"q": common, "outcome": "failed"})


def other_pages() -> Iterator[Page]:
    """The list of evaluations, and results opened in several ways."""
    visible = visible_evaluations()
    chosen, sort = ResultFilter.parse(QueryDict(urlencode(LIST))), LIST["sort"]
    direct = result_page(visible, ResultFilter(), "-duration", page=400, size=20).rows
    listed = result_page(visible, chosen, sort, page=40, size=20).rows
    yield Page("evaluations", ("/evaluations/",), EVALUATIONS_MS)
    yield _result("result, direct", [row.id for row in direct], "")
    yield _result("result, from a filtered and sorted list", [row.id for row in listed], urlencode(LIST))
    yield _result("result, from all by name of task", [row.id for row in direct], "sort=task")
    yield _result("result, from all by tokens", [row.id for row in direct], "sort=-output_tokens")
    yield _result("result, from filtered results", [row.id for row in listed], "outcome=failed&suite=core")


def history_pages() -> Iterator[Page]:
    """Pages that read the history: overview, one evaluation, comparison, tasks, runs, tools, costs, errors."""
    yield Page("overview", ("/",), OVERVIEW_MS)
    board, compared = (
        Evaluation.objects.get(file_name__endswith=shape_file(name)).pk for name in ("evaluation", "compare")
    )
    runs = EvaluationRun.objects.filter(evaluation=compared).order_by("run_version__run_id")
    run_ids = list(dict.fromkeys(runs.values_list("run_version__run_id", flat=True)))
    columns = urlencode([("column", f"{compared}:{pk}") for pk in run_ids[:COMPARED_RUNS]])
    size = f"{len(run_ids)} runs × {SHAPES['evaluation']:,} tasks"
    yield Page(f"evaluation, {size}", (f"/evaluations/{board}/",), EVALUATION_MS)
    yield Page(f"evaluation, grid, {size}", (f"/evaluations/{board}/grid/",), EVALUATION_MS)
    yield Page(f"evaluation, agreement, {size}", (f"/evaluations/{board}/agreement/",), EVALUATION_MS)
    yield Page(f"compare, {COMPARED_RUNS} runs × {SHAPES['compare']:,} tasks", (f"/compare/?{columns}",), COMPARE_MS)
    yield _opened("task", "tasks", Task.objects.filter(project__slug="default").values_list("pk", flat=True), TASK_MS)
    yield _opened("run", "runs", Run.objects.values_list("pk", flat=True), HISTORY_MS)
    tools = Term.objects.filter(text__in=["python", "calculator", "web_search", "sql"])
    yield _opened("tool", "tools", tools.values_list("pk", flat=True), HISTORY_MS)
    for name in ("tasks", "runs", "tools", "costs", "errors"):
        yield Page(f"list of {name}", (f"/{name}/",), HISTORY_MS)


def _opened(name: str, folder: str, ids: Iterable[int], target_ms: float) -> Page:
    """The pages of some of the things with these ids."""
    return Page(f"{name}, opened", tuple(f"/{folder}/{pk}/" for pk in sorted(ids)[:OPENED]), target_ms)


def _explorer(name: str, query: dict[str, Any], target_ms: float = FILTERED_MS) -> Page:
    return Page(name, (f"/results/?{urlencode(query, doseq=True, quote_via=quote)}",), target_ms)


def _result(name: str, ids: list[int], query: str) -> Page:
    return Page(name, tuple(f"/results/{pk}/{'?' if query else ''}{query}" for pk in ids), RESULT_MS)


def measure(page: Page, rounds: int) -> PageTime:
    """Ask for a page again and again.

    Raises:
        SystemExit: it is not answered with 200.
    """
    addresses = cycle(page.addresses)
    for _ in range(WARM_UP):
        request(next(addresses))
    wall_ms, cpu_ms, size_bytes = [], [], 0
    for _ in range(rounds):
        engine.forget_answers()
        forget_matches()
        address = next(addresses)
        wall, cpu = time.perf_counter(), time.process_time()
        size_bytes = request(address)
        wall_ms.append((time.perf_counter() - wall) * 1000)
        cpu_ms.append((time.process_time() - cpu) * 1000)
    figures = (median(wall_ms), _p95(wall_ms), median(cpu_ms), _p95(cpu_ms))
    return PageTime(page.name, page.target_ms, *figures, size_bytes)


def request(address: str) -> int:
    """Ask the application for an address as a web server does; answers the size of the body in bytes."""
    path, _, query = address.partition("?")
    environ = {
        "REQUEST_METHOD": "GET",
        "PATH_INFO": path,
        "QUERY_STRING": query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "8000",
        "SERVER_PROTOCOL": "HTTP/1.1",
        "HTTP_HOST": "127.0.0.1:8000",
        "wsgi.input": io.BytesIO(),
        "wsgi.url_scheme": "http",
    }
    statuses: list[str] = []

    def start_response(status: str, _headers: object, _error: object = None, /) -> Callable[[bytes], object]:
        statuses.append(status)
        return lambda _part: None  # nobody writes to it

    response = application(environ, start_response)
    size_bytes = sum(len(part) for part in response)
    response.close()
    if not statuses[0].startswith("200"):
        raise SystemExit(f"{address} was answered with {statuses[0]}")
    return size_bytes


def measure_many_evaluations(rounds: int) -> PageTime:
    """Measure the list with many evaluations, which are taken back afterwards."""
    for event in (request_started, request_finished):
        event.disconnect(close_old_connections)  # it would close the one with the transaction
    with transaction.atomic():
        first = Evaluation.objects.order_by("pk")[0]
        values = {field.attname: getattr(first, field.attname) for field in Evaluation._meta.concrete_fields}
        last = Evaluation.objects.order_by("-pk")[0].pk
        taken = {"id", "digest", "is_baseline", "name", "results"}
        copied = {name: value for name, value in values.items() if name not in taken}
        made = [
            Evaluation(**copied, id=pk, digest=f"bench-{pk}", name=f"nightly {pk}", results=0)
            for pk in range(last + 1, last + 1 + MANY_EVALUATIONS - Evaluation.objects.count())
        ]
        Evaluation.objects.bulk_create(made)
        labels = (EvaluationLabel(evaluation=row, text=f"label {row.pk % 7}") for row in made)
        EvaluationLabel.objects.bulk_create(labels)
        listed = Evaluation.objects.filter(state=EvaluationState.READY).count()
        found = measure(Page(f"evaluations, {listed:,} of them", ("/evaluations/",), EVALUATIONS_MS), rounds)
        transaction.set_rollback(True)
    return found


def _p95(values: list[float]) -> float:
    return quantiles(values, n=20, method="inclusive")[-1] if len(values) > 1 else values[0]


def main() -> None:
    """Measure every page and print a line of JSON for each."""
    parser = argparse.ArgumentParser(prog="benchmarks.page_times", description=__doc__)
    parser.add_argument("--rounds", type=int, default=20, help="requests of each page that count")
    parser.add_argument("--only", default="", help="pages whose name holds this text")
    options = parser.parse_args()
    collect_if_changed()
    pages = [*explorer_pages(), *other_pages(), *history_pages()]
    for page in pages:
        if options.only in page.name:
            print(json.dumps(asdict(measure(page, options.rounds))), flush=True)
    if options.only in "evaluations, many":
        print(json.dumps(asdict(measure_many_evaluations(options.rounds))), flush=True)


if __name__ == "__main__":
    main()
