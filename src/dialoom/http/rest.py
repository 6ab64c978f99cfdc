"""``POST /v1/bots/{bot}/channels/{channel}/rest/{name}``: one message in, the turn's messages out."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from dialoom.channels import rest
from dialoom.errors import RequestError
from dialoom.http.problems import not_found

if TYPE_CHECKING:
    from dialoom.http.exchange import Exchange
    from dialoom.service.service import Service


async def post(exchange: Exchange, service: Service, bot: str, channel_id: str, name: str) -> None:
    if exchange.method != "POST":
        raise RequestError(405, "method", "Messages are sent with POST.", headers={"Allow": "POST"})
    await service.tokens.check_channel(exchange.bearer(), bot, channel_id)
    exchange.query()
    deployed = service.bots.active(bot)
    channel = deployed.channel(channel_id) if deployed is not None else None
    if channel is None or channel.type != "rest":
        raise not_found(f'Bot "{bot}" has no rest channel "{channel_id}".')
    body = await exchange.read(rest.RestBody)
    key, arrival = rest.read(bot, channel, name, body, exchange.header(b"idempotency-key"))
    ticket = await service.runner.submit(key, arrival)
    if ticket.is_repeat and not ticket.answer.done():
        raise RequestError(
            409,
            "still-running",
            "A message with this id is being answered now. Ask again in a moment.",
            headers={"Retry-After": "1"},
        )
    answer = await asyncio.shield(ticket.answer)
    await exchange.answer(200, answer)
