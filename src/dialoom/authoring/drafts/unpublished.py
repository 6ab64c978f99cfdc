"""Counts what a bot's files would change of its active version, for whoever shows that something is not published."""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Mapping

from dialoom.authoring.drafts.bot_folder import revision_of
from dialoom.service.bots.bots import Bots
from dialoom.service.bots.differences import changes, without_tests

MAX_KEPT_COUNTS = 256


class UnpublishedChanges:
    def __init__(self, bots: Bots) -> None:
        self._bots = bots
        self._counts: OrderedDict[tuple[str, str], int] = OrderedDict()
        """By the revision of the files and the active version."""

    async def count(self, bot: str, files: Mapping[str, str]) -> int:
        """Return in how many parts texts differ from the bot's active version; conversation tests do not count."""
        texts = without_tests(files)
        active = self._bots.known(bot).version
        key = await asyncio.to_thread(revision_of, texts), active
        count = self._counts.get(key)
        if count is None:
            before = without_tests(await self._bots.files(bot, active) or {})
            count = self._counts[key] = len(await asyncio.to_thread(changes, before, texts))
        self._counts.move_to_end(key)
        while len(self._counts) > MAX_KEPT_COUNTS:
            self._counts.popitem(last=False)
        return count
