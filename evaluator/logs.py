"""Lines of the log: which request or job each belongs to, as text or JSON, without secrets."""

import json
import logging
import re
from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import UTC, datetime

SECRETS = re.compile(
    r"(?P<login>://[^\s:/@]*:)[^\s/@]+(?=@)"  # the password in the address of a database or broker
    r"|(?P<bearer>\bBearer\s+)\S+"
    r"|(?P<token>\bevb_)[\w-]+"
)

request_id: ContextVar[str] = ContextVar("request_id", default="")
job_id: ContextVar[int | None] = ContextVar("job_id", default=None)


@contextmanager
def of_job(pk: int) -> Iterator[None]:
    """Let every line that is written inside name this job."""
    token = job_id.set(pk)
    try:
        yield
    finally:
        job_id.reset(token)


class Belonging(logging.Filter):
    """Notes on each line to which request and job it belongs; drops none."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Note it, in the context of whoever writes the line."""
        record.request_id = request_id.get()
        record.job_id = job_id.get()
        return True


class LineFormatter(logging.Formatter):
    """A line for people; request and job stand at its end."""

    def __init__(self) -> None:
        super().__init__("%(asctime)s %(levelname)s %(name)s: %(message)s")

    def formatMessage(self, record: logging.LogRecord) -> str:  # noqa: N802  (logging's own name)
        """Put the line together."""
        ids = [f" [{word} {value}]" for word, value in _ids(record)]
        return super().formatMessage(record) + "".join(ids)

    def format(self, record: logging.LogRecord) -> str:
        """Write the line, and the trace of an error below it."""
        return without_secrets(super().format(record))


class JsonFormatter(logging.Formatter):
    """One JSON object a line, for programs that gather logs."""

    def format(self, record: logging.LogRecord) -> str:
        """Write the object: time, level, logger, message, then what is known of request, job and error."""
        line: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": without_secrets(record.getMessage()),
        }
        line |= {f"{word}_id": value for word, value in _ids(record)}
        line |= getattr(record, "facts", {})
        if record.exc_info:
            line["error"] = without_secrets(self.formatException(record.exc_info))
        return json.dumps(line, ensure_ascii=False, default=str)


def without_secrets(text: str) -> str:
    """The text with passwords of addresses and tokens taken out: the last net below code that should not log them."""
    return SECRETS.sub(lambda match: f"{match['login'] or match['bearer'] or match['token']}***", text)


def _ids(record: logging.LogRecord) -> list[tuple[str, object]]:
    found = (("request", getattr(record, "request_id", "")), ("job", getattr(record, "job_id", None)))
    return [(word, value) for word, value in found if value not in ("", None)]
