"""Seals everything anew with the newest key, so that older ones can be taken away, while services go on.

A value is put back only where the old one still stands: what a turn has written meanwhile is newer, and sealed by a
process that has the newest key too. When one walk through all finds nothing of an older key, it is done. What the store
does for it is for ``storage.sealed``; making keys and reading them is for ``auth.keys``.
"""

from __future__ import annotations

import asyncio
import logging
from collections import Counter
from typing import TYPE_CHECKING, Final

import msgspec

from dialoom.errors import FlowError, SettingError, VaultError
from dialoom.service.access.key_check import NO_BOT, is_in_use
from dialoom.service.access.tokens import token_row_name
from dialoom.service.bots.bots import version_row_name
from dialoom.service.bots.entity_lists import list_row_name, sources
from dialoom.service.chat import link_rows as logins
from dialoom.service.chat.attachments import file_row_name
from dialoom.service.chat.chat_row import row_name
from dialoom.storage.sealed import COLUMNS, Sealed
from dialoom.storage.store import ChatKey

if TYPE_CHECKING:
    from collections.abc import Callable

    from dialoom.auth.vault import Vault
    from dialoom.flow.model import Bot
    from dialoom.service.bots.bots import Bots
    from dialoom.storage.sealed import Place, SealedKind
    from dialoom.storage.store import FileRow, Store

log = logging.getLogger(__name__)

AT_ONCE: Final = 64
"""Rows of one step."""
MAX_WALKS: Final = 4
"""What is sealed with an older key after so many is made by a process that does not know the newest."""
_ROWS: Final[dict[SealedKind, str]] = {
    "chats": "chat",
    "inbox": "inbox",
    "journal": "journal",
    "answers": "answer",
    "outbox": "outbox",
}
"""What values are called whose name says no more than whose they are."""


class Rotated(msgspec.Struct, frozen=True):
    rows: int
    resealed: int
    closed: dict[tuple[str, str], int]
    """By bot and kind how many do not open: a key is missing, or they were damaged."""


class _Walk(msgspec.Struct):
    before: int
    """Rows that earlier walks looked at."""
    rows: int = 0
    resealed: int = 0
    overtaken: int = 0
    """That somebody else changed meanwhile."""
    closed: Counter[tuple[str, str]] = msgspec.field(default_factory=Counter)


class KeyRotation:
    def __init__(self, store: Store, vault: Vault, bots: Bots) -> None:
        self._store = store
        self._vault = vault
        self._bots = bots

    async def rotate(self, told: Callable[[int], None]) -> Rotated:
        """``told`` hears how many rows were looked at. Raises ``SettingError`` when no service has started with the
        newest key yet, ``VaultError`` when one still seals with an older key."""
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
                    await self._walk(kind, bot, walk, told)
            resealed += walk.resealed
            if not walk.resealed and not walk.overtaken:
                # What was deleted, and is sealed with the old key, need not live on in the database's log.
                await self._store.scrub()
                return Rotated(walk.rows, resealed, dict(walk.closed))
        raise VaultError(
            f"A running process still seals with an older key than {newest}, so that this never ends. See that this "
            f"key stands first in the keys of all of them, restart those where it does not, and give this command "
            f"again."
        )

    async def _walk(self, kind: SealedKind, bot: str, walk: _Walk, told: Callable[[int], None]) -> None:
        after: Place | None = None
        renew = await self._renewing(kind, bot)
        while True:
            page = await self._store.sealed(kind, bot, self._vault.mark, after, AT_ONCE)
            walk.rows += page.looked_at
            changes = []
            for sealed in page.values:
                try:
                    if kind == "files":
                        await self._reseal_file(bot, sealed, walk)
                    else:
                        changes.append((sealed, self._sealed_anew(kind, bot, sealed, renew)))
                except VaultError:
                    walk.closed[bot, kind] += 1
            if changes:
                done = await self._store.reseal(kind, bot, changes)
                walk.resealed += done
                walk.overtaken += len(changes) - done
            told(walk.before + walk.rows)
            if (after := page.last) is None:
                return

    def _sealed_anew(
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
        anew = await asyncio.to_thread(self._file_anew, row, content)
        if await self._store.reseal_file(row, *anew):
            walk.resealed += 1
        else:
            walk.overtaken += 1

    def _file_anew(self, row: FileRow, content: bytes | None) -> tuple[bytes, bytes]:
        """Ten megabytes take some milliseconds: not for the event loop. A stop may have left a file without content."""
        about_name, content_name = (file_row_name(row.key, row.id, part) for part in ("about", "content"))
        about = self._vault.seal(self._vault.open(row.about, about_name), about_name)
        if content is None:
            return about, b""
        return about, self._vault.seal(self._vault.open(content, content_name), content_name)

    async def _renewing(self, kind: SealedKind, bot: str) -> Callable[[Sealed, bytes], bytes | None]:
        """Gives what is to stand beside a value (and its text)."""
        if kind == "tokens":
            return lambda _, plain: self._vault.hash_token(plain.decode())
        if kind == "lists":
            renewed = await self._renewed_sources(bot)
            return lambda sealed, _: renewed.get(sealed.beside or b"", sealed.beside)
        return lambda _, __: None

    async def _renewed_sources(self, bot: str) -> dict[bytes, bytes]:
        """By the fingerprints of its lists' sources, under whichever key, those of the newest."""
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
            # Of another release, or of a lost key: its lists are then read anew.
            log.warning("the version of bot %s that is active cannot be read, so its kept lists may be read anew", bot)
            return None


def name_of(kind: SealedKind, bot: str, place: Place) -> str:
    """The name that binds a value to its place, as who seals it gives it."""
    first = str(place[0])
    match kind:
        case "versions":
            return version_row_name(bot, first)
        case "tokens":
            return token_row_name(bot, first)
        case "lists":
            return list_row_name(bot, first)
    key = ChatKey(bot, str(place[1]), first)
    return logins.place(key, str(place[2])) if kind == "logins" else row_name(_ROWS[kind], key)
