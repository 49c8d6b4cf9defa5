"""A model server in a process of its own, so that its work is not counted: `python -m benchmarks.trial_models SECONDS`.

Prints its address, answers every request after so many seconds, and ends with its standard input.
"""

import sys

from tests.evaluator.trials.fake_models.replies import Asked, Dialect, Reply, wrapped
from tests.evaluator.trials.fake_models.server import FakeModels

USAGE = {
    Dialect.CHAT: {"prompt_tokens": 120, "completion_tokens": 30, "total_tokens": 150},
    Dialect.RESPONSES: {"input_tokens": 120, "output_tokens": 30, "total_tokens": 150},
    Dialect.MESSAGES: {"input_tokens": 120, "output_tokens": 30},
    Dialect.GEMINI: {"promptTokenCount": 120, "candidatesTokenCount": 30, "totalTokenCount": 150},
}


def main() -> None:
    """Serve until nobody reads any more."""
    latency_seconds = float(sys.argv[1])

    def answer(asked: Asked) -> Reply:
        return Reply(wrapped("4"), usage=USAGE.get(asked.dialect), delay_seconds=latency_seconds)

    with FakeModels(answer=answer, keeps_requests=False) as models:
        print(models.url, flush=True)
        sys.stdin.read()


if __name__ == "__main__":
    main()
