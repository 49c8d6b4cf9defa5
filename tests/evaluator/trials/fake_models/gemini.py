"""generateContent: Google's dialect."""

import json
from typing import Any

from tests.evaluator.trials.fake_models.replies import Asked, Reply
from tests.evaluator.trials.fake_models.sse import event


def document(asked: Asked, reply: Reply) -> dict[str, Any]:
    """A whole response."""
    parts: list[dict[str, Any]] = []
    if reply.reasoning is not None:
        parts.append({"text": reply.reasoning, "thought": True})
    if reply.text:
        parts.append({"text": reply.text})
    parts += [
        {"functionCall": {"id": call.id, "name": call.name, "args": json.loads(call.arguments)}} for call in reply.calls
    ]
    candidate = {"index": 0, "content": {"role": "model", "parts": parts}, "finishReason": reply.finish or "STOP"}
    usage = {} if reply.usage is None else {"usageMetadata": dict(reply.usage)}
    return {"responseId": "gem-1", "modelVersion": asked.model, "candidates": [candidate], **usage}


def stream(asked: Asked, reply: Reply) -> bytes:
    """The same in one chunk."""
    return event(document(asked, reply))
