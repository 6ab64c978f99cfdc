"""What a person sees in the chat with the page, for the sandbox page, and what can be done there."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dialoom.testing.platforms.messenger_1.people import MessengerUser

if TYPE_CHECKING:
    from dialoom.testing.platforms.messenger_1.graph_api import Messenger

_STYLES = {"*": "bold", "_": "italic", "~": "strike", "`": "code"}
_MARKED = re.compile(r"(?<!\w)([*_~`])(?=\S)(.+?)(?<=\S)\1(?!\w)")


def of(messenger: Messenger) -> dict[str, Any]:
    """Return the screen of the first person."""
    user = _person(messenger)
    actions = [{"title": "Get started", "do": "get_started"}] if "get_started" in messenger.profile else []
    actions += [
        {"title": "Open m.me link", "do": "open_link", "ref": "login"},
        {"title": "Sticker", "do": "sticker"},
        {"title": "Picture", "do": "image", "url": "https://pictures.example/one.png"},
    ]
    replies = [
        {"title": one["title"], "do": "reply", "payload": one["payload"], "image": one.get("image_url")}
        for one in user.quick_replies
        if one["content_type"] == "text"
    ]
    return {
        "items": [_item(one) for one in user.messages],
        "replies": replies,
        "typing": user.typing,
        "actions": actions,
        "notes": [] if messenger.webhook else ["No webhook is set yet."],
    }


async def act(messenger: Messenger, action: Mapping[str, Any]) -> str | None:
    """Do what was done on the page, and return the address that it opens."""
    user = _person(messenger)
    do = action["do"]
    if do == "log_in":
        return user.linking_address(action["url"])
    if do == "say":
        await user.say(action["text"])
    elif do == "reply":
        await user.tap(action["title"])
    elif do == "postback":
        await user.post_back(action["title"], action["payload"])
    elif do == "get_started":
        await user.get_started()
    elif do == "open_link":
        await user.open_link(action["ref"])
    elif do == "sticker":
        await user.send_sticker()
    else:
        await user.send_attachment("image", action["url"])
    return None


def _person(messenger: Messenger) -> MessengerUser:
    for user in messenger.users.values():
        return user
    return messenger.user()


def _item(one: Mapping[str, Any]) -> dict[str, Any]:
    message = one["message"]
    item: dict[str, Any] = {"id": one["mid"], "from": one["from"], "spans": spans(message.get("text", ""))}
    for attachment in message.get("attachments", []):
        item["spans"] = [{"text": "👍" if "sticker_id" in message else attachment["type"]}]
    attachment = message.get("attachment")
    if attachment is None:
        return item
    payload = attachment["payload"]
    if attachment["type"] != "template":
        item["image" if attachment["type"] == "image" else "file"] = payload.get("url", "")
    elif payload["template_type"] == "button":
        item["spans"] = [{"text": payload["text"]}]
        item["rows"] = [[_button(button)] for button in payload["buttons"]]
    else:
        item["cards"] = [_card(element) for element in payload["elements"]]
    return item


def _card(element: Mapping[str, Any]) -> dict[str, Any]:
    return {
        "title": element["title"],
        "subtitle": element.get("subtitle", ""),
        "image": element.get("image_url"),
        "rows": [[_button(button)] for button in element.get("buttons", [])],
    }


def _button(button: Mapping[str, Any]) -> dict[str, Any]:
    if button["type"] == "postback":
        return {"title": button["title"], "do": "postback", "payload": button["payload"]}
    if button["type"] == "account_link":
        return {"title": "Log In", "do": "log_in", "url": button["url"]}
    if button["type"] == "account_unlink":
        return {"title": "Log Out", "do": "say", "text": "Log out"}
    address = f"tel:{button['payload']}" if button["type"] == "phone_number" else button["url"]
    return {"title": button["title"], "do": "open", "url": address}


def spans(text: str) -> list[dict[str, Any]]:
    """Return a text in pieces of one look each: ``*bold*``, ``_italic_``, ``~struck~``."""
    found: list[dict[str, Any]] = []
    position = 0
    for mark in _MARKED.finditer(text):
        if mark.start() > position:
            found.append({"text": text[position : mark.start()]})
        found.append({"text": mark[2], "styles": [_STYLES[mark[1]]]})
        position = mark.end()
    return [*found, {"text": text[position:]}] if text[position:] or not found else found
