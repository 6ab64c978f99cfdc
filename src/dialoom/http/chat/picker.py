"""The addresses of the hosted picker page (channels.md section 1): the page, its question, its answer."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dialoom.channels import picker
from dialoom.errors import RequestError

if TYPE_CHECKING:
    from dialoom.http.chat.pages import Pages
    from dialoom.http.server.exchange import Exchange
    from dialoom.http.server.rates import Rates
    from dialoom.service.service import Service


async def ticket(
    exchange: Exchange, service: Service, rates: Rates, pages: Pages, bot: str, channel: str, ticket: str
) -> None:
    """The page for a browser that opens the address, and the way for its answer.

    Looking at the page uses nothing up, so that previews of links do no harm.
    """
    if exchange.method in {"GET", "HEAD"}:
        await pages.picker(exchange, bot, channel, ticket)
        return
    if exchange.method != "POST":
        raise _method("GET, HEAD, POST")
    exchange.query()
    question = await service.pickers.question(bot, channel, ticket)
    body = await exchange.read(picker.PickBody)
    rates.user(question.key)
    back = await service.pickers.answer(question, picker.event(body, question))
    await exchange.answer(200, msgspec.json.encode({"back": back}))


async def question(exchange: Exchange, service: Service, bot: str, channel: str, ticket: str) -> None:
    if exchange.method != "GET":
        raise _method("GET")
    exchange.query()
    asked = await service.pickers.question(bot, channel, ticket)
    await exchange.answer(200, msgspec.json.encode(picker.form(asked)))


def _method(allowed: str) -> RequestError:
    return RequestError(405, "method", f"Allowed here: {allowed}.", headers={"Allow": allowed})
