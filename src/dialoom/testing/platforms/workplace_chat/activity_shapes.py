"""The shapes of what the connector takes: activities, their attachments and suggested actions.

Sources: learn.microsoft.com/en-us/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference, and
learn.microsoft.com/en-us/microsoftteams/platform/bots/build-conversational-capability and .../cards/cards-reference.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.testing.platforms.shapes import (
    Address,
    Anything,
    Fault,
    Fields,
    Flag,
    ListOf,
    OneOf,
    Shape,
    Text,
    faults,
)
from dialoom.testing.platforms.workplace_chat.adaptive_cards import card_faults

MAX_ACTIVITY_BYTES = 100 * 1024
"""Of the JSON in UTF-16."""
MAX_ATTACHMENTS = 10
MAX_SUGGESTED_ACTIONS = 3
MAX_CARD_BUTTONS = 6

CARD = "application/vnd.microsoft.card."
_ANY_TEXT = Text(None, 0)
_ACTION = Fields(
    {"type": OneOf(("openUrl", "imBack", "messageBack", "invoke", "signin")), "title": Text()},
    {"value": Anything(), "text": Text(), "displayText": Text(), "image": Address(), "channelData": Anything()},
)
_BUTTONS = ListOf(_ACTION, MAX_CARD_BUTTONS)
_PICTURES = ListOf(Fields({"url": Address()}, {"alt": _ANY_TEXT, "tap": _ACTION}))
_HERO = Fields(
    {},
    {
        **dict.fromkeys(("title", "subtitle", "text"), _ANY_TEXT),
        "images": _PICTURES,
        "buttons": _BUTTONS,
        "tap": _ACTION,
    },
)
_CARDS: Mapping[str, Shape] = {
    "hero": _HERO,
    "thumbnail": _HERO,
    "signin": Fields({"buttons": ListOf(_ACTION, MAX_CARD_BUTTONS, 1)}, {"text": _ANY_TEXT}),
    "oauth": Fields(
        {"connectionName": Text(), "buttons": ListOf(_ACTION, 1, 1)},
        {
            "text": _ANY_TEXT,
            "tokenExchangeResource": Fields({}, {"id": Text(), "uri": Text(), "providerId": _ANY_TEXT}),
            "tokenPostResource": Fields({}, {"sasUrl": Address()}),
        },
    ),
}
_ATTACHMENT = Fields(
    {"contentType": Text()},
    {"content": Anything(), "contentUrl": Address(), "name": _ANY_TEXT, "thumbnailUrl": Address()},
)
_ACCOUNT = Fields({"id": Text()}, {"name": _ANY_TEXT, "aadObjectId": Text(), "role": Text()})
ACTIVITY = Fields(
    {"type": OneOf(("message", "typing"))},
    {
        "id": Text(),
        "text": _ANY_TEXT,
        "textFormat": OneOf(("plain", "markdown", "xml")),
        "attachments": ListOf(_ATTACHMENT, MAX_ATTACHMENTS),
        "attachmentLayout": OneOf(("list", "carousel")),
        "suggestedActions": Fields({"actions": ListOf(_ACTION, MAX_SUGGESTED_ACTIONS, 1)}, {"to": ListOf(Text())}),
        "from": _ACCOUNT,
        "recipient": _ACCOUNT,
        "conversation": Anything(),
        "replyToId": Text(),
        "locale": Text(),
        "channelId": Text(),
        "serviceUrl": Text(),
        "timestamp": Text(),
        "inputHint": OneOf(("acceptingInput", "expectingInput", "ignoringInput")),
        "summary": _ANY_TEXT,
        "speak": _ANY_TEXT,
        "importance": OneOf(("low", "normal", "high")),
        "entities": ListOf(Anything()),
        "channelData": Anything(),
        "value": Anything(),
        "isNotificationOnly": Flag(),
    },
)


def activity_faults(activity: Any) -> Iterator[Fault]:
    """Yield what is wrong with an activity that the service sends."""
    found = list(faults(activity, ACTIVITY))
    yield from found
    if found or activity["type"] != "message":
        return
    attachments = activity.get("attachments", [])
    if not activity.get("text") and not attachments:
        yield Fault(("text",), "missing", "or attachments must be there")
    if activity.get("suggestedActions") and attachments:
        yield Fault(("suggestedActions",), "value", "are not shown beside attachments")
    for action in activity.get("suggestedActions", {}).get("actions", []):
        if action["type"] != "imBack":
            yield Fault(("suggestedActions", "actions"), "value", f"are of the type imBack only, not {action['type']}")
    for position, attachment in enumerate(attachments):
        for fault in _attachment_faults(attachment):
            yield Fault(("attachments", position, "content", *fault.path), fault.kind, fault.detail, fault.limit)


def _attachment_faults(attachment: Mapping[str, Any]) -> Iterator[Fault]:
    kind = attachment["contentType"]
    name = kind.removeprefix(CARD)
    if kind == CARD + "adaptive":
        yield from card_faults(attachment.get("content"))
    elif name in _CARDS and kind.startswith(CARD):
        found = list(faults(attachment.get("content"), _CARDS[name]))
        yield from found
        if not found:
            yield from _button_faults(attachment["content"].get("buttons", []))
    elif kind.startswith("image/"):
        if "contentUrl" not in attachment:
            yield Fault(("contentUrl",), "missing", "must be there")
    else:
        yield Fault(("contentType",), "value", f"{kind!r} is not shown")


def _button_faults(buttons: list[dict[str, Any]]) -> Iterator[Fault]:
    for position, button in enumerate(buttons):
        path = ("buttons", position, "value")
        value = button.get("value")
        if button["type"] in ("openUrl", "signin"):
            yield from faults(value, Address(schemes=("https", "http")), path)
        elif button["type"] == "imBack" and not (isinstance(value, str) and value):
            yield Fault(path, "missing", "must be a text")
