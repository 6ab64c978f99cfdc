"""What the description of the HTTP interface says of the web and mobile protocol and of its files."""

from __future__ import annotations

from typing import Any

BASE = "/v1/bots/{bot_id}/channels/{channel_id}"

_TEXT = {"type": "string"}
_NUMBER = {"type": "integer"}
_FLAG = {"type": "boolean"}
_DIALOGS = ["location-picker", "date-picker", "single-select", "multi-select", "carousel", "login"]


def _object(required: list[str], **properties: Any) -> dict[str, Any]:
    return {"type": "object", "required": required, "properties": properties}


_OPTION = _object(["title", "value"], key=_TEXT, title=_TEXT, value={}, subtitle=_TEXT, image=_TEXT, system=_TEXT)
_MESSAGES = {"type": "array", "items": {"$ref": "#/components/schemas/WebMessage"}}
SCHEMAS: dict[str, Any] = {
    "WebMessage": _object(
        ["id", "position", "from", "type", "createdAt"],
        id=_TEXT,
        position=_NUMBER,
        **{"from": {"enum": ["user", "bot"]}},
        type={"enum": ["text", "option", "location", "file", "event", "template"]},
        createdAt={"type": "string", "format": "date-time"},
        text=_TEXT,
        clientId=_TEXT,
        replies={"type": "array", "items": _OPTION},
        dialog=_object(
            ["type"],
            type={"enum": _DIALOGS},
            title=_TEXT,
            buttonText=_TEXT,
            key=_TEXT,
            options={"type": "array", "items": _OPTION},
            url=_TEXT,
            image=_TEXT,
        ),
        location=_object(
            ["latitude", "longitude"], latitude={"type": "number"}, longitude={"type": "number"}, name=_TEXT
        ),
        files={
            "type": "array",
            "items": _object(["url", "mimeType", "name"], url=_TEXT, mimeType=_TEXT, name=_TEXT),
            "description": "Each reading signs the addresses anew.",
        },
        wants={"const": "file", "description": "The open question is answered by a file."},
    ),
    "WebSession": _object(
        ["token", "expiresAt", "user", "conversation", "bot", "messages", "cursor", "typing"],
        token=_TEXT,
        expiresAt={"type": "string", "format": "date-time"},
        user=_object(["id"], id=_TEXT),
        resume={"type": "string", "description": "Given once, to a browser without one and without a user token."},
        conversation={"type": ["string", "null"]},
        bot=_object(
            ["id", "name", "language"], id=_TEXT, name=_TEXT, avatarUrl={"type": ["string", "null"]}, language=_TEXT
        ),
        messages=_MESSAGES,
        cursor=_TEXT,
        typing=_FLAG,
    ),
    "WebFile": _object(
        ["id", "url", "mimeType", "name", "size"], id=_TEXT, url=_TEXT, mimeType=_TEXT, name=_TEXT, size=_NUMBER
    ),
}
_NEWS = _object(["messages", "next", "typing"], messages=_MESSAGES, next=_TEXT, typing=_FLAG)
_ACCEPTED = _object(["id"], id=_TEXT)
_BYTES = {"schema": {"type": "string", "format": "binary"}}


def _of(name: str) -> dict[str, Any]:
    return {"$ref": f"#/components/schemas/{name}"}


def _query(name: str, description: str, *, required: bool = False) -> dict[str, Any]:
    return {"name": name, "in": "query", "required": required, "description": description, "schema": _TEXT}


def paths(operation: Any, place: list[dict[str, Any]], id: dict[str, Any]) -> dict[str, Any]:
    """``operation``, ``place`` and ``id``: the forms that all chat addresses share (``openapi``)."""
    unsigned = {"401": "No channel token, a bad user token (`bad-user-token`), or none where the channel demands one."}
    session = operation(
        "openSession",
        "Open a browser's session",
        "channel",
        body="SessionBody",
        answer=_of("WebSession"),
        extra=unsigned,
    )
    say = "Say something; the answer comes by the events"
    poll = operation("poll", "Messages after a position, waiting for the next", "session", answer=_NEWS)
    poll["parameters"] = [_query("after", "A position."), _query("wait", "Seconds, 0 to 25.")]
    listen = operation("listen", "Messages as server-sent events", "session", media="text/event-stream", answer=_TEXT)
    listen["parameters"] = [_query("after", "A position; the header `Last-Event-ID` counts before it.")]
    return {
        f"{BASE}/web/sessions": {"parameters": place, "post": session},
        f"{BASE}/web/messages": {
            "parameters": place,
            "post": operation("say", say, "session", body="MessageBody", status="202", answer=_ACCEPTED),
            "get": poll,
        },
        f"{BASE}/web/events": {"parameters": place, "get": listen},
        f"{BASE}/web/files": {"parameters": place, "post": _upload(operation)},
        f"{BASE}/files/{{id}}": {"parameters": [*place, id], "get": _download(operation)},
    }


def _upload(operation: Any) -> dict[str, Any]:
    refusals = {
        "408": "The file did not come in in time.",
        "413": "It has more than 10 MiB.",
        "429": "The user, or the channel, has sent too much in 24 hours, or too many files come in at once.",
        "503": "No place was free for the file.",
    }
    upload: dict[str, Any] = operation(
        "sendFile",
        "Keep a file, to be named by a message",
        "session",
        status="201",
        answer=_of("WebFile"),
        extra=refusals,
    )
    upload["parameters"] = [_query("name", "What it is called.")]
    upload["requestBody"] = {"required": True, "content": {"application/octet-stream": _BYTES}}
    return upload


def _download(operation: Any) -> dict[str, Any]:
    refusals = {"403": "The address has expired or was changed.", "404": "The file is no longer here."}
    download: dict[str, Any] = operation(
        "readFile", "A file under its signed address", None, media="*/*", answer=_BYTES["schema"], extra=refusals
    )
    download["parameters"] = [
        _query("e", "When the address expires.", required=True),
        _query("s", "Its signature.", required=True),
    ]
    return download
