"""Requests that a contract's text speaks of, for projects whose configuration lists none."""

import re

from evaluator.engine.strategies.contracts import SprintContract
from evaluator.engine.strategies.options import Endpoint

REQUEST = re.compile(
    r"\b(?P<method>GET|HEAD|POST|PUT|PATCH|DELETE)\s+`?(?P<path>/(?:[A-Za-z0-9._~/?=&%-]*[A-Za-z0-9_~/=-])?)"
    r"(?=[`\s,.;)]|:(?!\w)|$)"  # a placeholder such as `:id` goes on
)
STATUS = re.compile(
    r"\b(?:returns?|responds?|answers?|gives?|yields?|status(?: code)?)\b[^.;\n]{0,60}?\b([1-5]\d\d)\b", re.IGNORECASE
)
SAFE = frozenset({"GET", "HEAD"})


def derive_endpoints(contract: SprintContract) -> tuple[Endpoint, ...]:
    """The requests in a contract's criteria, each once.

    A status that the same criterion names is expected; without one, only requests that change nothing are made, and any
    2xx will do. Paths with a placeholder such as `/users/:id` cannot be asked.
    """
    found: dict[tuple[str, str], Endpoint] = {}
    for criterion in contract.criteria:
        requests = list(REQUEST.finditer(criterion.description))
        for number, match in enumerate(requests):
            end = requests[number + 1].start() if number + 1 < len(requests) else len(criterion.description)
            status = STATUS.search(criterion.description, match.end(), end)
            method, path = match["method"], match["path"]
            if status is None and method not in SAFE:
                continue
            expected = int(status[1]) if status else None
            found.setdefault(
                (method, path),
                Endpoint(method=method, path=path, expected_status=expected, description=criterion.criterion_id),
            )
    return tuple(found.values())
