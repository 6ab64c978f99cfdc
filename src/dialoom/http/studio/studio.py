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
from dialoom.http.server.cookies import cookie_name, found, secure
from dialoom.http.server.rates import Rates
from dialoom.http.studio import settings
from dialoom.service.access.studio_sign_in import SESSION_LIVES
from dialoom.service.clock import iso

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable

    from dialoom.http.chat.pages import Pages
    from dialoom.http.server.exchange import Exchange
    from dialoom.http.server.origin import Origins
    from dialoom.service.access.studio_sign_in import Session
    from dialoom.service.service import Service

COOKIE = "dialoom_studio"
PLACE = "/v1/studio"
TRIES = "30/min"
"""Links that one address may try to sign in with."""
_BOT = f"{PLACE}/bots/{{bot}}"
ROUTES = {
    "studio": "/studio",
    "studio-sign-in": f"{PLACE}/sign-in",
    "studio-sign-out": f"{PLACE}/sign-out",
    "studio-session": f"{PLACE}/session",
    "studio-bot": _BOT,
    "studio-tokens": f"{_BOT}/tokens",
    "studio-show": f"{_BOT}/tokens/{{id}}/show",
    "studio-revoke": f"{_BOT}/tokens/{{id}}/revoke",
}
ROOMS = frozenset({"settings"})


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


def page_at(rest: list[str]) -> tuple[str, tuple[str, ...]] | None:
    """The page stands at its own address and at that of each room; which bots there are it learns when signed in."""
    match rest:
        case [] | [""]:
            return "studio", ()
        case [bot, room] if bot and room in ROOMS:
            return "studio", ()
        case _:
            return None


def endpoint_at(rest: list[str]) -> tuple[str, tuple[str, ...]] | None:
    """Which of the endpoints, by the parts behind ``/v1/studio``."""
    match rest:
        case ["sign-in" | "sign-out" | "session" as what]:
            return f"studio-{what}", ()
        case ["bots", bot] if bot:
            return "studio-bot", (bot,)
        case ["bots", bot, "tokens"] if bot:
            return "studio-tokens", (bot,)
        case ["bots", bot, "tokens", id, "show" | "revoke" as what] if bot and id:
            return f"studio-{what}", (bot, id)
        case _:
            return None


class StudioEndpoints:
    def __init__(self, service: Service, origins: Origins, pages: Pages, base_url: str) -> None:
        self._service = service
        self._origins = origins
        self._pages = pages
        self._settings = settings.StudioSettings(service, base_url)
        self._cookie, self._place = cookie_name(COOKIE, base_url), f"Path={PLACE}"
        self._safe = secure(base_url)
        if self._safe:
            # No other host of the same domain can set one of this name (RFC 6265bis section 4.1.3.2).
            self._cookie, self._place = f"__Host-{self._cookie}", "Path=/"
        self._tries = Rates(msgspec.structs.replace(service.settings, rate_address=TRIES), service.metrics)

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        """By the kinds of ``ROUTES``."""
        return {
            "studio": self._pages.studio,
            "studio-sign-in": self._sign_in,
            "studio-sign-out": self._sign_out,
            "studio-session": self._visit,
            "studio-bot": self._inside("GET", self._settings.bot),
            "studio-tokens": self._inside("POST", self._settings.make),
            "studio-show": self._inside("POST", self._settings.show),
            "studio-revoke": self._inside("POST", self._settings.revoke),
        }

    def _inside(self, method: str, answer: Callable[..., Awaitable[None]]) -> Callable[..., Awaitable[None]]:
        """For those who are signed in only."""

        async def guarded(exchange: Exchange, *place: str) -> None:
            await self._enter(exchange, method)
            await answer(exchange, *place)

        return guarded

    async def _enter(self, exchange: Exchange, method: str) -> Session:
        self._check(exchange, method)
        session = await self._service.studio.session(found(exchange, self._cookie))
        exchange.query()
        return session

    def _check(self, exchange: Exchange, method: str) -> None:
        """Before anything is looked up: what another page could have sent is refused."""
        exchange.extra = {"cross-origin-resource-policy": "same-origin"}
        if exchange.method != method:
            raise RequestError(405, "method", f"Allowed here: {method}.", headers={"Allow": method})
        if method != "GET" and not self._origins.is_own(exchange.header(b"origin")):
            raise RequestError(
                403,
                "origin",
                "Only the studio's own page may do this. Open the studio under the address that the service is known "
                "by (DIALOOM_BASE_URL).",
            )

    # -- in and out

    async def _sign_in(self, exchange: Exchange) -> None:
        self._check(exchange, "POST")
        exchange.query()
        self._tries.address(exchange.scope)
        link = await exchange.read(_Link)
        opened = await self._service.studio.sign_in(link.token)
        # A browser has one session: the one before is of no use to anybody any more.
        await self._service.studio.sign_out(found(exchange, self._cookie))
        exchange.extra["set-cookie"] = self._set_cookie(opened.text, SESSION_LIVES // 1000)
        await exchange.answer(200, msgspec.json.encode({"expiresAt": iso(opened.session.expires_at)}))

    async def _sign_out(self, exchange: Exchange) -> None:
        """Whether there is a session or not, afterwards there is none."""
        self._check(exchange, "POST")
        exchange.query()
        await exchange.read(settings.Nothing)
        await self._service.studio.sign_out(found(exchange, self._cookie))
        exchange.extra["set-cookie"] = self._set_cookie("", 0)
        await exchange.answer(204, b"")

    def _set_cookie(self, text: str, seconds: int) -> str:
        return f"{self._cookie}={text}; {self._place}; Max-Age={seconds}; HttpOnly; SameSite=Strict{self._safe}"

    async def _visit(self, exchange: Exchange) -> None:
        session = await self._enter(exchange, "GET")
        bots = [_Known(deployed.bot.id, deployed.bot.name) for deployed in self._service.bots.all()]
        visit = _Visit(session.role, iso(session.expires_at), __version__, bots)
        await exchange.answer(200, msgspec.json.encode(visit))
