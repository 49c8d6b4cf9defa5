"""Chat Completions: OpenAI's dialect, and everybody's who follows it."""

from typing import Any

from tests.evaluator.trials.fake_models.replies import Asked, Reply
from tests.evaluator.trials.fake_models.sse import event, halves


def document(asked: Asked, reply: Reply) -> dict[str, Any]:
    """A whole completion."""
    message: dict[str, Any] = {"role": "assistant", "content": reply.text or None}
    if reply.reasoning is not None:
        message["reasoning_content"] = reply.reasoning
    if reply.calls:
        message["tool_calls"] = [
            {"id": call.id, "type": "function", "function": {"name": call.name, "arguments": call.arguments}}
            for call in reply.calls
        ]
    choice = {"index": 0, "message": message, "finish_reason": _finish(reply)}
    made = {"id": "chatcmpl-1", "object": "chat.completion", "created": 1_760_000_000, "model": asked.model}
    return {**made, "choices": [choice], **_usage(reply)}


def stream(asked: Asked, reply: Reply) -> bytes:
    """The same in chunks; usage comes last, if it was asked for."""
    made = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1_760_000_000, "model": asked.model}

    def chunk(delta: dict[str, Any], finish: str | None = None) -> bytes:
        return event({**made, "choices": [{"index": 0, "delta": delta, "finish_reason": finish}]})

    parts = [chunk({"role": "assistant", "content": ""})]
    parts += [chunk({"content": half}) for half in halves(reply.text)]
    for index, call in enumerate(reply.calls):
        start = {"name": call.name, "arguments": ""}
        parts.append(chunk({"tool_calls": [{"index": index, "id": call.id, "type": "function", "function": start}]}))
        parts += [
            chunk({"tool_calls": [{"index": index, "function": {"arguments": half}}]})
            for half in halves(call.arguments)
        ]
    parts.append(chunk({}, _finish(reply)))
    if reply.usage is not None and (asked.body.get("stream_options") or {}).get("include_usage"):
        parts.append(event({**made, "choices": [], **_usage(reply)}))
    return b"".join([*parts, b"data: [DONE]\n\n"])


def _finish(reply: Reply) -> str:
    return reply.finish or ("tool_calls" if reply.calls else "stop")


def _usage(reply: Reply) -> dict[str, Any]:
    return {} if reply.usage is None else {"usage": dict(reply.usage)}
