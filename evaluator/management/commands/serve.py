"""`manage.py serve`: the web server and the workers, started and stopped as one."""

import errno
import ipaddress
import os
import shutil
import signal
import socket
import sys
import time
from argparse import ArgumentParser
from http.client import HTTPConnection, HTTPException
from types import FrameType

from django.conf import settings
from django.core.management import call_command
from django.core.management.base import BaseCommand, CommandError
from django.db import OperationalError, connection, connections
from django.db.migrations.executor import MigrationExecutor

from evaluator.state_folder import SHORTEST_SECRET
from evaluator.static_stamp import collect_if_changed
from evaluator.supervision import Child, Service, Supervisor

MOST_WEB_PROCESSES = 2
THREADS_PER_WEB_PROCESS = 4
WORKER_NICENESS = 5  # pages come first
SECONDS_TO_ANSWER = 60.0
TICK_SECONDS = 0.1
PORTS = 65536
MIGRATION_LOCK = 0x6576626F617264  # any number that nobody else locks
WEB, WORKERS = "web", "workers"
HOUSEKEEPER = ("housekeeping worker", "housekeeping")
WORKER_QUEUES = (("worker", "work"), HOUSEKEEPER, ("trials worker", "trials"))
ENVIRONMENT = {"DJANGO_SETTINGS_MODULE": "evaluator.settings"}
# Celery warns root because of pickled messages; only JSON is taken here.
QUIET_CELERY = "ignore:You're running the worker with superuser privileges"


