"""Checks that a call comes from the Bot Framework (``auth.connector_token``), with the keys that it publishes."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import TYPE_CHECKING, Final

import msgspec

from dialoom.auth.connector_token import (
    ConnectorCall,
    ConnectorKeys,
    Refused,
    UnknownSigner,
    check_connector_token,
    read_connector_keys,
    read_jwks_uri,
)
from dialoom.auth.provider import Wrong
from dialoom.channels._contract.channel import forged
from dialoom.channels.teams.connector import is_service_host
from dialoom.engine.effects import Request
from dialoom.errors import RemoteError
from dialoom.service.outbox.bot_channel import answer_of

if TYPE_CHECKING:
    from dialoom.channels._contract.channel import InboundCall
    from dialoom.service.outbox.bot_channel import BotChannel

METADATA: Final = "The metadata of the Bot Framework"
KEYS: Final = "The keys of the Bot Framework"


class Origin(msgspec.Struct, frozen=True, rename="camel"):
    """What an activity says of where it comes from; the token has to say the same."""

    channel_id: str | None = None
    service_url: str | None = None


async def check(call: InboundCall, bot_channel: BotChannel) -> None:
    """Check token and serviceUrl of a call. Raises ``RequestError`` 401, and ``RemoteError`` where the keys cannot be
    had."""
    kind, _, token = (call.header("authorization") or "").partition(" ")
    if not token and call.may_be_unsigned:
        _check_host(call.read(Origin), bot_channel)
        return
    if kind.lower() != "bearer" or not token:
        raise forged("The header Authorization has no bearer token.")
    app_id = bot_channel.required("app-id")
    origin = call.read(Origin)
    expected = ConnectorCall(app_id, origin.channel_id or "", origin.service_url or "", bot_channel.now / 1000)
    try:
        await _check_token(token.strip(), expected, bot_channel)
    except Refused as refused:
        raise forged(str(refused)) from None
    _check_host(origin, bot_channel)


def _check_host(origin: Origin, bot_channel: BotChannel) -> None:
    if not is_service_host(origin.service_url or "", bot_channel.settings):
        raise forged(
            "The activity's serviceUrl names a host that does not stand in DIALOOM_WORKPLACE_CHAT_SERVICE_HOSTS."
        )


async def _check_token(token: str, expected: ConnectorCall, bot_channel: BotChannel) -> None:
    key, ask = (
        (bot_channel.channel.type, "keys", bot_channel.settings.workplace_chat_metadata_url),
        partial(published, bot_channel),
    )
    keys = await bot_channel.cached(key, ask)
    try:
        await asyncio.to_thread(check_connector_token, token, keys, expected)
    except UnknownSigner:
        newer = await bot_channel.newer(key, keys, ask)
        if newer is None:
            raise
        await asyncio.to_thread(check_connector_token, token, newer, expected)


async def published(bot_channel: BotChannel) -> ConnectorKeys:
    """Return the keys that the Bot Framework publishes now. Raises ``RemoteError``."""
    metadata_url = bot_channel.settings.workplace_chat_metadata_url
    metadata = answer_of(METADATA, await bot_channel.fetch(_get(metadata_url)))
    try:
        jwks_uri = read_jwks_uri(metadata.body, metadata_url)
        keys = answer_of(KEYS, await bot_channel.fetch(_get(jwks_uri)))
        return await asyncio.to_thread(read_connector_keys, keys.body)
    except Wrong as wrong:
        raise RemoteError("broken", f"{KEYS}: {wrong}") from wrong


def _get(url: str) -> Request:
    return Request(method="GET", url=url, headers=(("Accept", "application/json"),), trusted_host=True)
