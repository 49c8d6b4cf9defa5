"""Links to reports open them until they expire or are revoked, and their secret is kept nowhere."""

from datetime import timedelta

import pytest
from django.utils import timezone

from results.models.reports import Report, ReportLink
from results.report_links import LinkState, create_link, links_of, open_link, revoke_link

pytestmark = pytest.mark.django_db


@pytest.fixture
def report() -> Report:
    return Report.objects.create(title="Review")


def test_a_link_opens_its_report_and_notes_it(report: Report) -> None:
    token = create_link(report.pk, 7)
    opened = open_link(token)
    assert opened is not None
    assert (opened.report_id, opened.state) == (report.pk, LinkState.OPEN)
    (row,) = links_of(report.pk)
    assert row.uses == 1
    assert row.last_used_at is not None
    assert row.expires_at - row.created_at > timedelta(days=6, hours=23)


def test_the_token_is_not_stored(report: Report) -> None:
    token = create_link(report.pk, 7)
    stored = ReportLink.objects.values_list("digest", flat=True).get()
    assert len(token) >= 43  # 256 bits
    assert token not in stored


def test_a_revoked_or_expired_link_opens_nothing(report: Report) -> None:
    revoked, expired = create_link(report.pk, 7), create_link(report.pk, 7)
    newest, oldest = links_of(report.pk)
    assert revoke_link(report.pk, oldest.id)
    assert not revoke_link(report.pk, oldest.id)
    ReportLink.objects.filter(pk=newest.id).update(expires_at=timezone.now())
    states = [opened and opened.state for opened in (open_link(revoked), open_link(expired), open_link("made up"))]
    assert states == [LinkState.REVOKED, LinkState.EXPIRED, None]
    assert [row.uses for row in links_of(report.pk)] == [0, 0]


def test_a_link_of_another_report_is_not_revoked(report: Report) -> None:
    create_link(report.pk, 7)
    assert not revoke_link(report.pk + 1, links_of(report.pk)[0].id)
