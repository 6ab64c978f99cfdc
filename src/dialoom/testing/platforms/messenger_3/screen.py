"""What a person sees in the chat with the bot, for the sandbox page, and what can be done there."""

from __future__ import annotations

import itertools
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from dialoom.testing.platforms.messenger_3.bot_api import Telegram
    from dialoom.testing.platforms.messenger_3.people import TelegramUser

_STYLES = {"bold": "bold", "italic": "italic", "strikethrough": "strike", "code": "code", "pre": "code"}


def of(telegram: Telegram) -> dict[str, Any]:
    """Return the screen of the first person."""
    user = _person(telegram)
    keyboard = (user.keyboard or {}).get("keyboard", [])
    return {
        "items": [_item(one) for one in user.messages],
        "keyboard": [[_key(button) for button in row] for row in keyboard],
        "actions": [
            {"title": "Start", "do": "start"},
            {"title": "Location", "do": "location", "latitude": 52.52, "longitude": 13.405},
            {"title": "Sticker", "do": "sticker"},
            {"title": "Unblock" if user.blocked else "Block", "do": "unblock" if user.blocked else "block"},
        ],
        "notes": [f"Taps that the bot has not answered: {len(telegram.callbacks)}"] if telegram.callbacks else [],
    }


async def act(telegram: Telegram, action: Mapping[str, Any]) -> None:
    """Do what was done on the page. None of it opens an address."""
    user = _person(telegram)
    do = action["do"]
    if do == "say":
        await user.say(action["text"])
    elif do == "start":
        await user.start(action.get("payload", ""))
    elif do == "tap":
        await telegram.call_back(user.profile, telegram.message(user.id, action["message"]), action["data"])
    elif do == "press":
        await user.press(action["text"])
    elif do == "location":
        await user.share_location(action["latitude"], action["longitude"])
    elif do == "sticker":
        await user.send_sticker()
    elif do == "block":
        await user.block()
    else:
        await user.unblock()


def _person(telegram: Telegram) -> TelegramUser:
    for user in telegram.users.values():
        return user
    return telegram.user(last_name="Lovelace", username="ada", language_code="en")


def _key(button: Any) -> dict[str, Any]:
    title = button if isinstance(button, str) else button["text"]
    if isinstance(button, dict) and button.get("request_location"):
        return {"title": title, "do": "location", "latitude": 52.52, "longitude": 13.405}
    return {"title": title, "do": "press", "text": title}


def _item(message: Mapping[str, Any]) -> dict[str, Any]:
    text = message.get("text", message.get("caption", ""))
    item: dict[str, Any] = {
        "id": str(message["message_id"]),
        "from": "bot" if message["from"]["is_bot"] else "user",
        "spans": spans(text, message.get("entities", message.get("caption_entities", []))),
    }
    if "photo" in message and not message["from"]["is_bot"]:
        item["spans"] = item["spans"] if text else [{"text": "photo"}]
    elif "photo" in message and "://" in message["photo"][-1]["file_id"]:
        item["image"] = message["photo"][-1]["file_id"]
    for kind in ("sticker", "voice", "location", "contact", "document"):
        if kind in message:
            item["spans"] = [{"text": message[kind].get("emoji", kind)}]
    rows = message.get("reply_markup", {}).get("inline_keyboard", [])
    item["rows"] = [[_button(button, message["message_id"]) for button in row] for row in rows]
    return item


def _button(button: Mapping[str, Any], message: int) -> dict[str, Any]:
    if "callback_data" in button:
        return {"title": button["text"], "do": "tap", "message": message, "data": button["callback_data"]}
    address = button.get("url") or button.get("web_app", {}).get("url", "")
    return {"title": button["text"], "do": "open", "url": address}


def spans(text: str, entities: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return a text in pieces of one look each. Offsets count UTF-16 units."""
    wide = text.encode("utf-16-le", "surrogatepass")
    edges = {0, len(wide) // 2}
    for entity in entities:
        edges |= {entity["offset"], entity["offset"] + entity["length"]}
    cuts = sorted(edges)
    found = []
    for begin, end in itertools.pairwise(cuts):
        over = [one for one in entities if one["offset"] <= begin and end <= one["offset"] + one["length"]]
        piece: dict[str, Any] = {"text": wide[2 * begin : 2 * end].decode("utf-16-le", "replace")}
        styles = [_STYLES[one["type"]] for one in over if one["type"] in _STYLES]
        links = [one["url"] for one in over if "url" in one]
        found.append(piece | ({"styles": styles} if styles else {}) | ({"url": links[0]} if links else {}))
    return found
