"""`manage.py createadmin`: the first account, which administers the installation."""

import getpass
import sys
from argparse import ArgumentParser

from django.contrib.auth.models import User
from django.contrib.auth.password_validation import validate_password
from django.core.exceptions import ValidationError
from django.core.management.base import BaseCommand, CommandError

from results.accounts import note


class Command(BaseCommand):
    """Makes an account that administers the installation, or gives an existing one a new password and that right."""

    help = "Make the account that administers this installation; the password is asked for, or read from a pipe."

    def add_arguments(self, parser: ArgumentParser) -> None:
        """Declare the name."""
        parser.add_argument("name", nargs="?", default="admin", help="default: %(default)s")

    def handle(self, *_args: object, name: str, **_options: object) -> None:
        """Make or change the account.

        Raises:
            CommandError: the password is too weak, or the two differ.
        """
        user, is_new = User.objects.get_or_create(username=name)
        try:
            password = self.ask()
            validate_password(password, user)
        except (ValidationError, CommandError) as error:
            if is_new:
                user.delete()
            reasons = error.messages if isinstance(error, ValidationError) else [str(error)]
            raise CommandError(" ".join(reasons)) from None
        user.set_password(password)
        user.is_superuser = user.is_active = True
        user.save()
        note("", "make an administrator" if is_new else "change an administrator", target=f"name {name}")
        self.stdout.write(f"{name} administers this installation{'' if is_new else '; the password was changed'}.")

    def ask(self) -> str:
        """The password, typed twice, or the first line of a pipe.

        Raises:
            CommandError: the two differ.
        """
        if not sys.stdin.isatty():
            return sys.stdin.readline().rstrip("\n")
        first = getpass.getpass("Password: ")
        if first != getpass.getpass("Once more: "):
            raise CommandError("The two passwords differ; nothing was changed.")
        return first
