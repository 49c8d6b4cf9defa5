"""The files for containers: small promises that can be held without building anything."""

import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import yaml

PROJECT = Path(__file__).resolve().parent.parent
OURS = ("web", "worker")


@pytest.fixture(scope="module")
def services() -> dict[str, dict[str, Any]]:
    read = yaml.safe_load((PROJECT / "compose.yaml").read_text(encoding="utf-8"))
    found: dict[str, dict[str, Any]] = read["services"]
    return found


def dockerfile() -> list[str]:
    lines = (PROJECT / "Dockerfile").read_text(encoding="utf-8").replace("\\\n", " ").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


@pytest.mark.parametrize("name", OURS)
def test_our_containers_have_a_read_only_root_and_no_privileges(services: dict[str, Any], name: str) -> None:
    service = services[name]
    assert (service["read_only"], service["cap_drop"], service["tmpfs"]) == (True, ["ALL"], ["/tmp"])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["volumes"] == ["state:/var/lib/evalboard"]


def test_every_service_has_a_health_check(services: dict[str, Any]) -> None:
    assert sorted(services) == ["postgres", "redis", "web", "worker"]
    assert [name for name in services if "healthcheck" not in services[name]] == ["web"]  # its image has one
    assert any(line.startswith("HEALTHCHECK ") for line in dockerfile())


def test_only_the_web_server_is_published_and_on_loopback_unless_told_otherwise(services: dict[str, Any]) -> None:
    assert {name: service["ports"] for name, service in services.items() if "ports" in service} == {
        "web": ["${EVALBOARD_PUBLISH:-127.0.0.1:8000}:8000"]
    }


def test_no_secret_stands_in_the_files(services: dict[str, Any]) -> None:
    assert all(services[name]["env_file"] == ".env" for name in OURS)
    assert services["postgres"]["environment"]["POSTGRES_PASSWORD"].startswith("${POSTGRES_PASSWORD:?")
    example = (PROJECT / "env.example").read_text(encoding="utf-8").splitlines()
    assert {"SECRET_KEY=", "POSTGRES_PASSWORD="} <= set(example)
    assert "/.env" in (PROJECT / ".gitignore").read_text(encoding="utf-8").splitlines()


def test_there_is_time_to_end_in_good_order(services: dict[str, Any]) -> None:
    assert any("EVALBOARD_STOP_SECONDS=25" in line for line in dockerfile())
    assert {services[name]["stop_grace_period"] for name in OURS} == {"30s"}


def test_the_image_runs_as_an_ordinary_user_and_copies_only_what_is_there() -> None:
    lines = dockerfile()
    assert lines.index("USER evalboard") < lines.index("VOLUME /var/lib/evalboard")
    copied = [
        word for line in lines if line.startswith("COPY ") and "--from" not in line for word in line.split()[1:-1]
    ]
    assert all((PROJECT / name).exists() for name in copied)
    allowed = (PROJECT / ".dockerignore").read_text(encoding="utf-8").splitlines()
    assert {name.split("/")[0] for name in copied} == {line[1:] for line in allowed if line.startswith("!")}


def test_the_probe_says_why_nobody_answers() -> None:
    command = [sys.executable, "-m", "evaluator.probe", "http://127.0.0.1:9/readyz"]
    done = subprocess.run(command, cwd=PROJECT, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (1, "")
    assert "Connection refused" in done.stderr
