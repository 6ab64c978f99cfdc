"""Notices that another process has erased somebody in the data file, or changed their memory: a command beside the
service may have erased or logged out a user whose memory the service still has.

Looked for with each event that is accepted: every turn that calls outside is one, so that no call goes out with memory
that is gone. What a turn stores is held against the revision anyway.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence

import apsw

from dialoom.storage.rows import Answered, ChatKey, Notice, TurnRows
from dialoom.storage.sql_files import load
from dialoom.storage.sqlite import deletion, writes

_LAST = load("sqlite", "erasure")["last"]
_NOTE = load("sqlite", "erasure")["note"]


class ExternalChanges:
    def __init__(self) -> None:
        self._version: object = None
        self._last: object = None
        """The number of the last erasure that was told, or was ours. Should ours be rolled back, one notice is for
        nothing; a counter would let the next erasure of another process pass for ours."""
        self._loop: asyncio.AbstractEventLoop | None = None
        self._receiver: Callable[[Notice], None] | None = None

    def listen(self, receiver: Callable[[Notice], None]) -> None:
        """Call ``receiver`` with changes from here on, on this event loop."""
        self._loop, self._receiver = asyncio.get_running_loop(), receiver

    # -- on the writer's thread

    def begin(self, connection: apsw.Connection) -> None:
        self._version = connection.pragma("data_version")
        self._last = connection.execute(_LAST.sql).get

    def look(self, connection: apsw.Connection) -> None:
        """Look for changes by others. ``data_version`` of the one connection that writes here changes with whatever
        others have written (an import, an index), and with a log that was emptied: only then the number of the last
        erasure is read."""
        version = connection.pragma("data_version")
        if version == self._version:
            return
        self._version = version
        last = connection.execute(_LAST.sql).get
        if last != self._last:
            self._last = last
            if self._loop is not None and self._receiver is not None:
                # Before the answer of the event, which goes the same way.
                self._loop.call_soon_threadsafe(self._receiver, Notice("erased"))

    def erase(self, connection: apsw.Connection, asked: Sequence[tuple[ChatKey, int]]) -> list[deletion.ErasureStep]:
        """Erase users for the service itself, which knows of it and need not be told."""
        self.look(connection)
        steps = deletion.erase(connection, asked)
        self._last = connection.execute(_LAST.sql).get
        return steps

    @staticmethod
    def write_turns(connection: apsw.Connection, turns: Sequence[TurnRows]) -> list[Answered | None]:
        """Write the turns of a command beside a service."""
        connection.execute(_NOTE.sql)
        return writes.write_turns(connection, turns)
