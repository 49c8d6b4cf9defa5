"""The Docker engine: whether it is there, its images, and what a process that died left in it."""

import os
import socket
import time
from collections.abc import Collection
from contextlib import closing, suppress
from functools import cached_property
from pathlib import Path
from typing import Any
from uuid import uuid4

import docker
from docker.errors import DockerException, ImageNotFound, NotFound
from requests import ConnectionError, RequestException, Timeout  # noqa: A004 - not the builtin

LABEL = "evalboard.tool"  # on every container of ours: the tool's name
OWNER_LABEL = "evalboard.owner"  # the process that made it
NOBODY = "65534:65534"
ROOTS = {"", "0", "root", "0:0", "root:root"}
REQUEST_SECONDS = 300  # a busy engine copies a large image for minutes
USUAL_HOST = "unix:///var/run/docker.sock"
QUICK_SECONDS = 1  # for a page that somebody waits for
DAY_SECONDS = 86_400


class Engine:
    """A client of the engine that `DOCKER_HOST` names, or of this machine's; safe to use from several threads."""

    def __init__(self) -> None:
        self._users: dict[str, str | None] = {}
        self._roots: set[str] = set()  # images that start for root only
        self._doubtful: list[str] = []  # containers that were asked for, and may have been made all the same

    @cached_property
    def client(self) -> docker.DockerClient:
        """The connection, made when it is first needed.

        Raises:
            DockerException: there is no engine.
        """
        return docker.from_env(timeout=REQUEST_SECONDS, max_pool_size=64)

    @cached_property
    def cpus(self) -> int:
        """The processors of the engine's machine."""
        return int(self.client.info()["NCPU"])

    def problem(self) -> str | None:
        """Why the engine cannot be used; None when it can."""
        try:
            self.client.ping()
        except (DockerException, RequestException) as error:
            return f"Tools need a Docker engine, and none answers ({in_words(error)}): start one, or set DOCKER_HOST."
        return None

    def has_image(self, image: str) -> bool:
        """Whether the image is on the engine's machine; nothing is ever pulled."""
        return _has_image(self.client, image)

    def user_of(self, image: str) -> str | None:
        """As whom to run an image: as ourselves, or as nobody where we are root; None = as the image says.

        Raises:
            ImageNotFound: it is not there.
        """
        if image not in self._users:
            configured = self.client.images.get(image).attrs.get("Config") or {}
            own = NOBODY if os.getuid() == 0 else f"{os.getuid()}:{os.getgid()}"
            self._users[image] = own if configured.get("User", "") in ROOTS else None
        return self._users[image]

    def run_as_root(self, image: str) -> None:
        """Remember that an image starts for nobody but root, whom it names."""
        self._users[image] = None
        self._roots.add(image)

    def is_run_as_root(self, image: str) -> bool:
        """Whether the image was found to start for root only."""
        return image in self._roots

    def sweep(self) -> int:
        """Remove containers that a process left which is gone; returns how many."""
        removed = 0
        for container in self.client.api.containers(all=True, filters={"label": LABEL}):
            is_old = time.time() - container["Created"] > DAY_SECONDS
            if is_old or is_gone(container["Labels"].get(OWNER_LABEL, "")):
                removed += self.remove(container["Id"])
        return removed

    def create(self, **settings: Any) -> str:  # noqa: ANN401 - those of the client
        """Make a container and return its name.

        Raises:
            DockerException, RequestException: the engine did not make it, or not in time; see `close`.
        """
        name = f"evalboard-{uuid4().hex}"
        try:
            self.client.api.create_container(name=name, **settings)
        except (ConnectionError, Timeout):
            self._doubtful.append(name)
            raise
        return name

    def close(self) -> None:
        """Close the connections, after removing what the engine may have made after we stopped waiting for it."""
        if "client" not in self.__dict__:
            return
        for name in self._doubtful:
            with suppress(DockerException, RequestException):
                self.remove(name)
        self._doubtful.clear()
        self.client.close()
        del self.client

    def remove(self, container_id: str) -> bool:
        """Remove a container, running or not, with its volumes; False when it is gone already."""
        try:
            self.client.api.remove_container(container_id, force=True, v=True)
        except NotFound:
            return False
        return True


def missing_images(images: Collection[str]) -> frozenset[str]:
    """Which images are not on the engine's machine; none where no engine answers soon, since it is not known then."""
    socket_file = (os.environ.get("DOCKER_HOST") or USUAL_HOST).removeprefix("unix://")
    if socket_file.startswith("/") and not Path(socket_file).is_socket():  # the client leaves one open that fails
        return frozenset()
    try:
        with closing(docker.from_env(timeout=QUICK_SECONDS)) as client:
            return frozenset(image for image in images if not _has_image(client, image))
    except (DockerException, RequestException):
        return frozenset()


def _has_image(client: docker.DockerClient, image: str) -> bool:
    try:
        client.images.get(image)
    except ImageNotFound:
        return False
    return True


def in_words(error: Exception) -> str:
    """What the engine says is wrong, without the address of the request."""
    return str(getattr(error, "explanation", None) or error)


def me() -> str:
    """Name this process in words that no other process on any machine has: machine, id, and when it began."""
    return f"{socket.gethostname()}/{os.getpid()}/{_began(os.getpid())}"


def is_gone(owner: str) -> bool:
    """Whether a process of this machine, as `me` names it, has ended; one of another machine is left to that."""
    machine, _, process = owner.partition("/")
    pid, _, began = process.partition("/")
    return machine == socket.gethostname() and pid.isdecimal() and _began(int(pid)) != began


def _began(pid: int) -> str:
    """When a process began, in the kernel's ticks; empty when there is none."""
    try:
        return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[19]
    except (OSError, IndexError):
        return ""
