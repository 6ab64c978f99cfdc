"""Answers with everything that is stored of a user as lines, and erases it with a receipt."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

import msgspec

from dialoom.authoring.drafts.drafts import Drafts
from dialoom.authoring.erase_user import erase_user
from dialoom.http.server.accept import JSON, NDJSON, accepted
from dialoom.http.server.exchange import Exchange
from dialoom.http.server.line_stream import LineStream
from dialoom.service.service import Service

USER_PARAMETERS = ("channel",)


class UserEndpoints:
    """Serves the endpoints under ``/v1/bots/{bot}/users/{user}``."""

    def __init__(self, service: Service, lines: LineStream) -> None:
        self._service = service
        self._drafts = Drafts(service)
        self._lines = lines

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {"exportUser": self.export, "eraseUser": self.erase}

    async def erase(self, exchange: Exchange, bot: str, user: str) -> None:
        """Erase the user, also when the client disconnects. Asking again completes an erasure that was interrupted."""
        accepted(exchange.scope["headers"], (JSON,))
        channel = exchange.query(*USER_PARAMETERS).get("channel")
        receipt = await erase_user(self._service, self._drafts, bot, user, channel)
        await exchange.answer(200, msgspec.json.encode(receipt))

    async def export(self, exchange: Exchange, bot: str, user: str) -> None:
        accepted(exchange.scope["headers"], (NDJSON,))
        channel = exchange.query(*USER_PARAMETERS).get("channel")
        await self._lines.send(exchange, self._service.export.lines(bot, user, channel))
