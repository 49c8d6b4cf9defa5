"""The page that deletes old evaluations: the rule, what would go by it, and what stays all the same."""

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import QueryDict
from django.urls import reverse

from frontend.contexts.shell import Shell
from frontend.formats import plural
from results.queries.projects import project_slugs
from results.queries.visibility import VisibleSet
from results.retention import PINNED_LABEL, RetentionLine, RetentionRule, plan_retention, rule_in_words

MOST_DIGITS = 6  # of days or evaluations
SHOWN_LINES = 200


@dataclass(frozen=True)
class RetentionPage:
    """What `retention.html` reads.

    Attributes:
        days, keep: as written in the form.
        problem: what cannot be read in it; empty when it can.
        rule: in words; empty before one is given.
        going, staying: the first ones; `going_count` and `staying_count` count all.
        ids: of all that go, with commas between, for the confirmation.
        button: empty when there is nothing to delete.
    """

    shell: Shell
    days: str
    keep: str
    project: str
    projects: tuple[str, ...]
    pinned_label: str
    problem: str
    rule: str
    going: tuple[RetentionLine, ...]
    going_count: int
    staying: tuple[RetentionLine, ...]
    staying_count: int
    ids: str
    button: str
    action: str

    @classmethod
    def build(cls, shell: Shell, visible: VisibleSet, params: QueryDict) -> "RetentionPage":
        """The page of a rule."""
        rule, problem = read_rule(params)
        plan = plan_retention(rule, visible.evaluation_ids)
        asked = {name: params.get(name, "") for name in ("days", "keep", "project")}
        return cls(
            shell=shell,
            **asked,
            projects=project_slugs(),
            pinned_label=PINNED_LABEL,
            problem=problem,
            rule="" if rule.is_empty else rule_in_words(rule),
            going=plan.going[:SHOWN_LINES],
            going_count=len(plan.going),
            staying=plan.staying[:SHOWN_LINES],
            staying_count=len(plan.staying),
            ids=",".join(str(line.id) for line in plan.going),
            button=f"Delete {plural(len(plan.going), 'evaluation')} with {plural(plan.results, 'result')}"
            if plan.going
            else "",
            action=f"{reverse('retention')}?{urlencode(asked)}",
        )


def read_rule(params: QueryDict) -> tuple[RetentionRule, str]:
    """The rule of a form, and what is wrong with it; an unreadable one deletes nothing."""
    read: list[int | None] = []
    for name in ("days", "keep"):
        text = params.get(name, "").strip()
        if text and not (text.isascii() and text.isdigit() and len(text) <= MOST_DIGITS):
            return RetentionRule(), f"{text} is no whole number; write one from 0 to 999999, or leave the field empty."
        read.append(int(text) if text else None)
    project = params.get("project", "")
    return RetentionRule(read[0], read[1], (project,) if project else ()), ""
