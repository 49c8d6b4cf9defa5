"""Every operation of the API under made-up requests: only documented answers, in the documented shapes."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import schemathesis
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, settings
from schemathesis.config import SchemathesisConfig
from schemathesis.specs.openapi.checks import positive_data_acceptance

from results.models.trials import Trial, TrialState
from tests.evaluator.live_trials import CONFIG, TASKS
from tests.results.facts.evaluations import row, stored

EXAMPLES = int(os.environ.get("EVALBOARD_FUZZ_EXAMPLES", "15"))  # per operation
# Ranges, orders and cursors are texts that may be refused; a schema cannot say which.
NOT_CHECKED: Any = [positive_data_acceptance]
# A body that is too large is refused before it is read.
REFUSED = [400, 403, 404, 405, 409, 413, 422]
config = SchemathesisConfig.from_dict({"checks": {"negative_data_rejection": {"expected-statuses": REFUSED}}})
schema = schemathesis.openapi.from_wsgi("/api/v1/openapi.json", get_wsgi_application(), config=config)


@pytest.fixture
def some_results(db: None, tmp_path: Path) -> Iterator[None]:
    """Three evaluations, one of them a trial, so that ids from 1 on may exist.

    Requests leave the connection of the test open.
    """
    stored(tmp_path, "a", row(0), row(1, kind="Failed", run="other"))
    stored(tmp_path, "b", row(2, tool_calls=[("shell", "success")]))
    trial_id = stored(tmp_path, "c", row(3, kind="Error"))
    plan: Any = {"runs": [], "tasks": [], "only": None}
    texts = {"config_text": CONFIG, "tasks_text": TASKS}
    Trial.objects.create(evaluation_id=trial_id, state=TrialState.CANCELLED, plan=plan, total=1, **texts)
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


@schema.parametrize()
@settings(
    max_examples=EXAMPLES,
    deadline=None,
    derandomize=True,
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_an_operation_answers_as_described(case: schemathesis.Case[Any], some_results: None) -> None:
    case.call_and_validate(excluded_checks=NOT_CHECKED)
