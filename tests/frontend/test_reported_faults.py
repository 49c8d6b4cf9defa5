"""Whatever a file holds or is called: the pages about its import answer, and show it as text."""

from io import BytesIO

import pytest
from django.test import Client

from results.archives import Incoming
from results.intake import ImportOptions, import_files
from results.models.jobs import Job
from results.models.sprints import Iteration, Sprint
from tests.documents import document, result
from tests.fixtures.agent_bober.imports import contract, evaluation, import_bodies, spec
from tests.results.test_reported_faults import BAD

pytestmark = pytest.mark.django_db

HOSTILE = "</script><img src=x onerror=alert(1)>\u202e =1+1 ../%2e?#&"
ODD_NAMES = ["a/../b?#%.json", "..", "  ", "结果 数据.json", "نتائج.json", "x" * 300 + ".json", HOSTILE]


def pages_of(client: Client) -> list[str]:
    """The pages on which the last import is told about; each must answer."""
    job = Job.objects.latest("pk")
    found = []
    for address in ("/jobs/", f"/jobs/{job.pk}/", "/import/", "/evaluations/", f"/jobs/undo/?job={job.pk}"):
        response = client.get(address)
        assert response.status_code == 200, address
        found.append(response.content.decode())
    return found


@pytest.mark.parametrize("fault", BAD)
def test_the_pages_of_a_refused_file_say_why(fault: str, client: Client) -> None:
    body, _ = BAD[fault]
    (report,) = import_files([Incoming("a.json", lambda: BytesIO(body))], ImportOptions())
    begin = (report.error or "").partition('"')[0].partition("'")[0]
    jobs, job, *_ = pages_of(client)
    assert begin in jobs
    assert begin in job


@pytest.mark.parametrize("name", ODD_NAMES)
@pytest.mark.parametrize("body", [document(result(1, Task=HOSTILE, Run=HOSTILE)), b""])
def test_any_name_of_a_file_is_text(name: str, body: bytes, client: Client) -> None:
    list(import_files([Incoming(name, lambda: BytesIO(body))], ImportOptions()))
    for text in pages_of(client):
        assert "<img src=x" not in text


def test_hostile_texts_of_sprints_are_text(client: Client) -> None:
    import_bodies(
        evaluation(
            summary=HOSTILE,
            generatorFeedback=[{"category": HOSTILE, "description": HOSTILE, "file": HOSTILE, "priority": HOSTILE}],
            criteriaResults=[{"criterionId": HOSTILE, "result": "pass", "evidence": HOSTILE * 20}],
            strategyResults=[{"strategy": HOSTILE, "result": "pass", "output": HOSTILE * 20}],
            extra={HOSTILE: HOSTILE},
        )
        | contract(title=HOSTILE, description=HOSTILE, features=[HOSTILE])
        | spec(title=HOSTILE)
    )
    addresses = ["/sprints/", "/sprints/?q=%3Cimg&sort=last", "/jobs/"]
    addresses += [f"/sprints/{pk}/" for pk in Sprint.objects.values_list("pk", flat=True)]
    addresses += [f"/iterations/{pk}/" for pk in Iteration.objects.values_list("pk", flat=True)]
    for address in addresses:
        response = client.get(address)
        assert response.status_code == 200
        assert "<img src=x" not in response.content.decode()
