"""The studio's addresses: its page, signing in and out, and the JSON that its rooms read and change.

Who may is for ``service.access.studio_sign_in``, what a bot's Settings hold for ``http.studio.settings``. Everything
here needs the session's cookie but signing in; every change needs the page's own origin and a JSON body, which no
form of another page can send. Nothing here is part of the public interface.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dialoom import __version__
from dialoom.errors import RequestError
from dialoom.http.endpoints import STUDIO
from dialoom.http.routing import Access
from dialoom.http.server.cookies import cookie_name, found, secure
from dialoom.http.server.rates import Rates
from dialoom.http.studio import settings
from dialoom.service.access.studio_sign_in import SESSION_MS
from dialoom.service.clock import iso

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from dialoom.http.chat.pages import Pages
    from dialoom.http.routing import Route
    from dialoom.http.server.exchange import Exchange
    from dialoom.http.server.origin import Origins
    from dialoom.service.access.studio_sign_in import Session
    from dialoom.service.service import Service

COOKIE = "dialoom_studio"
TRIES = "30/min"
"""Links that one address may try to sign in with."""


class _Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    token: str


class _Known(msgspec.Struct, frozen=True):
    """A bot, as the rail names it."""

    id: str
    name: str


class _Visit(msgspec.Struct, frozen=True, rename="camel"):
    """What the studio's frame shows."""

    role: str
    expires_at: str
    release: str
    bots: list[_Known]


class StudioEndpoints:
    def __init__(self, service: Service, origins: Origins, pages: Pages, base_url: str) -> None:
        self._service = service
        self._origins = origins
        self._pages = pages
        self._settings = settings.StudioSettings(service, base_url)
        self._cookie, self._place = cookie_name(COOKIE, base_url), f"Path={STUDIO}"
        self._safe = secure(base_url)
        if self._safe:
            # No other host of the same domain can set one of this name (RFC 6265bis section 4.1.3.2).
            self._cookie, self._place = f"__Host-{self._cookie}", "Path=/"
        self._tries = Rates(msgspec.structs.replace(service.settings, rate_address=TRIES), service.metrics)

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "studioSignIn": self._sign_in,
            "studioSignOut": self._sign_out,
            "studioSession": self._visit,
            "studioBot": self._settings.bot,
            "studioMakeToken": self._settings.make,
            "studioShowToken": self._settings.show,
            "studioRevokeToken": self._settings.revoke,
        }

    async def admit(
        self, exchange: Exchange, route: Route, place: tuple[str, ...], handle: Callable[..., Awaitable[None]]
    ) -> None:
        """Before anything is looked up, what another page could have sent is refused; then who is not signed in."""
        exchange.extra = {"cross-origin-resource-policy": "same-origin"}
        row = route.row(exchange.method)
        if row.method != "GET" and not self._origins.is_own(exchange.header(b"origin")):
            raise RequestError(
                "origin",
                "Only the studio's own page may do this. Open the studio under the address that the service is known "
                "by (DIALOOM_BASE_URL).",
            )
        if row.access is Access.STUDIO:
            await self._session(exchange)
        exchange.query()
        await handle(exchange, route, *place)

    async def _session(self, exchange: Exchange) -> Session:
        return await self._service.studio.session(found(exchange, self._cookie))

    # -- in and out

    async def _sign_in(self, exchange: Exchange) -> None:
        self._tries.address(exchange.scope)
        link = await exchange.read(_Link)
        opened = await self._service.studio.sign_in(link.token)
        # A browser has one session: the one before is of no use to anybody any more.
        await self._service.studio.sign_out(found(exchange, self._cookie))
        exchange.extra["set-cookie"] = self._set_cookie(opened.text, SESSION_MS // 1000)
        await exchange.answer(200, msgspec.json.encode({"expiresAt": iso(opened.session.expires_at)}))

    async def _sign_out(self, exchange: Exchange) -> None:
        """Whether there is a session or not, afterwards there is none."""
        await exchange.read(settings.Nothing)
        await self._service.studio.sign_out(found(exchange, self._cookie))
        exchange.extra["set-cookie"] = self._set_cookie("", 0)
        await exchange.answer(204, b"")

    def _set_cookie(self, text: str, seconds: int) -> str:
        return f"{self._cookie}={text}; {self._place}; Max-Age={seconds}; HttpOnly; SameSite=Strict{self._safe}"

    async def _visit(self, exchange: Exchange) -> None:
        session = await self._session(exchange)
        bots = [_Known(deployed.bot.id, deployed.bot.name) for deployed in self._service.bots.all()]
        visit = _Visit(session.role, iso(session.expires_at), __version__, bots)
        await exchange.answer(200, msgspec.json.encode(visit))
