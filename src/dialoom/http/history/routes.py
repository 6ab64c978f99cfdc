"""Where what is kept of a bot is asked for: the addresses, their methods, and the right that each takes.

Every request is looked at in one order: method, size, token, then what it asks (history-api.md, Errors).
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from dialoom.errors import RequestError
from dialoom.http.admin.admission import admit
from dialoom.http.history.records import HistoryEndpoints
from dialoom.http.history.users import UserEndpoints
from dialoom.http.server.exchange import MAX_BODY_BYTES, too_large
from dialoom.http.server.line_stream import LineStream

if TYPE_CHECKING:
    import asyncio
    from collections.abc import Awaitable, Callable, Sequence

    from dialoom.http.server.exchange import Exchange
    from dialoom.service.service import Service

_BOT = "/v1/bots/{bot_id}"
ROUTES = {
    "conversations": f"{_BOT}/conversations",
    "messages": f"{_BOT}/messages",
    "conversations-count": f"{_BOT}/conversations/_count",
    "messages-count": f"{_BOT}/messages/_count",
    "conversation": f"{_BOT}/conversations/{{conversation_id}}",
    "user": f"{_BOT}/users/{{user_id}}",
    "user-export": f"{_BOT}/users/{{user_id}}/export",
}


class _Endpoint(NamedTuple):
    method: str
    right: str
    """The scope that the token must have."""
    answer: Callable[..., Awaitable[None]]


def endpoint_at(bot: str, rest: Sequence[str]) -> tuple[str, tuple[str, ...]] | None:
    """Which of the endpoints, by the parts behind ``/v1/bots/{bot}``; one slash may stand at the end."""
    match [*rest[:-1]] if len(rest) > 1 and not rest[-1] else [*rest]:
        case ["conversations" | "messages" as collection]:
            return collection, (bot,)
        case ["conversations" | "messages" as collection, "_count"]:
            return f"{collection}-count", (bot,)
        case ["conversations", id] if id:
            return "conversation", (bot, id)
        case ["users", user] if user:
            return "user", (bot, user)
        case ["users", user, "export"] if user:
            return "user-export", (bot, user)
        case _:
            return None


class HistoryRoutes:
    def __init__(self, service: Service, stopping: asyncio.Event) -> None:
        self._service = service
        lines = LineStream(stopping)
        self._history = HistoryEndpoints(service, lines)
        self._users = UserEndpoints(service, lines)

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        """By the kinds of ``ROUTES``."""
        history, users = self._history, self._users
        rows = {
            "conversations": _Endpoint("GET", "read", lambda asked, bot: history.records(asked, bot, "conversations")),
            "messages": _Endpoint("GET", "read", lambda asked, bot: history.records(asked, bot, "messages")),
            "conversations-count": _Endpoint(
                "GET", "read", lambda asked, bot: history.count(asked, bot, "conversations")
            ),
            "messages-count": _Endpoint("GET", "read", lambda asked, bot: history.count(asked, bot, "messages")),
            "conversation": _Endpoint("GET", "read", history.conversation),
            "user": _Endpoint("DELETE", "erase", users.erase),
            "user-export": _Endpoint("GET", "read", users.export),
        }
        return {kind: self._admitting(row) for kind, row in rows.items()}

    def _admitting(self, endpoint: _Endpoint) -> Callable[..., Awaitable[None]]:
        allowed = ("GET", "HEAD", "OPTIONS") if endpoint.method == "GET" else (endpoint.method, "OPTIONS")
        allow = ", ".join(allowed)

        async def answer(exchange: Exchange, bot: str, *place: str) -> None:
            if exchange.method not in allowed:
                raise RequestError(405, "method", f"Allowed here: {allow}.", headers={"Allow": allow})
            if exchange.method == "OPTIONS":
                # No page of another origin may ask: the token belongs to a server, and no header says otherwise.
                await exchange.answer(204, b"", allow=allow)
                return
            length = exchange.header(b"content-length") or "0"
            if length.isdigit() and int(length) > MAX_BODY_BYTES:
                raise too_large()
            await admit(self._service, exchange.scope, bot, endpoint.right)
            await endpoint.answer(exchange, bot, *place)

        return answer
