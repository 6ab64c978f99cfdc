"""What a person sees in the chat with the bot, for the sandbox page, and what can be done there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dialoom.testing.platforms.workplace_chat.activity_shapes import CARD
from dialoom.testing.platforms.workplace_chat.people import TeamsUser

if TYPE_CHECKING:
    from dialoom.testing.platforms.workplace_chat.teams import Teams


def of(teams: Teams) -> dict[str, Any]:
    """Return the screen of the first person."""
    user = _person(teams)
    suggested = user.messages[-1].get("suggestedActions", {}).get("actions", []) if user.messages else []
    return {
        "items": [_item(user, one) for one in user.messages],
        "replies": [{"title": one["title"], "do": "press"} for one in suggested],
        "typing": user.is_typing,
        "actions": [
            {"title": "Remove app" if user.has_installed else "Add app", "do": "installation"},
            {"title": "Sign out" if user.token else "Sign in", "do": "sign_in"},
        ],
        "notes": [] if user.has_installed else ["The app is not installed."],
    }


async def act(teams: Teams, action: Mapping[str, Any]) -> str | None:
    """Do what was done on the page, and return the address that it opens."""
    user = _person(teams)
    do = action["do"]
    if do == "say":
        await user.say(action["text"])
    elif do == "press":
        await user.press(action["title"])
    elif do == "submit":
        await user.submit(action["title"], action.get("data"), **action.get("inputs", {}))
    elif do == "installation":
        await (user.uninstall() if user.has_installed else user.install())
    elif user.token:
        user.token = None
    else:
        await user.sign_in()
    return None


def _person(teams: Teams) -> TeamsUser:
    for user in teams.users.values():
        return user
    return teams.user()


def _item(user: TeamsUser, message: Mapping[str, Any]) -> dict[str, Any]:
    is_own = message["from"]["id"] == user.id
    text = message.get("text") or ""
    item: dict[str, Any] = {"id": message["id"], "from": "user" if is_own else "bot", "spans": [{"text": text}]}
    cards = []
    for attachment in message.get("attachments", []):
        kind, content = attachment["contentType"], attachment.get("content", {})
        if kind == CARD + "adaptive":
            cards.append({"adaptive": content})
        elif kind.startswith(CARD):
            cards.append(_card(content))
        elif not is_own:
            item["image"] = attachment["contentUrl"]
    if cards:
        item["cards"] = cards
        item["carousel"] = message.get("attachmentLayout") == "carousel"
    return item


def _card(content: Mapping[str, Any]) -> dict[str, Any]:
    images = content.get("images", [])
    return {
        "title": content.get("title", ""),
        "subtitle": content.get("text", content.get("subtitle", "")),
        "image": images[0]["url"] if images else None,
        "rows": [[_button(button)] for button in content.get("buttons", [])],
    }


def _button(button: Mapping[str, Any]) -> dict[str, Any]:
    if button["type"] in ("openUrl", "signin"):
        return {"title": button["title"], "do": "open", "url": button["value"]}
    return {"title": button["title"], "do": "press"}
