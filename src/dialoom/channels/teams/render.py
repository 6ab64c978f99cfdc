"""Messages of the bot as activities: text, Adaptive Cards of version 1.5, sign-in cards.

Limits: https://learn.microsoft.com/microsoftteams/platform/bots/how-to/format-your-bot-messages (size) and
.../task-modules-and-cards/cards/cards-reference (cards of a carousel, what Teams draws). Accounts and conversation are
put in when an activity is posted (``connector.post``).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.channels._contract.adaptive_cards import (
    ASK,
    CARD_TYPE,
    SIGN_IN_TYPE,
    attachment,
    dialog_cards,
    link_card,
    picture_card,
    replies_card,
    sign_in,
)
from dialoom.channels._contract.fit import fit, plain_text
from dialoom.flow.channels import CHANNEL_ROWS

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from dialoom.channels._contract.fit import Part
    from dialoom.messages import Dialog, Option
    from dialoom.service.chat.transcript import Spoken

ROW: Final = CHANNEL_ROWS["workplace-chat"]
MAX_ACTIVITY_BYTES: Final = 100 * 1024
"""Bytes of the JSON of one message in UTF-16; a larger one is refused with 413 ``MessageSizeTooBig``."""
ACCOUNTS_BYTES: Final = 4 * 1024
"""Of which so many are left for conversation and accounts."""
MAX_CAROUSEL_CARDS: Final = 10
OAUTH_TYPE: Final = "application/vnd.microsoft.card.oauth"
OWNER: Final = "for"
"""In what a button in a group brings: the user whose question it answers."""
TYPING: Final[dict[str, Any]] = {"type": "typing"}


def activities_of(spoken: Spoken, language: str) -> list[dict[str, Any]]:
    """Return the activities that show a message."""
    return [one for part in fit(spoken, ROW, language) for one in _activities(part, spoken)]


def _activities(part: Part, spoken: Spoken) -> Iterator[dict[str, Any]]:
    dialog, link = part.dialog, part.link
    if link is not None and spoken.message.dialog is not None and spoken.message.dialog.type == "login":
        if link.image is not None and link.image.startswith("https://"):
            # A sign-in card has no picture.
            yield _message("", [attachment(picture_card(link.image, link.title))])
        # Where Teams signs the user in by itself it shows nothing of the card, so that the words stand in it.
        yield _message("", [sign_in(plain_text(part.text), link.title, link.url, "signin")])
        yield from _with_replies("", [], part.buttons)
    elif link is not None:
        yield from _with_replies(part.text, [link_card(link.title, link.url)], part.buttons)
    elif dialog is None:
        yield from _with_replies(part.text, [], part.buttons)
    elif dialog.type == "carousel":
        yield from _carousel(part.text, dialog_cards(_with_https_images(dialog), submit=_submit))
        yield from _with_replies("", [], part.buttons)
    else:
        yield from _with_replies(part.text, _input_cards(dialog, spoken), part.buttons)


def _with_replies(text: str, cards: Sequence[dict[str, Any]], buttons: Sequence[Option]) -> Iterator[dict[str, Any]]:
    shown = [*cards, *([replies_card("", buttons, _submit)] if buttons else [])]
    if text or shown:
        yield _message(text, [attachment(card) for card in shown])


def _input_cards(dialog: Dialog, spoken: Spoken) -> list[dict[str, Any]]:
    """Return the card of a dialog, or where it is too large for a message one that leads to the hosted page."""
    cards = dialog_cards(dialog, submit=_submit)
    if spoken.picker is None or _fits(_message(spoken.message.text, [attachment(card) for card in cards])):
        return cards
    return [link_card(dialog.title or dialog.button_text, spoken.picker)]


def _carousel(text: str, cards: Sequence[dict[str, Any]]) -> Iterator[dict[str, Any]]:
    """Yield messages of at most ten cards each."""
    shown: list[dict[str, Any]] = []
    for card in map(attachment, cards):
        if shown and (len(shown) == MAX_CAROUSEL_CARDS or not _fits(_message(text, [*shown, card]))):
            yield _message(text, shown) | {"attachmentLayout": "carousel"}
            text, shown = "", []
        shown.append(card)
    if text or shown:
        yield _message(text, shown) | ({"attachmentLayout": "carousel"} if shown else {})


def _with_https_images(dialog: Dialog) -> Dialog:
    """Return the dialog without pictures that Teams does not load: it refuses the whole message for one over http."""
    options = (
        option if (option.image or "https://").startswith("https://") else msgspec.structs.replace(option, image=None)
        for option in dialog.options
    )
    return msgspec.structs.replace(dialog, options=tuple(options))


def _message(text: str, attachments: Sequence[dict[str, Any]]) -> dict[str, Any]:
    said = {"text": text, "textFormat": "markdown"} if text else {}
    return {"type": "message", **said, **({"attachments": list(attachments)} if attachments else {})}


def _fits(activity: dict[str, Any]) -> bool:
    size = len(msgspec.json.encode(activity).decode().encode("utf-16-le"))
    return size <= MAX_ACTIVITY_BYTES - ACCOUNTS_BYTES


def _submit(title: str, brings: dict[str, Any]) -> dict[str, Any]:
    """Return what a button brings; that of an option also shows in the chat what was chosen. Inputs come beside what
    the button of their card brings."""
    if not brings or ASK in brings:
        return brings
    # Clients of the connector that are not Teams submit all of it.
    return brings | {"msteams": {"type": "messageBack", "displayText": title, "value": brings}}


def as_oauth_card(activity: dict[str, Any], connection: str, resource: dict[str, Any]) -> dict[str, Any]:
    """Return the activity of a sign-in card as one that Teams answers with a token of its own, if it can.
    ``resource``: what the token service said."""
    (card,) = activity["attachments"]
    (button,) = card["content"]["buttons"]
    content: dict[str, Any] = {
        "text": card["content"]["text"],
        "connectionName": connection,
        "buttons": [button | {"value": resource.get("signInLink")}],
    }
    for name in ("tokenExchangeResource", "tokenPostResource"):
        if isinstance(resource.get(name), dict):
            content[name] = resource[name]
    return activity | {"attachments": [{"contentType": OAUTH_TYPE, "content": content}]}


def bound_to(activity: dict[str, Any], user: str) -> dict[str, Any]:
    """Return the activity with buttons that say whose they are: in a group everybody can press them."""
    cards = (one["content"] for one in activity.get("attachments", ()) if one["contentType"] == CARD_TYPE)
    for action in (action for card in cards for action in _actions(card)):
        data = action["data"] | {OWNER: user}
        if "msteams" in data:
            data["msteams"] = data["msteams"] | {"value": data["msteams"]["value"] | {OWNER: user}}
        action["data"] = data
    return activity


def _actions(card: dict[str, Any]) -> Iterator[dict[str, Any]]:
    for holder in (card, *card["body"]):
        yield from (action for action in holder.get("actions", ()) if action["type"] == "Action.Submit")


def is_sign_in(activity: dict[str, Any]) -> bool:
    return any(one["contentType"] == SIGN_IN_TYPE for one in activity.get("attachments", ()))
