"""Serves account linking: the address that login links lead to, and the one that the provider sends the browser back
to.

What a link is and what becomes of a login is left to ``service.login``; here is what the browser gets, and what is
asked for it in which order. Whatever the provider does, the browser has its answer within 15 s: all that a page waits
for ends at one deadline.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import re
import secrets
from collections.abc import Awaitable, Callable
from typing import Final
from urllib.parse import parse_qsl, urlencode, urlsplit

import msgspec

from dialoom.auth.provider import CallbackParams, Wrong, read_callback
from dialoom.errors import DialoomError, RequestError, TemplateError
from dialoom.flow.channels import Binding, row_of
from dialoom.http import problems
from dialoom.http.accept_language import spoken
from dialoom.http.login_pages import cards
from dialoom.http.login_pages.login_redirect import login_redirect
from dialoom.http.page_parts import in_header, with_images
from dialoom.http.pages.card import Card, PageOwner, page, policy
from dialoom.http.routing import Route
from dialoom.http.server.cookies import PageCookie
from dialoom.http.server.exchange import Exchange
from dialoom.http.server.limits.rates import Rates
from dialoom.http.server.origin import Origins
from dialoom.languages import load_login_texts
from dialoom.service.chat.login_values import LINK_LIFETIME_MS, Login
from dialoom.service.login.confirmation_page import PageTexts, page_texts
from dialoom.service.login.link_status import Used
from dialoom.service.login.links import Opened
from dialoom.service.login.provider_calls import ProviderFailed
from dialoom.service.login.providers import CALLBACK
from dialoom.service.observe.logs import ThrottledLog, named
from dialoom.service.service import Service

log = logging.getLogger(__name__)

COOKIE: Final = "dialoom_login"
_SECRET: Final = re.compile(r"[A-Za-z0-9_-]{43}")
"""32 random bytes, as ``secrets.token_urlsafe`` writes them."""
MAX_CALLBACK_SECONDS: Final = 13.0
"""Seconds from a request's beginning, for all that is waited for behind it: the provider may take 12 of them. Two are
left for the store's part, which comes after that."""
LOOK_EVERY_SECONDS: Final = 0.25
"""Seconds between two looks whether a login has landed."""
COUNTED_CODES: Final = frozenset({"login-unknown", "login-over", "login-browser"})
"""Refusals of links, which the metric of logins has under their codes."""
MAX_FORM_BYTES: Final = 16 * 1024
_OPENER: Final = {"cross-origin-opener-policy": "unsafe-none"}
"""Of the page that asks the window which opened it, and of the last one, which a script may close only then. All others
let go of the chat page, so that the provider's cannot lead it elsewhere."""


