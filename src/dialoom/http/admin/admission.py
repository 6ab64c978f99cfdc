"""Who is let in to what is kept of a bot: the server access token and its scopes. The same check for every handler."""

# No `from __future__ import annotations`: Litestar reads the types of its handlers when it registers them.
from typing import TYPE_CHECKING, Annotated, Any

from litestar import Request
from litestar.datastructures import State
from litestar.params import PathParameter

from dialoom.errors import RequestError
from dialoom.http.server.accept import JSON, accepted
from dialoom.http.server.exchange import unknown_parameter
from dialoom.http.server.rates import verified
from dialoom.service.service import Service

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Scope

SCHEME = "Bot-Server-Access-Token"

Bot = Annotated[str, PathParameter(description="The bot's id.")]


async def admit(service: Service, scope: "Scope", bot: str, right: str = "read") -> None:
    """Raises ``RequestError`` 401 or 403. The token is looked up first, then the bot (history-api.md, Errors)."""
    given = next((value for name, value in scope["headers"] if name == b"authorization"), b"").decode("latin-1")
    scheme, _, token = given.partition(" ")
    await service.tokens.check_server(token.strip() if scheme.lower() == SCHEME.lower() else None, bot, right)
    verified(scope)


# -- for Litestar's handlers


def service_of(state: State) -> Service:
    return state.service  # type: ignore[no-any-return]  # put there by http.app alone


async def authorize(request: Request[Any, Any, State], bot: str, right: str = "read") -> Service:
    service = service_of(request.app.state)
    await admit(service, request.scope, bot, right)  # type: ignore[arg-type]  # a dict, as all of ASGI has it
    accepted(request.scope["headers"], (JSON,))
    return service


def check_parameters(request: Request[Any, Any, State], *allowed: str) -> None:
    seen: set[str] = set()
    for name, _ in request.query_params.multi_items():
        if name not in allowed:
            raise unknown_parameter(name, allowed)
        if name in seen:
            raise RequestError(400, "bad-parameter", f'The parameter "{name[:80]}" stands twice. Give it once.')
        seen.add(name)
