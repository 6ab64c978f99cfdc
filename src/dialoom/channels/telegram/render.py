"""Messages of the bot as calls of the Bot API's methods (core.telegram.org/bots/api#available-methods)."""

from __future__ import annotations

import html
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.channels._contract.fit import BELOW, clipped, fit, in_rows, is_picture, listed, split
from dialoom.channels._contract.taps import payload
from dialoom.channels.telegram.updates import SHOW_MORE
from dialoom.flow.channels import CHANNEL_ROWS
from dialoom.messages.formatted import to_html
from dialoom.messages.plain import as_markdown

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
    if dialog is None and part.link is not None and is_picture(part.link.image):
        return [_pictured(part.text, part.link.image, _inline(rows))]
    if dialog is None:
        return [_text(to_html(part.text), _inline(rows))]
    question = to_html(part.text) or _escaped(dialog.title)
    if dialog.type == "location-picker":
        return [_text(question, _location_keyboard(dialog, part.buttons))]
    if dialog.type == "carousel" and dialog.options:
        before = [_text(to_html(part.text), None)] if part.text else []
        return [*before, card(dialog, 0, part.buttons)]
    *texts, last = _with_list(part.text or as_markdown(dialog.title), dialog)
    shown = _inline([*_list_button(dialog, spoken), *rows])
    return [*(_text(to_html(text), None) for text in texts), _text(to_html(last), shown)]


def _with_list(text: str, dialog: Dialog) -> list[str]:
    """Return the texts of a question with the subtitles of its options: their buttons have one line each."""
    if len(dialog.options) > MAX_INLINE_OPTIONS or not any(option.subtitle for option in dialog.options):
        return [text]
    lines = "\n".join(f"- {listed(option)}" for option in dialog.options)
    return split(f"{text}\n{lines}", MAX_TEXT_CHARS)


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
    """Return the keyboard with the options of a list, which is plain."""
    return _inline([*([_button(option)] for option in dialog.options), *_rows(tuple(replies))]) or {}


def card(dialog: Dialog, index: int, replies: Sequence[Option]) -> Call:
    """Return the call that shows one option of a carousel, which is plain, with buttons that lead to the others."""
    option, count = dialog.options[index], len(dialog.options)
    text = f"<b>{_escaped(clipped(option.title, MAX_CAPTION_CHARS))}</b>"
    if option.subtitle:
        text += "\n" + _escaped(clipped(option.subtitle, MAX_TEXT_CHARS - 2 * MAX_CAPTION_CHARS))
    turning = [
        {"text": "‹", "callback_data": f"{SHOW_MORE}{dialog.key}.{(index - 1) % count}"},
        {"text": f"{index + 1}/{count}", "callback_data": f"{SHOW_MORE}{dialog.key}.{index}"},
        {"text": "›", "callback_data": f"{SHOW_MORE}{dialog.key}.{(index + 1) % count}"},
    ]
    choosing = {"text": clipped(dialog.button_text or option.title, MAX_TITLE_CHARS)}
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
    return all(is_picture(option.image) and _is_caption(option) for option in dialog.options)


def _is_caption(option: Option) -> bool:
    text = f"{option.title}\n{option.subtitle or ''}"
    return clipped(text, MAX_CAPTION_CHARS) == text


def _escaped(title: str) -> str:
    return html.escape(title, quote=False)


def _pictured(text: str, image: str | None, markup: dict[str, Any] | None) -> Call:
    """Return the call that shows a text below a picture; without it where the platform cannot show that."""
    instead = _text(to_html(text), markup)
    if clipped(text, MAX_CAPTION_CHARS) != text:
        return instead
    return Call(
        "sendPhoto", {"photo": image, "caption": to_html(text), "parse_mode": "HTML", "reply_markup": markup}, instead
    )


def _text(text: str, markup: dict[str, Any] | None) -> Call:
    """Return the call that shows a text of HTML."""
    fields: dict[str, Any] = {"text": text or BELOW, "parse_mode": "HTML"}
    # The keyboard that sends a place is over with the next message that has none.
    return Call("sendMessage", fields | {"reply_markup": markup or {"remove_keyboard": True}})


def _rows(buttons: Sequence[Option]) -> list[list[dict[str, Any]]]:
    return in_rows(map(_button, buttons), lambda button: button["text"])


def _button(option: Option) -> dict[str, Any]:
    title = clipped(option.title, MAX_TITLE_CHARS)
    return {"text": title, "callback_data": payload(option, MAX_DATA_BYTES)}


def _inline(rows: list[list[dict[str, Any]]]) -> dict[str, Any] | None:
    return {"inline_keyboard": rows} if rows else None


def _location_keyboard(dialog: Dialog, buttons: Iterable[Option]) -> dict[str, Any]:
    """Return the keyboard that sends the user's place; it is no inline one, so that its other buttons send their
    title."""
    first = {"text": clipped(dialog.title or dialog.button_text, MAX_TITLE_CHARS), "request_location": True}
    others = [[{"text": clipped(button.title, MAX_TITLE_CHARS)}] for button in buttons]
    return {"keyboard": [[first], *others], "resize_keyboard": True, "one_time_keyboard": True}
