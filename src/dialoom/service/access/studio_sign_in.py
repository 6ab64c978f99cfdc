"""Signs people in to the studio: by links that work once, or as somebody whom an OpenID provider knows, for sessions
that can be ended, each with a role and a name.

Both are rows of the store's tokens that belong to no bot: a keyed hash finds them, on any process; a link that was used
and a session that was ended are revoked. How they travel (fragment, cookie) is for ``http.studio.studio``.
"""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Iterable
from typing import Final, Literal, NamedTuple, get_args

import msgspec

from dialoom.auth.vault import Vault
from dialoom.errors import RequestError, StoreError
from dialoom.service.access.key_check import NO_BOT
from dialoom.service.access.studio_rows import StudioRows
from dialoom.service.access.tokens import find_token
from dialoom.service.clock import Clock
from dialoom.storage.store import Store, TokenRow

Kind = Literal["studio-link", "studio-session"]

SIGN_IN_LINK_LIFETIME_MS = 15 * 60 * 1000
"""Milliseconds."""
STUDIO_SESSION_LIFETIME_MS = 12 * 3600 * 1000
Role = Literal["administrator", "developer", "analyst", "agent"]
ADMINISTRATOR: Final = "administrator"
"""The role of a link that names none: the operator of the service made it."""
ROLES: Final[tuple[Role, ...]] = get_args(Role)
STUDIO_PATH = "/studio"
FRAGMENT = "sign-in"
"""The link's token stands behind ``#``, which no browser sends: no log, proxy or preview of links ever sees it."""
_TOKEN_PREFIXES: dict[Kind, str] = {"studio-link": "dll", "studio-session": "dls"}
_ROW_REUSE_MS = 24 * 3600 * 1000
"""Milliseconds from when a row was made until it may be taken for another. Rows are never deleted, and no request that
still holds the old one may meet the new."""
_MAX_LINK_CHARS = 100
_PERSON = "person:"
"""Before the scope of a session that says who it is of."""
_BOT = "bot:"
"""Before each scope of a link or session that names a bot; one that names none is for all bots."""


class Grant(NamedTuple):
    """Says what somebody may: a role, for the bots that are named, in the order of their ids, or for all (None)."""

    role: Role
    bots: tuple[str, ...] | None = None


class Session(msgspec.Struct, frozen=True):
    """``name``: of the person, as whoever made the link or the provider gave it; else their role. ``person``: who it
    is; of two whom a provider gives one name each is somebody else, and somebody with a link is who it names.
    ``bots``: those that the role is for; None: all."""

    id: str
    role: Role
    bots: tuple[str, ...] | None
    name: str
    person: str
    created_at: int
    expires_at: int

    def is_for(self, bot: str) -> bool:
        return self.bots is None or bot in self.bots


class SignedIn(msgspec.Struct, frozen=True):
    """Holds a new session with its text, to be sent to the browser once."""

    text: str
    session: Session


class Identity(msgspec.Struct, frozen=True):
    """Says as whom an OpenID provider knows the person of a session."""

    issuer: str
    subject: str


