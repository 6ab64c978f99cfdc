"""Serves the studio: its page, signing in and out, and the JSON that its rooms read and change.

Who may is for ``service.access.studio_sign_in``, what a bot's Settings hold for ``http.studio.settings``. Everything
here needs the session's cookie but signing in; every change needs the page's own origin and a JSON body, which no
form of another page can send. Nothing here is part of the public interface.
"""

from __future__ import annotations

import functools
import logging
from collections.abc import Awaitable, Callable

import msgspec

from dialoom import __version__
from dialoom.authoring.drafts.drafts import Drafts
from dialoom.authoring.drafts.publishing import Publishing
from dialoom.authoring.run_tests import TestRuns
from dialoom.authoring.try_outs.tried_bots import TriedBots
from dialoom.errors import DialoomError, RequestError
from dialoom.http.routing import Access, Endpoint, Route
from dialoom.http.server.cookies import PageCookie
from dialoom.http.server.exchange import Exchange
from dialoom.http.server.limits.open_streams import OpenStreams
from dialoom.http.server.limits.rates import Rates
from dialoom.http.server.line_stream import LineStream
from dialoom.http.server.origin import Origins
from dialoom.http.studio import settings
from dialoom.http.studio.conversations import StudioConversations
from dialoom.http.studio.drafts import StudioDrafts
from dialoom.http.studio.hand_offs import StudioHandOffs
from dialoom.http.studio.insights import StudioInsights
from dialoom.http.studio.openid import StudioOpenIdPages
from dialoom.http.studio.operate import StudioOperate
from dialoom.http.studio.people import AUDITED, HOURLY, UNNAMED, StudioPeople
from dialoom.http.studio.try_outs import StudioTryOuts
from dialoom.http.studio.understanding import StudioUnderstanding
from dialoom.http.studio.versions import StudioVersions
from dialoom.service.access.audit import Audit
from dialoom.service.access.studio_sign_in import STUDIO_SESSION_LIFETIME_MS, Session, SignedIn
from dialoom.service.bots.bots import no_bot
from dialoom.service.clock import iso
from dialoom.service.service import Service

log = logging.getLogger(__name__)

PATH = "/v1/studio"
"""Before the addresses of all that the page asks for."""
COOKIE = "dialoom_studio"
SIGN_IN_RATE = "30/min"
"""Links that one address may try to sign in with."""


