"""The shapes of what ``send_message`` takes, with their limits and the API level that each part needs.

Sources: creators.viber.com/docs/bots-api (resources/messaging/send-message, resources/messaging/keyboards,
data-models/message). The most rows of a keyboard stand on no page of the vendor: phones show 24.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import Any

from dialoom.testing.platforms.shapes import (
    Address,
    Anything,
    By,
    Fault,
    Fields,
    Flag,
    ListOf,
    Number,
    OneOf,
    Shape,
    Text,
)

MAX_TEXT_CHARS = 7000
MAX_MESSAGE_BYTES = 30 * 1024
MAX_SENDER_NAME_CHARS = 28
MAX_TRACKING_DATA_CHARS = 4000
MAX_BUTTON_TEXT_CHARS = 250
MAX_KEYBOARD_ROWS = 24
COLUMNS = 6
NEWEST_API_VERSION = 10

_WEB = Address(schemes=("https", "http"))
_COLOR = Text(9)
_SCALE = OneOf(("crop", "fill", "fit"))
_BUTTON_LOOKS: Mapping[str, Shape] = {
    "Columns": Number(1, COLUMNS),
    "Rows": Number(1, 2),
    "BgColor": _COLOR,
    "Silent": Flag(),
    "BgMediaType": OneOf(("picture", "gif")),
    "BgMedia": _WEB,
    "BgMediaScaleType": _SCALE,
    "ImageScaleType": _SCALE,
    "BgLoop": Flag(),
    "Image": _WEB,
    "Text": Text(MAX_BUTTON_TEXT_CHARS, 0),
    "TextVAlign": OneOf(("top", "middle", "bottom")),
    "TextHAlign": OneOf(("left", "center", "right")),
    "TextPaddings": ListOf(Number(0, 12), 4, 4),
    "TextOpacity": Number(0, 100),
    "TextSize": OneOf(("small", "regular", "large")),
    "OpenURLType": OneOf(("internal", "external")),
    "OpenURLMediaType": OneOf(("not-media", "video", "gif", "picture", "audio")),
    "TextBgGradientColor": _COLOR,
    "TextShouldFit": Flag(),
    "InternalBrowser": Anything(),
    "Map": Anything(),
    "Frame": Anything(),
    "MediaPlayer": Anything(),
}
_TEXT_ACTION = Fields({"ActionBody": Text()}, _BUTTON_LOOKS)
_BUTTON = By(
    "ActionType",
    {
        "reply": _TEXT_ACTION,
        "open-url": Fields({"ActionBody": _WEB}, _BUTTON_LOOKS),
        "location-picker": _TEXT_ACTION,
        "share-phone": _TEXT_ACTION,
        "none": _TEXT_ACTION,
    },
)
KEYBOARD = Fields(
    {"Type": OneOf(("keyboard",)), "Buttons": ListOf(_BUTTON, None, 1)},
    {
        "BgColor": _COLOR,
        "DefaultHeight": Flag(),
        "CustomDefaultHeight": Number(40, 70),
        "HeightScale": Number(20, 100),
        "ButtonsGroupColumns": Number(1, COLUMNS),
        "ButtonsGroupRows": Number(1, 7),
        "InputFieldState": OneOf(("regular", "minimized", "hidden")),
        "FavoritesMetadata": Anything(),
    },
)
_RICH_MEDIA = Fields(
    {"Type": OneOf(("rich_media",)), "Buttons": ListOf(_BUTTON, None, 1)},
    {"ButtonsGroupColumns": Number(1, COLUMNS), "ButtonsGroupRows": Number(1, 7), "BgColor": _COLOR},
)
_EVERY: Mapping[str, Shape] = {
    "receiver": Text(),
    "min_api_version": Number(1, NEWEST_API_VERSION),
    "tracking_data": Text(MAX_TRACKING_DATA_CHARS, 0),
    "keyboard": KEYBOARD,
}
_SENDER = Fields({"name": Text(MAX_SENDER_NAME_CHARS)}, {"avatar": _WEB})


def _message(optional: Mapping[str, Shape] | None = None, **required: Shape) -> Fields:
    return Fields({"sender": _SENDER, **required}, {**_EVERY, **(optional or {})})


MESSAGE = By(
    "type",
    {
        "text": _message(text=Text(MAX_TEXT_CHARS)),
        "picture": _message({"thumbnail": _WEB}, text=Text(768, 0), media=_WEB),
        "url": _message(media=_WEB),
        "location": _message(location=Fields({"lat": Number(-90, 90, False), "lon": Number(-180, 180, False)})),
        "contact": _message(contact=Fields({"name": Text(28), "phone_number": Text(18)})),
        "rich_media": _message({"alt_text": Text()}, rich_media=_RICH_MEDIA),
    },
)
KEYBOARD_ALONE = _message()
"""A keyboard may be sent without a message, and then without a type."""

_LEVELS: Mapping[str, int] = {
    "CustomDefaultHeight": 3,
    "HeightScale": 3,
    "InternalBrowser": 3,
    "ButtonsGroupColumns": 4,
    "ButtonsGroupRows": 4,
    "InputFieldState": 4,
    "TextPaddings": 4,
    "FavoritesMetadata": 6,
    "BgMediaScaleType": 6,
    "ImageScaleType": 6,
    "TextShouldFit": 6,
    "Map": 6,
    "Frame": 6,
    "MediaPlayer": 6,
}
_ALLOWED_TAGS = re.compile(r"</?(?:b|i|u|s)>|<br ?/?>|<font(?: (?:color|size)=[\"']?#?\w+[\"']?)+>|</font>")


def with_action_types(message: Any) -> Any:
    """Return the message with the action of each button, which is a reply where the button has none."""
    if not isinstance(message, dict):
        return message
    changed = dict(message)
    for name in ("keyboard", "rich_media"):
        held = changed.get(name)
        if isinstance(held, dict) and isinstance(held.get("Buttons"), list):
            buttons = [{"ActionType": "reply", **one} if isinstance(one, dict) else one for one in held["Buttons"]]
            changed[name] = {**held, "Buttons": buttons}
    return changed


def needed_level(message: Mapping[str, Any]) -> tuple[int, str]:
    """Return the API level that a message needs, and the part that needs it."""
    found = (7, "rich_media") if message.get("type") == "rich_media" else (1, "")
    for name in ("keyboard", "rich_media"):
        held = message.get(name, {})
        parts = [held, *held.get("Buttons", [])]
        for part in parts:
            if part.get("ActionType") in ("location-picker", "share-phone"):
                found = max(found, (3, part["ActionType"]))
            found = max([found, *((_LEVELS[key], key) for key in part if key in _LEVELS and name == "keyboard")])
    return found


def button_faults(message: Mapping[str, Any]) -> Iterator[Fault]:
    """Yield what the shapes cannot say of buttons: something to show, allowed tags, rows."""
    for name in ("keyboard", "rich_media"):
        buttons = message.get(name, {}).get("Buttons", [])
        for position, button in enumerate(buttons):
            path = (name, "Buttons", position)
            if not button.keys() & {"Text", "BgMedia", "Image", "BgColor"}:
                yield Fault(path, "missing", "needs one of Text, BgMedia, Image and BgColor")
            if "<" in _ALLOWED_TAGS.sub("", button.get("Text", "")):
                yield Fault((*path, "Text"), "value", "has a tag that is not allowed, or a < that is not escaped")
        if name == "keyboard" and rows_of(buttons) > MAX_KEYBOARD_ROWS:
            yield Fault((name, "Buttons"), "many", f"takes {rows_of(buttons)} rows and may take {MAX_KEYBOARD_ROWS}")


def rows_of(buttons: list[dict[str, Any]]) -> int:
    """Return how many rows buttons take: as many stand side by side as fit into six columns."""
    rows = tallest = used = 0
    for button in buttons:
        columns, height = button.get("Columns", COLUMNS), button.get("Rows", 1)
        if used + columns > COLUMNS:
            rows, used, tallest = rows + tallest, 0, 0
        used, tallest = used + columns, max(tallest, height)
    return rows + tallest
