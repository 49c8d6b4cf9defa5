"""Settings, read from the environment with safe defaults; a bad value is refused by name."""

from pathlib import Path
from typing import Any

from csp.constants import NONCE, NONE, SELF

from evaluator import database_url, environment, state_folder

BASE_DIR = Path(__file__).resolve().parent.parent
VERSION = "0.1.0"

VAR_DIR = Path(environment.text("EVALBOARD_VAR", str(BASE_DIR / "var"))).expanduser().resolve()
state_folder.make_state_folder(VAR_DIR)

DEBUG = environment.switch("EVALBOARD_DEBUG", default=False)
SECRET_KEY = environment.text("SECRET_KEY", "") or state_folder.lasting_secret(VAR_DIR, "secret_key")
if len(SECRET_KEY) < state_folder.SHORTEST_SECRET:
    raise environment.refusal(
        "SECRET_KEY", "…", f"write at least {state_folder.SHORTEST_SECRET} random characters, or unset it."
    )
ALLOWED_HOSTS = environment.words("EVALBOARD_ALLOWED_HOSTS", "127.0.0.1,localhost,[::1]")
SERVE_HOST = environment.text("EVALBOARD_HOST", "127.0.0.1")
SERVE_PORT = environment.whole_number("EVALBOARD_PORT", 8000, lowest=1, highest=65535)
STOP_SECONDS = environment.whole_number("EVALBOARD_STOP_SECONDS", 4, lowest=1, highest=600)
MAX_UPLOAD_BYTES = environment.size_bytes("EVALBOARD_MAX_UPLOAD", "4GB")
IMPORT_ROOTS = environment.folders("EVALBOARD_IMPORT_ROOTS")  # what a browser may name to be imported lies below these
PROJECT_ROOTS = environment.folders("EVALBOARD_PROJECT_ROOTS")  # projects that may be evaluated lie below these
KEEP_DAYS = environment.whole_number("EVALBOARD_KEEP_DAYS", 0, lowest=0, highest=999_999)  # 0 = for ever
KEEP_EVALUATIONS = environment.whole_number("EVALBOARD_KEEP_EVALUATIONS", 0, lowest=0, highest=999_999)  # 0 = all
PRICES_FILE = environment.text("EVALBOARD_PRICES", "")  # prices of models, and models of runs, where files have none
PUBLIC_URL = environment.text("EVALBOARD_PUBLIC_URL", f"http://{SERVE_HOST}:{SERVE_PORT}").rstrip("/")  # in messages
WEBHOOK_ALLOW_PRIVATE = environment.switch("EVALBOARD_WEBHOOK_ALLOW_PRIVATE", default=False)
LOG_LEVEL = environment.choice("EVALBOARD_LOG_LEVEL", "INFO", ["DEBUG", "INFO", "WARNING", "ERROR"])
LOG_FORMAT = environment.choice("EVALBOARD_LOG_FORMAT", "LINE", ["LINE", "JSON"])

ACCOUNTS = environment.switch("EVALBOARD_ACCOUNTS", default=False)  # off: whoever reaches the address may do all
HTTPS = environment.switch("EVALBOARD_HTTPS", default=False)  # a proxy in front speaks HTTPS, and says so
HAS_OWN_SECRET = bool(environment.text("SECRET_KEY", ""))
HAS_OWN_HOSTS = bool(environment.text("EVALBOARD_ALLOWED_HOSTS", ""))

INSTALLED_APPS = [
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.staticfiles",
    "csp",
    "django_htmx",
    "template_partials.apps.SimpleAppConfig",
    "results",
    "evaluator",
    "frontend",
]
MIDDLEWARE = [
    "frontend.watch.WatchRequests",
    "django.middleware.security.SecurityMiddleware",
    "whitenoise.middleware.WhiteNoiseMiddleware",
    "csp.middleware.CSPMiddleware",
    "frontend.middleware.ReplaceNul",
    "frontend.middleware.GuardApi",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
    "django_htmx.middleware.HtmxMiddleware",
    "frontend.middleware.VaryOnHtmx",
    "frontend.toasts.ForgetToasts",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "frontend.access.GuardAccess",
]
ROOT_URLCONF = "evaluator.urls"
WSGI_APPLICATION = "evaluator.wsgi.application"

