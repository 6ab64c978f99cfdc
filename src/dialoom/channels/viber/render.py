"""Messages of the bot as messages of Viber.

Sources: creators.viber.com/docs/bots-api, resources/messaging/send-message (30 KB, name of 28), data-models/message
(text of 7000), resources/messaging/keyboards (6 columns, text of 250 characters of HTML; a button that opens an address
sends it as well; the native picker of a place needs API level 3 and is shown by phones alone).
"""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.channels._contract.fit import BELOW, clipped, fit, in_rows, is_picture, split, titles
from dialoom.channels._contract.taps import said
from dialoom.channels.viber.events import TAP
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages.formatted import to_signs

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.channels._contract.fit import Link, Part
    from dialoom.flow import Bot
    from dialoom.messages import Dialog, Option
    from dialoom.service.chat.transcript import Spoken

ROW: Final = CHANNEL_ROWS["messenger-2"]
MAX_TEXT_CHARS: Final = 7000
MAX_MESSAGE_BYTES: Final = 30 * 1024
MAX_RECEIVER_BYTES: Final = 512
"""Kept free for the user's id, which comes into the message when it is sent."""
MAX_SENDER_CHARS: Final = 28
MAX_TITLE_CHARS: Final = 50
"""Characters of a button's title: escaped as HTML at most 250."""
COLUMNS: Final = 6
LOCATION_API_LEVEL: Final = 3
MAX_ROWS: Final = 24
"""Of a keyboard; one with a picture takes two."""


def messages_of(spoken: Spoken, bot: Bot) -> list[dict[str, Any]]:
    """Return the messages that carry a message of the bot."""
    return [message for part in fit(spoken, ROW, bot.file.language) for message in _messages(part, bot)]


def joined(spoken: Sequence[Spoken], bot: Bot) -> dict[str, Any] | None:
    """Return all messages of a turn as one, with the last keyboard; None where nothing is said."""
    messages = [message for one in spoken for message in messages_of(one, bot)]
    if not messages:
        return None
    boards = [message for message in messages if "keyboard" in message]
    texts = [message["text"] for message in messages if message["text"] != BELOW]
    text = clipped("\n\n".join(texts) or BELOW, MAX_TEXT_CHARS)
    whole = {**(boards[-1] if boards else messages[-1]), "text": text}
    if len(msgspec.json.encode(whole)) > MAX_MESSAGE_BYTES:
        whole["text"] = clipped(text, MAX_TEXT_CHARS // 8)
    return whole


def _messages(part: Part, bot: Bot) -> list[dict[str, Any]]:
    pictures = [] if part.link is None or not is_picture(part.link.image) else [_picture(part.link, bot)]
    return [*pictures, *_with_board(part, bot)]


def _picture(link: Link, bot: Bot) -> dict[str, Any]:
    return {**_text("", bot), "type": "picture", "media": link.image}


def _with_board(part: Part, bot: Bot) -> list[dict[str, Any]]:
    text = to_signs(part.text, {}) or (part.dialog.title if part.dialog is not None else "") or BELOW
    buttons = _buttons(part)
    level = {"min_api_version": LOCATION_API_LEVEL} if _has_location_button(part) else {}
    board = {"keyboard": {"Type": "keyboard", "Buttons": buttons}, **level} if buttons else {}
    whole = _text(text, bot) | board
    if _fits(whole):
        return [whole]
    alone = [_text(text, bot)] if _fits(_text(text, bot)) else [_text(some, bot) for some in _pieces(text)]
    return [*alone, _text(BELOW, bot) | board] if board else alone


def _text(text: str, bot: Bot) -> dict[str, Any]:
    sender = {"name": clipped(bot.name, MAX_SENDER_CHARS)}
    avatar = bot.file.avatar
    if avatar and avatar.lower().startswith(("http://", "https://")):
        sender["avatar"] = avatar
    return {"type": "text", "text": text, "sender": sender}


def _fits(message: dict[str, Any]) -> bool:
    return (
        len(message["text"]) <= MAX_TEXT_CHARS
        and len(msgspec.json.encode(message)) <= MAX_MESSAGE_BYTES - MAX_RECEIVER_BYTES
    )


def _pieces(text: str) -> list[str]:
    """Return a text whose signs take many bytes in pieces that fit whatever they are: JSON writes one in up to 12."""
    return split(text, (MAX_MESSAGE_BYTES - 4 * MAX_RECEIVER_BYTES) // 12)


def _buttons(part: Part) -> list[dict[str, Any]]:
    found = []
    if part.dialog is not None and part.dialog.type == "location-picker":
        found.append(_location_button(part.dialog))
    if part.link is not None:
        found.append(_link_button(part.link))
    named = zip(part.buttons, titles(part.buttons, MAX_TITLE_CHARS), strict=True)
    replies = [_reply_button(option, title) for option, title in named]
    if len(found) + sum(button.get("Rows", 1) for button in replies) > MAX_ROWS:
        replies = [{key: value for key, value in one.items() if key not in _PICTURED} for one in replies]
    return [*found, *_with_columns(replies)]


def _has_location_button(part: Part) -> bool:
    return part.dialog is not None and part.dialog.type == "location-picker"


def _location_button(dialog: Dialog) -> dict[str, Any]:
    return {"ActionType": "location-picker", "ActionBody": "location", **_shown(dialog.title or dialog.button_text)}


def _link_button(link: Link) -> dict[str, Any]:
    """Return a button that opens the user's browser: identity providers refuse to be shown inside of other apps."""
    opening = {"ActionType": "open-url", "ActionBody": link.url, "OpenURLType": "external", "Silent": True}
    return {**opening, **_shown(link.title)}


def _reply_button(option: Option, title: str) -> dict[str, Any]:
    """Return a button that sends the key of its option, which the chat does not show; a mere suggestion sends its text
    as if the user had typed it."""
    if not option.key:
        return {"ActionType": "reply", "ActionBody": said(option) or BELOW, **_shown(title), **_pictured(option)}
    return {"ActionType": "reply", "ActionBody": TAP + option.key, "Silent": True, **_shown(title), **_pictured(option)}


_PICTURED: Final = ("Image", "Rows", "TextVAlign")


def _pictured(option: Option) -> dict[str, Any]:
    """Return what shows the picture of an option above its title."""
    return {"Image": option.image, "Rows": 2, "TextVAlign": "bottom"} if is_picture(option.image) else {}


def _shown(title: str) -> dict[str, Any]:
    return {"Text": html.escape(clipped(title, MAX_TITLE_CHARS) or BELOW, quote=False)}


def _with_columns(buttons: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return buttons each with its part of a row."""
    # One with a picture is higher, and has its row alone.
    rows = in_rows(buttons, lambda button: button["Text"] + " " * ("Image" in button) * MAX_TITLE_CHARS)
    return [{**button, "Columns": COLUMNS // len(row)} for row in rows for button in row]
