"""Deletes old evaluations by a rule: `delete_old [--older-than DAYS] [--keep N] [--dry-run]`."""

import sys
from argparse import ArgumentParser, ArgumentTypeError
from typing import Any

from django.core.management.base import CommandError

from results.exports.encoding import as_json
from results.management.prepared import PreparedCommand
from results.management.progress import counted
from results.models.projects import Project
from results.retention import RetentionLine, RetentionPlan, RetentionRule, carry_out, plan_retention, rule_in_words
from results.store.removals import run_removal


class Command(PreparedCommand):
    """Says what would go, asks, and deletes it."""

    help = (
        "Delete evaluations that are old by age or number. Baselines, those labelled `pinned`, those that run and "
        "sources of merges that stay are kept. Says what would go first."
    )

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the options."""
        parser.add_argument("--older-than", type=_number, metavar="DAYS", help="stored here longer ago than this")
        parser.add_argument("--keep", type=_number, metavar="N", help="the newest N of each project stay in any case")
        parser.add_argument(
            "--project", action="append", default=[], metavar="P", help="only of this project; repeatable"
        )
        parser.add_argument("--dry-run", action="store_true", help="say what would go, and delete nothing")
        parser.add_argument("--yes", action="store_true", help="do not ask")
        parser.add_argument(
            "--json", action="store_true", help="print one JSON document; asks nothing, so it needs --yes"
        )

    def handle(self, *_: Any, **options: Any) -> None:
        """Plan, ask, delete."""
        rule = RetentionRule(options["older_than"], options["keep"], tuple(options["project"]))
        if rule.is_empty:
            raise CommandError("Say what is old: --older-than DAYS, --keep N, or both.")
        known = set(Project.objects.values_list("slug", flat=True))
        if unknown := [name for name in rule.projects if name not in known]:
            raise CommandError(f"There is no project {unknown[0]}. Projects: {', '.join(sorted(known)) or 'none yet'}.")
        plan = plan_retention(rule)
        if not options["json"]:
            self._tell(rule, plan)
        job_id = self._delete(rule, plan, options) if plan.going else None
        if options["json"]:
            told = {
                "going": [_record(line) for line in plan.going],
                "staying": [_record(line) for line in plan.staying],
            }
            self.stdout.write(as_json(told | {"deleted": job_id is not None, "job": job_id}).decode())

    def _tell(self, rule: RetentionRule, plan: RetentionPlan) -> None:
        self.stdout.write(f"Old is what was {rule_in_words(rule)}.")
        for line in plan.going:
            self.stdout.write(f"goes   {line.id}  {line.project}  {line.imported_at:%Y-%m-%d}  {line.name}")
        for line in plan.staying:
            self.stdout.write(
                f"stays  {line.id}  {line.project}  {line.imported_at:%Y-%m-%d}  {line.name}: {line.reason}"
            )
        what = f"{counted(len(plan.going), 'evaluation')} with {counted(plan.results, 'result')}"
        self.stdout.write(f"Would delete {what}." if plan.going else "Nothing to delete.")

    def _delete(self, rule: RetentionRule, plan: RetentionPlan, options: dict[str, Any]) -> int | None:
        if options["dry_run"] or not self._is_agreed(options):
            return None
        job = carry_out(rule, [line.id for line in plan.going])
        if job is None:
            return None
        run_removal(job.pk)
        if not options["json"]:
            self.stdout.write(f"Deleted; job {job.pk} has the list.")
        return job.pk

    def _is_agreed(self, options: dict[str, Any]) -> bool:
        if options["yes"]:
            return True
        if options["json"] or not sys.stdin.isatty():
            raise CommandError("Nothing was deleted: add --yes to delete, or --dry-run to only look.")
        self.stdout.write("Delete them? Write yes: ", ending="")
        self.stdout.flush()
        return sys.stdin.readline().strip().lower() == "yes"


def _record(line: RetentionLine) -> dict[str, Any]:
    return {name: getattr(line, name) for name in ("id", "name", "project", "results", "imported_at", "reason")}


def _number(text: str) -> int:
    if not (text.isascii() and text.isdigit()) or len(text) > 6:  # noqa: PLR2004  (a million days is no rule)
        raise ArgumentTypeError(f"{text} is no whole number from 0 to 999999")
    return int(text)
