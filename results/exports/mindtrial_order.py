"""The results of an evaluation as MindTrial's tables list them: providers by name, each one's results as documented."""

from collections.abc import Iterator

from results.compression import decompress
from results.exports.documents import DOCUMENTS_PER_READ, NoDocumentError
from results.models.evaluations import RESULTS_PER_EVALUATION, Evaluation
from results.models.results import Result, ResultDocument
from results.models.trials import Trial, TrialResult
from results.queries.every_row import ResultsGoneError
from results.trial_plan import plan_from

FORMATS = ("mindtrial", "live")  # of evaluations whose results are documents of MindTrial's kind


def result_ids(evaluation: Evaluation) -> Iterator[int]:
    """Ids of all results: providers in the order of their names' code points, then the order of the document."""
    low = evaluation.result_id(0)
    found = Result.objects.filter(pk__gte=low, pk__lt=low + RESULTS_PER_EVALUATION)
    names = dict(found.values_list("run_version__run__provider__name", "run_version__run__provider_id").distinct())
    trial = Trial.objects.filter(evaluation=evaluation).first()
    for name in sorted(names):
        if trial is None:
            of_provider = found.filter(run_version__run__provider_id=names[name]).order_by("pk")
            yield from of_provider.values_list("pk", flat=True).iterator()
        else:
            places = {run.entry for run in plan_from(trial.plan).runs if run.provider == name}
            done = TrialResult.objects.filter(trial=trial, entry__in=places).order_by("entry", "run", "task")
            yield from done.values_list("result_id", flat=True).iterator()


def sources(evaluation: Evaluation) -> Iterator[bytes]:
    """Their documents, compact JSON.

    Raises:
        NoDocumentError: they are not MindTrial's.
        ResultsGoneError: the evaluation is deleted meanwhile.
    """
    if evaluation.format not in FORMATS:
        raise NoDocumentError(
            f"evaluation {evaluation.pk} has no MindTrial document; its format is {evaluation.format}"
        )
    part: list[int] = []
    for pk in result_ids(evaluation):
        part.append(pk)
        if len(part) == DOCUMENTS_PER_READ:
            yield from _documents(part)
            part = []
    yield from _documents(part)


def _documents(ids: list[int]) -> Iterator[bytes]:
    bodies = dict(ResultDocument.objects.filter(pk__in=ids).values_list("pk", "body"))
    if len(bodies) < len(ids):
        raise ResultsGoneError(len(ids) - len(bodies))
    return (decompress(bodies[pk]) for pk in ids)
