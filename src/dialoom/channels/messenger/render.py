"""Messages of the bot as messages of the Send API.

Sources below developers.facebook.com/documentation/business-messaging/messenger-platform: send-messages (text of 2000),
send-messages/quick-replies (13, title of 20, payload of 1000), send-messages/template/button (text of 640),
send-messages/template/generic (10 elements, title and subtitle of 80), send-messages/buttons (title of 20).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from dialoom.channels._contract.fit import BELOW, clipped, fit, is_picture, plain_text, titles
from dialoom.channels._contract.taps import payload
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages.formatted import to_signs

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from dialoom.channels._contract.fit import Link, Part
    from dialoom.messages import Dialog, Option
    from dialoom.messages.formatted import Style
    from dialoom.service.chat.transcript import Spoken

ROW: Final = CHANNEL_ROWS["messenger-1"]
MAX_TEXT_CHARS: Final = 2000
MAX_TITLE_CHARS: Final = 20
"""Of a quick reply and of a button."""
MAX_PAYLOAD_BYTES: Final = 1000
"""The platform counts characters, which are no more than bytes."""
MAX_CARD_CHARS: Final = 80
"""Of a card's title, and of its subtitle."""
MAX_CARDS: Final = 10
MAX_BUTTON_TEXT_CHARS: Final = 640
"""Of the text of a template with buttons."""
SIGNS: Final[Mapping[Style, str]] = {"code": "`", "strike": "~", "italic": "_", "bold": "*"}
"""What Messenger shows as styled text, on the web at least (muchen.ca/blog/2019/messenger-syntax; no page of the vendor
says it); templates show none of it."""


def messages_of(spoken: Spoken, language: str) -> list[dict[str, Any]]:
    """Return the messages that carry a message of the bot."""
    return [message for part in fit(spoken, ROW, language) for message in _messages(part)]


def _messages(part: Part) -> list[dict[str, Any]]:
    dialog = part.dialog
    if dialog is not None and dialog.options:
        before = [{"text": _formatted(part.text)}] if part.text else []
        cards = [_template("generic", {"elements": some}) for some in _batches(_cards(dialog))]
        return _with_replies([*before, *cards], part.buttons)
    if part.link is not None:
        return _with_replies(_link(part.text, part.link), part.buttons)
    title = dialog.title if dialog is not None and not part.text else ""
    text = clipped(title, MAX_TEXT_CHARS) or _formatted(part.text)
    return _with_replies([{"text": text}], part.buttons)


def _formatted(text: str) -> str:
    """Return a text with Messenger's signs; without where they would make it too long."""
    shown = (to_signs(text, SIGNS), to_signs(text, {}), plain_text(text))
    return next(one for one in shown if len(one) <= MAX_TEXT_CHARS) or BELOW


def _link(text: str, link: Link) -> list[dict[str, Any]]:
    """Return what shows a button that opens an address. Its text is short; a longer one goes before it."""
    title = link.title or BELOW
    button = {"type": "web_url", "url": link.url, "title": clipped(title, MAX_TITLE_CHARS)}
    plain = to_signs(text, {})
    if is_picture(link.image):
        card = {"title": clipped(title, MAX_CARD_CHARS), "image_url": link.image, "buttons": [button]}
        return [*([{"text": _formatted(text)}] if plain else []), _template("generic", {"elements": [card]})]
    if 0 < len(plain) <= MAX_BUTTON_TEXT_CHARS:
        return [_template("button", {"text": plain, "buttons": [button]})]
    shown = _template("button", {"text": clipped(title, MAX_BUTTON_TEXT_CHARS), "buttons": [button]})
    return [{"text": _formatted(text)}, shown] if plain else [shown]


def _cards(dialog: Dialog) -> list[dict[str, Any]]:
    """Return a card for each option, with the button that chooses it."""
    found = []
    for option, title in zip(dialog.options, titles(dialog.options, MAX_CARD_CHARS), strict=True):
        button = clipped(dialog.button_text or title, MAX_TITLE_CHARS)
        card: dict[str, Any] = {"title": title or BELOW}
        if option.subtitle:
            card["subtitle"] = clipped(option.subtitle, MAX_CARD_CHARS)
        if is_picture(option.image):
            card["image_url"] = option.image
        card["buttons"] = [{"type": "postback", "title": button or BELOW, "payload": _payload(option)}]
        found.append(card)
    return found


def _batches(cards: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    return [cards[start : start + MAX_CARDS] for start in range(0, len(cards), MAX_CARDS)]


def _with_replies(messages: list[dict[str, Any]], buttons: Sequence[Option]) -> list[dict[str, Any]]:
    """Put the quick replies below the last message: they stand there until something else is said."""
    if not buttons:
        return messages
    replies = [_reply(button, title) for button, title in zip(buttons, titles(buttons, MAX_TITLE_CHARS), strict=True)]
    *first, last = messages
    return [*first, {**last, "quick_replies": replies}]


def _reply(option: Option, title: str) -> dict[str, Any]:
    picture = {"image_url": option.image} if is_picture(option.image) else {}
    return {"content_type": "text", "title": title or BELOW, "payload": _payload(option), **picture}


def _payload(option: Option) -> str:
    return payload(option, MAX_PAYLOAD_BYTES)


def _template(kind: str, fields: dict[str, Any]) -> dict[str, Any]:
    return {"attachment": {"type": "template", "payload": {"template_type": kind, **fields}}}
