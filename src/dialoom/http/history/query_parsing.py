"""Where the parameters of the history API are read: on the event loop, or for what takes long on a thread, in turn.

What they may hold is ``http.history.parameters``'.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from dialoom.http.history.parameters import read_wanted
from dialoom.storage.history_plan import HISTORY_SECONDS
from dialoom.storage.store import TooSlow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from dialoom.http.history.parameters import HistoryParameters

LONG_QUERY = 1024
"""Characters of parameters from which reading them is no work for the event loop: 16 KiB take some milliseconds."""


class QueryParsing:
    def __init__(
        self, read: Callable[[Mapping[str, str]], HistoryParameters] = read_wanted, seconds: float = HISTORY_SECONDS
    ) -> None:
        self._read = read
        self._seconds = seconds
        self._turn = asyncio.Lock()

    async def read(self, given: Mapping[str, str]) -> HistoryParameters:
        """Raises ``RequestError`` for what is wrong, ``TooSlow`` when its turn does not come in time."""
        if not _has_regex(given):
            long = sum(map(len, given.values())) >= LONG_QUERY
            return await asyncio.to_thread(self._read, given) if long else self._read(given)
        try:
            # Those of a query take up to 50 ms to compile, in which nothing else runs.
            async with asyncio.timeout(self._seconds):
                await self._turn.acquire()
        except TimeoutError:
            raise TooSlow("Too many queries with regular expressions came at once. Ask again later.") from None
        try:
            return await asyncio.to_thread(self._read, given)
        finally:
            self._turn.release()


def _has_regex(given: Mapping[str, str]) -> bool:
    """Whether there may be one: JSON may write the letters of ``$regex`` with backslashes."""
    query = given.get("query", "")
    return "regex" in query or "\\u" in query
