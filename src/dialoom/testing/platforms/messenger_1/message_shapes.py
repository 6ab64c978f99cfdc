"""The shapes of what the Send API takes, with their limits.

Sources, all below developers.facebook.com/documentation/business-messaging/messenger-platform: send-messages (text of
2000), send-messages/quick-replies (13, title of 20, payload of 1000), send-messages/template/button (text of 640, 1 to
3 buttons), send-messages/template/generic (10 elements, title and subtitle of 80, one property besides the title),
send-messages/buttons (title of 20, payload of 1000; account_link with HTTPS).
"""

from __future__ import annotations

from collections.abc import Mapping

from dialoom.testing.platforms.shapes import (
    Address,
    By,
    Fault,
    Fields,
    Flag,
    ListOf,
    OneOf,
    Shape,
    Text,
)

MAX_TEXT_CHARS = 2000
MAX_BUTTON_TEMPLATE_TEXT_CHARS = 640
MAX_QUICK_REPLIES = 13
MAX_TITLE_CHARS = 20
MAX_PAYLOAD_CHARS = 1000
MAX_ELEMENTS = 10
MAX_ELEMENT_TEXT_CHARS = 80
MAX_BUTTONS = 3

TAGS = ("CONFIRMED_EVENT_UPDATE", "POST_PURCHASE_UPDATE", "ACCOUNT_UPDATE", "HUMAN_AGENT")
_WEB = Address(schemes=("https", "http"))
_TITLE = Text(MAX_TITLE_CHARS)
_PAYLOAD = Text(MAX_PAYLOAD_CHARS)
_WEBVIEW: Mapping[str, Shape] = {
    "webview_height_ratio": OneOf(("compact", "tall", "full")),
    "messenger_extensions": Flag(),
    "fallback_url": Address(),
    "webview_share_button": OneOf(("hide",)),
}
_BUTTONS = ListOf(
    By(
        "type",
        {
            "web_url": Fields({"url": _WEB, "title": _TITLE}, _WEBVIEW),
            "postback": Fields({"title": _TITLE, "payload": _PAYLOAD}),
            "phone_number": Fields({"title": _TITLE, "payload": Text()}),
            "account_link": Fields({"url": Address()}),
            "account_unlink": Fields(),
        },
    ),
    MAX_BUTTONS,
    1,
)
_ELEMENT = Fields(
    {"title": Text(MAX_ELEMENT_TEXT_CHARS)},
    {
        "subtitle": Text(MAX_ELEMENT_TEXT_CHARS, 0),
        "image_url": _WEB,
        "default_action": By("type", {"web_url": Fields({"url": _WEB}, _WEBVIEW)}),
        "buttons": _BUTTONS,
    },
)
_TEMPLATE = By(
    "template_type",
    {
        "button": Fields({"text": Text(MAX_BUTTON_TEMPLATE_TEXT_CHARS), "buttons": _BUTTONS}),
        "generic": Fields(
            {"elements": ListOf(_ELEMENT, MAX_ELEMENTS, 1)},
            {"image_aspect_ratio": OneOf(("horizontal", "square")), "sharable": Flag()},
        ),
    },
)
_MEDIA = Fields({"payload": Fields({}, {"url": _WEB, "attachment_id": Text(), "is_reusable": Flag()})})
_ATTACHMENT = By(
    "type",
    {"template": Fields({"payload": _TEMPLATE}), **dict.fromkeys(("image", "audio", "video", "file"), _MEDIA)},
)
_QUICK_REPLY = By(
    "content_type",
    {
        "text": Fields({"title": _TITLE, "payload": _PAYLOAD}, {"image_url": _WEB}),
        "user_phone_number": Fields(),
        "user_email": Fields(),
    },
)
_MESSAGE = Fields(
    {},
    {
        "text": Text(MAX_TEXT_CHARS),
        "attachment": _ATTACHMENT,
        "quick_replies": ListOf(_QUICK_REPLY, MAX_QUICK_REPLIES),
        "metadata": Text(1000),
    },
)
SEND = Fields(
    {"recipient": Fields({"id": Text()})},
    {
        "messaging_type": OneOf(("RESPONSE", "UPDATE", "MESSAGE_TAG")),
        "message": _MESSAGE,
        "sender_action": OneOf(("typing_on", "typing_off", "mark_seen")),
        "tag": OneOf(TAGS),
        "notification_type": OneOf(("REGULAR", "SILENT_PUSH", "NO_PUSH")),
        "persona_id": Text(),
    },
)
PROFILE = Fields(
    {},
    {
        "get_started": Fields({"payload": _PAYLOAD}),
        "greeting": ListOf(Fields({"locale": Text(), "text": Text(160)})),
        "whitelisted_domains": ListOf(Address(), 50),
        "account_linking_url": Address(),
        "persistent_menu": ListOf(
            Fields({"locale": Text(), "call_to_actions": _BUTTONS}, {"composer_input_disabled": Flag()})
        ),
        "ice_breakers": ListOf(Fields({"question": Text(80), "payload": _PAYLOAD}), 4),
    },
)
SUBSCRIBED_FIELDS = {
    "message": "messages",
    "postback": "messaging_postbacks",
    "referral": "messaging_referrals",
    "optin": "messaging_optins",
    "account_linking": "messaging_account_linking",
    "read": "message_reads",
    "delivery": "message_deliveries",
    "reaction": "message_reactions",
    "message_edit": "message_edits",
}
"""Of each event, the field of the page that has to be subscribed."""
ALL_FIELDS = frozenset(SUBSCRIBED_FIELDS.values()) | {"message_echoes", "messaging_handovers", "standby"}


def elements_with_title_alone(payload: object) -> Fault | None:
    """Return the fault of a generic template whose element has nothing besides its title."""
    elements = payload.get("elements", []) if isinstance(payload, dict) else []
    for position, element in enumerate(elements):
        if element.keys() == {"title"}:
            path = ("message", "attachment", "payload", "elements", position)
            return Fault(path, "missing", "needs a property besides its title")
    return None
