"""What the description says of the rest channel and the hosted picker page."""

from __future__ import annotations

from typing import Any

from dialoom.http.openapi.forms import (
    Answer,
    Form,
    asked,
    content,
    listed,
    maybe,
    object_of,
    of,
    operation,
    place,
    text,
)
from dialoom.http.openapi.problems import BODY, EVERYWHERE

BASE = "/v1/bots/{bot_id}/channels/{channel_id}"
CHANNEL: Form = {"channel": []}
PLACE = [place("bot_id", "The bot's id.", "clinic"), place("channel_id", "The channel's id.", "rest")]
PARAMETERS = ("unknown-parameter", "bad-parameter")
TAKES = (*BODY, "unknown-bot", "erased", "sealed", "overloaded", "stopping", *EVERYWHERE)
"""What an operation that hands something to a bot may answer with."""
_SAID = (
    "bad-message",
    "bad-id",
    "too-long",
    "text-too-long",
    "bad-url",
    "context-too-large",
    "context-refused",
    "unknown-event",
)

_ID = "01a1fe42-c18f-7001-8eac-56bfbc5a17ce"
_BUTTON = object_of(
    {"title": text("What it says.", "Choose"), "url": text("Where it leads.", "https://bots.example.org/...")},
    ("title",),
)
_ITEM = object_of(
    {
        "title": text("First line.", "Green tea"),
        "value": {"description": "What the bot receives; say it as `option`.", "examples": ["Green"]},
        "subtitle": text("Second line.", "light"),
        "imageUrl": text("Address of a picture.", "https://shop.example/green.jpg"),
    },
    ("title",),
)
_DIALOGS = ["single-select", "multi-select", "carousel", "date-picker", "login"]
_REPLY = object_of(
    {
        "title": text("What it says.", "Green"),
        "value": {"description": "What the bot receives; say it as `option`.", "examples": ["Green"]},
        "image": text("Address of a picture.", "https://shop.example/green.jpg"),
    },
    ("title", "value"),
)
SCHEMAS: Form = {
    "RestMessage": object_of(
        {
            "id": text("The record's `_id`.", _ID),
            "text": text("What it says, as its author wrote it: Markdown.", "Which tea?"),
            "quickReplies": listed({"type": "string"}, "Titles of the quick replies.", examples=[["Green", "Black"]]),
            "richQuickReplies": listed(_REPLY, "The same with their values; always beside `quickReplies`."),
            "template": object_of(
                {
                    "type": text("The kind.", "button", enum=["button", "location-picker"]),
                    "buttons": listed(_BUTTON, "What opens it, what submits it."),
                },
                ("type", "buttons"),
                "For clients that know only buttons: a link to a hosted page. Of a location picker it is the whole.",
            ),
            "v2template": object_of(
                {
                    "type": text("The kind.", "single-select", enum=_DIALOGS),
                    "items": listed(_ITEM, "The options; a login has one."),
                    "buttons": listed(_BUTTON, "What opens it, what submits it."),
                },
                ("type", "buttons"),
                "A dialog.",
            ),
        },
        ("id",),
        "A message of the bot.",
    ),
    "LaterMessages": object_of(
        {
            "messages": listed(of("RestMessage"), "At most 200, in order."),
            "next": text("Give it as `after` with the next call.", "9"),
        },
        ("messages", "next"),
    ),
    "Question": object_of(
        {
            "bot": object_of(
                {
                    "id": text("The bot's id.", "clinic"),
                    "name": text("Its name.", "Lindenhof Clinic"),
                    "avatarUrl": maybe(text("Address of its picture.", "https://clinic.example/bot.png")),
                    "language": text("Its language.", "en"),
                },
                ("id", "name", "avatarUrl", "language"),
                "Who asks.",
            ),
            "text": text("The question.", "Which **tea**?"),
            "dialog": {"type": "object", "description": "The dialog, with the `key` of each option."},
            "locale": text("The user's language, or the bot's.", "de-AT"),
        },
        ("bot", "text", "dialog", "locale"),
    ),
    "Back": object_of(
        {"back": maybe(text("Address of the chat's page, if it has one.", "https://bots.example.org/chat/clinic/web"))},
        ("back",),
    ),
}
REST_MESSAGES = listed(of("RestMessage"))
_QUESTION = [
    {
        "id": _ID,
        "text": "Which tea?",
        "quickReplies": ["Green"],
        "richQuickReplies": [{"title": "Green", "value": "Green"}],
    }
]
_HELLO = {"sender": {"id": "ada", "name": "Ada Lovelace"}, "message": {"id": "1", "text": "I need an appointment"}}
_CHOICE = {"sender": {"id": "ada"}, "message": {"id": "2", "option": "Green", "context": {"plan": "gold"}}}


