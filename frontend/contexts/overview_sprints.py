"""The sprints that were evaluated last, as the overview shows them."""

from collections.abc import Sequence
from dataclasses import dataclass
from urllib.parse import urlencode

from django.urls import reverse

from frontend.contexts.sprints import SprintLine
from results.queries.overview_evaluations import sprint_count
from results.queries.sprints import latest_sprints, sprint_findings

SHOWN = 4


@dataclass(frozen=True)
class SprintsPanel:
    """The latest of `total` sprints; `href` leads to all of them."""

    total: int
    lines: tuple[SprintLine, ...]
    href: str

    @classmethod
    def of(cls, projects: Sequence[str]) -> "SprintsPanel":
        """The panel of some projects; none named = of all."""
        total = sprint_count(projects)
        rows = latest_sprints(SHOWN, projects) if total else []
        findings = sprint_findings(rows)
        asked = f"?{urlencode({'project': projects[0]})}" if len(projects) == 1 else ""
        return cls(
            total, tuple(SprintLine(row, findings.get(row.id)) for row in rows), f"{reverse('sprints-list')}{asked}"
        )
