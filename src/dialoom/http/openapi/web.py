"""What the description says of the web and mobile protocol and of its files."""

from __future__ import annotations

from typing import Any

from dialoom.http.openapi.chat import BASE, CHANNEL, PARAMETERS, PLACE, TAKES
from dialoom.http.openapi.forms import (
    Answer,
    Form,
    asked,
    content,
    flag,
    header,
    listed,
    maybe,
    number,
    object_of,
    of,
    operation,
    place,
    text,
)
from dialoom.http.openapi.problems import EVERYWHERE

SESSION: Form = {"session": []}
_DIALOGS = ["location-picker", "date-picker", "single-select", "multi-select", "carousel", "login"]
_WHEN = "2026-11-20T08:15:30.250Z"
_WHO = ("session", "user-token-required", "other-channel", "origin", "not-found")

_OPTION = object_of(
    {
        "key": text("Choose it by this.", "3.0"),
        "title": text("What it says: Markdown.", "Green"),
        "value": {"description": "What the bot receives.", "examples": ["Green"]},
        "subtitle": text("Second line.", "light"),
        "image": text("Address of a picture.", "https://shop.example/green.jpg"),
        "system": text("`next` or `previous`: turns the page.", "next"),
    },
    ("title", "value"),
)
_MESSAGES = listed(of("WebMessage"))
_WEB_MESSAGE = object_of(
    {
        "id": text("The record's `_id`.", "01a1fe42-c594-7001-8c1d-58ca063f304c"),
        "position": number("Its place in the chat: 1, 2, 3 and so on.", 4),
        "from": text("Who said it.", "bot", enum=["user", "bot"]),
        "type": text("What it is.", "text", enum=["text", "option", "location", "file", "event", "template"]),
        "createdAt": text("When it was said.", _WHEN, format="date-time"),
        "text": text("What it says: Markdown.", "Which tea?"),
        "clientId": text("The `id` that the client gave it.", "1"),
        "replies": listed(_OPTION, "The quick replies."),
        "dialog": object_of(
            {
                "type": text("The kind.", "single-select", enum=_DIALOGS),
                "title": text("Text of the button that opens it.", "Choose"),
                "buttonText": text("Text of the button that submits.", "Take it"),
                "key": text("Of the question: goes as `ask` with a value or a place.", "3"),
                "options": listed(_OPTION, "All options."),
                "url": text(
                    "Of a login: where it leads.", "https://bots.example.org/v1/account-linking/start?state=..."
                ),
                "image": text("Of a login: the card's picture.", "https://clinic.example/login.png"),
            },
            ("type",),
            "A dialog that it opens.",
        ),
        "location": object_of(
            {
                "latitude": number("Degrees north.", 52.52, whole=False),
                "longitude": number("Degrees east.", 13.4, whole=False),
                "name": text("What it is called.", "Berlin"),
            },
            ("latitude", "longitude"),
            "A place that the user sent.",
        ),
        "files": listed(
            object_of(
                {
                    "url": text("Its address, signed anew with each reading.", "https://bots.example.org/v1/..."),
                    "mimeType": text("Its type, found from its content.", "image/png"),
                    "name": text("What it is called.", "leaf.png"),
                },
                ("url", "mimeType", "name"),
            ),
            "Files that the user sent.",
        ),
        "wants": {"const": "file", "description": "The open question is answered by a file."},
        "loggedIn": {"const": True, "description": "The first that the bot says after a login."},
    },
    ("id", "position", "from", "type", "createdAt"),
    "A message of the chat.",
)
_SAID = {
    "id": "01a1fe42-c594-7001-8c1d-58ca063f304c",
    "position": 4,
    "from": "bot",
    "type": "text",
    "createdAt": _WHEN,
    "text": "Which tea?",
    "replies": [{"key": "3.0", "title": "Green", "value": "Green"}],
}
SCHEMAS: Form = {
    "WebMessage": _WEB_MESSAGE,
    "WebSession": object_of(
        {
            "token": text("For the other calls, 24 hours.", "eyJib3QiOiJjbGluaWMifQ.c2lnbmVk"),
            "expiresAt": text("Until when it lives.", _WHEN, format="date-time"),
            "user": object_of({"id": text("The user's id.", "web_0d7b7c9dcf6a4b0e")}, ("id",), "The user."),
            "resume": text(
                "Given once, to a browser without one and without a user token.", "eyJ1c2VyIjoid2ViXzAifQ.c2ln"
            ),
            "conversation": maybe(
                text("Id of the conversation of the last message.", "01a1fe42-c18f-7001-8eac-56bfbc5a17ce")
            ),
            "bot": object_of(
                {
                    "id": text("The bot's id.", "clinic"),
                    "name": text("Its name.", "Lindenhof Clinic"),
                    "avatarUrl": maybe(text("Address of its picture.", "https://clinic.example/bot.png")),
                    "language": text("Its language.", "en"),
                },
                ("id", "name", "language"),
                "The bot.",
            ),
            "messages": _MESSAGES | {"description": "The last 100."},
            "cursor": text("The position reached: for `after`.", "4"),
            "typing": flag("Whether the bot is at work.", examples=[False]),
        },
        ("token", "expiresAt", "user", "conversation", "bot", "messages", "cursor", "typing"),
    ),
    "WebNews": object_of(
        {
            "messages": _MESSAGES | {"description": "At most 200, in order."},
            "next": text("The position reached: for `after`.", "4"),
            "typing": flag("Whether the bot is at work.", examples=[False]),
        },
        ("messages", "next", "typing"),
    ),
    "WebFile": object_of(
        {
            "id": text("Name it in `files` of a message.", "0d7b7c9dcf6a4b0e9a3f5c1e8b2d4f60"),
            "url": text(
                "Its signed address.", "https://bots.example.org/v1/bots/clinic/channels/web/files/0d7b?e=1&s=2"
            ),
            "mimeType": text("Its type, found from its content.", "image/png"),
            "name": text("What it is called.", "leaf.png"),
            "size": number("Bytes.", 20480),
        },
        ("id", "url", "mimeType", "name", "size"),
    ),
    "Accepted": object_of({"id": text("The `id` of the message.", "1")}, ("id",)),
}
_AFTER = asked(
    "after",
    "A position: what came behind it.",
    {"type": "string", "pattern": "^[0-9]{1,16}$"},
    {"four": ("Behind the fourth", "4")},
)


