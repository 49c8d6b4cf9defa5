"""Addresses in long tables: looked up once, not in every row."""

from functools import cache

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString

register = template.Library()


@cache
def _evaluations_address() -> str:
    return reverse("evaluations-list")


@register.filter
def evaluation_address(evaluation_id: int) -> SafeString:
    """The address of an evaluation's page, `/evaluations/7/`; those of its actions begin with it."""
    return SafeString(f"{_evaluations_address()}{int(evaluation_id)}/")
