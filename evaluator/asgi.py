"""The same application for servers that speak ASGI."""

import os

from django.core.asgi import get_asgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluator.settings")

application = get_asgi_application()
get_resolver().url_patterns  # noqa: B018 - reads the code of every page now, not on somebody's first click
