"""Saved reports keep what they are about, and say when a part of that is gone."""

from dataclasses import replace
from pathlib import Path

import pytest
from django.http import QueryDict

from results.exports.report.asked import Baseline
from results.exports.report.content import ReportContent
from results.filters import ResultFilter
from results.queries.visibility import VisibleSet, visible_evaluations
from results.saved_reports import ReportDraft, SavedReport, delete_report, keep_report, saved_report, saved_reports
from results.store.deletion import hide, remove
from tests.results.facts.evaluations import row, stored

pytestmark = pytest.mark.django_db


def draft(query: str = "", title: str = "Review") -> ReportDraft:
    return ReportDraft(title, "two\r\nlines ", ResultFilter.parse(QueryDict(query)))


def kept(made: ReportDraft, report_id: int | None = None) -> SavedReport:
    found = keep_report(visible_evaluations(), made, report_id)
    assert found is not None
    report = saved_report(visible_evaluations(), found)
    assert report is not None
    return report


def test_a_report_comes_back_as_it_was_kept(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(0, run="-odd"), project="web")
    made = replace(
        draft(f"evaluation={evaluation}&run=\\-odd&outcome=failed", "  My \n review "),
        sort="-duration",
        columns=("task", "run"),
        charts=("times", "nonsense"),
        baseline=Baseline(evaluation, "openai", "-odd"),
    )
    report = kept(made)
    assert report.chosen == made.chosen
    assert (report.title, report.notes, report.project) == ("My review", "two\nlines", "web")
    assert (report.sort, report.columns, report.charts) == ("-duration", ("task", "run"), ("times",))
    assert (report.baseline, report.baseline_name) == (Baseline(evaluation, "openai", "-odd"), "a")


def test_a_changed_report_keeps_its_address(tmp_path: Path) -> None:
    first = kept(draft())
    assert kept(draft(title="Other"), first.id).title == "Other"
    assert [line.id for line in saved_reports(visible_evaluations())] == [first.id]


def test_a_report_tells_that_an_evaluation_was_deleted(tmp_path: Path) -> None:
    gone, left = stored(tmp_path, "gone", row(0)), stored(tmp_path, "left", row(1))
    report = kept(replace(draft(f"evaluation={gone}&evaluation={left}"), baseline=Baseline(gone)))
    hide(gone)
    for _ in (1, 2):  # hidden, then removed
        asked = report.asked(visible_evaluations())
        assert [text.partition(",")[0] for text in asked.missing] == [
            "The evaluation gone was deleted",
            "The baseline",
        ]
        assert ReportContent.build(asked, "1").total == 1
        remove(gone)
        report = saved_again(report)


def saved_again(report: SavedReport) -> SavedReport:
    found = saved_report(visible_evaluations(), report.id)
    assert found is not None
    return found


def test_a_report_whose_evaluations_are_all_gone_is_about_nothing_rather_than_everything(tmp_path: Path) -> None:
    gone = stored(tmp_path, "gone", row(0))
    stored(tmp_path, "other", row(1))
    report = kept(draft(f"evaluation={gone}"))
    hide(gone)
    remove(gone)
    assert ReportContent.build(saved_again(report).asked(visible_evaluations()), "1").total == 0


def test_editing_does_not_forget_what_was_deleted(tmp_path: Path) -> None:
    gone, left = stored(tmp_path, "gone", row(0)), stored(tmp_path, "left", row(1))
    report = kept(draft(f"evaluation={gone}&evaluation={left}"))
    hide(gone)
    remove(gone)
    assert [pick.name for pick in kept(draft(f"evaluation={left}"), report.id).picks] == ["left", "gone"]


def test_a_report_of_evaluations_that_may_not_be_seen_is_not_listed(tmp_path: Path) -> None:
    evaluation = stored(tmp_path, "a", row(0))
    report = kept(draft(f"evaluation={evaluation}"))
    nothing = VisibleSet.of(frozenset())
    assert saved_reports(nothing) == ()
    assert saved_report(nothing, report.id) is None


def test_a_deleted_report_is_gone() -> None:
    report = kept(draft())
    assert delete_report(report.id)
    assert not delete_report(report.id)
    assert keep_report(visible_evaluations(), draft(), report.id) is None
