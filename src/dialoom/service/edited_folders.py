"""Keeps which folders hold changes that were made in the studio: they go live only when somebody publishes them.

Neither a start nor the watch of changed files publishes such a folder, also when another program changes it afterwards.
It is one of its author's again once what it holds is the active version.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import msgspec

from dialoom.auth.vault import Vault
from dialoom.errors import FlowError
from dialoom.flow import files_of, folder_id
from dialoom.service.access.studio_rows import StudioRows
from dialoom.service.bots.bots import Bots, Unpublished
from dialoom.service.bots.differences import changes, without_tests
from dialoom.service.clock import Clock
from dialoom.storage.store import Store

EDITED_FOLDER = "edited-folder"
"""The id of the document of a bot that says which folder was edited."""


class _Edited(msgspec.Struct, frozen=True):
    """``folder``: its path; empty once it was published."""

    folder: str


_PUBLISHED = msgspec.json.encode(_Edited(""))


class EditedFolders:
    def __init__(self, store: Store, vault: Vault, clock: Clock, bots: Bots) -> None:
        self._store = store
        self._bots = bots
        self._rows = StudioRows(store, vault, clock, "draft")

    async def note(self, bot: str, folder: Path) -> None:
        """Keep that the studio changes a bot's folder. To be called before each save, so that whatever ends the process
        leaves nothing there that goes live unasked."""
        body = msgspec.json.encode(_Edited(await _path_of(folder)))
        is_kept = None
        while is_kept is None:  # another is faster where a folder is published at this moment
            row = await self._rows.get(bot, EDITED_FOLDER)
            # Also where it says so already: who compares at this moment finds the row changed.
            write = self._rows.add(bot, EDITED_FOLDER, body) if row is None else self._rows.change(bot, row, body)
            is_kept = await write

    async def settle(self, bot: str, folder: Path) -> None:
        """Let the folder be its author's again where it holds the bot's active version."""
        row = await self._rows.get(bot, EDITED_FOLDER)
        if row is not None and row.body != _PUBLISHED and not await self._count_changes(bot, folder):
            # Not where the studio has saved since: the row is another then.
            await self._rows.change(bot, row, _PUBLISHED)

    async def check(self, folder: Path) -> None:
        """Raise ``Unpublished`` where a folder must not be published without being asked."""
        bot = await self.edited_in(folder) or await asyncio.to_thread(folder_id, folder)
        if bot is None:
            return
        await self.settle(bot, folder)
        row = await self._rows.get(bot, EDITED_FOLDER)
        if row is not None and row.body != _PUBLISHED:
            raise Unpublished(bot, await self._count_changes(bot, folder))

    async def edited_in(self, folder: Path) -> str | None:
        """Return the bot whose changes lie in this folder, whatever its files say by now."""
        path = await _path_of(folder)
        for bot in await self._store.bots():
            row = await self._rows.get(bot, EDITED_FOLDER)
            if row is not None and msgspec.json.decode(row.body, type=_Edited).folder == path:
                return bot
        return None

    async def _count_changes(self, bot: str, folder: Path) -> int:
        """Return in how many parts a folder differs from the bot's active version."""
        active = next((row.version for row in await self._store.versions(bot) if row.is_active), "")
        files = without_tests(await self._bots.files(bot, active) or {})
        try:
            return len(await asyncio.to_thread(lambda: changes(files, files_of(folder))))
        except FlowError as error:  # what cannot be read
            return len(error.findings)


async def _path_of(folder: Path) -> str:
    return str(await asyncio.to_thread(folder.resolve))
