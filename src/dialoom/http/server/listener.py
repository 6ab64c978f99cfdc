"""The line before the door: takes everyone who stands in it at once.

libuv takes one connection each time round its loop. A busy loop goes round a few times a second, people come faster,
the kernel's line overflows, and whoever is turned away there hears nothing and tries again seconds later: under a load
of twice what could be answered, two of three never got in, and no limit of ours saw them.
"""

from __future__ import annotations

import asyncio
import contextlib
import ctypes
import errno
import logging
import socket
import struct
import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

log = logging.getLogger(__name__)

AT_ONCE = 256
"""Connections taken in one go, so that those who are inside go on."""
LAST_LOOKS = 10
"""Times that the line is emptied when the door closes, so that a crowd cannot hold it open."""
PAUSE = 1.0
"""Seconds until the next try when the system has no room for one more open file."""
UNSENT = 128 * 1024
"""Bytes that the system takes of an answer beyond what is on its way. By itself it takes up to 4 MB, out of our sight,
for a client that takes nothing."""
NO_ROOM = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Listener:
    """``make`` builds the protocol of one connection."""

    def __init__(self, line: socket.socket, make: Callable[[], asyncio.Protocol]) -> None:
        line.setblocking(False)
        if line.family in (socket.AF_INET, socket.AF_INET6) and hasattr(socket, "TCP_NOTSENT_LOWAT"):
            # Each connection that is taken from the line has it from there.
            line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, UNSENT)
        self._line = line
        self._make = make
        self._loop = asyncio.get_running_loop()
        self._entering: set[asyncio.Task[None]] = set()
        self._pause: asyncio.TimerHandle | None = None

    def open(self) -> None:
        self._pause = None
        self._loop.add_reader(self._line, self._take)

    async def close(self) -> None:
        """Take in who still stands in line, the kernel would hang up on them; nobody new after that."""
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._line)
        _turn_away(self._line)
        for _ in range(LAST_LOOKS):
            while self._accept():
                pass
            if not self._entering:
                break
            # Others may come to stand in line meanwhile.
            await asyncio.wait(self._entering)
        self._line.close()

    def _take(self) -> None:
        for _ in range(AT_ONCE):
            if not self._accept():
                return

    def _accept(self) -> bool:
        """One connection; False when nobody is in line, or there is no room."""
        try:
            one, _ = self._line.accept()
        except (BlockingIOError, InterruptedError):
            return False
        except ConnectionError:  # gone while it stood in line
            return True
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            log.warning("no connection can be taken for a moment: %s", error.strerror)
            self._loop.remove_reader(self._line)
            self._pause = self._loop.call_later(PAUSE, self.open)
            return False
        one.setblocking(False)
        task = self._loop.create_task(self._enter(one))
        self._entering.add(task)
        task.add_done_callback(self._entering.discard)
        return True

    async def _enter(self, one: socket.socket) -> None:
        try:
            await self._loop.connect_accepted_socket(self._make, one)
        except OSError:  # gone meanwhile
            one.close()


def _turn_away(line: socket.socket) -> None:
    """Nobody new comes to stand in line. Else whoever does between our last look and the closing is hung up on: closing
    is what the kernel has instead of saying no to the next one. Where this is not to be had, that moment stays."""
    attach = getattr(socket, "SO_ATTACH_FILTER", 26 if sys.platform == "linux" else None)
    if attach is None:
        return
    # A filter of one instruction that lets nothing pass (BPF_RET, 0); those who stand in line keep their place.
    program = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
    with contextlib.suppress(OSError):
        line.setsockopt(socket.SOL_SOCKET, attach, struct.pack("HP", 1, ctypes.addressof(program)))
