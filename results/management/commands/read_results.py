"""Reads a large file for an import that writes beside it."""

import socket
from argparse import ArgumentParser

from django.core.management.base import BaseCommand

from results.reader_process import serve


class Command(BaseCommand):
    """`manage.py read_results --descriptor NUMBER`."""

    help = "Read a large file for an import. An import starts this by itself; it is of no use to anybody else."

    requires_system_checks = ()  # it starts with every large import and should be at work soon

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Say where to be told what to read, and to tell it."""
        parser.add_argument("--descriptor", type=int, required=True, help="of the socket to talk over, inherited")

    def handle(self, *, descriptor: int, **_: object) -> None:
        """Read to the end."""
        serve(socket.socket(fileno=descriptor))
