"""The columns of a comparison: which run of which evaluation, and how to get to them from other things."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from results.models.dimensions import Run
from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation, EvaluationRun
from results.models.results import Result
from results.queries.evaluations import EvaluationRow, evaluations_among
from results.queries.visibility import VisibleSet

MOST_COLUMNS = 20
MOST_DIGITS = 18  # of an id that can exist


@dataclass(frozen=True, order=True)
class ColumnKey:
    """One run of one evaluation; `text` is how an address names it, `<evaluation id>:<run id>`."""

    evaluation_id: int
    run_id: int

    @classmethod
    def parse(cls, text: str) -> "ColumnKey | None":
        """Read what an address says; None for anything else."""
        parts = text.split(":")
        is_number = all(part.isascii() and part.isdigit() and len(part) <= MOST_DIGITS for part in parts)
        return cls(*map(int, parts)) if len(parts) == 2 and is_number else None  # noqa: PLR2004

    @property
    def text(self) -> str:
        """As an address says it."""
        return f"{self.evaluation_id}:{self.run_id}"


@dataclass(frozen=True)
class ComparedRun:
    """One column with its names."""

    key: ColumnKey
    provider: str
    run: str
    evaluation: EvaluationRow


def compared_runs(visible: VisibleSet, keys: Sequence[ColumnKey]) -> list[ComparedRun]:
    """The columns that exist and may be seen, in the order asked for, in four queries.

    Args:
        visible: evaluations that may be seen.
        keys: of the columns; one whose evaluation has no result of its run is left out.
    """
    evaluations = {row.id: row for row in evaluations_among(visible, {key.evaluation_id for key in keys})}
    links = EvaluationRun.objects.filter(
        evaluation_id__in=evaluations, run_version__run_id__in={key.run_id for key in keys}
    )
    held = set(links.values_list("evaluation_id", "run_version__run_id"))
    runs = _run_names({key.run_id for key in keys})
    return [
        ComparedRun(key, *runs[key.run_id], evaluations[key.evaluation_id])
        for key in keys
        if (key.evaluation_id, key.run_id) in held
    ]


def runs_of(visible: VisibleSet, evaluation_ids: Iterable[int]) -> list[ComparedRun]:
    """Every run of some evaluations, by provider, run and then in the order of the evaluations, in four queries."""
    listed = list(dict.fromkeys(pk for pk in evaluation_ids if pk in visible.evaluation_ids))
    links = EvaluationRun.objects.filter(evaluation_id__in=listed).values_list("evaluation_id", "run_version__run_id")
    found = compared_runs(visible, [ColumnKey(*pair) for pair in sorted(set(links))])
    place = {pk: number for number, pk in enumerate(listed)}
    return sorted(found, key=lambda column: (column.provider, column.run, place[column.key.evaluation_id]))


def columns_of_results(visible: VisibleSet, result_ids: Sequence[int]) -> list[ColumnKey]:
    """The columns that some visible results stand in, in order, each once."""
    found = Result.objects.filter(pk__in=result_ids).values_list("pk", "run_version__run_id")
    runs = {pk: run_id for pk, run_id in found if pk // RESULTS_PER_EVALUATION in visible.evaluation_ids}
    keys = (ColumnKey(pk // RESULTS_PER_EVALUATION, runs[pk]) for pk in result_ids if pk in runs)
    return list(dict.fromkeys(keys))


def place_of_result(visible: VisibleSet, result_ids: Sequence[int]) -> tuple[int, int] | None:
    """The task and repeat of the first of some results; None for none, or one that cannot be seen."""
    seen = [pk for pk in result_ids[:1] if pk // RESULTS_PER_EVALUATION in visible.evaluation_ids]
    return Result.objects.filter(pk__in=seen).values_list("task_version__task_id", "repeat").first() if seen else None


def baseline_of(visible: VisibleSet, project: str) -> int | None:
    """The evaluation that a project compares with; None when none is pinned, or it cannot be seen."""
    pinned = Evaluation.objects.filter(project__slug=project, is_baseline=True).values_list("pk", flat=True).first()
    return pinned if pinned in visible.evaluation_ids else None


def _run_names(run_ids: set[int]) -> dict[int, tuple[str, str]]:
    rows = Run.objects.filter(pk__in=run_ids).values_list("pk", "provider__name", "name")
    return {pk: (provider, name) for pk, provider, name in rows}