def paths() -> Form:
    file = place("id", "The file's id; stands in the address.", "0d7b7c9dcf6a4b0e9a3f5c1e8b2d4f60")
    return {
        f"{BASE}/web/sessions": {"parameters": PLACE, "post": _session()},
        f"{BASE}/web/messages": {"parameters": PLACE, "post": _say(), "get": _poll()},
        f"{BASE}/web/events": {"parameters": PLACE, "get": _listen()},
        f"{BASE}/web/files": {"parameters": PLACE, "post": _upload()},
        f"{BASE}/files/{{id}}": {"parameters": [*PLACE, file], "get": _download()},
    }


def _session() -> Form:
    opened: Form = {
        "token": "eyJib3QiOiJjbGluaWMifQ.c2lnbmVk",
        "expiresAt": _WHEN,
        "user": {"id": "web_0d7b7c9dcf6a4b0e"},
        "resume": "eyJ1c2VyIjoid2ViXzAifQ.c2ln",
        "conversation": None,
        "bot": {"id": "clinic", "name": "Lindenhof Clinic", "avatarUrl": None, "language": "en"},
        "messages": [],
        "cursor": "0",
        "typing": True,
    }
    bodies: dict[str, tuple[str, Any]] = {
        "new": ("A browser that is new", {"locale": "en-GB", "timezone": "Europe/London"}),
        "known": ("A browser that was here before", {"resume": "eyJ1c2VyIjoid2ViXzAifQ.c2ln"}),
    }
    return operation(
        "openSession",
        "Web channel",
        "Open a browser's session",
        "With the channel's token; the service's own pages need none.",
        Answer(
            "200", "The session, with the last messages.", content(of("WebSession"), {"new": ("A new user", opened)})
        ),
        (
            "unknown-parameter",
            "too-long",
            "text-too-long",
            "bad-url",
            "context-too-large",
            "context-refused",
            "unauthorized",
            "bad-user-token",
            "user-token-required",
            "other-channel",
            "origin",
            "not-found",
            "quota",
            "too-many-waiting",
            *TAKES,
        ),
        security=[CHANNEL],
        body=content(of("SessionBody"), bodies),
    )


