"""Accepts all pending connections in one pass of the event loop, and those that are pending when it closes.

libuv accepts one connection a pass. A busy loop makes few passes a second, clients connect faster, the kernel's backlog
overflows, and a client whose SYN is dropped there tries again seconds later. Under 1,500 connections a second, twice
what could be answered, one of ten waited over 3 s to be connected and one of thirty over 12 s; with this listener one
of a hundred waited over 0.4 s, and those too many were answered with 503. The test of it, and its twin without it:
``test_all_pending_connections_are_accepted_in_one_pass_of_the_loop`` and
``test_the_loop_by_itself_accepts_one_connection_a_pass``.
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
from collections.abc import Callable

log = logging.getLogger(__name__)

MAX_ACCEPTS = 256
"""Connections accepted in one pass, so that open ones are served in between."""
MAX_LAST_ACCEPTS = 10
"""Times that the backlog is emptied when the listener closes, so that new connections cannot keep it open."""
PAUSE_SECONDS = 1.0
"""Seconds until the next accept when the system has no room for one more open file."""
MAX_UNSENT_BYTES = 128 * 1024
"""Bytes that the system takes of an answer beyond what is on its way. By itself it takes up to 4 MB, out of our sight,
for a client that takes nothing."""
NO_ROOM = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM})


class Listener:
    """Accepts the connections of one listening socket. ``make`` builds the protocol of one connection."""

    def __init__(self, listening: socket.socket, make: Callable[[], asyncio.Protocol]) -> None:
        listening.setblocking(False)
        if listening.family in (socket.AF_INET, socket.AF_INET6) and hasattr(socket, "TCP_NOTSENT_LOWAT"):
            # Accepted connections inherit it.
            listening.setsockopt(socket.IPPROTO_TCP, socket.TCP_NOTSENT_LOWAT, MAX_UNSENT_BYTES)
        self._listening = listening
        self._make = make
        self._loop = asyncio.get_running_loop()
        self._entering: set[asyncio.Task[None]] = set()
        self._pause: asyncio.TimerHandle | None = None

    def open(self) -> None:
        self._pause = None
        self._loop.add_reader(self._listening, self._accept_pending)

    async def close(self) -> None:
        """Accept what is pending, which the kernel would reset, and nothing that comes after that."""
        if self._pause is not None:
            self._pause.cancel()
        self._loop.remove_reader(self._listening)
        _refuse_new(self._listening)
        for _ in range(MAX_LAST_ACCEPTS):
            while self._accept():
                pass
            if not self._entering:
                break
            # Others may connect meanwhile.
            await asyncio.wait(self._entering)
        self._listening.close()

    def _accept_pending(self) -> None:
        for _ in range(MAX_ACCEPTS):
            if not self._accept():
                return

    def _accept(self) -> bool:
        """Accept one connection; return False when none is pending, or there is no room."""
        try:
            one, _ = self._listening.accept()
        except (BlockingIOError, InterruptedError):
            return False
        except ConnectionError:  # gone while it was pending
            return True
        except OSError as error:
            if error.errno not in NO_ROOM:
                raise
            log.warning("no connection can be taken for a moment: %s", error.strerror)
            self._loop.remove_reader(self._listening)
            self._pause = self._loop.call_later(PAUSE_SECONDS, self.open)
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


def _refuse_new(listening: socket.socket) -> None:
    """Drop new SYNs. Else a connection made between the last accept and the closing of the socket is reset. Where the
    system has no such filter, that moment stays."""
    attach = getattr(socket, "SO_ATTACH_FILTER", 26 if sys.platform == "linux" else None)
    if attach is None:
        return
    # A filter of one instruction that lets nothing pass (BPF_RET, 0); pending connections stay.
    program = ctypes.create_string_buffer(struct.pack("HBBI", 0x06, 0, 0, 0))
    with contextlib.suppress(OSError):
        listening.setsockopt(socket.SOL_SOCKET, attach, struct.pack("HP", 1, ctypes.addressof(program)))
