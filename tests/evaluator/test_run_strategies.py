"""`manage.py run_strategies`: exit codes, the written file, the stored iteration."""

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from django.conf import LazySettings
from django.core.management import CommandError, call_command
from django.test import Client

from results.models.sprints import ContractDocument, Iteration, Sprint
from tests.evaluator.strategies.projects import PYTHON, write
from tests.evaluator.strategies.reporting.eval_result_schema import SCHEMA
from tests.fixtures.agent_bober.documents import fixture_bytes

PROJECT = Path(__file__).resolve().parents[2]
pytestmark = pytest.mark.django_db


def strategy(kind: str, *, required: bool = True, **config: Any) -> dict[str, Any]:
    return {"type": kind, "required": required, "config": config}


def project(folder: Path, *strategies: dict[str, Any], **commands: str) -> Path:
    document = {
        "project": {"name": "kiln", "mode": "brownfield"},
        "evaluator": {"strategies": list(strategies)},
        "commands": commands,
    }
    (folder / "contract.json").write_bytes(fixture_bytes("contract.json"))
    return write(folder, {"bober.config.json": json.dumps(document)})


def evaluate(folder: Path, *arguments: object, capsys: pytest.CaptureFixture[str] | None = None) -> tuple[int, str]:
    """The exit code and what was printed."""
    with pytest.raises(SystemExit) as ended:
        call_command("run_strategies", str(folder), *map(str, arguments))
    return int(ended.value.code or 0), capsys.readouterr().out if capsys else ""


@pytest.mark.parametrize(
    ("strategies", "expected"),
    [
        ([strategy("build", command="true")], 0),
        ([strategy("build", command="false")], 1),
        ([strategy("build", command="no-such-program-here")], 2),
        ([strategy("build", command="true"), strategy("unit-test", command="echo no tests ran in 0.1s")], 2),
        ([strategy("build", command="true"), strategy("playwright")], 2),
        ([strategy("build", command="true"), strategy("playwright", required=False)], 0),
        ([strategy("build", command="true"), strategy("lint", required=False, command="false")], 0),
        ([], 2),
    ],
)
def test_the_exit_code_is_the_verdict(tmp_path: Path, strategies: list[dict[str, Any]], expected: int) -> None:
    assert evaluate(project(tmp_path, *strategies))[0] == expected
    assert Iteration.objects.get().verdict == {0: "pass", 1: "fail", 2: "error"}[expected]


