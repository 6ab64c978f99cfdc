"""Serves who is in the studio: live sessions, links that invite, and the log of what was done."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Annotated

import msgspec
from msgspec import Meta

from dialoom.http.problems import not_found
from dialoom.http.server.exchange import Exchange
from dialoom.http.studio.settings import NAME, Nothing
from dialoom.service.access.audit import Audit
from dialoom.service.access.studio_sign_in import SIGN_IN_LINK_LIFETIME_MS, Role, Session
from dialoom.service.clock import iso
from dialoom.service.service import Service

PAGE = 100
"""Deeds of one answer."""
MAX_NAMED_BOTS = 100
AUDITED = {
    "studioInvite": "invited",
    "studioEndSession": "session-ended",
    "studioSaveDraft": "draft-saved",
    "studioDiscardDraft": "draft-discarded",
    "studioPublish": "published",
    "studioRollBack": "rolled-back",
    "studioMakeBot": "bot-made",
    "studioMakeToken": "token-made",
    "studioShowToken": "token-shown",
    "studioRevokeToken": "token-revoked",
    "studioConversation": "conversation-read",
    "studioTraces": "trace-read",
    "studioReplay": "conversation-tried",
    "studioHandOff": "hand-off-read",
    "studioExport": "conversation-exported",
    "studioErase": "user-erased",
    "studioActInHandOff": "hand-off-acted",
    "studioResendDead": "dead-letters-resent",
    "studioDropDead": "dead-letters-dropped",
    "studioBackUp": "backup-made",
    "studioBackup": "backup-downloaded",
}
"""By the id of an endpoint the deed that a call of it is."""
HOURLY = frozenset(
    {"studioSaveDraft", "studioConversation", "studioTraces", "studioReplay", "studioHandOff", "studioActInHandOff"}
)
"""Deeds of which the first in an hour is kept, of each conversation."""
UNNAMED = frozenset({"studioErase", "studioBackup", "studioHandOff", "studioActInHandOff"})
"""Deeds whose last part of the path is left out: it is a user's id, or made from one, which goes with the user, or
opens a download."""


class Invitation(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    name: Annotated[str, Meta(min_length=1, max_length=80, pattern=NAME)]
    role: Role
    bots: Annotated[tuple[str, ...], Meta(min_length=1, max_length=MAX_NAMED_BOTS)] | None = None
    """That the role is for; None: all."""


class SessionView(msgspec.Struct, frozen=True, rename="camel"):
    id: str
    name: str
    role: str
    bots: tuple[str, ...] | None
    since: str
    expires_at: str
    is_own: bool
    issuer: str | None
    """Of the OpenID provider where the person signed in; null: they came by a link."""
    subject: str | None


class DeedView(msgspec.Struct, frozen=True):
    id: str
    at: str
    who: str
    role: str
    person: str
    what: str
    bot: str
    about: str
    access: tuple[str, ...]


class StudioPeople:
    def __init__(self, service: Service, audit: Audit, session: Callable[[Exchange], Awaitable[Session]]) -> None:
        self._service = service
        self._audit = audit
        self._session = session

    def endpoints(self) -> dict[str, Callable[..., Awaitable[None]]]:
        return {
            "studioPeople": self._list,
            "studioInvite": self._invite,
            "studioEndSession": self._end,
            "studioAudit": self._deeds,
        }

    async def _list(self, exchange: Exchange) -> None:
        own = await self._session(exchange)
        views = [await self._view(one, own) for one in await self._service.studio.sessions()]
        await exchange.answer(200, msgspec.json.encode({"sessions": views}))

    async def _view(self, one: Session, own: Session) -> SessionView:
        identity = await self._service.studio.identity(one.id)
        return SessionView(
            id=one.id,
            name=one.name,
            role=one.role,
            bots=one.bots,
            since=iso(one.created_at),
            expires_at=iso(one.expires_at),
            is_own=one.id == own.id,
            issuer=None if identity is None else identity.issuer,
            subject=None if identity is None else identity.subject,
        )

    async def _invite(self, exchange: Exchange) -> None:
        """Make a link for a person; it is given this once."""
        wish = await exchange.read(Invitation)
        for bot in wish.bots or ():
            self._service.bots.known(bot)
        link = await self._service.studio.link(wish.role, wish.name.strip(), wish.bots)
        exchange.about = f"{wish.role}@{','.join(wish.bots)}" if wish.bots else wish.role
        expires_at = iso(self._service.clock.now() + SIGN_IN_LINK_LIFETIME_MS)
        await exchange.answer(201, msgspec.json.encode({"link": link, "expiresAt": expires_at}))

    async def _end(self, exchange: Exchange, id: str) -> None:
        await exchange.read(Nothing)
        if not await self._service.studio.end(id):
            raise not_found("There is no such session any more. Load the page again to see those that there are.")
        await exchange.answer(204, b"")

    async def _deeds(self, exchange: Exchange) -> None:
        before = exchange.query("before").get("before") or None
        found = await self._audit.deeds(before, PAGE)
        views = [
            DeedView(one.id, iso(one.at), one.who, one.role, one.person, one.what, one.bot, one.about, one.access)
            for one in found
        ]
        last = found[-1].id if len(found) == PAGE else None
        await exchange.answer(200, msgspec.json.encode({"deeds": views, "before": last}))
