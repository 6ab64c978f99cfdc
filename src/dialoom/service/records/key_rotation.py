"""Seals all stored values with the newest key, so that older keys can be removed, while services run.

A value is replaced only if it has not changed: what a turn has written meanwhile is sealed with the newest key already.
The rotation is complete when one walk over all values finds none of an older key.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from collections.abc import Callable
from typing import Final

import msgspec

from dialoom.auth.vault import Vault
from dialoom.errors import FlowError, SettingError, VaultError
from dialoom.flow.model import Bot
from dialoom.service.access.key_check import NO_BOT, is_in_use
from dialoom.service.access.studio_rows import studio_row_name
from dialoom.service.access.tokens import token_row_name
from dialoom.service.bots.bots import Bots, version_row_name
from dialoom.service.bots.entity_lists import list_row_name, sources
from dialoom.service.chat import link_rows as logins
from dialoom.service.chat.attachments import file_row_name
from dialoom.service.chat.chat_row import row_name
from dialoom.service.chat.whole_messages import whole_row_name
from dialoom.storage.sealed import COLUMNS, Place, Sealed, SealedKind
from dialoom.storage.store import ChatKey, FileRow, Store

log = logging.getLogger(__name__)

BATCH: Final = 64
"""Rows of one step."""
MAX_WALKS: Final = 4
"""Walks after which a value of an older key must come from a process that does not know the newest."""
_ROWS: Final[dict[SealedKind, str]] = {
    "chats": "chat",
    "inbox": "inbox",
    "journal": "journal",
    "answers": "answer",
    "outbox": "outbox",
}
"""The kinds of values that are named after their chat alone."""


class Rotated(msgspec.Struct, frozen=True):
    """Counts what a rotation has done."""

    rows: int
    resealed: int
    closed: dict[tuple[str, str], int]
    """The number of values that do not open, by bot and kind: a key is missing, or they are damaged."""


class _Walk(msgspec.Struct):
    before: int
    """Rows of earlier walks."""
    rows: int = 0
    resealed: int = 0
    overtaken: int = 0
    """Values that changed meanwhile."""
    closed: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)


class KeyRotation:
    def __init__(self, store: Store, vault: Vault, bots: Bots) -> None:
        self._store = store
        self._vault = vault
        self._bots = bots

    async def rotate(self, progress: Callable[[int], None]) -> Rotated:
        """Rotate the keys; ``progress`` gets the number of rows that were read. Raises ``SettingError`` when no service
        has started with the newest key yet, ``VaultError`` when one still seals with an older key."""
        newest = self._vault.names[0]
        if not await is_in_use(self._store, self._vault):
            raise SettingError(
                f"No service has started on this store with the key that stands first now ({newest}), and one that "
                f"does not know it opens nothing that is sealed with it. Restart all of them with these keys, then "
                f"give this command again."
            )
        walk, resealed = _Walk(0), 0
        for _ in range(MAX_WALKS):
            walk = _Walk(walk.before + walk.rows)
            for bot in (NO_BOT, *await self._store.bots()):
                for kind in COLUMNS:
                    await self._walk(kind, bot, walk, progress)
            resealed += walk.resealed
            if not walk.resealed and not walk.overtaken:
                # The database's log may still hold deleted values that are sealed with the old key.
                await self._store.scrub()
                return Rotated(walk.rows, resealed, dict(walk.closed))
        raise VaultError(
            f"A running process still seals with an older key than {newest}, so that this never ends. See that this "
            f"key stands first in the keys of all of them, restart those where it does not, and give this command "
            f"again."
        )

    async def _walk(self, kind: SealedKind, bot: str, walk: _Walk, progress: Callable[[int], None]) -> None:
        after: Place | None = None
        renew = await self._renewal(kind, bot)
        while True:
            page = await self._store.sealed(kind, bot, self._vault.mark, after, BATCH)
            walk.rows += page.looked_at
            changes = []
            for sealed in page.values:
                try:
                    if kind == "files":
                        await self._reseal_file(bot, sealed, walk)
                    else:
                        changes.append((sealed, self._resealed(kind, bot, sealed, renew)))
                except VaultError:
                    walk.closed[bot, kind] += 1
            if changes:
                done = await self._store.reseal(kind, bot, changes)
                walk.resealed += done
                walk.overtaken += len(changes) - done
            progress(walk.before + walk.rows)
            if (after := page.last) is None:
                return

    def _resealed(
        self, kind: SealedKind, bot: str, sealed: Sealed, renew: Callable[[Sealed, bytes], bytes | None]
    ) -> Sealed:
        name = name_of(kind, bot, sealed.place)
        plain = self._vault.open(sealed.value, name)
        return Sealed(sealed.place, self._vault.seal(plain, name), renew(sealed, plain))

    async def _reseal_file(self, bot: str, sealed: Sealed, walk: _Walk) -> None:
        row = await self._store.file(bot, str(sealed.place[0]))
        if row is None:
            return  # it is being deleted
        content = await self._store.content(bot, row.id)
        resealed = await asyncio.to_thread(self._resealed_file, row, content)
        if await self._store.reseal_file(row, *resealed):
            walk.resealed += 1
        else:
            walk.overtaken += 1

    def _resealed_file(self, row: FileRow, content: bytes | None) -> tuple[bytes, bytes]:
        """Return the parts of a file resealed; it may lack its content after a crash. Takes milliseconds."""
        about_name, content_name = (file_row_name(row.key, row.id, part) for part in ("about", "content"))
        about = self._vault.seal(self._vault.open(row.about, about_name), about_name)
        if content is None:
            return about, b""
        return about, self._vault.seal(self._vault.open(content, content_name), content_name)

    async def _renewal(self, kind: SealedKind, bot: str) -> Callable[[Sealed, bytes], bytes | None]:
        """Return a function from a value and its text to the new value of the column beside it."""
        if kind == "tokens":
            return lambda _, plain: self._vault.hash_token(plain.decode())
        if kind == "lists":
            renewed = await self._renewed_sources(bot)
            return lambda sealed, _: renewed.get(sealed.beside or b"", sealed.beside)
        return lambda _, __: None

    async def _renewed_sources(self, bot: str) -> dict[bytes, bytes]:
        """Return the fingerprints of the sources of the bot's lists under the newest key, by those under older keys."""
        lists = self._bots.lists
        active = await self._active(bot) if await self._store.lists(bot) else None
        found: dict[bytes, bytes] = {}
        for source in () if active is None else sources(active).values():
            newest, *older = lists.fingerprints(source)
            found |= dict.fromkeys(older, newest)
        return found

    async def _active(self, bot: str) -> Bot | None:
        version = await self._store.active(bot)
        try:
            return None if version is None else await self._bots.read(bot, version.version)
        except (FlowError, VaultError):
            # Of another release, or sealed with a lost key: its lists are then read again.
            log.warning("the version of bot %s that is active cannot be read, so its kept lists may be read again", bot)
            return None


def name_of(kind: SealedKind, bot: str, place: Place) -> str:
    """Return the name that binds a sealed value to its row."""
    first = str(place[0])
    match kind:
        case "versions":
            return version_row_name(bot, first)
        case "tokens":
            return token_row_name(bot, first)
        case "lists":
            return list_row_name(bot, first)
        case "studio_rows":
            return studio_row_name(bot, first, str(place[1]))
    key = ChatKey(bot, str(place[1]), first)
    if kind == "messages":
        return whole_row_name(key, int(place[2]))
    return logins.login_row_name(key, str(place[2])) if kind == "logins" else row_name(_ROWS[kind], key)