def test_it_is_written_as_documented_and_stored_with_its_contract(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = project(tmp_path, strategy("unit-test"), test="echo '3 passed in 0.1s'")
    code, printed = evaluate(folder, "--contract", folder / "contract.json", "--json", capsys=capsys)
    written = json.loads((folder / ".bober/eval-results/eval-sprint-kiln-1-1.json").read_text())
    assert (code, written) == (0, json.loads(printed))
    jsonschema.validate(written, SCHEMA)
    assert [(part["criterionId"], part["result"]) for part in written["criteriaResults"]] == [
        ("sc-1-1", "pass"),
        ("sc-1-2", "skipped"),
    ]
    sprint = Sprint.objects.get()
    assert (sprint.contract_id, sprint.title, sprint.spec and sprint.spec.spec_id) == (
        "sprint-kiln-1",
        "Build the kiln",
        "kiln",
    )
    assert (Iteration.objects.get().sprint, ContractDocument.objects.count()) == (sprint, 1)


def test_the_page_of_the_iteration_shows_it(tmp_path: Path, client: Client) -> None:
    folder = project(tmp_path, strategy("typecheck"), typecheck="echo 'src/a.ts(2,14): error TS2322: Wrong.'")
    evaluate(folder, "--contract", folder / "contract.json")
    page = client.get(f"/iterations/{Iteration.objects.get().pk}/").content.decode()
    assert "Sprint 1 FAILED: 0 of 1 required criteria" in page
    assert "TS2322: Wrong." in page


def test_iterations_are_counted_and_compared(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(project(tmp_path, strategy("build", command="true")))
    code, printed = evaluate(project(tmp_path, strategy("build", command="false")), capsys=capsys)
    assert code == 1
    assert "kiln, iteration 2" in printed
    assert "regression critical: build passed in iteration 1 and fails now." in printed
    assert list(Iteration.objects.order_by("iteration").values_list("iteration", "verdict")) == [
        (1, "pass"),
        (2, "fail"),
    ]


def test_an_iteration_that_is_named_again_is_a_new_revision(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    evaluate(project(tmp_path, strategy("build", command="true")), "--iteration", 1)
    _, printed = evaluate(project(tmp_path, strategy("build", command="false")), "--iteration", 1, capsys=capsys)
    assert "This iteration was evaluated before; its file is replaced." in printed
    assert list(Iteration.objects.order_by("revision").values_list("verdict", "is_latest")) == [
        ("pass", False),
        ("fail", True),
    ]


def test_evidence_of_a_person_decides_a_manual_criterion(tmp_path: Path) -> None:
    folder = project(tmp_path, strategy("unit-test"), test="echo '3 passed in 0.1s'")
    write(folder, {"e.json": json.dumps({"sc-1-2": {"result": "fail", "evidence": "It opens."}})})
    evaluate(folder, "--contract", folder / "contract.json", "--evidence", folder / "e.json")
    written = json.loads((folder / ".bober/eval-results/eval-sprint-kiln-1-1.json").read_text())
    assert [(part["result"], part["evidence"]) for part in written["criteriaResults"]][1] == ("fail", "It opens.")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["--contract", "nowhere.json"], "nowhere.json cannot be read"),
        (["--config", "nowhere.json"], "nowhere.json cannot be read"),
        (["--project", "Bad Name"], "cannot name a project"),
        (["--iteration", "0"], "no whole number from 1"),
    ],
)
def test_what_cannot_be_used_is_refused_by_name_and_nothing_is_stored(
    tmp_path: Path, arguments: list[str], said: str
) -> None:
    folder = project(tmp_path, strategy("build", command="true"))
    with pytest.raises(CommandError, match=said) as refused:
        call_command("run_strategies", str(folder), *arguments)
    assert refused.value.returncode in {1, 2}
    assert not Iteration.objects.exists()


def test_only_folders_below_the_allowed_ones_are_evaluated_once_some_are_named(
    tmp_path: Path, settings: LazySettings
) -> None:
    settings.PROJECT_ROOTS = [str(tmp_path / "allowed")]
    with pytest.raises(CommandError, match="is not below a folder whose projects may be evaluated"):
        call_command("run_strategies", str(tmp_path))


def test_ctrl_c_ends_everything_and_keeps_nothing(tmp_path: Path, child_environment: dict[str, str]) -> None:
    code = "open('pid', 'w').write(str(__import__('os').getpid())); __import__('time').sleep(60)"
    folder = project(tmp_path, strategy("custom", command=f'{PYTHON} -c "{code}"'))
    command = [sys.executable, "manage.py", "run_strategies", str(folder)]
    with subprocess.Popen(
        command, cwd=PROJECT, env=child_environment, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE
    ) as child:
        deadline = time.monotonic() + 60
        while not (folder / "pid").exists() and time.monotonic() < deadline:
            time.sleep(0.05)
        child.send_signal(signal.SIGINT)
        _, said = child.communicate(timeout=60)
    assert (child.returncode, b"nothing is kept" in said) == (130, True)
    assert not (folder / ".bober").exists()
    with pytest.raises(ProcessLookupError):
        os.kill(int((folder / "pid").read_text()), 0)


def test_a_folder_that_lost_its_iterations_goes_on_counting_after_the_stored_ones(tmp_path: Path) -> None:
    folder = project(tmp_path, strategy("build", command="true"))
    evaluate(folder)
    shutil.rmtree(folder / ".bober" / "eval-results")
    evaluate(folder)
    assert list(Iteration.objects.order_by("iteration").values_list("iteration", "revision")) == [(1, 1), (2, 1)]
