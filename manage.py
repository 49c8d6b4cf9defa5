#!/usr/bin/env python3
"""Runs Evalboard's commands."""

import os
import sys


def main() -> None:
    """Hand the command line to Django, or say how to install what is missing."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluator.settings")
    try:
        from django.core.management import execute_from_command_line
    except ImportError:
        sys.exit("Django is not installed here. Run `make serve` once, then use `.venv/bin/python manage.py …`.")
    execute_from_command_line(sys.argv)


if __name__ == "__main__":
    main()
