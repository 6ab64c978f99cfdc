"""What the description says of records: each property of a conversation and of a message, with its meaning.

The values of the two examples stand at the properties as theirs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, get_args

from dialoom.http.openapi.forms import Form, flag, listed, maybe, number, object_of, text
from dialoom.messages.records import Status

if TYPE_CHECKING:
    from collections.abc import Mapping

CONVERSATION: Form = {
    "_id": "01a1fe42-c18f-7001-8eac-56bfbc5a17ce",
    "Bot": "clinic",
    "User": "ada",
    "Channel": "rest",
    "Status": "success",
    "StartedAt": "2026-11-20T08:15:30.250Z",
    "UpdatedAt": "2026-11-20T08:17:02.118Z",
    "EndedAt": "2026-11-20T08:17:02.118Z",
    "Goal": "book-appointment",
    "Errors": 0,
    "Messages": {"user": 5, "bot": 7},
    "FlowVersion": "5d0f3a1c9be2",
    "Data": {
        "channel": {"Id": "rest", "ProviderName": "rest", "Name": "my-app"},
        "user": {
            "ExternalId": None,
            "FirstName": "Ada",
            "LastName": "Lovelace",
            "Avatar": None,
            "Locale": "en-GB",
            "Timezone": "Europe/London",
        },
        "context": {"plan": "gold", "orders": [{"total": 120, "paid": True}]},
        "entities": {"doctor": {"value": "weber"}, "day": "2026-11-23"},
    },
}
MESSAGE: Form = {
    "_id": "01a1fe42-c594-7001-8c1d-58ca063f304c",
    "Bot": "clinic",
    "Conversation": "01a1fe42-c18f-7001-8eac-56bfbc5a17ce",
    "User": "ada",
    "Channel": "rest",
    "From": "user",
    "Type": "text",
    "Text": "I need a skin doctor",
    "Payload": None,
    "Step": None,
    "Understanding": {
        "Conversation": [
            {"value": "book-appointment", "confidence": 0.93, "start": 0, "end": 20, "text": "I need a skin doctor"}
        ]
    },
    "Error": None,
    "CreatedAt": "2026-11-20T08:15:30.250Z",
    "Sequence": 1,
}

_TIME = "In UTC, ISO 8601 with milliseconds."
_STATUSES = (
    "`active`: it goes on; `success`: the goal's steps were completed; `failure`: stopped by an error, until the next "
    "message takes it up; `abandoned`: silence, a restart, or a `go-to` out of the last goal; `handed-over`: to a "
    "person; `closed`: ended without ever having had a goal."
)
_ID = "A UUIDv7: records sort by it as by time."
_USER = "The user's id on its channel (`sender.id` on rest). Users of two channels may have the same."
_FREE: Form = {"type": "object", "additionalProperties": True}


def _moment(description: str) -> Form:
    return text(f"{description} {_TIME}", format="date-time")


_CHANNEL = object_of(
    {
        "Id": text("The channel's id."),
        "ProviderName": text("Its type: `rest`, `web` or `mobile`."),
        "Name": maybe(text("On rest the caller's own label in the address; else the channel's name.")),
    },
    ("Id", "ProviderName", "Name"),
    "The channel as it was when the conversation began.",
)
_PROFILE = object_of(
    {
        "ExternalId": maybe(text("An id that the page or a user token gave.")),
        "FirstName": maybe(text("First name.")),
        "LastName": maybe(text("Last name.")),
        "Avatar": maybe(text("Address of a picture.")),
        "Locale": maybe(text("Language, as in `de-AT`.")),
        "Timezone": maybe(text("Time zone, as in `Europe/Vienna`.")),
    },
    ("ExternalId", "FirstName", "LastName", "Avatar", "Locale", "Timezone"),
    "The user as it was when the conversation began.",
)
_CONVERSATION: Mapping[str, Form] = {
    "_id": text(_ID),
    "Bot": text("The bot's id."),
    "User": text(_USER),
    "Channel": text("The channel's id."),
    "Status": text(_STATUSES, enum=[*get_args(Status)]),
    "StartedAt": _moment("When its first message or opening came."),
    "UpdatedAt": _moment("When it last changed."),
    "EndedAt": maybe(_moment("When it ended; null while it is open.")),
    "Goal": maybe(text("Key of the first goal in the flow; null before one is chosen.")),
    "Errors": number("Failed turns and failed logins. Answers that were not allowed do not count.", minimum=0),
    "Messages": object_of(
        {
            "user": number("Messages and taps of the user, also while the bot is silent.", minimum=0),
            "bot": number("Messages of the bot.", minimum=0),
        },
        ("user", "bot"),
        "How many messages it has.",
    ),
    "FlowVersion": text("The version of the bot's files that it runs on."),
    "Data": object_of(
        {
            "channel": _CHANNEL,
            "user": _PROFILE,
            "context": _FREE
            | {
                "description": "What clients and the flow put into memory; secrets are masked. Over 64 KiB it is "
                '`{"truncated": bytes}`.'
            },
            "entities": _FREE | {"description": "The entities by name; secrets are masked."},
        },
        ("channel", "user", "context", "entities"),
        "Who spoke, where, and what the bot knew at the end (so far).",
    ),
}
_MESSAGE: Mapping[str, Form] = {
    "_id": text(_ID),
    "Bot": text("The bot's id."),
    "Conversation": text("The `_id` of its conversation."),
    "User": text(_USER),
    "Channel": text("The channel's id."),
    "From": text("Who said it.", enum=["user", "bot"]),
    "Type": text("What it is.", enum=["text", "option", "location", "file", "event", "template"]),
    "Text": maybe(text("What it says; `***` where it answers a question for a secret.")),
    "Payload": {
        "description": "What it holds besides text: chosen option, location, files, quick replies or dialog; or null."
    },
    "Step": maybe(text("What said it, as `conversation/index` in the flow; null on messages of the user.")),
    "Understanding": {
        "description": "What was found in the user's words, by entity type: `value`, `confidence`, `start`, `end` and "
        "`text` of each find; or null."
    },
    "Error": maybe(text("Why the flow failed here, if it did.")),
    "CreatedAt": _moment("When it was said."),
    "Sequence": number("1, 2, 3 and so on in its conversation.", minimum=1),
}


def _with_examples(described: Form, value: Any) -> Form:
    """Each property with its value in the example."""
    if "properties" not in described:
        return described | {"examples": [value]}
    properties = {name: _with_examples(one, value[name]) for name, one in described["properties"].items()}
    return described | {"properties": properties}


def _part(described: Form) -> Form:
    """The same where properties may be left out; ``_id`` never is."""
    if "properties" not in described:
        return described
    properties = {name: _part(one) for name, one in described["properties"].items()}
    needed = [name for name in described["required"] if name == "_id"]
    rest = {key: value for key, value in described.items() if key not in ("properties", "required")}
    return rest | {"properties": properties} | ({"required": needed} if needed else {})


def _schemas() -> Form:
    conversation = object_of(_CONVERSATION, _CONVERSATION, "One talk of one user, from its first message to its end.")
    message = object_of(_MESSAGE, _MESSAGE, "One message of a user or of the bot.")
    made = {}
    for name, described, value in (
        ("Conversation", conversation, CONVERSATION),
        ("Message", message, MESSAGE),
    ):
        whole = _with_examples(described, value)
        made[f"{name}Record"] = whole
        made[f"{name}Part"] = _part(whole) | {
            "description": f"Of a {name.lower()} the properties that `fields` names, and `_id`."
        }
    return made


_LETTER = object_of(
    {
        "id": text("Its id; the receiver sees it as `Idempotency-Key`.", "01a1fe42-c594-7001-8c1d-58ca063f304c"),
        "channel": text("The channel's id.", "backend"),
        "user": text("The user's id on that channel.", "ada"),
        "receiver": text("Who it was for: `callback`, or `live-agent` and its name.", "callback"),
        "createdAt": text("When it was to be delivered first.", "2026-11-20T08:15:30.250Z", format="date-time"),
        "deadAt": text("When it was given up.", "2026-11-21T08:20:11.004Z", format="date-time"),
        "attempts": number("How often it was tried.", 35),
        "reason": text("Why the last attempt failed.", "The receiver answered 500. Given up after 35 attempts."),
    },
    ("id", "channel", "user", "receiver", "createdAt", "deadAt", "attempts", "reason"),
    "A delivery to the outside that was given up, without what it says.",
)
_RECEIPT = object_of(
    {
        "user": text("The user's id.", "ada"),
        "channel": text("The channel's id.", "rest"),
        "conversations": number("Conversations that were deleted.", 12),
        "messages": number("Messages that were deleted.", 148),
        "files": number("Files that were deleted.", 1),
        "deliveries": number("Deliveries to the outside that were deleted.", 0),
        "memory": flag("Whether a memory of the user was deleted.", examples=[True]),
        "erasedAt": text("When it was done.", "2026-11-21T09:00:00.000Z", format="date-time"),
        "log": text(
            "The database's own log: `truncated`, `pending` (as soon as nobody reads from it), or the `operator`'s "
            "(PostgreSQL).",
            "truncated",
            enum=["truncated", "pending", "operator"],
        ),
    },
    ("user", "channel", "conversations", "messages", "files", "deliveries", "memory", "erasedAt", "log"),
    "What was erased of a person. Keep it as your proof; it holds nothing of what was said.",
)
_REFRESHED = object_of(
    {
        "type": text("The entity type.", "City"),
        "values": number("Values of the type now, those that stand in `data` included.", 214),
        "changed": flag("Whether the list is another than before.", examples=[True]),
        "skipped": number("Elements that gave no value.", 0),
        "fetchedAt": text("When it was read.", "2026-11-20T08:15:30.250Z", format="date-time"),
    },
    ("type", "values", "changed", "skipped", "fetchedAt"),
    "What came of reading a list.",
)
_PROBLEM = object_of(
    {
        "type": text("The kind of problem: `urn:dialoom:problem:` and the code.", "urn:dialoom:problem:bad-operand"),
        "title": text("The status in words.", "Bad Request"),
        "status": number("The status.", 400),
        "detail": text("What happened, where, and what to do.", "$size takes a whole number that is not negative."),
        "code": text("The stable word for programs.", "bad-operand"),
        "pointer": text("JSON pointer (RFC 6901) of the part at fault, where there is one.", "/Errors/$size"),
    },
    ("type", "title", "status", "detail", "code"),
    "Every error has this form (RFC 9457).",
)
SCHEMAS: Form = {
    **_schemas(),
    "Count": object_of({"count": number("How many records match.", 42, minimum=0)}, ("count",)),
    "DeadLetter": _LETTER,
    "DeadLetters": listed({"$ref": "#/components/schemas/DeadLetter"}, "The oldest first."),
    "Receipt": _RECEIPT,
    "Refreshed": _REFRESHED,
    "Problem": _PROBLEM,
    "Health": object_of({"status": text("`ok`.", "ok")}, ("status",)),
    "Readiness": object_of(
        {
            "status": text("`ok`.", "ok"),
            "pagesChecked": text(
                "On SQLite: when all pages of the data file were last read and found right.", "2026-11-22T10:00:00.000Z"
            ),
            "warnings": listed(
                object_of(
                    {
                        "code": text("`clock-doubted` or `store-damaged`.", "clock-doubted"),
                        "detail": text("What is the matter, and what to do."),
                    },
                    ("code", "detail"),
                ),
                "What an operator should see to; left out when there is nothing.",
            ),
        },
        ("status",),
    ),
}
