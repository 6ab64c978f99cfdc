"""Keeps what the studio makes, sealed: drafts, publications, people, audit entries. What a document of a kind holds is
for those who keep it. Try-outs, traces and hand-offs keep their rows themselves."""

from __future__ import annotations

import hashlib
from collections.abc import AsyncIterator
from typing import Final, Literal

import msgspec

from dialoom.auth.vault import Vault
from dialoom.service.clock import Clock
from dialoom.storage.store import ChatKey, Store, StudioRow

BATCH: Final = 100
"""Rows that are read at once."""
StudioKind = Literal["draft", "publication", "person", "sign-in", "audit", "process"]


class StudioDocument(msgspec.Struct, frozen=True):
    id: str
    revision: int
    body: bytes
    """JSON."""
    created_at: int
    updated_at: int
    expires_at: int | None = None


class StudioRows:
    """Reads and writes the documents of one kind. ``bot``: ``NO_BOT`` for what is of the whole service."""

    def __init__(self, store: Store, vault: Vault, clock: Clock, kind: StudioKind) -> None:
        self._store = store
        self._vault = vault
        self._clock = clock
        self._kind = kind

    async def get(self, bot: str, id: str) -> StudioDocument | None:
        """Return a document; None where there is none or its time is over. Raises ``VaultError``."""
        row = await self._store.studio_row(bot, self._kind, id)
        if row is None or (row.expires_at is not None and row.expires_at <= self._clock.now()):
            return None
        return self._opened(row)

    async def list(self, bot: str, before: str | None = None, limit: int = 100) -> list[StudioDocument]:
        """Return the documents whose id is less than ``before``, the greatest id first."""
        rows = await self._store.studio_rows(bot, self._kind, before, limit)
        now = self._clock.now()
        return [self._opened(row) for row in rows if row.expires_at is None or row.expires_at > now]

    async def add(self, bot: str, id: str, body: bytes, expires_at: int | None = None) -> StudioDocument | None:
        """Keep a new document; return None where there is one of this id already."""
        now = self._clock.now()
        added = StudioDocument(id, 1, body, now, now, expires_at)
        return added if await self._put(bot, added, None) else None

    async def change(
        self, bot: str, before: StudioDocument, body: bytes, expires_at: int | None = None
    ) -> StudioDocument | None:
        """Put another body in the place of the document that the caller has read; return None where somebody else has
        changed or deleted it since."""
        after = msgspec.structs.replace(
            before, revision=before.revision + 1, body=body, updated_at=self._clock.now(), expires_at=expires_at
        )
        return after if await self._put(bot, after, before.revision) else None

    async def delete(self, bot: str, id: str) -> bool:
        return await self._store.delete_studio_row(bot, self._kind, id)

    async def _put(self, bot: str, document: StudioDocument, replaced: int | None) -> bool:
        sealed = self._vault.seal(document.body, studio_row_name(bot, self._kind, document.id))
        row = StudioRow(
            bot=bot,
            kind=self._kind,
            id=document.id,
            revision=document.revision,
            body=sealed,
            created_at=document.created_at,
            updated_at=document.updated_at,
            expires_at=document.expires_at,
        )
        return await self._store.put_studio_row(row, replaced)

    def _opened(self, row: StudioRow) -> StudioDocument:
        body = self._vault.open(row.body, studio_row_name(row.bot, row.kind, row.id))
        return StudioDocument(row.id, row.revision, body, row.created_at, row.updated_at, row.expires_at)


def hash_chat(key: ChatKey) -> str:
    """Return what the ids of rows about one chat begin with: a hash, for a user's id may have any characters and
    length."""
    return hashlib.sha256("\0".join((key.channel, key.user)).encode()).hexdigest()[:32]


async def rows_that_begin(store: Store, bot: str, kind: str, prefix: str) -> AsyncIterator[StudioRow]:
    """Yield the rows of a kind whose ids begin with ``prefix``, the greatest id first."""
    before = prefix + "~"  # behind all characters of ids
    while rows := await store.studio_rows(bot, kind, before, BATCH):
        for row in rows:
            if not row.id.startswith(prefix):
                return
            yield row
        before = rows[-1].id


async def delete_rows_that_begin(store: Store, bot: str, kind: str, prefix: str) -> int:
    """Delete the rows of a kind whose ids begin with ``prefix``; return how many there were."""
    ids = [row.id async for row in rows_that_begin(store, bot, kind, prefix)]
    for id in ids:
        await store.delete_studio_row(bot, kind, id)
    return len(ids)


def studio_row_name(bot: str, kind: str, id: str) -> str:
    """Return the name that binds a sealed document to its row."""
    return f"studio\0{bot}\0{kind}\0{id}"
