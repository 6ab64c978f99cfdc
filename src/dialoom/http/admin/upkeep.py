"""Serves a bot's back end what changes something: dead letters, and lists of dynamic data."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from functools import partial

import msgspec

from dialoom.errors import RemoteError, RequestError
from dialoom.http.problems import not_found
from dialoom.http.server.accept import JSON, accepted
from dialoom.http.server.exchange import Exchange
from dialoom.service.outbox.outbox import MAX_LISTED
from dialoom.service.service import Service

DEFAULT_LIMIT = 100


class UpkeepEndpoints:
    def __init__(self, service: Service) -> None:
        self._outbox = service.outbox
        self._dynamic = service.dynamic

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "listDeadLetters": self._list,
            "resendDeadLetter": partial(self._change, self._outbox.resend),
            "dropDeadLetter": partial(self._change, self._outbox.drop),
            "refreshEntityType": self._refresh,
        }

    async def _list(self, exchange: Exchange, bot: str) -> None:
        accepted(exchange.scope["headers"], (JSON,))
        text = exchange.query("limit").get("limit", str(DEFAULT_LIMIT))
        if not (text.isascii() and text.isdigit()) or len(text) > 9 or not 1 <= int(text) <= MAX_LISTED:
            raise RequestError("bad-parameter", f'"limit" is a whole number from 1 to {MAX_LISTED}.')
        await exchange.answer(200, msgspec.json.encode(await self._outbox.dead(bot, int(text))))

    async def _change(
        self, change: Callable[[str, list[str]], Awaitable[int]], exchange: Exchange, bot: str, letter: str
    ) -> None:
        """Resend or drop one dead letter. Raise ``RequestError`` 404 when there is none of this id."""
        accepted(exchange.scope["headers"], (JSON,))
        exchange.query()
        if not await change(bot, [letter]):
            raise not_found(f'Bot "{bot}" has no dead letter "{letter[:80]}".')
        await exchange.answer(204, b"")

    async def _refresh(self, exchange: Exchange, bot: str, name: str) -> None:
        """Read the list of a dynamic entity type at once, for the back end that has just changed it."""
        accepted(exchange.scope["headers"], (JSON,))
        exchange.query()
        try:
            refreshed = await self._dynamic.refresh(bot, name)
        except KeyError as error:
            raise not_found(f'Bot "{bot}" has no entity type "{name[:80]}" with dynamic-data.') from error
        except RemoteError as error:
            why = str(error).rstrip(".")
            detail = f'The list of "{name}" was not read: {why}. Its values stay as they are.'
            raise RequestError("list-not-read", detail) from error
        await exchange.answer(200, msgspec.json.encode(refreshed))