class _ProofBody(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    proof: str


class LoginPageEndpoints:
    def __init__(
        self, service: Service, origins: Origins, rates: Rates, base_url: str, seconds: float = MAX_CALLBACK_SECONDS
    ) -> None:
        self._service = service
        self._seconds = seconds
        self._origins = origins
        self._rates = rates
        self._cookie = PageCookie(COOKIE, base_url, f"{urlsplit(base_url).path.rstrip('/')}{CALLBACK}", "Lax")
        self._proofs = service.proofs
        load_login_texts()
        self._failures = ThrottledLog(log)

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {"startLogin": self._start, "goOnWithLogin": self._go_on, "finishLogin": self._back}

    async def show(
        self, exchange: Exchange, route: Route, _: tuple[str, ...], handle: Callable[..., Awaitable[None]]
    ) -> None:
        """Call the handler with its deadline, in the event loop's time; answer a refusal with a page, for a person with
        a browser."""
        until = asyncio.get_running_loop().time() + self._seconds
        try:
            self._rates.address(exchange.scope)
            try:
                await handle(exchange, route, until)
            except RequestError as error:
                if error.code != "login-over" or not await self._comes_again(exchange, until):
                    raise
        except DialoomError as error:
            self._count(error)
            if exchange.is_started or _is_script(exchange):
                raise
            if not isinstance(error, RequestError):
                self._warn(f"a login page failed: {named(error)}", type(error).__name__)
            await self._refuse(exchange, problems.as_request_error(error))

    # -- the start page

    async def _start(self, exchange: Exchange, until: float) -> None:
        given = _given(exchange)
        state = given.get("state", "")
        if exchange.method == "GET" and await self._shows_code_again(exchange, state):
            return
        opened = await self._service.links.open(state)
        if exchange.method == "HEAD":
            # Somebody looks what is here: that is nobody's login.
            await self._show(exchange, opened, Card(title="", texts=()))
        elif opened.rule == "cookie" and given.get("by") != "code":
            await self._wait(exchange, opened)
        elif opened.rule == "confirm":
            browser = self._keep_cookie(exchange)
            question = self._proofs.question(opened.state, browser)
            await self._show(exchange, opened, cards.confirm_card(opened, question))
        elif opened.rule == "off":
            await self._redirect(exchange, opened, await self._leave(until, opened, "off"))
        else:
            # Nobody is let in by this cookie: it has the code shown again to whom it was shown.
            await self._redirect(
                exchange, opened, await self._leave(until, opened, "code", self._keep_cookie(exchange))
            )

    async def _go_on(self, exchange: Exchange, until: float) -> None:
        await (self._prove(exchange, until) if _is_script(exchange) else self._confirm(exchange, until))

    async def _wait(self, exchange: Exchange, opened: Opened) -> None:
        challenge = self._proofs.challenge(opened.state, self._keep_cookie(exchange))
        origins = self._origins.allowed(opened.channel)
        # To this very address, under whatever path the service is reached.
        go_on = f"?{urlencode({'state': opened.state, 'by': 'code'})}"
        await self._show(exchange, opened, cards.wait_card(opened, challenge, origins, go_on), keeps_opener=True)

    async def _prove(self, exchange: Exchange, until: float) -> None:
        """Go on for the page's script, which brings the proof that the chat page had signed."""
        body = await exchange.read(_ProofBody)
        opened = await self._service.links.open(_given(exchange).get("state", ""))
        browser = self._browser(exchange)
        if browser is None or not self._proofs.is_proven(body.proof, opened.state, browser):
            raise self._service.links.wrong_browser()
        address = await self._leave(until, opened, "cookie", browser)
        await exchange.answer(200, msgspec.json.encode({"address": address}))

    async def _confirm(self, exchange: Exchange, until: float) -> None:
        """Go on for the page's form, by which the user says that the login is theirs."""
        refusal = RequestError("too-large", f"A form here has at most {MAX_FORM_BYTES} bytes.")
        form = dict(parse_qsl((await exchange.body(MAX_FORM_BYTES, refusal)).decode("ascii", "replace")))
        opened = await self._service.links.open(_given(exchange).get("state", ""))
        browser = self._browser(exchange)
        if browser is None or not self._proofs.is_answered(form.get("answer", ""), opened.state, browser):
            raise self._service.links.wrong_browser()
        # The browser that was asked is the one that may come back: else what lies behind the question could be sent on.
        address = await self._leave(until, opened, "confirm", browser)
        await self._show(exchange, opened, cards.leave_card(opened, address))

    async def _leave(self, until: float, opened: Opened, rule: Binding, browser: bytes | None = None) -> str:
        """Tie the browser to the link; return the provider's address, where the user logs in."""
        try:
            async with asyncio.timeout_at(until):
                address = await self._service.providers.address(opened)
        except (ProviderFailed, TimeoutError) as error:
            self._service.links.count("failed")
            raise self._failed(opened, _failure(error)) from error
        await self._service.links.tie(opened, rule, browser)
        return address

    # -- the redirect endpoint

    async def _back(self, exchange: Exchange, until: float) -> None:
        try:
            params = read_callback(exchange.pairs())
        except Wrong as wrong:
            self._warn(f"no answer to a login ({wrong.check.code}): {wrong}", wrong.check.code)
            error = RequestError("login-unknown", "This is no answer to a login.")
            self._count(error)
            await self._refuse(exchange, error, status=400)
            return
        state = params.state or ""
        if await self._shows_code_again(exchange, state):
            return
        opened = await self._service.links.take(state, self._browser(exchange))
        try:
            await self._finish(exchange, opened, await self._login(opened, params, until))
        except RequestError as error:
            # From here on it is known whose page it is.
            self._count(error)
            await self._refuse(exchange, error, opened=opened)

    async def _finish(self, exchange: Exchange, opened: Opened, login: Login) -> None:
        code = await self._service.links.finish(opened, login)
        if code is not None:
            await self._show_code(exchange, opened, code)
            return
        way = login_redirect(opened.authentication, opened.channel, by_itself=True)
        if way.goes and way.address is not None and way.address.lower().startswith("http"):
            await self._redirect(exchange, opened, way.address)
        else:
            # An app's own scheme is tried from a page: after a redirect the provider's would stay on the screen.
            await self._show(exchange, opened, cards.done_card(opened, self._words(opened), way), keeps_opener=True)

    async def _login(self, opened: Opened, params: CallbackParams, until: float) -> Login:
        try:
            async with asyncio.timeout_at(until):
                if not await self._service.providers.is_cancelled(opened, params):
                    return await self._service.providers.login(opened, params)
        except (ProviderFailed, TimeoutError) as error:
            failure = _failure(error)
            refusal = self._failed(opened, failure)
            await self._service.links.fail(opened, str(failure))
            raise refusal from error
        await self._service.links.fail(opened)
        raise RequestError("login-cancelled", "The login was cancelled.")

    async def _shows_code_again(self, exchange: Exchange, state: str) -> bool:
        """Show the code again, if this browser was shown one: phones reload a page that was left for the chat."""
        browser = self._browser(exchange)
        shown = None if browser is None else await self._service.links.code_shown(state, browser)
        if shown is not None:
            await self._show_code(exchange, *shown)
        return shown is not None

    async def _show_code(self, exchange: Exchange, opened: Opened, code: str) -> None:
        if self._browser(exchange) is not None:
            self._keep_cookie(exchange)  # the code may live longer than what the start page set
        way = login_redirect(opened.authentication, opened.channel, by_itself=False)
        await self._show(exchange, opened, cards.code_card(opened, code, way))

    async def _comes_again(self, exchange: Exchange, until: float) -> bool:
        """Show what came of the link, if this browser used it up: for a page that is reloaded, or the link in a second
        window. Who has the link alone sees nothing of it. Return whether something was shown."""
        browser = self._browser(exchange)
        if browser is None or exchange.is_started or _is_script(exchange):
            return False
        try:
            async with asyncio.timeout_at(until):
                found = await self._login_result(_given(exchange).get("state", ""), browser)
        except TimeoutError as error:
            detail = "The login is on its way into the chat. Load this page again in a moment."
            raise RequestError("login-landing", detail, headers={"Retry-After": "2"}) from error
        if isinstance(found, Used):
            whose = cards.whose(found.terms.deployed)
            way = login_redirect(found.terms.authentication, found.terms.channel, by_itself=False)
            await self._answer(exchange, 200, cards.again_card(whose.language, way), whose, {})
        elif found is not None:
            await self._show_code(exchange, *found)
        return found is not None

    async def _login_result(self, state: str, browser: bytes) -> tuple[Opened, str] | Used | None:
        """Return what came of the use of a link: its code or its login; None where neither is this browser's. Wait for
        a login that is still being stored: the first window may still be loading."""
        while True:
            shown = await self._service.links.code_shown(state, browser)
            if shown is not None:
                return shown
            used = await self._service.link_statuses.for_browser(state, browser)
            if used is None or used.status == "over":
                return None
            if used.status == "through":
                return used
            await self._service.clock.sleep(LOOK_EVERY_SECONDS)

    def _words(self, opened: Opened) -> PageTexts:
        try:
            return page_texts(opened, self._service.clock.now())
        except TemplateError:
            bot = opened.key.bot
            self._warn(f"the texts of the confirmation page of bot {bot} could not be made", bot, "texts")
            return PageTexts()

    def _failed(self, opened: Opened, failure: ProviderFailed) -> RequestError:
        """Log the reason for the operator; return the refusal, which tells the browser only that it did not work."""
        bot = opened.key.bot
        self._warn(f"a login of bot {bot} failed at its provider: {failure}", bot, failure.code)
        return RequestError("login-timeout" if failure.is_timeout else "login-failed", "The login did not work.")

    # -- the browser

    def _keep_cookie(self, exchange: Exchange) -> bytes:
        """Return the hash of the browser's secret; set one where it has none. Pages that are open at once share it."""
        text = self._known(exchange) or secrets.token_urlsafe(32)
        self._cookie.set(exchange, text, LINK_LIFETIME_MS // 1000)
        return _hash(text)

    def _browser(self, exchange: Exchange) -> bytes | None:
        text = self._known(exchange)
        return None if text is None else _hash(text)

    def _known(self, exchange: Exchange) -> str | None:
        text = self._cookie.read(exchange)
        return text if text is not None and _SECRET.fullmatch(text) else None

    # -- answers

    async def _show(self, exchange: Exchange, opened: Opened, card: Card, *, keeps_opener: bool = False) -> None:
        headers = _OPENER if keeps_opener else _opener_of(opened)
        await self._answer(exchange, 200, card, cards.whose(opened.deployed), headers)

    async def _redirect(self, exchange: Exchange, opened: Opened, address: str) -> None:
        headers = {"location": in_header(address)} | _opener_of(opened)
        await exchange.answer(303, b"", "text/html; charset=utf-8", **headers)

    async def _refuse(
        self, exchange: Exchange, error: RequestError, status: int | None = None, opened: Opened | None = None
    ) -> None:
        headers = {name.lower(): value for name, value in error.headers.items()}
        if opened is None:
            whose = PageOwner(spoken(exchange.header(b"accept-language") or ""))
            card = cards.refusal_card(whose.language, error.code)
        else:
            whose = cards.whose(opened.deployed)
            way = login_redirect(opened.authentication, opened.channel, by_itself=False)
            chat = self._service.pickers.chat_address(opened.key.bot, opened.channel)
            card = cards.refusal_card(whose.language, error.code, way.address or chat, closes=way.address is None)
            headers |= _OPENER
        status = status or problems.status_of(error.code)
        await self._answer(exchange, status, card, whose, headers | {"vary": "accept-language"})

    async def _answer(
        self, exchange: Exchange, status: int, card: Card, whose: PageOwner, headers: dict[str, str]
    ) -> None:
        rules = with_images(policy(card, whose.look), self._service.settings)
        body = page(card, whose).encode()
        headers = {"content-security-policy": rules} | headers
        await exchange.answer(status, body, "text/html; charset=utf-8", **headers)

    def _count(self, error: DialoomError) -> None:
        """Count the refusal of a link. Not where it is raised: who comes again with a link of their own gets another
        page."""
        if isinstance(error, RequestError) and error.code in COUNTED_CODES:
            self._service.links.count(error.code)

    def _warn(self, line: str, *matter: str) -> None:
        self._failures.warn(line, asyncio.get_running_loop().time(), *matter)


def _opener_of(opened: Opened) -> dict[str, str]:
    """Return the header by which the page goes on knowing the app that opened it, where the app waits for its word."""
    return _OPENER if row_of(opened.channel).opens_popup else {}


def _given(exchange: Exchange) -> dict[str, str]:
    """Return the parameters by name, without those that stand twice. Apps and mail programs add some of their own."""
    pairs = exchange.pairs()
    names = [name for name, _ in pairs]
    return {name: value for name, value in pairs if names.count(name) == 1}


def _is_script(exchange: Exchange) -> bool:
    """Tell whether the start page's own script asks, which reads JSON."""
    type = (exchange.header(b"content-type") or "").partition(";")[0].strip().lower()
    return exchange.method == "POST" and type == "application/json"


def _hash(text: str) -> bytes:
    return hashlib.sha256(text.encode("ascii")).digest()


def _failure(error: ProviderFailed | TimeoutError) -> ProviderFailed:
    if isinstance(error, ProviderFailed):
        return error
    return ProviderFailed("provider-timeout", "The provider", "It did not answer in time.")
