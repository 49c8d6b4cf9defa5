"""The Django app that owns every table."""

from importlib import import_module
from pkgutil import iter_modules

from django.apps import AppConfig


class ResultsConfig(AppConfig):
    """Registers the tables of each file in `results/models/`, whose `__init__` stays empty."""

    name = "results"
    default_auto_field = "django.db.models.BigAutoField"

    def import_models(self) -> None:
        """Import each models file, so that Django knows its tables."""
        super().import_models()
        package = import_module("results.models")
        for module in iter_modules(package.__path__):
            import_module(f"results.models.{module.name}")
