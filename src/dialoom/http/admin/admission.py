"""Admits requests for what is stored of a bot, by server access token and scope."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from dialoom.http.routing import Route
from dialoom.http.server.exchange import MAX_BODY_BYTES, Exchange, too_large
from dialoom.http.server.limits.rates import verified
from dialoom.service.service import Service

SCHEME = "Bot-Server-Access-Token"


class ServerGuard:
    """Checks every request in one order: method, size, token, then what it asks (history-api.md, Errors)."""

    def __init__(self, service: Service) -> None:
        self._service = service

    async def admit(
        self, exchange: Exchange, route: Route, path_values: tuple[str, ...], handle: Callable[..., Awaitable[None]]
    ) -> None:
        """Call the handler when the token has the row's scope. Raise ``RequestError`` 401 or 403: the token is looked
        up first, then the bot."""
        row = route.row(exchange.method)
        if exchange.method != "OPTIONS":
            length = exchange.header(b"content-length") or "0"
            if length.isdigit() and int(length) > MAX_BODY_BYTES:
                raise too_large()
            scheme, _, token = (exchange.header(b"authorization") or "").partition(" ")
            given = token.strip() if scheme.lower() == SCHEME.lower() else None
            await self._service.tokens.check_server(given, path_values[0], row.scope)
            verified(exchange.scope)
        await handle(exchange, route, *path_values)