def _say() -> Form:
    bodies: dict[str, tuple[str, Any]] = {
        "text": ("A text", {"id": "1", "text": "I need an appointment"}),
        "option": ("A quick reply", {"id": "2", "option": {"key": "3.0"}}),
    }
    return operation(
        "say",
        "Web channel",
        "Say something",
        "The answer comes by the events, or by the next poll.",
        Answer("202", "It is durable.", content(of("Accepted"), {"one": ("The message", {"id": "1"})})),
        (
            "unknown-parameter",
            "bad-id",
            "bad-message",
            "too-long",
            "text-too-long",
            "context-too-large",
            "context-refused",
            "unknown-file",
            *_WHO,
            "key-reused",
            "quota",
            "too-many-waiting",
            *TAKES,
        ),
        security=[SESSION],
        body=content(of("MessageBody"), bodies),
    )


def _poll() -> Form:
    wait = asked(
        "wait",
        "Seconds to wait for the next message, if there is none.",
        {"type": "integer", "minimum": 0, "maximum": 25, "default": 0},
        {"long": ("As long as may be", 25)},
    )
    return operation(
        "poll",
        "Web channel",
        "Messages behind a position",
        "What was said since, at once or as soon as something is.",
        Answer(
            "200",
            "The messages.",
            content(of("WebNews"), {"one": ("One message", {"messages": [_SAID], "next": "4", "typing": False})}),
        ),
        (*PARAMETERS, *_WHO, *EVERYWHERE),
        security=[SESSION],
        parameters=[_AFTER, wait],
    )


def _listen() -> Form:
    last = {
        "name": "Last-Event-ID",
        "in": "header",
        "required": False,
        "description": "As browsers send it; counts before `after`.",
        "schema": {"type": "string", "pattern": "^[0-9]{1,16}$"},
    }
    events = text(
        "Events `message` (its id is the position in the chat, its data a message) and `typing`; a heartbeat every "
        "15 s.",
        'event: message\nid: 4\ndata: {"id":"01a1fe42-c594-7001-8c1d-58ca063f304c", ...}\n\n',
    )
    return operation(
        "listen",
        "Web channel",
        "Messages as server-sent events",
        "Stays open; ends when the service stops, and the browser connects again.",
        Answer("200", "The events.", content(events, None, "text/event-stream")),
        (*PARAMETERS, *_WHO, *EVERYWHERE),
        security=[SESSION],
        parameters=[_AFTER, last],
    )


_BYTES: Form = {"type": "string", "format": "binary", "description": "The file itself."}


def _upload() -> Form:
    kept = {name: one["examples"][0] for name, one in SCHEMAS["WebFile"]["properties"].items()}
    name = asked("name", "What it is called.", {"type": "string"}, {"leaf": ("A picture", "leaf.png")})
    return operation(
        "sendFile",
        "Web channel",
        "Keep a file, to be named by a message",
        "The body is the file, at most 10 MiB, sent within 120 s.",
        Answer("201", "It is kept.", content(of("WebFile"), {"file": ("A picture", kept)})),
        (
            *PARAMETERS,
            "file-empty",
            "incomplete",
            *_WHO,
            "upload-too-slow",
            "file-too-large",
            "content-type",
            "too-many-files",
            "files-busy",
            *EVERYWHERE,
        ),
        security=[SESSION],
        parameters=[name],
        body=content(_BYTES, None, "application/octet-stream"),
    )


def _download() -> Form:
    shape: Form = {"type": "string"}
    return operation(
        "readFile",
        "Web channel",
        "A file under its signed address",
        "Take the address as it stands in a message; its signature is good for a day or a week.",
        Answer(
            "200",
            "The file. Images are shown in their place, all else is a download.",
            content(_BYTES, None, "*/*"),
            {
                "Content-Disposition": header(
                    "How it is to be shown, and its name.", shape, 'inline; filename="leaf.png"', required=True
                )
            },
        ),
        (*PARAMETERS, "bad-text", "file-address", "not-found", "sealed", *EVERYWHERE),
        parameters=[
            asked("e", "When the address expires, in seconds since 1970.", shape, required=True),
            asked("s", "Its signature.", shape, required=True),
        ],
    )
