"""Serves the studio's Insights: the numbers of a bot's conversations in a period, with the queries that find them.

They are counted by ``service.records.insights``, one count at a time in each process.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from datetime import datetime, timedelta
from typing import Final

import msgspec

from dialoom.errors import QueryError, RequestError
from dialoom.http.server.cancel_on_disconnect import cancel_on_disconnect
from dialoom.http.server.exchange import Exchange
from dialoom.query import stored_dates
from dialoom.service.clock import iso
from dialoom.service.records.insights import STALLED_MS, Insights, Period, count_insights
from dialoom.service.service import Service

DAY_MS: Final = 86_400_000
DEFAULT_DAYS: Final = 30
MAX_DAYS: Final = 400


class StudioInsights:
    def __init__(self, service: Service) -> None:
        self._service = service
        self._counting = asyncio.Lock()

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {"studioInsights": self.numbers}

    async def numbers(self, exchange: Exchange, bot: str) -> None:
        """Answer with the numbers of the conversations that began in the period, the last 30 days without one."""
        given = exchange.query("from", "to", "channel", "version")
        self._service.bots.known(bot)
        now = self._service.clock.now()
        until = moment_given("to", given.get("to")) or iso(now)
        since = moment_given("from", given.get("from")) or iso(now - DEFAULT_DAYS * DAY_MS)
        _check_period(since, until)
        period = Period(since, until, given.get("channel") or None, given.get("version") or None)
        found = await cancel_on_disconnect(exchange, self._count(bot, period, iso(now - STALLED_MS)))
        await exchange.answer(200, await asyncio.to_thread(msgspec.json.encode, found))

    async def _count(self, bot: str, period: Period, stalled_before: str) -> Insights:
        async with self._counting:
            return await count_insights(self._service.store, bot, period, stalled_before)


def moment_given(name: str, text: str | None) -> str | None:
    """Return a time of the query as records have it. Raises ``RequestError`` 422."""
    if not text:
        return None
    try:
        return str(stored_dates({"$date": text}))
    except QueryError:
        raise RequestError(
            "bad-parameter", f'"{name}" is a day or a time such as 2026-11-20 or 2026-11-20T08:15:30Z.'
        ) from None


def _check_period(since: str, until: str) -> None:

    if not since < until:
        raise RequestError("bad-parameter", '"from" has to be earlier than "to".')
    if datetime.fromisoformat(until) - datetime.fromisoformat(since) > timedelta(days=MAX_DAYS):
        raise RequestError("bad-parameter", f"A period has at most {MAX_DAYS} days.")
