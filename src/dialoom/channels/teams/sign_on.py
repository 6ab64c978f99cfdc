"""Single sign-on with a ``workchat`` block: invokes of Teams bring a token, or a code for one: the user's login.

Source: https://learn.microsoft.com/microsoftteams/platform/bots/how-to/authentication/bot-sso-code.
"""

from __future__ import annotations

import logging
from datetime import datetime
from typing import TYPE_CHECKING, Any, Final

import msgspec

from dialoom.auth.provider import SocialClient, TokenAnswer, Wrong, inspection_request, read_inspection, social_value
from dialoom.auth.secret import Secret
from dialoom.channels._contract.channel import UNSET_FIELDS, WAY_BACK, Inbound, Reply, from_platform
from dialoom.channels.teams.connector import (
    ask_token_service,
    encode_route,
    token_query,
    token_request,
    words,
)
from dialoom.engine.events import LoggedIn
from dialoom.errors import RemoteError, SettingError
from dialoom.service.outbox.bot_channel import answer_of

if TYPE_CHECKING:
    from dialoom.channels.teams.activities import Activity
    from dialoom.channels.teams.connector import Route
    from dialoom.engine.effects import Request
    from dialoom.flow.model import Authentication, Socialnet
    from dialoom.messages import Profile
    from dialoom.service.outbox.bot_channel import BotChannel

log = logging.getLogger(__name__)

EXCHANGE: Final = "signin/tokenExchange"
VERIFY: Final = "signin/verifyState"
FAILURE: Final = "signin/failure"
DONE: Final = Reply(b"{}")


class UserToken(msgspec.Struct, frozen=True):
    """A token of a user, as the token service gives it."""

    token: str
    expiration: str | None = None

    def __repr__(self) -> str:
        return "UserToken(***)"


def connection_of(bot_channel: BotChannel) -> str | None:
    """Return the connection of the flow's ``workchat`` block; None without one."""
    authentication = bot_channel.bot.flow.settings.authentication
    workchat = None if authentication is None else authentication.workchat
    return None if workchat is None else workchat.connection_name


async def invoked(activity: Activity, profile: Profile, route: Route, bot_channel: BotChannel) -> Inbound:
    """Return what an invoke of the sign-in brings, and its answer: 412 has Teams show the button of the card."""
    value = activity.value if isinstance(activity.value, dict) else {}
    authentication, connection = bot_channel.bot.flow.settings.authentication, connection_of(bot_channel)
    if activity.name == FAILURE:
        code, text = str(value.get("code"))[:100], str(value.get("message"))[:300]
        log.warning("Teams could not sign a user of channel %s in by itself: %s %s", bot_channel.channel.id, code, text)
        return Inbound(reply=DONE)
    if activity.name == VERIFY and value.get("state") == WAY_BACK:
        # The last page of a login by link has closed the pop-up: the login is in the chat already.
        return Inbound(reply=DONE)
    if authentication is None or connection is None:
        return Inbound(reply=_refused(value, "The bot has no single sign-on."))
    try:
        if activity.name == EXCHANGE:
            id, login = str(value.get("id") or "")[:150], await _exchanged(value, connection, route, bot_channel)
            id = f"exchange {id or activity.id}"
        else:
            id, login = f"verify {activity.id}"[:150], await _verified(value, connection, route, bot_channel)
        if login is None:
            return Inbound(reply=_refused(value, "No token came of it. The user signs in with the button."))
        entity = await _entity(login, authentication, bot_channel)
    except (RemoteError, SettingError, Wrong) as error:
        log.warning("a sign-in of channel %s through Teams failed: %s", bot_channel.channel.id, error)
        return Inbound(reply=_refused(value, "The sign-in failed. The operator finds the reason in the log."))
    event = LoggedIn(**UNSET_FIELDS, profile=profile, value=entity)
    return Inbound([from_platform(event, id, encode_route(route))], reply=DONE)


