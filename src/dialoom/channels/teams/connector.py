"""Calls to the connector and to the Bot Framework's token service, with the bot's own token.

Sources: https://learn.microsoft.com/azure/bot-service/rest-api/bot-framework-rest-connector-api-reference and
.../bot-framework-rest-connector-authentication. What is posted is left to ``render``.
"""

from __future__ import annotations

import base64
from functools import partial
from typing import TYPE_CHECKING, Any, Final
from urllib.parse import quote, urlencode, urlsplit

import msgspec

from dialoom.engine.effects import Request
from dialoom.engine.events import NoResponse
from dialoom.errors import RemoteError, SettingError
from dialoom.service.outbox.bot_channel import answer_of

if TYPE_CHECKING:
    from dialoom.engine.events import Response
    from dialoom.service.outbox.bot_channel import BotChannel
    from dialoom.service.settings import Settings

SCOPE: Final = "https://api.botframework.com/.default"
ANY_TENANT: Final = "botframework.com"
"""The tenant of bots that may be used from all."""
CHANNEL_ID: Final = "msteams"
AUTHORIZATION: Final = "Authorization"
UNAUTHORIZED: Final = 401
_LOOPBACK: Final = frozenset({"localhost", "127.0.0.1", "::1"})


class Route(msgspec.Struct, frozen=True, omit_defaults=True):
    """Where the platform wants what the bot says to a user, as the user's last activity said; kept as
    ``InboundEvent.reply_to``."""

    service: str
    """``serviceUrl``, which was checked."""
    conversation: str
    user: str
    """``from.id``, by which the token service knows the user."""
    bot: str = ""
    """The bot's account, ``recipient.id``."""
    is_group: bool = False
    """A group chat, or a channel of a team."""


class BotToken(msgspec.Struct, frozen=True):
    """The answer of the sign-in of the bot."""

    access_token: str


class Refusal(msgspec.Struct, frozen=True):
    """The answer to a sign-in of the bot that failed."""

    error_description: str = ""


class ErrorDetail(msgspec.Struct, frozen=True):
    code: str | None = None
    message: str | None = None


class ConnectorError(msgspec.Struct, frozen=True):
    """The answer to a call that was not done."""

    error: ErrorDetail = ErrorDetail()


def is_service_host(url: str, settings: Settings) -> bool:
    """Return whether an address is of a host that may get the bot's token: https, or http on loopback, and listed in
    ``DIALOOM_WORKPLACE_CHAT_SERVICE_HOSTS``."""
    try:
        parts = urlsplit(url)
        host, port = (parts.hostname or "").lower(), parts.port
    except ValueError:
        return False
    if "@" in parts.netloc or not (parts.scheme == "https" or (parts.scheme == "http" and host in _LOOPBACK)):
        return False
    for entry in settings.listed(settings.workplace_chat_service_hosts):
        if entry.startswith("."):
            if host.endswith(entry.lower()):
                return True
        else:
            listed = urlsplit(f"//{entry}")
            if (listed.hostname or "").lower() == host and listed.port in (None, port):
                return True
    return False


def encode_route(route: Route) -> str:
    return msgspec.json.encode(route).decode()


def read_route(reply_to: str) -> Route:
    """Raises ``SettingError`` for a user who has never written, to whom nothing can be sent."""
    try:
        return msgspec.json.decode(reply_to, type=Route)
    except msgspec.DecodeError as error:
        raise SettingError("Microsoft Teams has not said where this user can be written to. Drop this.") from error


async def bot_token(bot_channel: BotChannel) -> str:
    """Return the bot's token, asked for once in ten minutes; it lives an hour at least. Raises ``SettingError`` where
    the login refuses the bot, and ``RemoteError`` where it does not answer."""
    return await bot_channel.cached(_token_key(bot_channel), partial(ask_bot_token, bot_channel))


def _token_key(bot_channel: BotChannel) -> tuple[str, ...]:
    return (
        bot_channel.channel.type,
        "bot-token",
        bot_channel.bot.id,
        bot_channel.channel.id,
        bot_channel.required("app-id"),
    )


async def with_newer_token(request: Request, answer: Response | NoResponse, bot_channel: BotChannel) -> Request | None:
    """Return a call with a newer token, where the platform refuses the one in it: a token may be withdrawn before its
    time. None where it was asked for within the last half minute, and for calls without one. Raises as ``bot_token``.
    """
    if isinstance(answer, NoResponse) or answer.status != UNAUTHORIZED:
        return None
    sent = next((value for name, value in request.headers if name == AUTHORIZATION), None)
    if sent is None:
        return None
    token: str | None = await bot_token(bot_channel)
    if token is not None and sent == _bearer(token):
        token = await bot_channel.newer(_token_key(bot_channel), token, partial(ask_bot_token, bot_channel))
    if token is None:
        return None
    others = (header for header in request.headers if header[0] != AUTHORIZATION)
    return msgspec.structs.replace(request, headers=((AUTHORIZATION, _bearer(token)), *others))


async def fetched(request: Request, bot_channel: BotChannel) -> Response | NoResponse:
    """Make a call with the bot's token, once more where that is refused. Raises as ``bot_token``."""
    answer = await bot_channel.fetch(request)
    newer = await with_newer_token(request, answer, bot_channel)
    return answer if newer is None else await bot_channel.fetch(newer)