class StudioSignIn:
    """Makes sign-in links and sessions of the studio. ``base_url`` without a slash at its end."""

    def __init__(self, store: Store, vault: Vault, clock: Clock, base_url: str) -> None:
        self._store = store
        self._vault = vault
        self._clock = clock
        self._base_url = base_url
        self._identities = StudioRows(store, vault, clock, "person")

    async def link(self, role: Role = ADMINISTRATOR, name: str = "", bots: Iterable[str] | None = None) -> str:
        """Make a new link for a person of this role and name, for all bots where none is named; return its address."""
        _, text = await self._add("studio-link", Grant(role, sorted_bots(bots)), name)
        return f"{self._base_url}{STUDIO_PATH}#{FRAGMENT}={text}"

    async def sign_in(self, text: str) -> SignedIn:
        """Take a link for its one use and return its session. Raises ``RequestError`` 401."""
        row = await self._find(text, "studio-link", SIGN_IN_LINK_LIFETIME_MS)
        if row is not None:
            # Before the link ends: who signs all people out meanwhile finds the one or the other.
            made, session_text = await self._add("studio-session", _grant_of(row), row.name)
            # The store says who was first, of however many processes.
            if await self._store.revoke(NO_BOT, row.id, self._clock.now()):
                return SignedIn(session_text, _session_of(made))
            await self._store.revoke(NO_BOT, made.id, self._clock.now())
        raise RequestError(
            "link-over",
            "This link was used before, or its 15 minutes are over. Make a new one beside the service, with: "
            "dialoom studio link",
            headers={"WWW-Authenticate": "Cookie"},
        )

    async def sign_in_as(self, identity: Identity, grant: Grant, name: str) -> SignedIn:
        """Return a session for a person whom the provider has just named."""
        made, text = await self._add("studio-session", grant, name, _PERSON + _digest(identity))
        # The row may have been another session's before.
        await self._identities.delete(NO_BOT, made.id)
        expires_at = made.created_at + STUDIO_SESSION_LIFETIME_MS
        await self._identities.add(NO_BOT, made.id, msgspec.json.encode(identity), expires_at)
        return SignedIn(text, _session_of(made))

    async def end_others(self, identity: Identity, grant: Grant | None) -> int:
        """End the sessions in which the person may something else than the provider gives now; return how many there
        were. ``grant``: None where the person may nothing any more."""
        person, ended = _PERSON + _digest(identity), 0
        for session in await self.sessions():
            if session.person == person and (session.role, session.bots) != grant:
                ended += await self._store.revoke(NO_BOT, session.id, self._clock.now())
        return ended

    async def identity(self, id: str) -> Identity | None:
        """Return by which identity a session was begun; None for one that came by a link."""
        found = await self._identities.get(NO_BOT, id)
        return None if found is None else msgspec.json.decode(found.body, type=Identity)

    async def session(self, text: str | None) -> Session:
        """Return the session. Raises ``RequestError`` 401 where there is none or it is over."""
        row = await self._find(text, "studio-session", STUDIO_SESSION_LIFETIME_MS)
        if row is None:
            raise RequestError(
                "studio-session",
                "You are not signed in to the studio, or your session is over. Open a new link; dialoom studio link "
                "makes one beside the service.",
                headers={"WWW-Authenticate": "Cookie"},
            )
        return _session_of(row)

    async def sessions(self) -> list[Session]:
        """Return the live sessions, the newest first."""
        now = self._clock.now()
        rows = [row for row in await self._store.tokens(NO_BOT) if row.kind == "studio-session"]
        live = [_session_of(row) for row in rows if row.revoked_at is None]
        return sorted((one for one in live if now < one.expires_at), key=lambda one: -one.created_at)

    async def end(self, id: str) -> bool:
        """End a session at once, on every process; return whether it was live."""
        known = any(session.id == id for session in await self.sessions())
        return known and await self._store.revoke(NO_BOT, id, self._clock.now())

    async def sign_out(self, text: str | None) -> Session | None:
        """End the session on every process, also for a copy of its cookie; return it, if there was one."""
        row = await self._find(text, "studio-session", STUDIO_SESSION_LIFETIME_MS)
        if row is None or not await self._store.revoke(NO_BOT, row.id, self._clock.now()):
            return None
        return _session_of(row)

    async def sign_all_out(self) -> int:
        """End every session and every link that was not used yet; return how many there were."""
        now, ended = self._clock.now(), 0
        # Again until there is none: a link that was used meanwhile has left a session.
        while live := [row for row in await self._store.tokens(NO_BOT) if _is_studio(row) and row.revoked_at is None]:
            for row in live:
                if await self._store.revoke(NO_BOT, row.id, now):
                    ended += now < row.created_at + (
                        SIGN_IN_LINK_LIFETIME_MS if row.kind == "studio-link" else STUDIO_SESSION_LIFETIME_MS
                    )
        return ended

    async def _find(self, text: str | None, kind: Kind, lives: int) -> TokenRow | None:
        if not text or len(text) > _MAX_LINK_CHARS:
            return None
        row = await find_token(self._store, self._vault, text)
        if row is None or (row.bot, row.kind) != (NO_BOT, kind) or row.revoked_at is not None:
            return None
        return row if self._clock.now() < row.created_at + lives else None

    async def _add(self, kind: Kind, grant: Grant, name: str, *scopes: str) -> tuple[TokenRow, str]:
        """Store a new link or session, with its role and bots as its first scopes; return it with its text."""
        text = f"{_TOKEN_PREFIXES[kind]}_{secrets.token_urlsafe(32)}"
        now = self._clock.now()
        row = TokenRow(
            bot=NO_BOT,
            id=await self._free(now) or secrets.token_hex(8),
            kind=kind,
            hash=self._vault.hash_token(text),
            scopes=(grant.role, *(_BOT + bot for bot in grant.bots or ()), *scopes),
            name=name,
            created_at=now,
        )
        try:
            await self._store.add_token(row)
        except StoreError:
            # Another process took the same old row first, or the store is away: then this is refused as well.
            row = msgspec.structs.replace(row, id=secrets.token_hex(8))
            await self._store.add_token(row)
        return row, text

    async def _free(self, now: int) -> str | None:
        """Return the id of an old row that nobody needs any more. An expired one is revoked first and free for the next
        caller: what another process has just put in its place is never hit."""
        free = None
        for row in await self._store.tokens(NO_BOT):
            if _is_studio(row) and row.created_at < now - _ROW_REUSE_MS:
                if row.revoked_at is None:
                    await self._store.revoke(NO_BOT, row.id, now)
                else:
                    free = row.id
        return free


def _is_studio(row: TokenRow) -> bool:
    return row.kind in _TOKEN_PREFIXES


def sorted_bots(bots: Iterable[str] | None) -> tuple[str, ...] | None:
    """Return the bots of a grant in the order of their ids, each once; None, as it came, for all."""
    return None if bots is None else tuple(sorted(set(bots)))


def _grant_of(row: TokenRow) -> Grant:
    """Return what a link or session may; a role that this release does not know may nothing but the least."""
    role: Role = next((role for role in ROLES if role in row.scopes), "agent")
    bots = [scope.removeprefix(_BOT) for scope in row.scopes if scope.startswith(_BOT)]
    return Grant(role, sorted_bots(bots or None))


def _session_of(row: TokenRow) -> Session:
    grant = _grant_of(row)
    name = row.name or grant.role
    person = next((scope for scope in row.scopes if scope.startswith(_PERSON)), name)
    return Session(row.id, *grant, name, person, row.created_at, row.created_at + STUDIO_SESSION_LIFETIME_MS)


def _digest(identity: Identity) -> str:
    return hashlib.sha256(f"{identity.issuer}\0{identity.subject}".encode()).hexdigest()[:32]
