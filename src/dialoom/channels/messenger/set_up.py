"""Sets a page up to send its events, and asks the platform what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

import msgspec

from dialoom.channels._contract.channel import SetUp
from dialoom.channels.messenger.errors import BAD_TOKEN, WINDOW_HOURS, refusal_of
from dialoom.channels.messenger.events import GET_STARTED
from dialoom.engine.events import NoResponse
from dialoom.errors import RemoteError
from dialoom.service.outbox.bot_channel import answer_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.engine.effects import Request
    from dialoom.service.outbox.bot_channel import BotChannel

FIELDS: Final = ("messages", "messaging_postbacks", "messaging_referrals", "message_edits")
"""The events that the page has to send."""
SCOPES: Final = ("pages_messaging", "pages_manage_metadata")
"""The rights that the token needs: to send, and to subscribe the app to the page."""


class Graph(Protocol):
    """Returns a call of the Graph API."""

    def __call__(
        self, method: str, path: str, place: BotChannel, body: Mapping[str, Any] | bytes | None = None, **query: str
    ) -> Request: ...


async def connect(place: BotChannel, address: str, graph: Graph) -> list[SetUp]:
    """Subscribe the app to the page's events and give new chats their button; say what is left to do by hand."""
    await _ask(graph("POST", "me/subscribed_apps", place, {"subscribed_fields": ",".join(FIELDS)}), place)
    await _ask(graph("POST", "me/messenger_profile", place, {"get_started": {"payload": GET_STARTED}}), place)
    return await check(place, address, graph)


async def check(place: BotChannel, address: str, graph: Graph) -> list[SetUp]:
    """Ask the platform about the token, its rights, the page, the subscription and the button."""
    for key in ("app-secret", "verify-token"):
        place.secret(key)
    token = await _ask(graph("GET", "debug_token", place, input_token=place.secret("page-token")), place)
    data = token.get("data") or {}
    if not data.get("is_valid"):
        return [SetUp("wrong", "The page-token is not valid. Make a new one on the app's page Messenger > Settings.")]
    found = [SetUp("ok", "The page-token is valid.")]
    missing = [scope for scope in SCOPES if scope not in (data.get("scopes") or ())]
    if missing:
        found.append(SetUp("wrong", f"The page-token lacks {', '.join(missing)}. Make one with these permissions."))
    if data.get("expires_at"):
        found.append(SetUp("wrong", "The page-token ends. Make one from a long-lived user token: such a one does not."))
    page = await _ask(graph("GET", "me", place, fields="id,name"), place)
    found.append(_page(place, str(page.get("id", "")), str(page.get("name", ""))))
    found.append(await _subscription(place, graph))
    profile = await _ask(graph("GET", "me/messenger_profile", place, fields="get_started"), place)
    started = [one.get("get_started") for one in profile.get("data") or () if isinstance(one, dict)]
    if not any(started):
        found.append(SetUp("wrong", f"New chats have no button to begin with. {_run_connect(place)}"))
    by_hand = (
        f"On the app's page Messenger > Settings > Webhooks, the callback URL is {address}, the verify token is the "
        f"verify-token of bot.json, and the fields are {', '.join(FIELDS)}. No call can see whether they are."
    )
    found.append(SetUp("by-hand", by_hand))
    window = f"Messages go out for {WINDOW_HOURS} hours after a user's last one; later ones are dead letters."
    return [*found, SetUp("ok", window)]


def _page(place: BotChannel, id: str, name: str) -> SetUp:
    if place.channel.page_id == id:
        return SetUp("ok", f"The page is {name} ({id}).")
    return SetUp("wrong", f'The page-token is that of the page {name}. Write "page-id": "{id}" into bot.json.')


async def _subscription(place: BotChannel, graph: Graph) -> SetUp:
    apps = (await _ask(graph("GET", "me/subscribed_apps", place), place)).get("data") or []
    wanted = {field for app in apps if isinstance(app, dict) for field in app.get("subscribed_fields") or ()}
    missing = [field for field in FIELDS if field not in wanted]
    if missing:
        return SetUp("wrong", f"The page does not send {', '.join(missing)}. {_run_connect(place)}")
    return SetUp("ok", f"The page sends {', '.join(FIELDS)}.")


def _run_connect(place: BotChannel) -> str:
    return f"Run: dialoom channel connect {place.bot.id} {place.channel.id}"


async def _ask(request: Request, place: BotChannel) -> dict[str, Any]:
    """Return the answer to a call. Raises ``RemoteError`` with the platform's words."""
    answer = await place.fetch(request)
    if not isinstance(answer, NoResponse) and answer.status >= 400:
        refusal = refusal_of(answer.body)
        hint = " Make a new page-token." if refusal.code == BAD_TOKEN else ""
        raise RemoteError("refused", f"{refusal.told}{hint}")
    try:
        found = msgspec.json.decode(answer_of("Messenger", answer).body)
    except msgspec.DecodeError as error:
        raise RemoteError("broken", "Messenger's answer cannot be read") from error
    return found if isinstance(found, dict) else {}