async def ask_bot_token(bot_channel: BotChannel) -> str:
    """Sign the bot in. Raises as ``bot_token``."""
    tenant = quote(bot_channel.channel.tenant or ANY_TENANT, safe="")
    form = {
        "grant_type": "client_credentials",
        "client_id": bot_channel.required("app-id"),
        "client_secret": bot_channel.secret("app-password"),
        "scope": SCOPE,
    }
    request = Request(
        method="POST",
        url=f"{bot_channel.settings.workplace_chat_login_url}/{tenant}/oauth2/v2.0/token",
        headers=(("Content-Type", "application/x-www-form-urlencoded"),),
        body=urlencode(form).encode(),
        trusted_host=True,
    )
    answer = await bot_channel.fetch(request)
    if not isinstance(answer, NoResponse) and 400 <= answer.status <= 499 and answer.status not in (408, 429):
        told = _decoded(answer.body, Refusal()).error_description
        raise SettingError(f"Microsoft refuses to sign the bot in with app-id, app-password and tenant: {told}"[:500])
    body = answer_of("The sign-in of the bot at Microsoft", answer).body
    try:
        return msgspec.json.decode(body, type=BotToken).access_token
    except msgspec.DecodeError as error:
        raise RemoteError("broken", "The sign-in of the bot at Microsoft was answered without a token") from error


def activities_url(route: Route) -> str:
    """Return where activities for a conversation are posted."""
    return f"{route.service.rstrip('/')}/v3/conversations/{quote(route.conversation, safe='')}/activities"


async def post(activity: dict[str, Any], route: Route, bot_channel: BotChannel) -> Request:
    """Return the call that posts an activity. Raises ``SettingError`` and ``RemoteError``."""
    if not is_service_host(route.service, bot_channel.settings):
        raise SettingError(
            f"{urlsplit(route.service).netloc} does not stand in DIALOOM_WORKPLACE_CHAT_SERVICE_HOSTS any more. Add it "
            f"there and resend this, or drop it."
        )
    accounts: dict[str, Any] = {"conversation": {"id": route.conversation}, "recipient": {"id": route.user}}
    if route.bot:
        accounts["from"] = {"id": route.bot}
    return await _request("POST", activities_url(route), bot_channel, accounts | activity)


async def download(url: str, bot_channel: BotChannel) -> Request:
    """Return the call that fetches a file of a user. The bot's token goes to hosts of the platform alone."""
    if is_service_host(url, bot_channel.settings):
        return await _request("GET", url, bot_channel)
    return Request(method="GET", url=url)


# -- the token service (single sign-on)


async def sign_in_resource(connection: str, route: Route, bot_channel: BotChannel) -> dict[str, Any]:
    """Return where a user signs in, and what Teams exchanges a token for. Raises ``SettingError`` where there is no
    such connection, and ``RemoteError``."""
    app_id = bot_channel.required("app-id")
    state = {
        "connectionName": connection,
        "msAppId": app_id,
        "conversation": {
            "bot": {"id": route.bot},
            "channelId": CHANNEL_ID,
            "conversation": {"id": route.conversation},
            "serviceUrl": route.service,
            "user": {"id": route.user},
        },
    }
    query = {"state": base64.b64encode(msgspec.json.encode(state)).decode()}
    answer = await ask_token_service("GET", "botsignin/GetSignInResource", query, bot_channel)
    if answer.status >= 400:
        raise SettingError(
            f'The token service refuses the connection "{connection}" (workchat.connection-name): '
            f"{words(answer.body)} Write the name that the connection has in the bot's configuration in Azure."
        )
    try:
        return msgspec.json.decode(answer.body, type=dict[str, Any])
    except msgspec.DecodeError as error:
        raise RemoteError("broken", "The token service's answer on signing in cannot be read") from error


def token_query(connection: str, route: Route) -> dict[str, str]:
    return {"userId": route.user, "connectionName": connection, "channelId": CHANNEL_ID}


async def ask_token_service(
    method: str, path: str, query: dict[str, str], bot_channel: BotChannel, body: Any = None
) -> Response:
    """Return the answer, which may be a refusal of 4xx. Raises ``RemoteError`` and ``SettingError``."""
    answer = await fetched(await token_request(method, path, query, bot_channel, body), bot_channel)
    if not isinstance(answer, NoResponse) and 400 <= answer.status <= 499 and answer.status not in (401, 408, 429):
        return answer
    return answer_of("The Bot Framework's token service", answer)


async def token_request(
    method: str, path: str, query: dict[str, str], bot_channel: BotChannel, body: Any = None
) -> Request:
    """Return a call of the token service. Raises ``RemoteError`` and ``SettingError``."""
    address = f"{bot_channel.settings.workplace_chat_token_url}/api/{path}?{urlencode(query)}"
    return await _request(method, address, bot_channel, body)


async def _request(method: str, url: str, bot_channel: BotChannel, body: Any = None) -> Request:
    headers = [(AUTHORIZATION, _bearer(await bot_token(bot_channel)))]
    if body is not None:
        headers.append(("Content-Type", "application/json"))
    content = None if body is None else msgspec.json.encode(body)
    return Request(method=method, url=url, headers=tuple(headers), body=content, trusted_host=True)


def _bearer(token: str) -> str:
    return f"Bearer {token}"


def words(body: bytes) -> str:
    """Return what the platform says of a refusal."""
    error = _decoded(body, ConnectorError()).error
    return f"{error.code or ''}: {error.message or ''}"[:300].strip(": ")


def code_of(body: bytes) -> str:
    """Return the platform's word for a refusal."""
    return _decoded(body, ConnectorError()).error.code or ""


def _decoded(body: bytes, default: Any) -> Any:
    try:
        return msgspec.json.decode(body, type=type(default))
    except msgspec.DecodeError:
        return default
