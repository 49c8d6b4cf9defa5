"""Responses: OpenAI's newer dialect."""

from typing import Any

from tests.evaluator.trials.fake_models.replies import Asked, Reply
from tests.evaluator.trials.fake_models.sse import event, halves


def document(asked: Asked, reply: Reply) -> dict[str, Any]:
    """A whole response."""
    made = {
        "id": "resp_1",
        "object": "response",
        "created_at": 1_760_000_000,
        "model": asked.model,
        "status": "completed",
    }
    fixed: dict[str, Any] = {
        "error": None,
        "incomplete_details": None,
        "parallel_tool_calls": True,
        "tool_choice": "auto",
        "tools": [],
    }
    if reply.finish == "length":
        fixed["incomplete_details"] = {"reason": "max_output_tokens"}
        made["status"] = "incomplete"
    usage = {} if reply.usage is None else {"usage": dict(reply.usage)}
    return {**made, **fixed, "output": _output(reply), **usage}


def stream(asked: Asked, reply: Reply) -> bytes:
    """The same as events."""
    whole = document(asked, reply)
    begun: dict[str, Any] = {**whole, "status": "in_progress", "output": [], "usage": None}
    parts: list[tuple[str, dict[str, Any]]] = [("response.created", {"response": begun})]
    for index, item in enumerate(whole["output"]):
        place: dict[str, Any] = {"output_index": index, "item_id": item["id"]}
        parts.append(("response.output_item.added", {**place, "item": {**item, "content": [], "arguments": ""}}))
        if item["type"] == "message":
            parts += [
                ("response.output_text.delta", {**place, "content_index": 0, "delta": half, "logprobs": []})
                for half in halves(reply.text)
            ]
        parts.append(("response.output_item.done", {**place, "item": item}))
    parts.append(("response.completed", {"response": whole}))
    return b"".join(
        event({"type": name, "sequence_number": number, **data}, name) for number, (name, data) in enumerate(parts)
    )


def _output(reply: Reply) -> list[dict[str, Any]]:
    output: list[dict[str, Any]] = []
    if reply.reasoning is not None:
        output.append(
            {"id": "rs_1", "type": "reasoning", "summary": [{"type": "summary_text", "text": reply.reasoning}]}
        )
    output += [
        {
            "id": f"fc_{index}",
            "type": "function_call",
            "status": "completed",
            "call_id": call.id,
            "name": call.name,
            "arguments": call.arguments,
        }
        for index, call in enumerate(reply.calls)
    ]
    if reply.text:
        content = [{"type": "output_text", "text": reply.text, "annotations": [], "logprobs": []}]
        output.append(
            {"id": "msg_1", "type": "message", "status": "completed", "role": "assistant", "content": content}
        )
    return output
