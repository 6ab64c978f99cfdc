"""What a person sees in the chat with the bot, for the sandbox page, and what can be done there."""

from __future__ import annotations

import html
import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dialoom.testing.platforms.messenger_2.message_shapes import COLUMNS
from dialoom.testing.platforms.messenger_2.people import ViberUser

if TYPE_CHECKING:
    from dialoom.testing.platforms.messenger_2.bot_api import Viber

_HERE = {"latitude": 52.52, "longitude": 13.405}


def of(viber: Viber) -> dict[str, Any]:
    """Return the screen of the first person."""
    user = _person(viber)
    return {
        "items": [_item(one) for one in user.messages],
        "keyboard": _rows(user.buttons),
        "actions": [
            {"title": "Open chat", "do": "open"},
            {"title": "Open link", "do": "open", "context": "login"},
            {"title": "Location", "do": "location", **_HERE},
            {"title": "Sticker", "do": "sticker"},
            {"title": "Unsubscribe" if user.subscribed else "Subscribe", "do": "subscription"},
        ],
        "notes": [f"Welcome refused: {problem}" for _, problem in viber.refused_welcomes[-1:]],
    }


async def act(viber: Viber, action: Mapping[str, Any]) -> str | None:
    """Do what was done on the page, and return the address that it opens."""
    user = _person(viber)
    do = action["do"]
    if do == "say":
        await user.say(action["text"])
    elif do == "open":
        await user.open(action.get("context", ""))
    elif do == "press":
        await user.send({"type": "text", "text": action["body"]}, action.get("silent", False))
        return str(action["body"]) if action.get("opens") else None
    elif do == "location":
        await user.share_location(action["latitude"], action["longitude"])
    elif do == "sticker":
        await user.send_sticker()
    elif user.subscribed:
        await user.unsubscribe()
    else:
        await user.subscribe()
    return None


def _person(viber: Viber) -> ViberUser:
    for user in viber.users.values():
        return user
    return viber.user()


def _item(one: Mapping[str, Any]) -> dict[str, Any]:
    message = one["message"]
    kind = message.get("type", "keyboard")
    item: dict[str, Any] = {"id": str(one["token"]), "from": one["from"], "spans": [{"text": message.get("text", "")}]}
    if kind == "picture":
        item["image"] = message["media"]
    elif kind == "url":
        item["spans"] = [{"text": message["media"], "url": message["media"]}]
    elif kind not in ("text", "rich_media"):
        item["spans"] = [{"text": kind}]
    if kind == "rich_media":
        item["cards"] = [{"title": "", "rows": _rows(message["rich_media"]["Buttons"])}]
    return item


def _rows(buttons: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    rows: list[list[dict[str, Any]]] = []
    used = COLUMNS
    for button in buttons:
        columns = button.get("Columns", COLUMNS)
        if used + columns > COLUMNS:
            rows.append([])
            used = 0
        used += columns
        rows[-1].append({**_button(button), "width": columns})
    return rows


def _button(button: Mapping[str, Any]) -> dict[str, Any]:
    title = html.unescape(re.sub(r"<[^>]*>", "", button.get("Text", "")))
    action = button.get("ActionType", "reply")
    if action == "location-picker":
        return {"title": title, "do": "location", **_HERE}
    pressed = {"title": title, "do": "press", "body": button["ActionBody"], "silent": button.get("Silent", False)}
    return {**pressed, "opens": action == "open-url"}
