# Evalboard in a container: one image for the web server and for the workers; compose.yaml shows both.
#   docker build -t evalboard .
# Nothing in it needs to be written at run time but the state folder /var/lib/evalboard and /tmp.
ARG BASE=python:3.11-slim-bookworm

FROM ${BASE} AS packages
ENV PIP_NO_CACHE_DIR=1 PIP_DISABLE_PIP_VERSION_CHECK=1
WORKDIR /app
COPY requirements/base.txt requirements/live.txt requirements/
# Every package is there as a wheel, so no compiler is needed.
RUN python3 -m venv /app/.venv \
    && /app/.venv/bin/pip install --only-binary :all: -r requirements/live.txt \
    && /app/.venv/bin/pip uninstall --yes pip setuptools

FROM ${BASE}
RUN groupadd --gid 10001 evalboard \
    && useradd --uid 10001 --gid evalboard --home-dir /var/lib/evalboard --shell /usr/sbin/nologin evalboard \
    && install --directory --owner evalboard --group evalboard --mode 700 /var/lib/evalboard
WORKDIR /app
COPY --from=packages /app/.venv .venv
COPY manage.py pyproject.toml ./
COPY requirements requirements
COPY evaluator evaluator
COPY frontend frontend
COPY results results
RUN .venv/bin/python -m compileall -q evaluator frontend results
ENV PATH=/app/.venv/bin:$PATH \
    PYTHONUNBUFFERED=1 \
    PYTHONDONTWRITEBYTECODE=1 \
    DJANGO_SETTINGS_MODULE=evaluator.settings \
    HOME=/var/lib/evalboard \
    EVALBOARD_VAR=/var/lib/evalboard \
    EVALBOARD_LOG_FORMAT=json \
    EVALBOARD_STOP_SECONDS=25
USER evalboard
VOLUME /var/lib/evalboard
EXPOSE 8000
STOPSIGNAL SIGTERM
# The web server has its own check; workers are told apart by their command, and compose.yaml gives them theirs.
HEALTHCHECK --interval=15s --timeout=5s --start-period=60s --retries=4 \
    CMD ["python", "-m", "evaluator.probe", "http://127.0.0.1:8000/readyz"]
ENTRYPOINT ["python", "manage.py"]
CMD ["serve", "--host", "0.0.0.0", "--only", "web"]
