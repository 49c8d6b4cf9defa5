"""The Celery app: one queue for work, one for housekeeping, so that an import never delays a cancel."""

import os

from celery import Celery

from evaluator import broker

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "evaluator.settings")

broker.use_for_files()
app = Celery("evalboard")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks(["evaluator"], related_name="jobs")
