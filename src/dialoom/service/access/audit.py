"""Keeps who did what in the studio, for a year: the deed, the bot, and what of it, never a value."""

from __future__ import annotations

import hashlib
import secrets
from collections.abc import Sequence
from typing import Final

import msgspec

from dialoom.auth.vault import Vault
from dialoom.service.access.key_check import NO_BOT
from dialoom.service.access.studio_rows import StudioRows
from dialoom.service.access.studio_sign_in import Identity, Session
from dialoom.service.clock import Clock
from dialoom.storage.store import Store

LIFETIME_MS: Final = 366 * 24 * 3600 * 1000
MAX_SENTENCES: Final = 100
"""Of one deed."""
HOUR_MS: Final = 3600 * 1000


class Deed(msgspec.Struct, frozen=True):
    """An entry of the log. ``who``: the name that a link or a provider gave; ``person``: as whom the provider knows the
    person, which nobody can choose, empty for links and in entries of older releases. ``what``: the name of the deed;
    ``about``: an id, such as that of a version or token; ``access``: a sentence for each access that it made, widened,
    replaced or moved."""

    id: str
    at: int
    who: str
    role: str
    what: str
    bot: str = ""
    about: str = ""
    person: str = ""
    access: tuple[str, ...] = ()


class Audit:
    def __init__(self, store: Store, vault: Vault, clock: Clock) -> None:
        self._clock = clock
        self._rows = StudioRows(store, vault, clock, "audit")
        self._identities = StudioRows(store, vault, clock, "person")
        self._hour = 0
        self._noted: set[str] = set()
        """What this process noted in this hour, of deeds of which the first alone is kept."""

    async def note(
        self,
        session: Session,
        what: str,
        bot: str = "",
        about: str = "",
        access: Sequence[str] = (),
        *,
        is_hourly: bool = False,
    ) -> None:
        """Keep a deed. ``is_hourly``: of deeds alike in one hour the first alone."""
        alike = f"{session.id}-{what}-{bot}-{about}" if is_hourly else None
        found = await self._identities.get(NO_BOT, session.id)
        identity = None if found is None else msgspec.json.decode(found.body, type=Identity)
        person = "" if identity is None else f"{identity.subject} ({identity.issuer})"
        await self._keep(alike, session.name, session.role, what, bot, about, person, access)

    async def note_refusal(self, who: str, reason: str) -> None:
        """Keep that somebody was not signed in, of refusals alike in one hour the first alone: anybody may make one.
        ``who``: the name that the provider gave, empty where it gave none."""
        await self._keep(f"{_digest(who)}-{reason}", who, "", "sign-in-refused", about=reason)

    async def _keep(
        self,
        alike: str | None,
        who: str,
        role: str,
        what: str,
        bot: str = "",
        about: str = "",
        person: str = "",
        access: Sequence[str] = (),
    ) -> None:
        now = self._clock.now()
        if now // HOUR_MS != self._hour:
            self._hour = now // HOUR_MS
            self._noted.clear()
        if alike in self._noted:
            return
        id = f"{now:013d}-{secrets.token_hex(6)}"
        deed = Deed(id, now, who, role, what, bot, about, person, tuple(access[:MAX_SENTENCES]))
        await self._rows.add(NO_BOT, id, msgspec.json.encode(deed), now + LIFETIME_MS)
        if alike is not None:
            self._noted.add(alike)

    async def deeds(self, before: str | None, limit: int) -> list[Deed]:
        """Return the deeds before an entry's id, the newest first."""
        found = await self._rows.list(NO_BOT, before, limit)
        return [msgspec.json.decode(one.body, type=Deed) for one in found]


def _digest(text: str) -> str:
    return hashlib.sha256(text.encode()).hexdigest()[:16]
