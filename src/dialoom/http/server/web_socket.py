"""Serves a WebSocket (RFC 6455) on the connection of a request that asks for one: handshake, texts, end.

Only the server speaks: what a client sends in it is dropped. uvicorn's own WebSocket protocols take the connection
away from ours, and with it the limits on connections of an address, on slow readers and on requests; here it stays.
"""

from __future__ import annotations

import base64
import binascii
import logging
from collections.abc import Callable, Mapping
from enum import IntEnum
from typing import TYPE_CHECKING

from uvicorn.protocols.http.flow_control import FlowControl

from dialoom.errors import RequestError

if TYPE_CHECKING:
    from websockets.protocol import Protocol

MAX_INPUT_BYTES = 16 * 1024
"""Bytes that a client may send between two pings. Web Chat sends an empty message every 20 s."""
MAX_UNANSWERED_PINGS = 2
KEY_BYTES = 16
VERSION = b"13"

_silent = logging.Logger("websocket", logging.CRITICAL)
"""Given to the library, which would log what the frames hold."""


class CloseCode(IntEnum):
    """Why we end a WebSocket (RFC 6455 section 7.4.1)."""

    DONE = 1000
    GOING_AWAY = 1001
    POLICY = 1008


class WebSocket:
    """Sends texts to one client. ``write`` sends bytes, ``close`` ends the connection once they went out, ``abort`` at
    once."""

    __slots__ = (
        "_abort",
        "_close",
        "_flow",
        "_input_bytes",
        "_protocol",
        "_unanswered",
        "_write",
        "is_over",
        "on_over",
    )

    def __init__(
        self,
        protocol: Protocol,
        flow: FlowControl,
        write: Callable[[bytes], None],
        close: Callable[[], None],
        abort: Callable[[], None],
    ) -> None:
        self._protocol = protocol
        self._flow = flow
        self._write = write
        self._close = close
        self._abort = abort
        self._input_bytes = 0
        self._unanswered = 0
        self.is_over = False
        self.on_over: Callable[[], None] = lambda: None
        """Called once when the client or the connection is gone, or ``end`` was called."""

    async def send(self, text: bytes) -> None:
        """Send a text as one message; wait while the client takes nothing. What is sent to nobody is dropped."""
        await self._flow.drain()
        if not self.is_over:
            self._protocol.send_text(text)
            self._flush()

    def ping(self) -> None:
        """Ask whether the client is there; a connection on which nothing came since the last pings ends."""
        if self.is_over:
            return
        self._input_bytes = 0
        if self._unanswered >= MAX_UNANSWERED_PINGS:
            self._abort()
            return
        self._unanswered += 1
        self._protocol.send_ping(b"")
        self._flush()

    def end(self, code: CloseCode, reason: str = "") -> None:
        """Close the WebSocket with a code and a reason that the client reads."""
        if not self.is_over:
            self._protocol.send_close(code, reason)
            self._flush()
            self._finish()

    # -- called by the connection

    def received(self, data: bytes) -> None:
        """Take what the client sent: pings are answered, an end is acknowledged, all else is dropped."""
        if self.is_over:
            return
        self._unanswered = 0
        self._input_bytes += len(data)
        if self._input_bytes > MAX_INPUT_BYTES:
            self.end(CloseCode.POLICY, "Nothing is to be sent here.")
            return
        self._protocol.receive_data(data)
        self._protocol.events_received()
        self._flush()
        if self._protocol.close_expected():
            self._finish()

    def lost(self) -> None:
        """Note that the connection is gone."""
        if not self.is_over:
            self.is_over = True
            self.on_over()

    def _finish(self) -> None:
        self.is_over = True
        self._close()
        self.on_over()

    def _flush(self) -> None:
        for piece in self._protocol.data_to_send():
            if piece:  # an empty one stands for the end, which is the connection's
                self._write(piece)


def handshake(headers: Mapping[bytes, bytes]) -> tuple[bytes, Protocol]:
    """Return the head of the answer that accepts a WebSocket, open for further headers, and what reads and writes its
    frames. Raise ``RequestError`` 400 for a request that asks for none as RFC 6455 section 4.2.1 has it."""
    # Imported with the first WebSocket: most services never have one.
    from websockets.protocol import SERVER, Protocol
    from websockets.utils import accept_key

    key = headers.get(b"sec-websocket-key", b"").strip()
    named = {name.strip().lower() for name in headers.get(b"connection", b"").split(b",")}
    is_asked = headers.get(b"upgrade", b"").strip().lower() == b"websocket" and b"upgrade" in named
    if not is_asked or headers.get(b"sec-websocket-version") != VERSION or not _is_key(key):
        raise no_web_socket()
    accepted = accept_key(key.decode("ascii")).encode("ascii")
    head = (
        b"HTTP/1.1 101 Switching Protocols\r\nupgrade: websocket\r\nconnection: Upgrade\r\n"
        b"sec-websocket-accept: " + accepted + b"\r\n"
    )
    # No compression: 62 kB a connection.
    return head, Protocol(SERVER, max_size=MAX_INPUT_BYTES, logger=_silent)


def no_web_socket() -> RequestError:
    """Return the refusal of a request that cannot be made a WebSocket."""
    detail = "This address is for WebSockets of version 13 (RFC 6455). Open it with a WebSocket client."
    return RequestError("bad-request", detail)


def _is_key(key: bytes) -> bool:
    try:
        return len(base64.b64decode(key, validate=True)) == KEY_BYTES
    except binascii.Error:
        return False
