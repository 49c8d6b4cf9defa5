"""What a web server calls; `manage.py serve` starts Granian with it."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluator.settings")

application = get_wsgi_application()