FILE_LOADERS: list[Any] = [
    "django.template.loaders.filesystem.Loader",
    "django.template.loaders.app_directories.Loader",
]
TEMPLATE_LOADERS: list[Any] = FILE_LOADERS if DEBUG else [("django.template.loaders.cached.Loader", FILE_LOADERS)]
TEMPLATES: list[dict[str, Any]] = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "OPTIONS": {
            "loaders": [("template_partials.loader.Loader", TEMPLATE_LOADERS)],
            "context_processors": [
                "django.template.context_processors.request",
                "csp.context_processors.nonce",
            ],
        },
    }
]

DEFAULT_DATABASE_URL = f"sqlite:///{VAR_DIR / 'evalboard.sqlite3'}"
DATABASES = {"default": database_url.parse(environment.text("DATABASE_URL", DEFAULT_DATABASE_URL), BASE_DIR)}
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

USE_TZ = True
TIME_ZONE = "UTC"
USE_I18N = False

STATIC_URL = "/static/"
STATIC_ROOT = VAR_DIR / "static"
STATICFILES_FINDERS = [
    "django.contrib.staticfiles.finders.AppDirectoriesFinder",
    "evaluator.static_files.PackageFinder",
]
STORAGES = {
    "default": {"BACKEND": "django.core.files.storage.FileSystemStorage"},
    "staticfiles": {"BACKEND": "whitenoise.storage.CompressedManifestStaticFilesStorage"},
}
WHITENOISE_ALLOW_ALL_ORIGINS = False
# The static style sheets that a report file carries in itself, in the order of their layers.
REPORT_STYLES = (
    "css/tokens.css",
    "css/base.css",
    *(
        f"css/components/{noun}.css"
        for noun in (
            *("page", "nav", "layout", "button", "form", "table", "sort", "outcome", "rate", "delta", "panel", "stats"),
            *("list", "chart", "utility"),
        )
    ),
    "css/report.css",
)
MEDIA_ROOT = VAR_DIR / "uploads"
FILE_UPLOAD_HANDLERS = [
    "frontend.held_uploads.HoldingUploadHandler",  # first: what it holds may not touch the disk
    "frontend.upload_handler.StagingUploadHandler",
]
DATA_UPLOAD_MAX_NUMBER_FILES = 10_000  # the import page takes fewer and says so; this is where reading stops

CONTENT_SECURITY_POLICY = {
    "DIRECTIVES": {
        "default-src": [SELF],
        "script-src": [SELF, NONCE],
        "style-src": [SELF, NONCE],
        "img-src": [SELF, "data:", "blob:"],
        "object-src": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "frame-ancestors": [NONE],
    }
}
X_FRAME_OPTIONS = "DENY"
SECURE_CONTENT_TYPE_NOSNIFF = True
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
CSRF_FAILURE_VIEW = "frontend.views.errors.forbidden"
CSRF_COOKIE_HTTPONLY = True
CSRF_COOKIE_SAMESITE = "Strict"
CSRF_COOKIE_SECURE = SESSION_COOKIE_SECURE = HTTPS
SESSION_COOKIE_AGE = 14 * 24 * 3600
SESSION_COOKIE_SAMESITE = "Lax"
if HTTPS:
    SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https")
    SECURE_HSTS_SECONDS = 365 * 24 * 3600
    SECURE_SSL_REDIRECT = True
    SECURE_REDIRECT_EXEMPT = [r"^(healthz|readyz|metrics)$"]  # asked from inside, without the proxy
