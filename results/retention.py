"""Deletes old evaluations by a rule: by age, or all but the newest of each project; what is needed stays."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.utils import timezone

from results.jobs import say
from results.models.evaluations import VISIBLE_STATES, Evaluation, EvaluationLabel, EvaluationState
from results.models.jobs import Job
from results.models.merges import MergeSource
from results.models.reports import Report, ReportEvaluation
from results.store.removals import request_removal

PINNED_LABEL = "pinned"  # an evaluation with this label is never deleted by a rule
MOST_LOGGED = 200  # names in a job's log


@dataclass(frozen=True)
class RetentionRule:
    """What is old. Where both are given, an evaluation must be both.

    Attributes:
        days: stored longer ago than this; None = no matter when.
        keep: the newest of each project, by their own time, that stay in any case; None = none.
        projects: slugs; empty = all projects.
    """

    days: int | None = None
    keep: int | None = None
    projects: tuple[str, ...] = ()

    @property
    def is_empty(self) -> bool:
        """It names no measure, so nothing is old."""
        return self.days is None and self.keep is None


@dataclass(frozen=True)
class RetentionLine:
    """One old evaluation; `reason` says why it stays, empty for one that goes."""

    id: int
    name: str
    project: str
    results: int
    imported_at: datetime
    reason: str


@dataclass(frozen=True)
class RetentionPlan:
    """What a rule would do: the old evaluations that go, and those that stay all the same. The oldest come first."""

    going: tuple[RetentionLine, ...]
    staying: tuple[RetentionLine, ...]

    @property
    def results(self) -> int:
        """Results that would be deleted."""
        return sum(line.results for line in self.going)


def plan_retention(rule: RetentionRule, visible: frozenset[int] | None = None) -> RetentionPlan:
    """What a rule would delete now.

    Args:
        rule: an empty one deletes nothing.
        visible: evaluations that may be seen; None = all.
    """
    stored = list(Evaluation.objects.filter(state__in=VISIBLE_STATES).select_related("project").order_by("pk"))
    old = [] if rule.is_empty else [row for row in _old(rule, stored) if visible is None or row.pk in visible]
    reasons = _reasons(stored, {row.pk for row in old})
    lines = [
        RetentionLine(row.pk, row.name, row.project.slug, row.results, row.imported_at, reasons.get(row.pk, ""))
        for row in sorted(old, key=lambda row: (row.imported_at, row.pk))
    ]
    going, staying = (tuple(line for line in lines if bool(line.reason) is stays) for stays in (False, True))
    return RetentionPlan(going, staying)


def carry_out(rule: RetentionRule, confirmed: Iterable[int]) -> Job | None:
    """Hide what a rule deletes and write the job that removes it; the caller sends it to a worker.

    Args:
        rule: looked at again, so that what is needed by now stays.
        confirmed: ids that a person or a setting agreed to; nothing else is deleted.

    Returns:
        The job; None when nothing is left to delete.
    """
    agreed = set(confirmed)
    going = [line for line in plan_retention(rule).going if line.id in agreed]
    noun = "evaluation" if len(going) == 1 else "evaluations"
    job = request_removal([line.id for line in going], f"Delete {len(going)} old {noun}")
    if job is not None:
        _log(job, rule, going)
    return job


def carry_out_settings() -> Job | None:
    """Do what the operator's settings say; nothing while they are off.

    Returns:
        The job to send to a worker.
    """
    rule = RetentionRule(settings.KEEP_DAYS or None, settings.KEEP_EVALUATIONS or None)
    if rule.is_empty:
        return None
    going = plan_retention(rule).going
    return carry_out(rule, [line.id for line in going]) if going else None


def rule_in_words(rule: RetentionRule) -> str:
    """The rule as a sentence without its end."""
    parts = []
    if rule.days is not None:
        parts.append(f"stored more than {rule.days} {'day' if rule.days == 1 else 'days'} ago")
    if rule.keep is not None:
        parts.append(f"not among the newest {rule.keep} of its project")
    where = f" in {', '.join(rule.projects)}" if rule.projects else ""
    return (" and ".join(parts) or "nothing is old") + where


def _old(rule: RetentionRule, stored: Sequence[Evaluation]) -> list[Evaluation]:
    newest_first = sorted(stored, key=lambda row: (row.started_at or row.imported_at, row.pk), reverse=True)
    before = None if rule.days is None else timezone.now() - timedelta(days=rule.days)
    seen: dict[str, int] = {}
    old = []
    for row in newest_first:
        slug = row.project.slug
        seen[slug] = seen.get(slug, 0) + 1
        is_aged = before is None or row.imported_at < before
        is_surplus = rule.keep is None or seen[slug] > rule.keep
        if is_aged and is_surplus and (not rule.projects or slug in rule.projects):
            old.append(row)
    return old


def _reasons(stored: Sequence[Evaluation], old: set[int]) -> dict[int, str]:
    """Why old evaluations stay, by their ids."""
    reported = set(ReportEvaluation.objects.filter(evaluation__isnull=False).values_list("evaluation_id", flat=True))
    reported |= set(Report.objects.filter(baseline__isnull=False).values_list("baseline_id", flat=True))
    pinned = set(EvaluationLabel.objects.filter(text__iexact=PINNED_LABEL).values_list("evaluation_id", flat=True))
    reasons = {}
    for row in stored:
        if row.state == EvaluationState.RUNNING:
            reasons[row.pk] = "it is still running"
        elif row.is_baseline:
            reasons[row.pk] = "it is the baseline"
        elif row.pk in pinned:
            reasons[row.pk] = f"it is labelled {PINNED_LABEL}"
        elif row.pk in reported:
            reasons[row.pk] = "a report is made of it"
    merged: dict[int, list[int]] = {}
    for source, merge in MergeSource.objects.filter(source__isnull=False).values_list("source_id", "merge_id"):
        merged.setdefault(merge, []).append(source)
    kept = [row.pk for row in stored if row.pk not in old or row.pk in reasons]
    names = {row.pk: row.name for row in stored}
    while kept:  # a merge that stays keeps its sources, which may be merges too
        merge = kept.pop()
        for source in merged.get(merge, ()):
            if source in old and source not in reasons:
                reasons[source] = f"it is a source of the merge {names[merge]}"
                kept.append(source)
    return reasons


def _log(job: Job, rule: RetentionRule, going: Sequence[RetentionLine]) -> None:
    say(job.pk, f"Deleted by rule: {rule_in_words(rule)}.")
    for line in going[:MOST_LOGGED]:
        stored = f"project {line.project}, stored {line.imported_at:%Y-%m-%d}"
        say(job.pk, f"{line.id}, {line.name}, {stored}: {line.results} results")
    if len(going) > MOST_LOGGED:
        say(job.pk, f"and {len(going) - MOST_LOGGED} more")