def paths() -> Form:
    named = [*PLACE, place("name", "Your own label; records keep it as `Data.channel.Name`.", "my-app")]
    ticket = [*PLACE, place("ticket", "Stands in the address that the chat gives.", "Aa3ATYeblm2EG5aQxgAAAA3U")]
    return {
        f"{BASE}/rest/{{name}}": {"parameters": named, "post": _send()},
        f"{BASE}/rest/{{name}}/messages": {"parameters": named, "get": _later()},
        f"{BASE}/pick/{{ticket}}": {"parameters": ticket, "get": _page(), "post": _pick()},
        f"{BASE}/pick/{{ticket}}/question": {"parameters": ticket, "get": _question()},
    }


def _send() -> Form:
    key = {
        "name": "Idempotency-Key",
        "in": "header",
        "required": False,
        "description": "The same as `message.id`.",
        "schema": {"type": "string", "minLength": 1, "maxLength": 256},
    }
    return operation(
        "sendMessage",
        "Rest channel",
        "Send a message, get the bot's messages",
        "A message of a user; the answer holds what the bot says to it, nothing for silence. Turns of one user never "
        "overlap and keep their order.",
        Answer("200", "The bot's messages.", content(REST_MESSAGES, {"question": ("A question", _QUESTION)})),
        (
            "unknown-parameter",
            *_SAID,
            "unauthorized",
            "bad-user-token",
            "user-token-required",
            "other-channel",
            "not-found",
            "still-running",
            "key-reused",
            "too-many-waiting",
            *TAKES,
        ),
        security=[CHANNEL],
        parameters=[key],
        body=content(of("RestBody"), {"text": ("A text", _HELLO), "option": ("A choice, with context", _CHOICE)}),
    )


def _later() -> Form:
    sender = asked(
        "sender",
        "The user's `sender.id`.",
        {"type": "string", "minLength": 1, "maxLength": 256},
        {"ada": ("A user", "ada")},
        required=True,
    )
    after = asked(
        "after",
        "The `next` of an answer before: what came up to there has arrived and does not come again.",
        {"type": "string", "pattern": "^[0-9]{1,16}$"},
        {"nine": ("What has come is known", "9")},
    )
    return operation(
        "laterMessages",
        "Rest channel",
        "Messages that no answer has carried yet",
        "What the bot said when no call waited for it. It comes again until `after` says that it has arrived.",
        Answer(
            "200",
            "The messages.",
            content(of("LaterMessages"), {"some": ("One message", {"messages": _QUESTION, "next": "9"})}),
        ),
        (*PARAMETERS, "bad-text", "bad-id", "too-long", "unauthorized", "other-channel", "not-found", *EVERYWHERE),
        security=[CHANNEL],
        parameters=[sender, after],
    )


def _page() -> Form:
    return operation(
        "pickerPage",
        "Picker pages",
        "The hosted picker page",
        "For a browser: the question of one user, readable without script, or that it is over. Looking at it uses "
        "nothing up.",
        Answer("200", "The page.", content(text("HTML."), None, "text/html")),
        ("bad-text", "not-found", "picker-unknown", "not-built", *EVERYWHERE),
    )


def _pick() -> Form:
    examples: dict[str, tuple[str, Any]] = {
        "option": ("An option", {"option": {"key": "3.1"}}),
        "date": ("A date", {"option": {"value": "2026-11-23"}}),
        "place": ("A place", {"location": {"latitude": 52.52, "longitude": 13.4, "name": "Berlin"}}),
    }
    return operation(
        "pick",
        "Picker pages",
        "Answer the question, once",
        "The answer takes its turn in the order of the chat; what the bot says to it comes in the chat.",
        Answer("200", "It is durable.", content(of("Back"), {"rest": ("Of a rest channel", {"back": None})})),
        (
            "unknown-parameter",
            "bad-message",
            "picker-unknown",
            "picker-over",
            "too-many-waiting",
            *TAKES,
        ),
        body=content(of("PickBody"), examples),
    )


def _question() -> Form:
    shown = {
        "bot": {"id": "clinic", "name": "Lindenhof Clinic", "avatarUrl": None, "language": "en"},
        "text": "Which **tea**?",
        "dialog": {
            "type": "single-select",
            "key": "3",
            "options": [{"title": "Green", "value": "Green", "key": "3.0"}],
        },
        "locale": "en",
    }
    return operation(
        "pickerQuestion",
        "Picker pages",
        "The question that the page is for",
        "What the page draws.",
        Answer("200", "The question.", content(of("Question"), {"question": ("A single-select", shown)})),
        ("unknown-parameter", "bad-text", "picker-unknown", "picker-over", "sealed", *EVERYWHERE),
    )
