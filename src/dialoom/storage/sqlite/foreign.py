"""Notices what another process has written into the data file: a command beside the service may have erased a user
whose memory the service still has.

Looked for with each event that is accepted: every turn that calls outside is one, so that no call goes out with memory
that was erased. What a turn stores is held against the revision anyway.
"""

from __future__ import annotations

import asyncio
from typing import TYPE_CHECKING

from dialoom.storage.store import Notice

if TYPE_CHECKING:
    from collections.abc import Callable

    import apsw


class Foreign:
    def __init__(self) -> None:
        self._version: object = None
        self._loop: asyncio.AbstractEventLoop | None = None
        self._receiver: Callable[[Notice], None] | None = None

    def listen(self, receiver: Callable[[Notice], None]) -> None:
        """From here on ``receiver`` hears of it, on this event loop."""
        self._loop, self._receiver = asyncio.get_running_loop(), receiver

    # -- on the writer's thread

    def begin(self, connection: apsw.Connection) -> None:
        self._version = connection.pragma("data_version")

    def look(self, connection: apsw.Connection) -> None:
        """``data_version`` of the one connection that writes here changes with what others have written, and with a
        log that was emptied, which is taken for the same."""
        version = connection.pragma("data_version")
        if version != self._version:
            self._version = version
            if self._loop is not None and self._receiver is not None:
                # Before the answer of the event, which goes the same way.
                self._loop.call_soon_threadsafe(self._receiver, Notice("erased"))
