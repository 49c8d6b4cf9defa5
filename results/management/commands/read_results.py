"""Reads a large file for an import that writes beside it."""

import socket
from argparse import ArgumentParser

import msgspec
from django.core.management.base import BaseCommand

from results.reader_process import serve
from results.reading_frames import ReadingTask


class Command(BaseCommand):
    """`manage.py read_results --task JSON --descriptor NUMBER`."""

    help = "Read a large file for an import. An import starts this by itself; it is of no use to anybody else."

    requires_system_checks = ()  # it starts with every large import and should be at work soon

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say what to read, and where to tell it."""
        parser.add_argument("--task", required=True, help="a ReadingTask as JSON")
        parser.add_argument("--descriptor", type=int, required=True, help="of the socket to tell it to, inherited")

    def handle(self, *, task: str, descriptor: int, **_: object) -> None:
        """Read to the end."""
        serve(msgspec.json.decode(task, type=ReadingTask), socket.socket(fileno=descriptor))
