"""Serves the sign-in to the studio by OpenID Connect: the address that begins it, and the one that the provider sends
the browser back to.

What is checked is for ``service.studio_openid``; a refusal is a page that says what to do.
"""

from __future__ import annotations

import asyncio
import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import urlsplit

import msgspec

from dialoom.auth.provider import Wrong, read_callback
from dialoom.errors import RequestError
from dialoom.http.accept_language import STUDIO_LANGUAGES, spoken
from dialoom.http.page_parts import in_header
from dialoom.http.pages.card import Card, PageOwner, page, policy
from dialoom.http.problems import status_of
from dialoom.http.server.cookies import PageCookie
from dialoom.http.server.exchange import Exchange
from dialoom.http.server.limits.rates import Rates
from dialoom.http.studio.openid_cards import no_role_card, refusal_card
from dialoom.service.access.audit import Audit
from dialoom.service.access.studio_sign_in import STUDIO_PATH, Identity, SignedIn
from dialoom.service.login.provider_calls import ProviderFailed
from dialoom.service.observe.logs import ThrottledLog
from dialoom.service.service import Service
from dialoom.service.studio_openid import SIGN_IN_LIFETIME_MS, Arrival

log = logging.getLogger(__name__)

COOKIE: Final = "dialoom_studio_openid"
MAX_PATH_CHARS: Final = 2000
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}")
"""32 random bytes, as ``secrets.token_urlsafe`` writes them."""
_OWN_PATH: Final = re.compile(r"/studio(?:/[A-Za-z0-9][^/?#\\\s]*/[a-z-]+)?(?:\?[^#\\\s]*)?", re.ASCII)
"""Addresses of the studio's rooms. No part begins with a dot, which a browser would resolve away."""


class StudioOpenIdPages:
    """``keep``: sets the cookie of a session. ``tries``: counts attempts to sign in by address."""

    def __init__(
        self, service: Service, base_url: str, audit: Audit, keep: Callable[[Exchange, SignedIn], None], tries: Rates
    ) -> None:
        self._service = service
        self._sign_ins = service.studio_openid
        self._base_url = base_url
        self._audit = audit
        self._keep = keep
        self._tries = tries
        path = f"{urlsplit(base_url).path.rstrip('/')}/v1/studio/sign-in"
        # Lax: it has to come with the navigation from the provider, and with nothing else of other sites.
        self._cookie = PageCookie(COOKIE, base_url, path, "Lax")
        self._failures = ThrottledLog(log)

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {"studioSignInWays": self._ways, "studioOpenIdStart": self._start, "studioOpenIdBack": self._back}

    async def _ways(self, exchange: Exchange) -> None:
        await exchange.answer(200, msgspec.json.encode({"provider": self._sign_ins.provider}))

    async def _start(self, exchange: Exchange) -> None:
        self._tries.address(exchange.scope)
        if (exchange.header(b"sec-fetch-site") or "none") not in ("same-origin", "none"):
            # Another site may lead people to the studio's page, and not into a sign-in that they did not begin.
            await self._go(exchange, STUDIO_PATH)
            return
        browser = self._browser(exchange) or secrets.token_urlsafe(32)
        wanted = dict(exchange.pairs()).get("to", "")
        to = wanted if len(wanted) <= MAX_PATH_CHARS and _OWN_PATH.fullmatch(wanted) else STUDIO_PATH
        try:
            address = await self._sign_ins.begin(browser, to)
        except ProviderFailed as failure:
            await self._refuse(exchange, self._failed(failure))
            return
        self._cookie.set(exchange, browser, SIGN_IN_LIFETIME_MS // 1000)
        await exchange.answer(303, b"", "text/html; charset=utf-8", location=in_header(address))

    async def _back(self, exchange: Exchange) -> None:
        try:
            arrival = await self._arrival(exchange)
        except RequestError as error:
            if error.code in ("login-browser", "login-failed", "login-timeout"):
                await self._audit.note_refusal("", error.code)
            await self._refuse(exchange, error)
            return
        identity = Identity(arrival.person.issuer, arrival.person.subject)
        if arrival.grant is None:
            await self._service.studio.end_others(identity, None)
            await self._audit.note_refusal(arrival.name, "no-role")
            card = no_role_card(_language(exchange), arrival, self._sign_ins.provider or "", STUDIO_PATH)
            await self._show(exchange, 403, card)
            return
        opened = await self._service.studio.sign_in_as(identity, arrival.grant, arrival.name)
        # Afterwards: of two sign-ins at once with two roles, one role is left.
        await self._service.studio.end_others(identity, arrival.grant)
        self._keep(exchange, opened)
        await self._audit.note(opened.session, "signed-in", about="openid")
        await self._go(exchange, arrival.to)

    async def _arrival(self, exchange: Exchange) -> Arrival:
        try:
            return await self._sign_ins.finish(self._browser(exchange), read_callback(exchange.pairs()))
        except Wrong as wrong:
            self._warn(f"no answer to a sign-in to the studio ({wrong.check.code}): {wrong}", wrong.check.code)
            raise RequestError("login-unknown", "This is no answer to a sign-in.") from wrong
        except ProviderFailed as failure:
            raise self._failed(failure) from failure

    def _failed(self, failure: ProviderFailed) -> RequestError:
        """Log the reason for the operator; return the refusal, which tells the browser only that it did not work."""
        self._warn(f"a sign-in to the studio failed at its provider: {failure}", failure.code)
        return RequestError("login-timeout" if failure.is_timeout else "login-failed", "The sign-in did not work.")

    def _browser(self, exchange: Exchange) -> str | None:
        text = self._cookie.read(exchange)
        return text if text is not None and _SECRET.fullmatch(text) else None

    # -- answers

    async def _go(self, exchange: Exchange, path: str) -> None:
        """Send the browser to a page of the studio. The address is the service's own whatever the path is."""
        await exchange.answer(303, b"", "text/html; charset=utf-8", location=in_header(self._base_url + path))

    async def _refuse(self, exchange: Exchange, error: RequestError) -> None:
        await self._show(exchange, status_of(error.code), refusal_card(_language(exchange), error.code, STUDIO_PATH))

    async def _show(self, exchange: Exchange, status: int, card: Card) -> None:
        headers = {"content-security-policy": policy(card), "vary": "accept-language"}
        body = page(card, PageOwner(_language(exchange))).encode()
        await exchange.answer(status, body, "text/html; charset=utf-8", **headers)

    def _warn(self, line: str, *matter: str) -> None:
        self._failures.warn(line, asyncio.get_running_loop().time(), *matter)


def _language(exchange: Exchange) -> str:
    """Return the language of the studio's pages for this browser."""
    return spoken(exchange.header(b"accept-language") or "", STUDIO_LANGUAGES)
