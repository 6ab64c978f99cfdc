"""Completes the description of the HTTP interface: the schemas as msgspec means them, the endpoints beside Litestar."""

from __future__ import annotations

from typing import Any

import msgspec

from dialoom.channels.picking import PickBody
from dialoom.channels.rest import RestBody
from dialoom.channels.web import MessageBody, SessionBody
from dialoom.http import openapi_chat, openapi_web
from dialoom.http.problems import Problem
from dialoom.messages import ConversationRecord, MessageRecord

_MODELS = (ConversationRecord, MessageRecord, Problem, RestBody, PickBody, SessionBody, MessageBody)
_BASE = "/v1/bots/{bot_id}/channels/{channel_id}"


def describe(schema: dict[str, Any]) -> dict[str, Any]:
    """``schema``: what Litestar generates. Its component schemas lose ``additionalProperties``; msgspec's keep it."""
    _, components = msgspec.json.schema_components(_MODELS, ref_template="#/components/schemas/{name}")
    described = schema | {"openapi": "3.1.0"}
    parts = described.setdefault("components", {})
    parts["schemas"] = parts.get("schemas", {}) | components | openapi_chat.SCHEMAS | openapi_web.SCHEMAS
    parts["securitySchemes"] = parts.get("securitySchemes", {}) | {
        "channel": {"type": "http", "scheme": "bearer", "description": "The channel's token."},
        "session": {"type": "http", "scheme": "bearer", "description": "The token that `web/sessions` gave."},
    }
    paths = described.get("paths", {})
    for path, operations in paths.items():
        if path.startswith("/v1/"):
            for operation in operations.values():
                _describe_refusals(operation)
    described["paths"] = paths | _chat_paths()
    return described


_PROBLEM = {"application/problem+json": {"schema": {"$ref": "#/components/schemas/Problem"}}}
_OF_HISTORY = {
    "400": "A parameter is wrong; `pointer` and `code` say which part of the query.",
    "401": "No valid token.",
    "403": "A token of another bot.",
    "406": "Records come as JSON only.",
    "503": "The store is away, or the query took longer than its time limit.",
}


def _describe_refusals(operation: dict[str, Any]) -> None:
    refusals = dict(_OF_HISTORY)
    if operation["operationId"] == "getConversation":
        refusals["404"] = "The bot has no such conversation."
    if operation["operationId"] == "refreshEntityType":
        refusals |= {"404": "The bot has no such type, or it has no dynamic-data.", "502": "The list cannot be had."}
    if operation["operationId"] in {"resendDeadLetter", "dropDeadLetter"}:
        refusals |= {"403": "A token of another bot, or without the scope erase.", "404": "No such dead letter."}
    operation["responses"] |= {code: {"description": text, "content": _PROBLEM} for code, text in refusals.items()}


def _chat_paths() -> dict[str, Any]:
    return {
        f"{_BASE}/rest/{{name}}": {
            "parameters": [*_place(), _path("name", "The caller's own label.")],
            "post": _operation(
                "sendMessage",
                "Send a message, get the bot's messages",
                "channel",
                body="RestBody",
                answer=openapi_chat.REST_MESSAGES,
                extra={"409": "A message with this id is being answered.", "422": "The id was used for another body."},
            ),
        },
        **openapi_chat.later_messages(_operation, _place(), _path("name", "The caller's own label.")),
        **openapi_chat.picker(_operation, _place(), _path("ticket", "Stands in the address that the chat gives.")),
        **openapi_web.paths(_operation, _place(), _path("id", "The file's id; stands in the address.")),
    }


def _place() -> list[dict[str, Any]]:
    return [_path("bot_id", "The bot's id."), _path("channel_id", "The channel's id.")]


def _path(name: str, description: str) -> dict[str, Any]:
    return {"name": name, "in": "path", "required": True, "description": description, "schema": {"type": "string"}}


def _operation(
    id: str,
    summary: str,
    scheme: str | None,
    *,
    body: str | None = None,
    answer: dict[str, Any] | None = None,
    status: str = "200",
    media: str = "application/json",
    extra: dict[str, str] | None = None,
) -> dict[str, Any]:
    refusals = {"400": "The request is wrong; `code` and `pointer` say where."}
    refusals |= {} if scheme is None else {"401": "No valid token."}
    refusals |= {"404": "No such bot or channel.", "429": "Too many messages wait.", **(extra or {})}
    operation: dict[str, Any] = {
        "operationId": id,
        "summary": summary,
        "tags": ["Chat"],
        "security": [] if scheme is None else [{scheme: []}],
        "responses": {
            status: {"description": summary, "content": {media: {"schema": answer or {"type": "object"}}}},
            **{code: {"description": text, "content": _PROBLEM} for code, text in refusals.items()},
        },
    }
    if body is not None:
        schema = {"$ref": f"#/components/schemas/{body}"}
        operation["requestBody"] = {"required": True, "content": {"application/json": {"schema": schema}}}
    return operation
