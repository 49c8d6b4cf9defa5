"""The Django app of the project itself: its commands and its background work."""

from django.apps import AppConfig


class EvaluatorConfig(AppConfig):
    """Owns no tables."""

    name = "evaluator"
