"""The rest channel's addresses: a POST takes a message and gives the turn's, a GET gives what no answer has carried."""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from dialoom.channels import limits, rest
from dialoom.errors import RequestError
from dialoom.http.problems import not_found
from dialoom.http.server.exchange import check_unicode
from dialoom.http.server.rates import verified
from dialoom.service.chat.transcript import said_again
from dialoom.service.cluster.remote_events import still_running
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from dialoom.flow.model import Channel
    from dialoom.http.server.exchange import Exchange
    from dialoom.http.server.rates import Rates
    from dialoom.service.service import Service

PAGE = 200
"""Later messages of one answer; ``next`` leads to the rest."""
LAST_POSITION = 2**53


async def post(service: Service, rates: Rates, exchange: Exchange, bot: str, channel_id: str, name: str) -> None:
    service.runner.check_room()
    channel = await _channel(exchange, service, bot, channel_id)
    exchange.query()
    body = await exchange.read(rest.RestBody)
    signed = service.tokens.check_user(body.sender.token, bot, channel, "/sender/token")
    key, inbound = rest.read(bot, channel, name, body, exchange.header(b"idempotency-key"), signed)
    rates.user(key)
    ticket = await service.runner.submit(key, inbound)
    if ticket.is_repeat and not ticket.answer.done():
        raise still_running()
    # Most turns are stored by now, and a shield around a future costs 3 µs.
    answer = ticket.answer.result() if ticket.answer.done() else await asyncio.shield(ticket.answer)
    await exchange.answer(200, answer)


async def messages(service: Service, exchange: Exchange, bot: str, channel_id: str, name: str) -> None:
    """Later messages (channels.md section 2). ``after`` says that the client has what came up to there."""
    await _channel(exchange, service, bot, channel_id)
    limits.check_length(name, "")
    query = exchange.query("sender", "after")
    if "sender" not in query:
        raise RequestError("bad-parameter", 'The parameter "sender" is missing: the sender.id of the user.')
    check_unicode(query["sender"], "")
    limits.check_id(query["sender"], "")
    key, after = ChatKey(bot, channel_id, query["sender"]), _position(query.get("after"))
    found = await service.store.later(key, PAGE)
    if found and found[0].position <= after:
        await service.store.carry(key, after)
        found = await service.store.later(key, PAGE)
    spoken = tuple(service.addresses.put_in(key, said_again(stored)) for stored in found)
    await exchange.answer(200, rest.later(spoken, str(found[-1].position if found else after)))


async def _channel(exchange: Exchange, service: Service, bot: str, channel_id: str) -> Channel:
    """The token is looked at first, so that without one nothing is revealed."""
    await service.tokens.check_channel(exchange.bearer(), bot, channel_id)
    deployed = service.bots.active(bot)
    channel = deployed.channel(channel_id) if deployed is not None else None
    if channel is None or channel.type != "rest":
        raise not_found(f'Bot "{bot}" has no rest channel "{channel_id}".')
    # Not before: the token of a web channel opens the check above too, and stands in the source of a page.
    verified(exchange.scope)
    return channel


def _position(after: str | None) -> int:
    if after is None:
        return 0
    if not (after.isascii() and after.isdigit()) or len(after) > 16 or int(after) > LAST_POSITION:
        raise RequestError("bad-parameter", 'Give "after" the "next" of the answer before, or leave it out.')
    return int(after)
