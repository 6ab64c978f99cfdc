"""Serves the hosted picker page (channels.md section 1): the page, its question, its answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from dialoom.channels._contract import picker
from dialoom.http.chat.pages import Pages
from dialoom.http.server.exchange import Exchange
from dialoom.http.server.limits.rates import Rates
from dialoom.service.service import Service


class PickerEndpoints:
    """Shows a question and takes its answer. Opening the page uses nothing up: previews of links do no harm."""

    def __init__(self, service: Service, rates: Rates, pages: Pages) -> None:
        self._pickers = service.pickers
        self._places = service.places
        self._rates = rates
        self._pages = pages

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "pickerPage": self._pages.picker,
            "pick": self.pick,
            "pickerQuestion": self.question,
            "pickerPlaces": self.places,
        }

    async def pick(self, exchange: Exchange, bot: str, channel: str, ticket: str) -> None:
        exchange.query()
        question = await self._pickers.question(bot, channel, ticket)
        body = await exchange.read(picker.PickBody)
        self._rates.user(question.key)
        back = await self._pickers.answer(question, picker.event(body, question))
        await exchange.answer(200, msgspec.json.encode({"back": back}))

    async def question(self, exchange: Exchange, bot: str, channel: str, ticket: str) -> None:
        exchange.query()
        asked = await self._pickers.question(bot, channel, ticket)
        form = picker.form(asked)
        await exchange.answer(200, msgspec.json.encode(form | {"dialog": self._places.added(form["dialog"])}))

    async def places(self, exchange: Exchange, bot: str, channel: str, ticket: str) -> None:
        words = exchange.query("q").get("q", "")
        asked = await self._pickers.question(bot, channel, ticket)
        self._rates.user(asked.key)
        language = asked.profile.locale or asked.deployed.bot.file.language
        await exchange.answer(200, msgspec.json.encode(await self._places.find(words, language)))
