"""What a person hears from the skill, and sees in the phone's app, for the sandbox page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from dialoom.testing.platforms.voice_assistant.people import AlexaUser

if TYPE_CHECKING:
    from dialoom.testing.platforms.voice_assistant.alexa import Alexa

SANDBOX_TOKEN = "stand-in-access-token"  # noqa: S105  # the sandbox's own, no secret


def of(alexa: Alexa) -> dict[str, Any]:
    """Return the screen of the first person."""
    user = _person(alexa)
    linked = user.access_token is not None
    return {
        "items": [_item(position, one) for position, one in enumerate(user.spoken)],
        "actions": [
            {"title": "Open skill", "do": "open"},
            {"title": "Stop", "do": "stop"},
            {"title": "Leave", "do": "end"},
            {"title": "Unlink account" if linked else "Link account", "do": "unlink" if linked else "link"},
        ],
        "notes": ["Listening" if user.is_in_session else "The skill is closed.", *alexa.faults[-1:]],
        "spoken": True,
    }


async def act(alexa: Alexa, action: Mapping[str, Any]) -> None:
    """Do what was done on the page. None of it opens an address."""
    user = _person(alexa)
    do = action["do"]
    if do == "say":
        await user.say(action["text"])
    elif do == "open":
        await user.open()
    elif do == "stop":
        user.spoken.append({"from": "user", "text": "Stop"})
        await alexa.request(user, {"type": "IntentRequest", "intent": {"name": "AMAZON.StopIntent"}})
    elif do == "end":
        if user.is_in_session:
            await user.end()
    elif do == "link":
        user.link_account(action.get("token", SANDBOX_TOKEN))
    else:
        user.access_token = None


def _person(alexa: Alexa) -> AlexaUser:
    for user in alexa.users.values():
        return user
    return alexa.user()


def _item(position: int, one: Mapping[str, Any]) -> dict[str, Any]:
    item: dict[str, Any] = {"id": str(position), "from": one["from"], "spans": [{"text": one["text"]}]}
    card = one.get("card")
    if card is not None and card["type"] == "LinkAccount":
        item["cards"] = [{"title": "Link your account", "rows": [[{"title": "Link account", "do": "link"}]]}]
    elif card is not None:
        image = card.get("image", {}).get("largeImageUrl") or card.get("image", {}).get("smallImageUrl")
        text = card.get("content", card.get("text", ""))
        item["cards"] = [{"title": card.get("title", ""), "subtitle": text, "image": image, "rows": []}]
    if one.get("ended"):
        item["note"] = "Session ended"
    return item
