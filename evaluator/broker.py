"""The broker in files, as kombu has it, but at ease with a full disk: a message is there whole or not at all."""

import logging
from queue import Empty
from typing import Any

from kombu.transport import TRANSPORT_ALIASES, filesystem

log = logging.getLogger(__name__)


class Channel(filesystem.Channel):
    """Passes over messages that were cut off while they were written."""

    def _get(self, queue: str, timeout: float | None = None) -> Any:  # noqa: ANN401, ARG002  (kombu's own signature)
        try:
            return super()._get(queue)  # type: ignore[no-untyped-call]
        except ValueError:  # it was moved out of the queue before it was read, so it does not come again
            log.warning("a message of queue %s was cut off, perhaps by a full disk; its job is sent again", queue)
            raise Empty from None


class Transport(filesystem.Transport):
    """The transport of `filesystem://`."""

    Channel = Channel


def use_for_files() -> None:
    """Let `filesystem://` mean this transport."""
    TRANSPORT_ALIASES["filesystem"] = f"{__name__}:Transport"
