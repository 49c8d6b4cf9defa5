"""The Celery app: one queue for work, one for housekeeping, so that an import never delays a cancel."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluator.settings")

app = Celery("evalboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["evaluator"], related_name="jobs")