class _Link(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    token: str


class _Known(msgspec.Struct, frozen=True):
    """Shows a bot in the studio's list of bots."""

    id: str
    name: str


class _Visit(msgspec.Struct, frozen=True, rename="camel"):
    """Holds what the studio shows around its pages."""

    role: str
    is_for_named_bots: bool
    name: str
    person: str
    expires_at: str
    release: str
    bots: list[_Known]


class StudioEndpoints:
    def __init__(
        self, service: Service, origins: Origins, base_url: str, lines: LineStream, streams: OpenStreams
    ) -> None:
        self._service = service
        self._origins = origins
        self._audit = Audit(service.store, service.vault, service.clock)
        self._people = StudioPeople(service, self._audit, self._session)
        self._settings = settings.StudioSettings(service, base_url)
        self._insights = StudioInsights(service)
        self._hand_offs = StudioHandOffs(service, streams, self._session)
        drafts = Drafts(service)
        self._conversations = StudioConversations(service, drafts, lines, self._session)
        publishing = Publishing(service, drafts)
        self._drafts = StudioDrafts(service, drafts, publishing, self._session)
        self._versions = StudioVersions(service, drafts, publishing, self._session)
        tried, runs = TriedBots(service.bots), TestRuns()
        self._try_outs = StudioTryOuts(service, drafts, tried, runs, self._session)
        self._understanding = StudioUnderstanding(service, drafts, tried, runs)
        self._operate = StudioOperate(service)
        self._cookie = PageCookie(COOKIE, base_url, PATH, "Strict")
        self._tries = Rates(msgspec.structs.replace(service.settings, rate_address=SIGN_IN_RATE), service.metrics)
        self._open_id = StudioOpenIdPages(service, base_url, self._audit, self._keep, self._tries)

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "studioSignIn": self._sign_in,
            "studioSignOut": self._sign_out,
            "studioSession": self._visit,
            "studioBot": self._settings.bot,
            "studioMakeToken": self._settings.make,
            "studioShowToken": self._settings.show,
            "studioRevokeToken": self._settings.revoke,
            **self._open_id.endpoints(),
            **self._people.endpoints(),
            **self._conversations.endpoints(),
            **self._insights.endpoints(),
            **self._hand_offs.endpoints(),
            **self._drafts.endpoints(),
            **self._versions.endpoints(),
            **self._try_outs.endpoints(),
            **self._understanding.endpoints(),
            **self._operate.endpoints(),
        }

    async def admit(
        self, exchange: Exchange, route: Route, path_values: tuple[str, ...], handle: Callable[..., Awaitable[None]]
    ) -> None:
        """Refuse what another page could have sent, who is not signed in, and what their role may not, before anything
        is looked up; keep what was done in the log."""
        exchange.extra = {"cross-origin-resource-policy": "same-origin"}
        row = route.row(exchange.method)
        if row.method != "GET" and not self._origins.is_own(exchange.header(b"origin")):
            raise RequestError(
                "origin",
                "Only the studio's own page may do this. Open the studio under the address that the service is known "
                "by (DIALOOM_BASE_URL).",
            )
        session = await self._session(exchange) if row.access is Access.STUDIO else None
        if session is not None:
            _check_grant(session, row, path_values)
            # Who is signed out while a body is held back does nothing with it.
            exchange.on_body = functools.partial(self._session, exchange)
        if row.query is None:
            exchange.query()
        if session is not None and row.id in AUDITED:
            # Before the answer: who cuts it off half read has read that half.
            exchange.on_success = functools.partial(self._note, session, row, path_values, exchange)
        await handle(exchange, route, *path_values)

    async def _note(self, session: Session, row: Endpoint, path_values: tuple[str, ...], exchange: Exchange) -> None:
        """Keep in the log what was done. It is done already: a store that is away now takes nothing of that back."""
        bot = path_values[0] if "{bot_id}" in row.path else ""
        about, access_changes = exchange.about, exchange.access_changes
        if about is None:
            about = "" if row.id in UNNAMED or len(path_values) < 1 + bool(bot) else path_values[-1]
        try:
            is_hourly = row.id in HOURLY and not access_changes
            await self._audit.note(session, AUDITED[row.id], bot, about, access_changes, is_hourly=is_hourly)
        except DialoomError:
            log.exception("the studio's log lacks that %s of bot %s was done by %s", row.id, bot, session.role)

    async def _session(self, exchange: Exchange) -> Session:
        return await self._service.studio.session(self._cookie.read(exchange))

    # -- in and out

    async def _sign_in(self, exchange: Exchange) -> None:
        self._tries.address(exchange.scope)
        link = await exchange.read(_Link)
        opened = await self._service.studio.sign_in(link.token)
        # A browser has one session: the one before is of no use to anybody any more.
        await self._service.studio.sign_out(self._cookie.read(exchange))
        self._keep(exchange, opened)
        await self._audit.note(opened.session, "signed-in")
        await exchange.answer(200, msgspec.json.encode({"expiresAt": iso(opened.session.expires_at)}))

    def _keep(self, exchange: Exchange, opened: SignedIn) -> None:
        self._cookie.set(exchange, opened.text, STUDIO_SESSION_LIFETIME_MS // 1000)

    async def _sign_out(self, exchange: Exchange) -> None:
        """End the session, if there is one."""
        await exchange.read(settings.Nothing)
        ended = await self._service.studio.sign_out(self._cookie.read(exchange))
        if ended is not None:
            await self._audit.note(ended, "signed-out")
        self._cookie.set(exchange, "", 0)
        await exchange.answer(204, b"")

    async def _visit(self, exchange: Exchange) -> None:
        session = await self._session(exchange)
        visit = _Visit(
            role=session.role,
            is_for_named_bots=session.bots is not None,
            name=session.name,
            person=session.person,
            expires_at=iso(session.expires_at),
            release=__version__,
            bots=[_Known(one.bot.id, one.bot.name) for one in self._service.bots.all() if session.is_for(one.bot.id)],
        )
        await exchange.answer(200, msgspec.json.encode(visit))


def _check_grant(session: Session, row: Endpoint, path_values: tuple[str, ...]) -> None:
    """Raise ``RequestError`` where the person may not do this: 403 for the role, 404 for a bot that is none of theirs,
    as for one that there is not."""
    if session.role not in row.roles:
        raise RequestError(
            "role",
            f"Your role in the studio ({session.role}) may not do this. Ask an administrator to do it, or for a link "
            "with another role.",
        )
    if session.bots is None or row.reach == "own":
        return
    if row.reach == "service" or "{bot_id}" not in row.path:
        raise RequestError(
            "role",
            "Your role in the studio is for single bots, and this is about the whole service. Ask an administrator of "
            "all bots to do it.",
        )
    if not session.is_for(path_values[0]):
        raise no_bot(path_values[0])