class Command(BaseCommand):
    """Starts web and workers, prints the address, stops both on Ctrl-C or SIGTERM."""

    help = "Start the web server and the workers; Ctrl-C stops both."
    requires_system_checks = ()  # `make check` runs them; here they would load every page before the web server does

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare --host, --port and --only."""
        parser.add_argument(
            "--host", default=settings.SERVE_HOST, help="an address of this machine (default %(default)s)"
        )
        parser.add_argument("--port", type=int, default=settings.SERVE_PORT, help="default %(default)s")
        parser.add_argument(
            "--only",
            choices=[WEB, WORKERS],
            help="a part: web is the web server with the housekeeping worker that its copies need, "
            "workers are all workers without the web server",
        )

    def handle(self, *_args: object, host: str, port: int, only: str | None, **_options: object) -> None:
        """Prepare the state folder, then serve until told to stop.

        Raises:
            CommandError: the address is not allowed or taken, or the web server does not come up.
        """
        if only != WORKERS:
            require_protection(host)
            require_free_port(host, port)
            shutil.rmtree(settings.VAR_DIR / "metrics", ignore_errors=True)  # requests are counted from each start
        self.is_stop_requested = False
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self.request_stop)
        self.prepare()
        supervisor = Supervisor(settings.BASE_DIR, self.stderr.write, settings.STOP_SECONDS)
        try:
            if only == WORKERS or self.wait_for_web(supervisor.start(web_server(host, port)), host, port):
                for name, queue in WORKER_QUEUES if only != WEB else [HOUSEKEEPER]:
                    supervisor.start(worker(name, queue))
                place = "the workers run" if only == WORKERS else address(host, port)
                self.stdout.write(f"Evalboard is ready: {place}  (Ctrl-C stops it)")
                self.stdout.flush()
            while not self.is_stop_requested:
                supervisor.tend()
                time.sleep(TICK_SECONDS)
            self.stdout.write("Stopping …")
        finally:
            supervisor.stop()
        self.stdout.write("Stopped.")

    def request_stop(self, _number: int, _frame: FrameType | None) -> None:
        """Note that a signal came; the loop sees it. Further signals change nothing."""
        self.is_stop_requested = True

    def prepare(self) -> None:
        """Bring tables and static files up to date.

        Raises:
            CommandError: the database cannot be reached.
        """
        try:
            if (
                connection.vendor == "postgresql"
            ):  # hosts that start at once take turns; the lock ends with the connection
                connection.cursor().execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
            executor = MigrationExecutor(connection)
        except OperationalError as error:
            reason = str(error).partition("\n")[0]
            raise CommandError(f"The database cannot be reached ({reason}). Check DATABASE_URL.") from error
        if executor.migration_plan(executor.loader.graph.leaf_nodes()):
            self.stdout.write("Preparing the database …")
            call_command("migrate", interactive=False, verbosity=0)
        connections.close_all()  # the children open their own
        if collect_if_changed():
            self.stdout.write("Collected the static files.")

    def wait_for_web(self, web: Child, host: str, port: int) -> bool:
        """Wait until the address answers.

        Returns:
            False when a stop was asked for meanwhile.

        Raises:
            CommandError: the web server ended, or stayed silent too long.
        """
        deadline = time.monotonic() + SECONDS_TO_ANSWER
        while not self.is_stop_requested:
            if answers(host, port):
                return True
            if not web.is_alive():
                raise CommandError("The web server ended while it started; the lines above say why.")
            if time.monotonic() > deadline:
                raise CommandError(
                    f"The web server did not answer within {SECONDS_TO_ANSWER:.0f} s; see the lines above."
                )
            time.sleep(TICK_SECONDS)
        return False


def web_server(host: str, port: int) -> Service:
    """Granian with the WSGI application."""
    processes = min(MOST_WEB_PROCESSES, os.cpu_count() or 1)
    granian = [sys.executable, "-m", "granian", "--interface", "wsgi", "--host", ip_address(host), "--port", str(port)]
    granian += ["--workers", str(processes), "--blocking-threads", str(THREADS_PER_WEB_PROCESS), "--no-ws"]
    granian += ["--respawn-failed-workers", "--log-level", "warning", "evaluator.wsgi:application"]
    names = dict.fromkeys([*settings.ALLOWED_HOSTS, f"[{host}]" if ":" in host else host, "localhost"])
    return Service("web server", granian, {**ENVIRONMENT, "EVALBOARD_ALLOWED_HOSTS": ",".join(names)})


def worker(name: str, queue: str) -> Service:
    """A Celery worker of one queue: one job at a time in its own process, so that a job may start children."""
    command = [sys.executable, "-m", "celery", "--quiet", "-A", "evaluator", "worker", "--pool", "solo", "-Q", queue]
    command += [
        "-n",
        f"{queue}@%h",
        "--loglevel",
        "WARNING",
        "--without-gossip",
        "--without-mingle",
        "--without-heartbeat",
    ]
    # On standard output Celery says only how it shuts down; its log, like ours, goes to standard error.
    return Service(name, command, {**ENVIRONMENT, "PYTHONWARNINGS": QUIET_CELERY}, WORKER_NICENESS, is_chatty=True)


def require_protection(host: str) -> None:
    """Refuse an address that other machines can reach, as long as anything is missing that protects it.

    Raises:
        CommandError: `host` is no loopback address, and accounts, a secret or the names of hosts are not set.
    """
    try:
        is_loopback = host == "localhost" or ipaddress.ip_address(host).is_loopback
    except ValueError:
        is_loopback = False
    if is_loopback:
        return
    missing = [
        words
        for is_there, words in (
            (settings.ACCOUNTS, "EVALBOARD_ACCOUNTS=1, so that people log in (make the first account: createadmin)"),
            (settings.HAS_OWN_SECRET, f"SECRET_KEY, {SHORTEST_SECRET} or more random characters, the same everywhere"),
            (settings.HAS_OWN_HOSTS, "EVALBOARD_ALLOWED_HOSTS, the names under which browsers find it"),
        )
        if not is_there
    ]
    if missing:
        raise CommandError(
            f"{host} can be reached by other machines. Set first: {'; '.join(missing)}. "
            "For yourself alone use 127.0.0.1, and forward the port with `ssh -L` to look from elsewhere."
        )


def require_free_port(host: str, port: int) -> None:
    """Refuse a port that another program listens on.

    Raises:
        CommandError: the port does not exist, is taken or may not be used.
    """
    if not 0 < port < PORTS:
        raise CommandError(
            f"Port {port} does not exist; choose one from 1 to {PORTS - 1} (--port N, or `make serve PORT=N`)."
        )
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    with socket.socket(family, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                reason = "is in use: stop the program that listens there, perhaps another Evalboard, or choose another"
            else:
                reason = f"cannot be used ({error.strerror}): choose another"
            raise CommandError(f"Port {port} on {host} {reason} (--port N, or `make serve PORT=N`).") from error


def address(host: str, port: int) -> str:
    """What a user types into a browser."""
    return f"http://[{host}]:{port}/" if ":" in host else f"http://{host}:{port}/"


def ip_address(host: str) -> str:
    """The same host for Granian, which takes no names."""
    return "127.0.0.1" if host == "localhost" else host


def answers(host: str, port: int) -> bool:
    """Tell whether the web server answers a request, whatever it says."""
    http = HTTPConnection(ip_address(host), port, timeout=5)
    try:
        http.request("HEAD", "/", headers={"Host": "localhost"})
        http.getresponse()
    except (OSError, HTTPException):
        return False
    finally:
        http.close()
    return True
