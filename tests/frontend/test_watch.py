"""Every request has an id, and a line in the log without what people search for."""

import logging
import re

import pytest
from django.test import Client

from evaluator.logs import request_id


def test_a_sane_request_id_is_taken_and_sent_back(client: Client) -> None:
    assert client.get("/healthz", headers={"X-Request-ID": "proxy-1.2_3"})["X-Request-ID"] == "proxy-1.2_3"
    assert request_id.get() == "proxy-1.2_3"


@pytest.mark.parametrize("given", ["", "a b", "x" * 65, "a\x1b[31m", "<b>"])
def test_another_one_is_made_anew(client: Client, given: str) -> None:
    made = client.get("/healthz", headers={"X-Request-ID": given})["X-Request-ID"]

    assert re.fullmatch("[0-9a-f]{16}", made)


@pytest.mark.django_db
def test_the_line_of_a_shared_page_does_not_hold_the_word_that_opens_it(
    client: Client, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO, "evalboard.requests"):
        client.get("/shared/open-sesame/")

    (record,) = [record for record in caplog.records if record.name == "evalboard.requests"]
    assert record.getMessage().startswith("GET /shared/<slug:token>/: ")
    assert "sesame" not in str(record.__dict__["facts"])


def test_a_refused_request_has_an_id_too(client: Client) -> None:
    assert client.post("/healthz")["X-Request-ID"]


def test_the_line_of_a_request_has_no_query_string(client: Client, caplog: pytest.LogCaptureFixture) -> None:
    with caplog.at_level(logging.INFO, "evalboard.requests"):
        client.get("/healthz?q=private+words")

    (record,) = caplog.records
    assert re.fullmatch(r"GET /healthz: 200 in \d+\.\d ms", record.getMessage())
    assert record.__dict__["facts"]["route"] == "/healthz"
    assert "private" not in str(record.__dict__)
