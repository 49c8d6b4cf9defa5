"""Messages: Anthropic's dialect."""

import json
from typing import Any

from tests.evaluator.trials.fake_models.replies import Asked, Reply
from tests.evaluator.trials.fake_models.sse import event, halves

NO_USAGE = {"input_tokens": 0, "output_tokens": 0}


def document(asked: Asked, reply: Reply) -> dict[str, Any]:
    """A whole message."""
    made = {"id": "msg_1", "type": "message", "role": "assistant", "model": asked.model, "stop_sequence": None}
    usage = {} if reply.usage is None else {"usage": dict(reply.usage)}
    return {**made, "content": _content(reply), "stop_reason": _finish(reply), **usage}


def stream(asked: Asked, reply: Reply) -> bytes:
    """The same as events: counts of the input come first, those of the output last."""
    usage = dict(reply.usage or NO_USAGE)
    begun = {**document(asked, reply), "content": [], "stop_reason": None, "usage": {**usage, "output_tokens": 1}}
    parts: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
    for index, block in enumerate(_content(reply)):
        parts.append({"type": "content_block_start", "index": index, "content_block": _emptied(block)})
        parts += [{"type": "content_block_delta", "index": index, "delta": delta} for delta in _deltas(block)]
        parts.append({"type": "content_block_stop", "index": index})
    end = {"stop_reason": _finish(reply), "stop_sequence": None}
    parts.append({"type": "message_delta", "delta": end, "usage": {"output_tokens": usage["output_tokens"]}})
    parts.append({"type": "message_stop"})
    return b"".join(event(part, part["type"]) for part in parts)


def _finish(reply: Reply) -> str:
    return reply.finish or ("tool_use" if reply.calls else "end_turn")


def _content(reply: Reply) -> list[dict[str, Any]]:
    blocks: list[dict[str, Any]] = []
    if reply.reasoning is not None:
        blocks.append({"type": "thinking", "thinking": reply.reasoning, "signature": "sig"})
    if reply.text:
        blocks.append({"type": "text", "text": reply.text})
    blocks += [
        {"type": "tool_use", "id": call.id, "name": call.name, "input": json.loads(call.arguments)}
        for call in reply.calls
    ]
    return blocks


def _emptied(block: dict[str, Any]) -> dict[str, Any]:
    kept: dict[str, dict[str, Any]] = {
        "text": {"text": ""},
        "thinking": {"thinking": "", "signature": ""},
        "tool_use": {"input": {}},
    }
    return {**block, **kept[block["type"]]}


def _deltas(block: dict[str, Any]) -> list[dict[str, Any]]:
    if block["type"] == "text":
        return [{"type": "text_delta", "text": half} for half in halves(block["text"])]
    if block["type"] == "thinking":
        return [
            {"type": "thinking_delta", "thinking": block["thinking"]},
            {"type": "signature_delta", "signature": "s"},
        ]
    return [{"type": "input_json_delta", "partial_json": half} for half in halves(json.dumps(block["input"]))]
