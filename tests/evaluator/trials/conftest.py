"""A real Docker engine, for the tests that run containers."""

import fcntl
import os
import subprocess
import tempfile
from pathlib import Path

import docker
import pytest
from docker.errors import DockerException

IMAGES = ("evalboard-test/busybox", "evalboard-test/python")  # local, small, made without a registry


@pytest.fixture(scope="session")
def docker_engine(request: pytest.FixtureRequest) -> str:
    """The `DOCKER_HOST` of an engine that has the images; the tests are skipped where there is none.

    An engine that `DOCKER_HOST` names is used as it is. Without one, the shared folder's own tool may start one.
    """
    host = os.environ.get("DOCKER_HOST") or started(request.getfixturevalue("shared_folder"))
    if (problem := problem_of(host)) is not None:
        pytest.skip(f"no Docker engine for tests at {host}: {problem}")
    return host


def started(shared_folder: Path) -> str:
    """Start the engine, once for all workers of a test run."""
    tools = sorted((shared_folder / "tools").glob("*dockerd*"))
    if not tools:
        pytest.skip("no Docker engine: DOCKER_HOST is not set, and there is no tool to start one")
    with (Path(tempfile.gettempdir()) / "evalboard-test-engine.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        told = subprocess.run([tools[0]], capture_output=True, text=True, check=False)
    if told.returncode:
        pytest.skip(f"no Docker engine: {told.stderr.strip() or 'it could not be started'}")
    return told.stdout.strip().splitlines()[-1]


def problem_of(host: str) -> str | None:
    """Why an engine cannot be used."""
    try:
        client = docker.DockerClient(base_url=host)
        there = {tag for image in client.images.list() for tag in image.tags}
        client.close()
    except DockerException as error:
        return str(error)
    missing = [image for image in IMAGES if f"{image}:latest" not in there]
    return f"it lacks the images {', '.join(missing)}" if missing else None
