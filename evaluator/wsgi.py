"""What a web server calls; `manage.py serve` starts Granian with it."""

import os

from django.core.wsgi import get_wsgi_application
from django.urls import get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluator.settings")

application = get_wsgi_application()
get_resolver().url_patterns  # noqa: B018 - reads the code of every page now, not on somebody's first click
