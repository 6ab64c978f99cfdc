"""Sets a page up to send its events, and asks the platform what is missing."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final, Protocol

from dialoom.channels._contract.channel import SetUp, calls_address, run_connect
from dialoom.channels.messenger.errors import BAD_TOKEN, WINDOW_HOURS, refusal_of
from dialoom.channels.messenger.events import GET_STARTED
from dialoom.engine.events import NoResponse
from dialoom.errors import RemoteError
from dialoom.service.outbox.bot_channel import read_answer

if TYPE_CHECKING:
    from collections.abc import Mapping

    from dialoom.engine.effects import Request
    from dialoom.service.outbox.bot_channel import BotChannel

FIELDS: Final = ("messages", "messaging_postbacks", "messaging_referrals", "message_edits")
"""The events that the page has to send (developers.facebook.com/docs/messenger-platform/reference/webhook-events)."""
SCOPES: Final = ("pages_messaging", "pages_manage_metadata")
"""The rights that the token needs, below developers.facebook.com/docs: to send and to set the button of new chats
(messenger-platform/reference/messenger-profile-api), and to subscribe the app
(graph-api/reference/page/subscribed_apps)."""


PROOF: Final = "appsecret_proof"
"""In the platform's words where the proof made with the ``app-secret`` is wrong
(developers.facebook.com/docs/graph-api/guides/secure-requests)."""
RENEW: Final = "Make a new page-token in the app under Messenger, Settings, Access tokens."


class Graph(Protocol):
    """Returns a call of the Graph API."""

    def __call__(
        self,
        method: str,
        path: str,
        bot_channel: BotChannel,
        body: Mapping[str, Any] | None = None,
        *,
        app: str = "",
        **query: str,
    ) -> Request: ...


async def connect(bot_channel: BotChannel, address: str, graph: Graph) -> list[SetUp]:
    """Have the app call the channel, subscribe it to the page's events, and give new chats their button."""
    app = str((await _token(bot_channel, graph)).get("app_id", ""))
    hook = {
        "object": "page",
        "callback_url": address,
        "verify_token": bot_channel.secret("verify-token"),
        "fields": ",".join(FIELDS),
    }
    await _ask(graph("POST", f"{app}/subscriptions", bot_channel, hook, app=app), bot_channel)
    await _ask(graph("POST", "me/subscribed_apps", bot_channel, {"subscribed_fields": ",".join(FIELDS)}), bot_channel)
    await _ask(
        graph("POST", "me/messenger_profile", bot_channel, {"get_started": {"payload": GET_STARTED}}), bot_channel
    )
    return await check(bot_channel, address, graph)


async def check(bot_channel: BotChannel, address: str, graph: Graph) -> list[SetUp]:
    """Ask the platform about the token, its rights, the page, the webhook, the subscription and the button."""
    bot_channel.secret("verify-token")
    token = await _token(bot_channel, graph)
    found = [SetUp("ok", "The page-token is valid.")]
    missing = [scope for scope in SCOPES if scope not in (token.get("scopes") or ())]
    if missing:
        found.append(SetUp("wrong", f"The page-token lacks {', '.join(missing)}. Make one with these permissions."))
    if token.get("expires_at"):
        found.append(SetUp("wrong", "The page-token ends. Make one from a long-lived user token: such a one does not."))
    page = await _ask(graph("GET", "me", bot_channel, fields="id,name"), bot_channel)
    found.append(_page(bot_channel, str(page.get("id", "")), str(page.get("name", ""))))
    app = str(token.get("app_id", ""))
    hooks = (await _ask(graph("GET", f"{app}/subscriptions", bot_channel, app=app), bot_channel)).get("data") or []
    found.append(_webhook(bot_channel, address, hooks))
    found.append(await _subscription(bot_channel, graph))
    profile = await _ask(graph("GET", "me/messenger_profile", bot_channel, fields="get_started"), bot_channel)
    started = [one.get("get_started") for one in profile.get("data") or () if isinstance(one, dict)]
    if not any(started):
        found.append(SetUp("wrong", f"New chats have no button to begin with. {run_connect(bot_channel)}"))
    window = f"Messages go out for {WINDOW_HOURS} hours after a user's last one; later ones are dead letters."
    return [*found, SetUp("ok", window)]


async def _token(bot_channel: BotChannel, graph: Graph) -> dict[str, Any]:
    """Return what the platform knows of the page's token. Raises ``RemoteError`` for one that is not valid."""
    answer = await _ask(
        graph("GET", "debug_token", bot_channel, input_token=bot_channel.secret("page-token")), bot_channel
    )
    data = answer.get("data")
    if not isinstance(data, dict) or not data.get("is_valid"):
        raise RemoteError("status", f"Messenger: the page-token is not valid. {RENEW}")
    return data


def _webhook(bot_channel: BotChannel, address: str, hooks: list[Any]) -> SetUp:
    hook = next((one for one in hooks if isinstance(one, dict) and one.get("object") == "page"), {})
    called = (hook.get("callback_url") or "") if hook.get("active", True) else ""
    if called != address:
        return calls_address("Messenger", called, address, bot_channel)
    named = [one.get("name") if isinstance(one, dict) else one for one in hook.get("fields") or ()]
    missing = [field for field in FIELDS if field not in named]
    if missing:
        return SetUp("wrong", f"Messenger does not call for {', '.join(missing)}. {run_connect(bot_channel)}")
    return calls_address("Messenger", called, address, bot_channel)


def _page(bot_channel: BotChannel, id: str, name: str) -> SetUp:
    if bot_channel.channel.page_id == id:
        return SetUp("ok", f"The page is {name} ({id}).")
    return SetUp("wrong", f'The page-token is that of the page {name}. Write "page-id": "{id}" into bot.json.')


async def _subscription(bot_channel: BotChannel, graph: Graph) -> SetUp:
    apps = (await _ask(graph("GET", "me/subscribed_apps", bot_channel), bot_channel)).get("data") or []
    wanted = {field for app in apps if isinstance(app, dict) for field in app.get("subscribed_fields") or ()}
    missing = [field for field in FIELDS if field not in wanted]
    if missing:
        return SetUp("wrong", f"The page does not send {', '.join(missing)}. {run_connect(bot_channel)}")
    return SetUp("ok", f"The page sends {', '.join(FIELDS)}.")


async def _ask(request: Request, bot_channel: BotChannel) -> dict[str, Any]:
    """Return the answer to a call. Raises ``RemoteError`` with the platform's words."""
    answer = await bot_channel.fetch(request)
    if not isinstance(answer, NoResponse) and answer.status >= 400:
        refusal = refusal_of(answer.body)
        told, hint = refusal.words.rstrip("."), f" {RENEW}" if refusal.code == BAD_TOKEN else ""
        if PROOF in told:
            hint = " The app-secret is not that of the app which the page-token was made for: write that one."
        raise RemoteError("status", f"{told}.{hint}")
    found = read_answer("Messenger", answer, Any)
    return found if isinstance(found, dict) else {}