async def sign_out(route: Route, bot_channel: BotChannel) -> Request:
    """Return the call by which the token service forgets the token that it keeps of a user. Raises ``SettingError`` and
    ``RemoteError``."""
    connection = connection_of(bot_channel)
    if connection is None:
        raise SettingError("The flow has no workchat block any more. Drop this.")
    return await token_request("DELETE", "usertoken/SignOut", token_query(connection, route), bot_channel)


def _refused(value: dict[str, Any], detail: str) -> Reply:
    told = {"id": value.get("id"), "connectionName": value.get("connectionName"), "failureDetail": detail}
    return Reply(msgspec.json.encode(told), status=412)


async def _exchanged(value: dict[str, Any], connection: str, route: Route, bot_channel: BotChannel) -> UserToken | None:
    """Return the user's token for the one that Teams has brought. Each device of the user brings one of its own under
    the same id: the first that the token service takes counts for all."""
    token = value.get("token")
    if value.get("connectionName") != connection or not isinstance(token, str):
        return None

    async def exchange() -> UserToken:
        query = token_query(connection, route)
        answer = await ask_token_service("POST", "usertoken/exchange", query, bot_channel, {"token": token})
        if answer.status >= 400:
            raise RemoteError("status", f"The token service exchanges no token: {words(answer.body)}")
        return _token(answer.body)

    key = (
        bot_channel.channel.type,
        "exchange",
        bot_channel.bot.id,
        bot_channel.channel.id,
        route.user,
        str(value.get("id")),
    )
    return await bot_channel.cached(key, exchange)


async def _verified(value: dict[str, Any], connection: str, route: Route, bot_channel: BotChannel) -> UserToken | None:
    """Return the user's token for the code that the sign-in's page gave to Teams."""
    code = value.get("state")
    if not isinstance(code, str) or not code:
        return None
    query = token_query(connection, route) | {"code": code}
    answer = await ask_token_service("GET", "usertoken/GetToken", query, bot_channel)
    return None if answer.status >= 400 else _token(answer.body)


def _token(body: bytes) -> UserToken:
    try:
        return msgspec.json.decode(body, type=UserToken)
    except msgspec.DecodeError as error:
        raise RemoteError("broken", "The token service answered without a token") from error


async def _entity(login: UserToken, authentication: Authentication, bot_channel: BotChannel) -> dict[str, Any]:
    """Return what the authentication entity holds, as ``workchat.strategy`` says: a token of an OpenID provider as it
    is, that of the social network after its inspection. Raises ``Wrong``, ``RemoteError`` and ``SettingError``."""
    expires_at = _seconds(login.expiration)
    if authentication.socialnet is not None:
        return await _inspected(login, authentication.socialnet, bot_channel)
    value = {"access_token": login.token, "token_type": "Bearer", "expires_at": expires_at}
    return {name: one for name, one in value.items() if one is not None}


async def _inspected(login: UserToken, block: Socialnet, bot_channel: BotChannel) -> dict[str, Any]:
    settings, now = bot_channel.settings, bot_channel.now / 1000
    client = SocialClient(
        app_id=block.app_id,
        app_secret=Secret(bot_channel.bot_channels.bots.secret(bot_channel.bot.id, block.app_secret)),
        dialog_url=settings.socialnet_dialog_url,
        graph_url=settings.socialnet_graph_url,
    )
    answer = answer_of(
        "The inspection of the token",
        await bot_channel.fetch(inspection_request(client, login.token, trusted_host=True)),
    )
    inspection = read_inspection(answer.status, answer.body, client, now)
    expires_at = _seconds(login.expiration)
    expires_in = None if expires_at is None or expires_at <= now else expires_at - now
    return social_value(TokenAnswer(access_token=login.token, expires_in=expires_in), inspection, now)


def _seconds(expiration: str | None) -> int | None:
    """Return a time of ISO 8601 in seconds since 1970."""
    try:
        return None if not expiration else int(datetime.fromisoformat(expiration).timestamp())
    except (ValueError, OverflowError):
        return None
