"""Dead letters: deliveries to the outside that were given up. To see them, to resend them, to drop them."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dialoom.errors import RequestError
from dialoom.http.problems import not_found
from dialoom.http.server.accept import JSON, accepted
from dialoom.service.outbox.outbox import MAX_LISTED

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from dialoom.http.server.exchange import Exchange
    from dialoom.service.service import Service

DEFAULT_LIMIT = 100


class DeadLetters:
    def __init__(self, service: Service) -> None:
        self._outbox = service.outbox

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {"listDeadLetters": self.list, "resendDeadLetter": self.resend, "dropDeadLetter": self.drop}

    async def list(self, exchange: Exchange, bot: str) -> None:
        accepted(exchange.scope["headers"], (JSON,))
        text = exchange.query("limit").get("limit", str(DEFAULT_LIMIT))
        if not (text.isascii() and text.isdigit()) or len(text) > 9 or not 1 <= int(text) <= MAX_LISTED:
            raise RequestError("bad-parameter", f'"limit" is a whole number from 1 to {MAX_LISTED}.')
        await exchange.answer(200, msgspec.json.encode(await self._outbox.dead(bot, int(text))))

    async def resend(self, exchange: Exchange, bot: str, letter: str) -> None:
        _check(exchange)
        if not await self._outbox.resend(bot, [letter]):
            raise _unknown(bot, letter)
        await exchange.answer(204, b"")

    async def drop(self, exchange: Exchange, bot: str, letter: str) -> None:
        _check(exchange)
        if not await self._outbox.drop(bot, [letter]):
            raise _unknown(bot, letter)
        await exchange.answer(204, b"")


def _check(exchange: Exchange) -> None:
    accepted(exchange.scope["headers"], (JSON,))
    exchange.query()


def _unknown(bot: str, letter: str) -> RequestError:
    return not_found(f'Bot "{bot}" has no dead letter "{letter[:80]}".')
