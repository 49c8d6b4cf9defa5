"""Rates with corrected verdicts beside the recorded ones, where anybody corrected any."""

from collections.abc import Sequence
from dataclasses import dataclass

from frontend.contexts.explorer_links import explorer_href, narrowed
from results.filters import Choice, ResultFilter
from results.queries.compare_columns import ComparedRun
from results.queries.corrections import CorrectedGroup, corrected_groups
from results.queries.evaluations import evaluation_names
from results.queries.visibility import VisibleSet


@dataclass(frozen=True)
class CorrectedLine:
    """One run or evaluation with corrections, and the results that were corrected."""

    name: str
    group: CorrectedGroup
    href: str


@dataclass(frozen=True)
class CorrectionsPanel:
    """What `_corrections.html` reads. `what` says what a line is; `total` counts the corrections."""

    what: str
    lines: tuple[CorrectedLine, ...]
    total: int

    @classmethod
    def of_runs(cls, visible: VisibleSet, chosen: ResultFilter) -> "CorrectionsPanel | None":
        """By run of the filter's results; None where nothing was corrected."""
        names = ("provider", "run")
        return cls._of("Run", chosen, names, corrected_groups(visible, chosen, names))

    @classmethod
    def of_evaluations(cls, visible: VisibleSet, chosen: ResultFilter) -> "CorrectionsPanel | None":
        """By evaluation of the filter's results; None where nothing was corrected."""
        found = corrected_groups(visible, chosen, ("evaluation",))
        names = evaluation_names(visible, [int(group.key[0] or 0) for group in found if group.corrections])
        return cls._of("Evaluation", chosen, ("evaluation",), found, names)

    @classmethod
    def of_columns(cls, visible: VisibleSet, columns: Sequence[ComparedRun]) -> "CorrectionsPanel | None":
        """By compared run; None where nothing was corrected."""
        keys = {(str(column.evaluation.id), column.provider, column.run) for column in columns}
        chosen = ResultFilter(evaluation=Choice(tuple(sorted({key[0] for key in keys}))))
        names = ("evaluation", "provider", "run")
        found = [group for group in corrected_groups(visible, chosen, names) if group.key in keys]
        titles = evaluation_names(visible, [int(group.key[0] or 0) for group in found if group.corrections])
        return cls._of("Run", chosen, names, found, titles)

    @classmethod
    def _of(
        cls,
        what: str,
        chosen: ResultFilter,
        names: tuple[str, ...],
        found: list[CorrectedGroup],
        titles: dict[int, str] | None = None,
    ) -> "CorrectionsPanel | None":
        lines = []
        for group in found:
            if group.corrections:
                key = dict(zip(names, group.key, strict=True))
                parts = [
                    (titles or {}).get(int(text or 0), "") if name == "evaluation" else text or ""
                    for name, text in key.items()
                ]
                lines.append(
                    CorrectedLine(" · ".join(parts), group, explorer_href(narrowed(chosen, "", corrected="yes", **key)))
                )
        return cls(what, tuple(lines), sum(line.group.corrections for line in lines)) if lines else None
