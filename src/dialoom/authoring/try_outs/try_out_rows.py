"""Stores try-outs: a sealed row each, the texts of their bots in rows of their own, and a list of each person's."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple

import msgspec

from dialoom.authoring.try_outs.kept import KeptCall, KeptTryOut, pack, unpack
from dialoom.authoring.try_outs.tried_bots import files_id
from dialoom.errors import RequestError
from dialoom.flow.schema import FILES
from dialoom.service.access.studio_rows import studio_row_name
from dialoom.service.records.erasure import TRY_OUTS as KIND
from dialoom.storage.store import StudioRow

if TYPE_CHECKING:
    from dialoom.auth.vault import Vault
    from dialoom.service.clock import Clock
    from dialoom.storage.store import Store

FILES_KIND: Final = "try-out-files"
"""Texts of a bot's files, by their hash: a try-out's row is written at each turn, and these stay as they are."""
LIST_KIND: Final = "try-out-list"
"""Ids of the try-outs of one person, the one used last at the end."""
LIFETIME_MS: Final = 24 * 3600 * 1000
"""Milliseconds without use after which a try-out is over."""
FILES_LIFETIME_MS: Final = 7 * LIFETIME_MS
MAX_TRY_OUTS: Final = 20
"""Of one person with one bot; beginning one more ends the one that was begun first."""
MAX_PACKED_BYTES: Final = 4 * 1024 * 1024
"""Of one try-out, compressed."""
CHANGED: Final = "try-out-changed"
"""Code of the refusal of a change to a try-out that somebody else has changed."""
_TRIES: Final = 5


class Found(NamedTuple):
    """Holds a try-out as it is stored."""

    id: str
    revision: int
    created_at: int
    expires_at: int
    kept: KeptTryOut


class TryOutRows:
    def __init__(self, store: Store, vault: Vault, clock: Clock) -> None:
        self._store = store
        self._vault = vault
        self._clock = clock

    async def find(self, bot: str, id: str) -> Found:
        """Return a try-out. Raises ``RequestError`` 404 where there is none or it is over."""
        row = await self._store.studio_row(bot, KIND, id)
        if row is None or row.expires_at is None or row.expires_at <= self._clock.now():
            raise RequestError(
                "not-found",
                "There is no such try-out any more: it was deleted, or nobody used it for 24 hours. Begin another.",
            )
        kept = await asyncio.to_thread(lambda: unpack(self._open(row)))
        return Found(id, row.revision, row.created_at, row.expires_at, kept)

    async def add(self, bot: str, id: str, kept: KeptTryOut, person: str) -> Found:
        """Store a new try-out of a person."""
        found = Found(id, 0, self._clock.now(), 0, kept)
        stored = await self._put(bot, found, kept, None)
        assert stored is not None  # ids are random
        await self._enlist(bot, person, id)
        return stored

    async def replace(self, bot: str, found: Found, kept: KeptTryOut) -> Found:
        """Store what became of a try-out. Raises ``RequestError`` 409 where somebody else was faster, 422 where it is
        too large."""
        stored = await self._put(bot, found, kept, found.revision)
        if stored is None:
            raise changed_meanwhile()
        return stored

    async def add_recording(self, bot: str, id: str, call: KeptCall) -> None:
        """Keep what came of a write in a try-out that somebody else has changed while it was made."""
        for _ in range(_TRIES):
            found = await self.find(bot, id)
            known = found.kept.recordings.get(call.key)
            if known is not None and known.is_answered:
                return
            recordings = found.kept.recordings | {call.key: call}
            kept = msgspec.structs.replace(found.kept, recordings=recordings)
            if await self._put(bot, found, kept, found.revision) is not None:
                return

    async def delete(self, bot: str, id: str) -> None:
        """Delete a try-out, if there is one."""
        await self._store.delete_studio_row(bot, KIND, id)

    async def keep_files(self, bot: str, files: Mapping[str, str]) -> str:
        """Store the texts that make a bot for a week, which no try-out outlasts that is not played again meanwhile.
        Return their id."""
        texts = {name: files[name] for name in FILES if name in files}
        id, now = files_id(texts), self._clock.now()
        for _ in range(_TRIES):
            row = await self._store.studio_row(bot, FILES_KIND, id)
            if row is not None and row.expires_at is not None and row.expires_at > now + FILES_LIFETIME_MS // 2:
                return id
            body = await asyncio.to_thread(
                lambda: self._seal(FILES_KIND, bot, id, zlib.compress(msgspec.json.encode(texts), 1))
            )
            revision = 1 if row is None else row.revision + 1
            new = StudioRow(bot, FILES_KIND, id, revision, body, now, now, now + FILES_LIFETIME_MS)
            if await self._store.put_studio_row(new, None if row is None else row.revision):
                break
        return id

    async def files(self, bot: str, id: str) -> dict[str, str]:
        """Return stored texts by file name. Raises ``RequestError`` 404 where they are gone."""
        row = await self._store.studio_row(bot, FILES_KIND, id)
        if row is None:
            raise RequestError("not-found", "The files of this try-out are gone. Begin another.")
        plain = await asyncio.to_thread(lambda: zlib.decompress(self._open(row)))
        return msgspec.json.decode(plain, type=dict[str, str])

    async def _put(self, bot: str, found: Found, kept: KeptTryOut, expected: int | None) -> Found | None:
        """Write the row with a new end of its life; None where it was changed since ``expected``."""
        packed = await asyncio.to_thread(pack, kept)
        if len(packed) > MAX_PACKED_BYTES:
            raise RequestError(
                "try-out-full",
                f"This try-out has grown to more than {MAX_PACKED_BYTES // 1024**2} MiB with its turns and the answers "
                "of the outside. Go back some turns, or begin another.",
            )
        now = self._clock.now()
        revision, end = found.revision + 1, now + LIFETIME_MS
        sealed = self._seal(KIND, bot, found.id, packed)
        row = StudioRow(bot, KIND, found.id, revision, sealed, found.created_at, now, end)
        is_stored = await self._store.put_studio_row(row, expected)
        return found._replace(revision=revision, expires_at=end, kept=kept) if is_stored else None

    async def _enlist(self, bot: str, person: str, id: str) -> None:
        """Add a try-out to its person's list, and delete the oldest ones beyond the most that a person has."""
        now = self._clock.now()
        for _ in range(_TRIES):
            row = await self._store.studio_row(bot, LIST_KIND, person)
            ids = [] if row is None else msgspec.json.decode(self._open(row), type=list[str])
            over, left = ids[: max(0, len(ids) + 1 - MAX_TRY_OUTS)], ids[max(0, len(ids) + 1 - MAX_TRY_OUTS) :]
            body = self._seal(LIST_KIND, bot, person, msgspec.json.encode([*left, id]))
            revision, created = (1, now) if row is None else (row.revision + 1, row.created_at)
            new = StudioRow(bot, LIST_KIND, person, revision, body, created, now, now + LIFETIME_MS)
            if await self._store.put_studio_row(new, None if row is None else row.revision):
                for old in over:
                    await self.delete(bot, old)
                return

    def _seal(self, kind: str, bot: str, id: str, plain: bytes) -> bytes:
        return self._vault.seal(plain, studio_row_name(bot, kind, id))

    def _open(self, row: StudioRow) -> bytes:
        return self._vault.open(row.body, studio_row_name(row.bot, row.kind, row.id))


def changed_meanwhile() -> RequestError:
    """Return the refusal of a change to a try-out that somebody else has changed."""
    return RequestError(
        CHANGED,
        "This try-out went on in another tab or by somebody else. Nothing was changed; load it again to see where it "
        "is.",
    )
