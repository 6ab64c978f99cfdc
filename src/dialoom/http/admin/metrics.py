"""Serves ``/metrics`` for Prometheus: to whoever has the token, and to this machine where nobody else can ask."""

from __future__ import annotations

import hmac

from dialoom.errors import RequestError
from dialoom.http.server.exchange import Exchange
from dialoom.http.server.limits.client_address import is_for_this_machine, is_forwarded
from dialoom.service.access.tokens import unauthorized
from dialoom.service.service import Service


async def give(service: Service, exchange: Exchange) -> None:
    # A proxy that was not named in base_url would else hand them to everybody, and a browser to foreign pages.
    scope = exchange.scope
    if not service.settings.is_local or is_forwarded(scope) or not is_for_this_machine(scope):
        _check(exchange, service.settings.metrics_token)
    kind, text = await service.metrics.scrape(service.store, service.clock)
    await exchange.answer(200, text, kind)


def _check(exchange: Exchange, token: str | None) -> None:
    if not token:
        detail = (
            "Without a token metrics are given by a local service only, to this machine, asked for by a loopback name "
            "(127.0.0.1, ::1, localhost). The operator opens them with the setting metrics_token."
        )
        raise RequestError("metrics-closed", detail)
    given = exchange.bearer() or ""
    if not hmac.compare_digest(given.encode("utf-8", "surrogatepass"), token.encode()):
        raise unauthorized("Bearer")
