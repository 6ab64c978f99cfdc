"""Messages of the bot as calls of the Bot API's methods (core.telegram.org/bots/api#available-methods)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final
from urllib.parse import urlsplit

import msgspec

from dialoom.channels._contract.fit import BELOW, clipped, fit, in_rows
from dialoom.channels._contract.taps import payload
from dialoom.channels.telegram.updates import SHOW_MORE
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages.formatted import to_html
from dialoom.messages.plain import plain_title

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from dialoom.channels._contract.fit import Part
    from dialoom.messages import Dialog, Option
    from dialoom.service.chat.transcript import Spoken

ROW: Final = CHANNEL_ROWS["messenger-3"]
MAX_CAPTION_CHARS: Final = 1024
"""Characters below a picture, without their marks (core.telegram.org/bots/api#sendphoto)."""
MAX_DATA_BYTES: Final = 64
"""Bytes that a button sends (core.telegram.org/bots/api#inlinekeyboardbutton)."""
MAX_TEXT_CHARS: Final = 4096
"""Characters of a message, without their marks (core.telegram.org/bots/api#sendmessage)."""
MAX_TITLE_CHARS: Final = 64
"""Characters of a button. The platform takes more, and clients cut what does not fit into the line."""
MAX_INLINE_OPTIONS: Final = 10
"""Options of a list that opens in the chat (channels.md section 1); a longer one is the hosted page."""


class Call(msgspec.Struct, frozen=True):
    """A call of a method. The chat is put in when it is made."""

    method: str
    fields: dict[str, Any]
    instead: Call | None = None
    """What is sent where the platform cannot show the picture of this call."""


def calls_of(spoken: Spoken, language: str) -> list[Call]:
    """Return the calls that show a message."""
    return [call for part in fit(spoken, ROW, language) for call in _calls(part, spoken)]


def _calls(part: Part, spoken: Spoken) -> list[Call]:
    dialog = part.dialog
    rows = _rows(part.buttons)
    if part.link is not None:
        rows.insert(0, [{"text": clipped(part.link.title, MAX_TITLE_CHARS), "url": part.link.url}])
    if dialog is None:
        return [_text(part.text, _inline(rows))]
    if dialog.type == "location-picker":
        return [_text(part.text or dialog.title, _location_keyboard(dialog, part.buttons))]
    if dialog.type == "carousel" and dialog.options:
        before = [_text(part.text, None)] if part.text else []
        return [*before, card(dialog, 0, part.buttons)]
    return [_text(part.text or dialog.title, _inline([*_list_button(dialog, spoken), *rows]))]


def _list_button(dialog: Dialog, spoken: Spoken) -> list[list[dict[str, Any]]]:
    """Return the button that opens a list: in the chat, or where it is long on the hosted page; none for an empty one,
    whose question is answered in words."""
    if not dialog.options:
        return []
    title = clipped(dialog.title or dialog.button_text, MAX_TITLE_CHARS)
    if len(dialog.options) > MAX_INLINE_OPTIONS and spoken.picker is not None:
        return [[{"text": title, "url": spoken.picker}]]
    return [[{"text": title, "callback_data": f"{SHOW_MORE}{dialog.key}.list"}]]


def opened(dialog: Dialog, replies: Iterable[Option]) -> dict[str, Any]:
    """Return the keyboard with the options of a list."""
    return _inline([*([_button(option)] for option in dialog.options), *_rows(tuple(replies))]) or {}


def card(dialog: Dialog, index: int, replies: Sequence[Option]) -> Call:
    """Return the call that shows one option of a carousel, with buttons that lead to the others."""
    option, count = dialog.options[index], len(dialog.options)
    title = clipped(plain_title(option.title), MAX_CAPTION_CHARS)
    text = f"<b>{to_html(title)}</b>"
    if option.subtitle:
        text += "\n" + to_html(clipped(option.subtitle, MAX_TEXT_CHARS - 2 * MAX_CAPTION_CHARS))
    turning = [
        {"text": "‹", "callback_data": f"{SHOW_MORE}{dialog.key}.{(index - 1) % count}"},
        {"text": f"{index + 1}/{count}", "callback_data": f"{SHOW_MORE}{dialog.key}.{index}"},
        {"text": "›", "callback_data": f"{SHOW_MORE}{dialog.key}.{(index + 1) % count}"},
    ]
    choosing = {"text": clipped(dialog.button_text or plain_title(option.title), MAX_TITLE_CHARS)}
    rows = [*([turning] if count > 1 else []), [choosing | {"callback_data": option.key}], *_rows(replies)]
    markup = {"reply_markup": _inline(rows)}
    without_photo = Call("sendMessage", {"text": text, "parse_mode": "HTML", **markup})
    if has_photos(dialog):
        fields = {"photo": option.image, "caption": text, "parse_mode": "HTML", **markup}
        return Call("sendPhoto", fields, without_photo)
    return without_photo


def has_photos(dialog: Dialog) -> bool:
    """Return whether all options have a picture that can be shown, and room for their words below it: a card with one
    cannot be turned into a card without."""
    return all(_is_picture(option.image) and _is_caption(option) for option in dialog.options)


def _is_picture(address: str | None) -> bool:
    return address is not None and not urlsplit(address).path.lower().endswith(".svg")


def _is_caption(option: Option) -> bool:
    text = f"{option.title}\n{option.subtitle or ''}"
    return clipped(text, MAX_CAPTION_CHARS) == text


def _text(text: str, markup: dict[str, Any] | None) -> Call:
    fields: dict[str, Any] = {"text": to_html(text) or BELOW, "parse_mode": "HTML"}
    # The keyboard that sends a place is over with the next message that has none.
    return Call("sendMessage", fields | {"reply_markup": markup or {"remove_keyboard": True}})


def _rows(buttons: Sequence[Option]) -> list[list[dict[str, Any]]]:
    return in_rows(map(_button, buttons), lambda button: button["text"])


def _button(option: Option) -> dict[str, Any]:
    title = clipped(plain_title(option.title), MAX_TITLE_CHARS)
    return {"text": title, "callback_data": payload(option, MAX_DATA_BYTES)}


def _inline(rows: list[list[dict[str, Any]]]) -> dict[str, Any] | None:
    return {"inline_keyboard": rows} if rows else None


def _location_keyboard(dialog: Dialog, buttons: Iterable[Option]) -> dict[str, Any]:
    """Return the keyboard that sends the user's place; it is no inline one, so that its other buttons send their
    title."""
    first = {"text": clipped(dialog.title or dialog.button_text, MAX_TITLE_CHARS), "request_location": True}
    others = [[{"text": clipped(plain_title(button.title), MAX_TITLE_CHARS)}] for button in buttons]
    return {"keyboard": [[first], *others], "resize_keyboard": True, "one_time_keyboard": True}