SILENCED_SYSTEM_CHECKS = [
    "security.W005",  # HSTS of other names below this domain is not ours to set
    "security.W021",  # nor is it ours to have browsers preload it
]
if not HTTPS:  # plain HTTP on a loopback address, or behind a proxy that is not said to speak HTTPS
    SILENCED_SYSTEM_CHECKS += [
        "security.W004",  # no HSTS
        "security.W008",  # no redirect to HTTPS
        "security.W012",  # the session cookie must travel over HTTP
        "security.W016",  # so must the CSRF cookie
    ]

LOGIN_URL = "login"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": f"django.contrib.auth.password_validation.{name}", "OPTIONS": options}
    for name, options in (
        ("UserAttributeSimilarityValidator", {}),
        ("MinimumLengthValidator", {"min_length": 12}),
        ("CommonPasswordValidator", {}),
        ("NumericPasswordValidator", {}),
    )
]

DEFAULT_BROKER_URL = "filesystem://localhost/"
CELERY_BROKER_URL = environment.text("CELERY_BROKER_URL", DEFAULT_BROKER_URL)
if CELERY_BROKER_URL.partition("://")[0] not in {"filesystem", "redis", "rediss", "memory"}:
    raise environment.refusal("CELERY_BROKER_URL", "…", "write redis://host:6379/0, or unset it to use files in var.")
BROKER_FOLDER = VAR_DIR / "broker"
if CELERY_BROKER_URL == DEFAULT_BROKER_URL:
    CELERY_BROKER_TRANSPORT_OPTIONS = {
        "data_folder_in": str(BROKER_FOLDER / "queue"),
        "data_folder_out": str(BROKER_FOLDER / "queue"),
        "control_folder": str(BROKER_FOLDER / "control"),
        # A message is claimed by moving it, which is safe only within one file system; the sweep prunes the folder.
        "processed_folder": str(BROKER_FOLDER / "processed"),
        "store_processed": True,
        "polling_interval": 0.5,
    }
CELERY_RESULT_BACKEND = None
CELERY_TASK_IGNORE_RESULT = True
CELERY_ACCEPT_CONTENT = ["json"]
CELERY_TASK_SERIALIZER = "json"
CELERY_TASK_DEFAULT_QUEUE = "work"
CELERY_TASK_CREATE_MISSING_QUEUES = True
CELERY_TASK_ROUTES = {  # by the first word of a task's name
    "housekeeping.*": {"queue": "housekeeping"},
    "trials.*": {"queue": "trials"},
}
CELERY_TASK_ACKS_LATE = True
CELERY_WORKER_PREFETCH_MULTIPLIER = 1
CELERY_WORKER_HIJACK_ROOT_LOGGER = False
CELERY_WORKER_REDIRECT_STDOUTS = False
CELERY_WORKER_ENABLE_REMOTE_CONTROL = False
CELERY_WORKER_SEND_TASK_EVENTS = False
CELERY_WORKER_CANCEL_LONG_RUNNING_TASKS_ON_CONNECTION_LOSS = False
CELERY_BROKER_CONNECTION_RETRY_ON_STARTUP = True
CELERY_TIMEZONE = "UTC"

LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "filters": {"belonging": {"()": "evaluator.logs.Belonging"}},
    "formatters": {"LINE": {"()": "evaluator.logs.LineFormatter"}, "JSON": {"()": "evaluator.logs.JsonFormatter"}},
    "handlers": {"console": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT, "filters": ["belonging"]}},
    "root": {"handlers": ["console"], "level": LOG_LEVEL},
    "loggers": {
        # A line for each request to a model, with its address, helps nobody.
        **{name: {"level": "WARNING"} for name in ("httpx", "httpx2", "google_genai")},
        # Nor does one for each page to a person at a terminal; programs that gather logs count on it.
        **({} if LOG_FORMAT == "JSON" or LOG_LEVEL == "DEBUG" else {"evalboard.requests": {"level": "WARNING"}}),
    },
}
