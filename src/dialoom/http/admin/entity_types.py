"""Reading the list of a dynamic entity type now, for the service that has just changed it (understanding.md)."""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dialoom.errors import RemoteError, RequestError
from dialoom.http.problems import not_found
from dialoom.http.server.accept import JSON, accepted

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Exchange
    from dialoom.service.service import Service


async def refresh(service: Service, exchange: Exchange, bot: str, name: str) -> None:
    accepted(exchange.scope["headers"], (JSON,))
    exchange.query()
    try:
        refreshed = await service.dynamic.refresh(bot, name)
    except KeyError as error:
        raise not_found(f'Bot "{bot}" has no entity type "{name[:80]}" with dynamic-data.') from error
    except RemoteError as error:
        why = str(error).rstrip(".")
        detail = f'The list of "{name}" was not read: {why}. Its values stay as they are.'
        raise RequestError("list-not-read", detail) from error
    await exchange.answer(200, msgspec.json.encode(refreshed))
