"""What the description of the HTTP interface says of the rest channel and the hosted picker page."""

from __future__ import annotations

from typing import Any

BASE = "/v1/bots/{bot_id}/channels/{channel_id}"

_TEXT = {"type": "string"}
_BUTTONS = {
    "type": "array",
    "items": {"type": "object", "required": ["title"], "properties": {"title": _TEXT, "url": _TEXT}},
}
_ITEMS = {
    "type": "array",
    "items": {
        "type": "object",
        "required": ["title"],
        "properties": {"title": _TEXT, "value": {}, "subtitle": _TEXT, "imageUrl": _TEXT},
    },
}
_DIALOGS = ["single-select", "multi-select", "carousel", "date-picker", "login"]
SCHEMAS: dict[str, Any] = {
    "RestMessage": {
        "type": "object",
        "description": "A message of the bot. `quickReplies` and `richQuickReplies` always come together; `template` "
        "is the fallback for clients that know only buttons, and the whole of a location picker.",
        "required": ["id"],
        "properties": {
            "id": _TEXT,
            "text": _TEXT,
            "quickReplies": {"type": "array", "items": _TEXT},
            "richQuickReplies": {
                "type": "array",
                "items": {
                    "type": "object",
                    "required": ["title", "value"],
                    "properties": {"title": _TEXT, "value": {}, "image": _TEXT},
                },
            },
            "template": {
                "type": "object",
                "required": ["type", "buttons"],
                "properties": {"type": {"enum": ["button", "location-picker"]}, "buttons": _BUTTONS},
            },
            "v2template": {
                "type": "object",
                "required": ["type", "buttons"],
                "properties": {"type": {"enum": _DIALOGS}, "items": _ITEMS, "buttons": _BUTTONS},
            },
        },
    }
}
REST_MESSAGES = {"type": "array", "items": {"$ref": "#/components/schemas/RestMessage"}}
_LATER = {
    "type": "object",
    "required": ["messages", "next"],
    "properties": {"messages": REST_MESSAGES, "next": {"type": "string", "description": "For `after`."}},
}
_OVER = {
    "404": "The address was not made here (`picker-unknown`).",
    "410": "The question was answered, or is not asked any more (`picker-over`).",
}


def later_messages(operation: Any, place: list[dict[str, Any]], name: dict[str, Any]) -> dict[str, Any]:
    """``operation``, ``place`` and ``name``: the forms that all chat addresses share (``openapi``)."""
    described = operation("laterMessages", "Messages that no answer has carried yet", "channel", answer=_LATER)
    described["parameters"] = [
        {"name": "sender", "in": "query", "required": True, "description": "The user's `sender.id`.", "schema": _TEXT},
        {
            "name": "after",
            "in": "query",
            "description": "The `next` of an answer before: what came up to there has arrived and does not come again.",
            "schema": _TEXT,
        },
    ]
    return {f"{BASE}/rest/{{name}}/messages": {"parameters": [*place, name], "get": described}}


def picker(operation: Any, place: list[dict[str, Any]], ticket: dict[str, Any]) -> dict[str, Any]:
    asked = {
        "type": "object",
        "required": ["bot", "text", "dialog", "locale"],
        "properties": {"bot": {"type": "object"}, "text": _TEXT, "dialog": {"type": "object"}, "locale": _TEXT},
    }
    back = {"type": "object", "required": ["back"], "properties": {"back": {"type": ["string", "null"]}}}
    page = operation("pickerPage", "The hosted picker page", None, answer=_TEXT, media="text/html")
    return {
        f"{BASE}/pick/{{ticket}}": {
            "parameters": [*place, ticket],
            "get": page,
            "post": operation("pick", "Answer the question, once", None, body="PickBody", answer=back, extra=_OVER),
        },
        f"{BASE}/pick/{{ticket}}/question": {
            "parameters": [*place, ticket],
            "get": operation("pickerQuestion", "The question that the page is for", None, answer=asked, extra=_OVER),
        },
    }
