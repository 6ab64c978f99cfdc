"""Checks ``reply_markup`` as the Bot API server does.

Wording: ``get_reply_markup`` and ``get_inline_keyboard_button`` of github.com/tdlib/telegram-bot-api (Client.cpp), and
ReplyMarkup.cpp and KeyboardButton.cpp of github.com/tdlib/td. A button with more than one action is answered there by
taking the first; the documentation allows exactly one, and so does this.
"""

from __future__ import annotations

import json
from typing import Any

from dialoom.testing.platforms.messenger_3.errors import BotApiError
from dialoom.testing.platforms.shapes import count, is_address

MAX_CALLBACK_DATA_BYTES = 64
MAX_BUTTONS = 100
MAX_BUTTONS_IN_ROW = 8
"""Clients drop the rest of a longer row."""
MAX_COPY_TEXT_CHARS = 256
MAX_PLACEHOLDER_CHARS = 64

_INLINE_ACTIONS = frozenset(
    (
        "url",
        "callback_data",
        "web_app",
        "login_url",
        "switch_inline_query",
        "switch_inline_query_current_chat",
        "switch_inline_query_chosen_chat",
        "copy_text",
        "callback_game",
        "pay",
    )
)
_INLINE_LOOKS = frozenset(("text", "style", "icon_custom_emoji_id"))
_REQUESTS = {
    "request_contact": "phone number can be requested in private chats only",
    "request_location": "location can be requested in private chats only",
    "request_poll": "poll can be requested in private chats only",
    "web_app": "web App buttons can be used in private chats only",
    "request_users": "users can be requested in private chats only",
    "request_chat": "chats can be requested in private chats only",
}
_KINDS = {
    "inline_keyboard": frozenset(("inline_keyboard",)),
    "keyboard": frozenset(
        ("keyboard", "is_persistent", "resize_keyboard", "one_time_keyboard", "input_field_placeholder", "selective")
    ),
    "remove_keyboard": frozenset(("remove_keyboard", "selective")),
    "force_reply": frozenset(("force_reply", "input_field_placeholder", "selective")),
}


def read(given: Any, *, private: bool, inline_only: bool = False) -> dict[str, Any] | None:
    """Return the checked markup; None where there is none. Raises ``BotApiError``."""
    if given is None or given == "":
        return None
    if isinstance(given, str):
        try:
            given = json.loads(given)
        except ValueError as error:
            raise BotApiError("can't parse reply keyboard markup JSON object") from error
    if not isinstance(given, dict):
        raise BotApiError("object expected as reply markup")
    if not given:
        return None
    kinds = [kind for kind in _KINDS if kind in given]
    if len(kinds) != 1 or given.keys() - _KINDS[kinds[0]]:
        raise BotApiError(f"the stand-in knows no reply markup with the fields {', '.join(sorted(given))}")
    if kinds[0] == "inline_keyboard":
        return _inline(given)
    if inline_only:
        raise BotApiError("inline keyboard expected")
    if kinds[0] == "keyboard":
        return _keyboard(given, private)
    if given[kinds[0]] is not True:
        raise BotApiError(f'field "{kinds[0]}" must be true')
    return given


def _rows(given: dict[str, Any], name: str) -> list[list[Any]]:
    rows = given[name]
    if not isinstance(rows, list):
        raise BotApiError(f'field "{name}" must be of type Array')
    if not all(isinstance(row, list) for row in rows):
        of = " of the InlineKeyboardMarkup" if name == "inline_keyboard" else ""
        raise BotApiError(f'field "{name}"{of} must be an Array of Arrays')
    if sum(map(len, rows)) > MAX_BUTTONS or any(len(row) > MAX_BUTTONS_IN_ROW for row in rows):
        raise BotApiError("reply markup is too long")
    return rows


def _inline(given: dict[str, Any]) -> dict[str, Any] | None:
    for row in _rows(given, "inline_keyboard"):
        for button in row:
            _inline_button(button)
    return given if any(given["inline_keyboard"]) else None


def _inline_button(button: Any) -> None:
    at = "can't parse inline keyboard button: "
    if not isinstance(button, dict):
        raise BotApiError(at + "InlineKeyboardButton must be an Object")
    text = button.get("text")
    if not isinstance(text, str):
        raise BotApiError(
            at + 'Can\'t find field "text"' if text is None else at + 'Field "text" must be of type String'
        )
    if not text.strip():
        raise BotApiError("inline keyboard button text must be non-empty")
    actions = button.keys() & _INLINE_ACTIONS
    unknown = button.keys() - _INLINE_ACTIONS - _INLINE_LOOKS
    if not actions:
        raise BotApiError(at + "Text buttons are unallowed in the inline keyboard")
    if unknown or len(actions) > 1:
        raise BotApiError(at + f"the stand-in knows no button with the fields {', '.join(sorted(button))}")
    if "callback_data" in button:
        data = button["callback_data"]
        if not isinstance(data, str) or not 1 <= count(data, "bytes") <= MAX_CALLBACK_DATA_BYTES:
            raise BotApiError("BUTTON_DATA_INVALID")
    for name in ("url", "web_app", "login_url"):
        if name in button:
            address = button[name] if name == "url" else (button[name] or {}).get("url")
            _check_url(address, name)
    copied = button.get("copy_text")
    if copied is not None and not 1 <= len(copied.get("text", "")) <= MAX_COPY_TEXT_CHARS:
        raise BotApiError("BUTTON_COPY_TEXT_INVALID")


def _check_url(address: Any, name: str) -> None:
    allowed = ("https", "http", "tg") if name == "url" else ("https",)
    if isinstance(address, str) and (is_address(address, allowed) or (name == "url" and address.startswith("tg://"))):
        return
    what = {"url": "button URL", "web_app": "button Web App URL", "login_url": "button login URL"}[name]
    reason = "Only HTTPS links are allowed" if name != "url" else "Wrong HTTP URL"
    raise BotApiError(f"inline keyboard {what} '{address}' is invalid: {reason}")


def _keyboard(given: dict[str, Any], private: bool) -> dict[str, Any] | None:
    for row in _rows(given, "keyboard"):
        for button in row:
            _keyboard_button(button, private)
    placeholder = given.get("input_field_placeholder", "")
    if not isinstance(placeholder, str) or len(placeholder) > MAX_PLACEHOLDER_CHARS:
        raise BotApiError("the placeholder of the input field is too long")
    return given if any(given["keyboard"]) else None


def _keyboard_button(button: Any, private: bool) -> None:
    at = "can't parse keyboard button: "
    if isinstance(button, str):
        button = {"text": button}
    if not isinstance(button, dict):
        raise BotApiError(at + "KeyboardButton must be a String or an Object")
    if not isinstance(button.get("text"), str):
        raise BotApiError(at + 'Can\'t find field "text"')
    if not button["text"].strip():
        raise BotApiError("keyboard button text must be non-empty")
    requests = button.keys() & _REQUESTS.keys()
    if len(requests) > 1 or button.keys() - _REQUESTS.keys() - _INLINE_LOOKS:
        raise BotApiError(at + f"the stand-in knows no button with the fields {', '.join(sorted(button))}")
    for request in requests:
        if not private:
            raise BotApiError(_REQUESTS[request])
