"""Adds to uvicorn's HTTP/1.1 protocol the limits that it lacks. What a request means is not known here.

uvicorn on httptools bounds neither the size of a request's head nor the time that head or body may take, and llhttp
keeps a header line in its own memory until the line is whole.
"""

from __future__ import annotations

import asyncio
from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any

import httptools
from uvicorn._types import ASGI3Application
from uvicorn.config import Config
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import (
    HEADER_RE,
    HEADER_VALUE_RE,
    STATUS_LINE,
    HttpToolsProtocol,
    RequestResponseCycle,
)
from uvicorn.server import ServerState

from dialoom.errors import RequestError
from dialoom.http import problems
from dialoom.http.server import connection_refusals as refusals
from dialoom.http.server.exchange import CUT, GONE, NO_CONTENT, UPGRADE, WHOLE
from dialoom.http.server.limits.client_address import ConnectionsPerAddress
from dialoom.http.server.limits.connection_limits import LIMITS, Limits
from dialoom.http.server.limits.health_reserve import HealthReserve
from dialoom.http.server.limits.slow_readers import SlowReaders
from dialoom.http.server.limits.unfinished_bodies import UnfinishedBodies
from dialoom.http.server.request_id import REQUEST_ID, request_id
from dialoom.http.server.web_socket import WebSocket, handshake, no_web_socket

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Headers


MIN_TIMER_SECONDS = 0.1
"""Seconds between two looks at a body at least: one that comes just in time must not keep us busy."""
STUDIO = "/v1/studio/"
"""Path below which browsers alone ask."""


class _Part(Enum):
    IDLE = 0
    """Between two requests; line ends before a head belong to it."""
    HEAD = 1
    BODY = 2


class Connection(HttpToolsProtocol):
    # uvicorn's class has no slots, so each connection has a dictionary all the same. Slots keep these names out of it:
    # with them it would be too full for its size, and Python would double it, for each of thousands of connections.
    __slots__ = (
        "_addresses",
        "_bodies",
        "_body_came_at",
        "_body_due_at",
        "_body_size",
        "_frame_size",
        "_head_size_max",
        "_head_size_min",
        "_holds_bodies",
        "_idle_since",
        "_ignores_input",
        "_is_lingering",
        "_is_stopping",
        "_limits",
        "_part",
        "_piece_size",
        "_readers",
        "_refusal",
        "_reserve",
        "_running",
        "_socket",
        "_timer",
        "_waits_for",
        "_waits_since",
        "_wants_keep_alive",
    )

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        limits: Limits = LIMITS,
        addresses: ConnectionsPerAddress | None = None,
        readers: SlowReaders | None = None,
        bodies: UnfinishedBodies | None = None,
        reserve: HealthReserve | None = None,
    ) -> None:
        """Begin without a connection. ``addresses``: counts connections by address; without it they are not told apart.
        ``readers``: ends connections of clients that take nothing; without it none is ended. ``bodies``: counts the
        bytes of bodies that are not whole. ``reserve``: takes connections that are too many, for health checks."""
        super().__init__(config, server_state, app_state, _loop)
        self._limits = limits
        self._addresses = addresses
        self._readers = readers
        self._bodies = bodies
        self._holds_bodies = False
        """True while this connection has bytes in ``bodies``."""
        self._reserve = reserve
        self._refusal: RequestError | None = None
        """What a request is told that is no health check: this connection is one too many."""
        self._part = _Part.IDLE
        self._head_size_min = 0
        """Bytes that the open head has at least ..."""
        self._head_size_max = 0
        """... and at most: those of the whole piece in which it began, where that was amid a piece."""
        self._piece_size = 0
        self._frame_size = 0
        """Bytes of a body's frame (lengths of chunks, trailers) since the last of its content. The parser keeps a
        line of trailers until it is whole: 20 MB that were sent of one took 20 MB."""
        self._body_came_at = 0.0
        self._body_due_at = 0.0
        """When the open body must be whole, but for the bytes in ``_body_size`` ..."""
        self._body_size = 0
        """... each of which wins it a little time."""
        self._timer: asyncio.TimerHandle | None = None
        self._waits_for = _Part.IDLE
        self._waits_since = 0.0
        self._idle_since: float | None = None
        """The end of the last answer, until something comes again."""
        self._ignores_input = False
        """Nothing more is read of what comes."""
        self._wants_keep_alive = False
        """True if the open request wants the connection kept. Until it is whole, none is: what still comes of a body
        whose answer is given, or was refused before it was asked for (Expect), would be read as the next request, or
        the next request as its body (RFC 9110 section 10.1.1)."""
        self._is_lingering = False
        """The last answer is given, and what still comes runs out."""
        self._is_stopping = False
        """The service stops: the next answer ends the connection."""
        self._running: RequestResponseCycle | None = None
        """The request that is being answered; uvicorn itself knows the one that came last."""
        self._socket: WebSocket | None = None
        """What the connection has become."""

    # -- the connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        limit = self._limits.connections_per_address
        open_here = self._addresses.enter(self._host) if self._addresses is not None else 0
        if self._addresses is not None and open_here > limit:
            self._addresses.log_refusal(limit, self.loop.time())
        if open_here > 2 * limit:
            # Those that were refused and are not closed yet count as well: words would only make them more.
            self._ignores_input = True
            self.transport.abort()
        elif open_here > limit:
            self._enter_reserve(refusals.too_many("Too many connections from this address are open."))
        elif len(self.connections) > self._limits.connections:
            self._enter_reserve(refusals.too_many("Too many connections are open."))
        else:
            self._wait(_Part.HEAD, self._limits.head_seconds)

    def _enter_reserve(self, refusal: RequestError) -> None:
        """Refuse the connection, once it is known that no health check comes on it."""
        self._refusal = refusal
        if self._reserve is None or not self._reserve.enter(self, partial(self._end, refusal)):
            self._end(refusal)
        else:
            self._wait(_Part.HEAD, self._limits.reserve_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._unset_keepalive_if_required()
        self._ignores_input = True
        if self._addresses is not None:
            self._addresses.leave(self._host)
        if self._readers is not None:
            self._readers.leave(self.transport)
        if self._reserve is not None and self._refusal is not None:
            self._reserve.leave(self)
        self._release_bodies()
        if self._socket is not None:
            self._socket.lost()
        if self.cycle is not None:
            self.cycle.transport = self.transport  # nothing that only the collector would find
        if self._running is not None:
            # With others behind it uvicorn would not tell it: a stream would go on for nobody, an answer would fail.
            self._running.disconnected = True
            self._running.message_event.set()
            self._running = None
        super().connection_lost(exc)

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._running = cycle
        super()._start_asgi_task(cycle, app)

    @property
    def _host(self) -> str | None:
        return None if self.client is None else self.client[0]

    def shutdown(self) -> None:
        """End the connection as the service stops. A request that is on its way is still read and answered; uvicorn
        would close on it."""
        self._is_stopping = True
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.keep_alive = False
        elif self._part is not _Part.BODY:
            self._unset_keepalive_if_required()
            self._wait(_Part.HEAD, self._limits.stop_seconds)

    # -- what goes out

    def _write_whole(
        self, cycle: RequestResponseCycle, status: int, headers: Headers, more: bytes, body: bytes
    ) -> bool:
        """Write a whole answer, head and body, to the socket at once. uvicorn, which gets them as two events, writes
        twice and looks at each header by itself. ``more``: further headers, as lines that are sent as they are.

        Return False, with nothing written, where uvicorn has more to do than to write: to wait for the client, to end
        the connection afterwards, to leave the body out, to send it in chunks, or to refuse what the application gave.
        The same answer is given to it as events then."""
        if cycle.response_started or cycle.disconnected or not cycle.keep_alive or self.flow.write_paused:
            return False
        if len(body) > HIGH_WATER_LIMIT or cycle.scope["method"] == "HEAD":
            return False  # a large one is not to be copied
        headers = [(name.lower(), value) for name, value in headers]
        named = dict(headers)
        if HEADER_RE.search(b"".join(named)) or HEADER_VALUE_RE.search(b"".join([value for _, value in headers])):
            return False
        if b"connection" in named or b"transfer-encoding" in named:
            return False
        if named.get(b"content-length", b"0" if status == NO_CONTENT else None) != b"%d" % len(body):
            return False
        lines = [b"%b: %b\r\n" % header for header in (*self.server_state.default_headers, *headers)]
        cycle.response_started = cycle.response_complete = True
        cycle.waiting_for_100_continue = False
        self.transport.write(b"".join((STATUS_LINE[status], *lines, more, b"\r\n", body)))
        cycle.message_event.set()
        cycle.on_response()
        return True

    def pause_writing(self) -> None:
        super().pause_writing()
        if self._readers is not None:
            self._readers.enter(self.transport)

    def resume_writing(self) -> None:
        super().resume_writing()
        if self._socket is not None:
            self.flow.resume_reading()
        if self._readers is not None and not self.transport.is_closing():
            self._readers.leave(self.transport)

    def timeout_keep_alive_handler(self) -> None:
        self._close()

    # -- what comes in

    def data_received(self, data: bytes) -> None:
        if self._socket is not None:
            if self.flow.write_paused:
                self.flow.pause_reading()  # pongs are not to pile up for who takes nothing
            self._socket.received(data)
            return
        if self._ignores_input:
            return
        self._idle_since = None
        self._piece_size = size = len(data)
        if self._part is _Part.BODY:
            self._body_came_at = self.loop.time()
            self._frame_size += size
        else:
            self._head_size_min += size
            self._head_size_max += size
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._ignore_upgrade()
        except httptools.HttpParserError as error:
            self._refuse(self._refusal or refusals.as_request_error(error, self._limits))
        else:
            self._check_limits()
            if self._part is _Part.BODY or self.pipeline or self._holds_bodies:
                self._count_bodies()

    def eof_received(self) -> bool:  # type: ignore[override]  # uvicorn's always lets the connection end
        """Handle that the client sends no more. One that has sent a whole POST may still want to hear of it, and is
        answered. Other requests end: who hangs up looks the same, and nobody should search, or hold a stream open, for
        those. So do all of the studio: a browser that sends no more has gone, and nobody should train a bot for it."""
        cycle = self.cycle
        if cycle is None or cycle.response_started or self._part is not _Part.IDLE or self._ignores_input:
            return False
        if cycle.scope["method"] != "POST" or cycle.scope["path"].startswith(STUDIO):
            return False
        cycle.keep_alive = False
        return True

    def _check_limits(self) -> None:
        """Check the size of the open head or body after a piece, and start the timer of one that has just begun."""
        if self._part is _Part.BODY:
            if self._frame_size > self._limits.head_size:
                self._refuse(refusals.body_too_large(self._limits))
            elif self._waits_for is not _Part.BODY:
                self._body_came_at = self.loop.time()
                self._body_due_at = self._body_came_at + self._limits.body_grace
                self._wait(_Part.BODY, self._limits.body_seconds)
        elif not self._head_size_min and self._part is _Part.IDLE:
            self._stop_waiting()
        elif self._head_size_min > self._limits.head_size:
            self._refuse(refusals.head_too_large(self._limits))
        elif self._waits_for is not _Part.HEAD:
            self._wait(_Part.HEAD, self._limits.head_seconds)

    def _count_bodies(self) -> None:
        """Count what is here of a body that is not whole, and of those whose requests wait for others. A body that
        came whole with its head counts nowhere: it is read at once."""
        if self._bodies is None or self._ignores_input:
            return
        size = sum(len(cycle.body) for cycle, _ in self.pipeline)
        if self._part is _Part.BODY and not self.pipeline:
            size += self._body_size
        self._holds_bodies = size > 0
        scope: Any = self.scope
        error = self._bodies.hold(self, scope, size, self.loop.time())
        if error is not None:
            self._refuse(error)

    def _release_bodies(self) -> None:
        if self._holds_bodies and self._bodies is not None:
            self._bodies.release(self)
            self._holds_bodies = False

    def _upgrade(self, cycle: RequestResponseCycle, more: bytes = b"") -> WebSocket:
        """Make the connection the WebSocket that a request asks for. ``more``: further headers of the answer, as lines
        that are sent as they are. Raise ``RequestError`` 400 where it asks for
        another protocol, or asks wrongly; then it is answered as any."""
        if cycle is not self.cycle or cycle.response_started or cycle.disconnected or self.transport.is_closing():
            raise no_web_socket()
        head, protocol = handshake(dict(cycle.scope["headers"]))
        self._stop_waiting()
        # For uvicorn the request is answered.
        cycle.response_started = cycle.response_complete = True
        write, abort = self.transport.write, self.transport.abort
        self._socket = WebSocket(protocol, self.flow, write, self._linger, abort)
        write(head + more + b"\r\n")
        self.flow.resume_reading()
        return self._socket

    def _ignore_upgrade(self) -> None:
        """Answer a request that wants another protocol as if it did not, and read nothing after it, unless its endpoint
        makes a WebSocket of it."""
        if self._part is _Part.BODY:
            self._refuse(RequestError("bad-request", "A request that wants another protocol has no body here."))
            return
        self._stop_waiting()
        self._ignores_input = True
        if self.cycle is not None:
            self.cycle.keep_alive = False

    # -- what the parser finds

    def on_message_begin(self) -> None:
        self._part = _Part.HEAD
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        # Trailers come here as well. Whoever sends them after the request was let in must not add headers to it.
        if self._part is _Part.HEAD:
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._refusal is not None and not (self._reserve and self._reserve.answer(self, self.url)):
            raise refusals.NoRoom
        if self._head_size_max > self._limits.head_size:
            size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
            if size > self._limits.head_size:
                raise refusals.HeadTooLarge
        hosts = [name for name, _ in self.headers].count(b"host")
        if hosts > 1 or (not hosts and self.parser.get_http_version() != "1.0"):
            raise refusals.NotOneHost
        if len(self.pipeline) >= self._limits.pipelined:
            raise refusals.TooManyWaiting
        self._part = _Part.BODY
        self._head_size_min = self._head_size_max = self._frame_size = self._body_size = 0
        if self._timer is not None:
            self._stop_waiting()
        super().on_headers_complete()
        cycle = self.cycle
        own: Any = {
            CUT: partial(self._cut, cycle),
            WHOLE: partial(self._write_whole, cycle),
            GONE: partial(_is_gone, cycle),
        }
        if self.parser.should_upgrade():
            own[UPGRADE] = partial(self._upgrade, cycle)
        self.scope["extensions"] = own
        # A stand-in with the three methods that a cycle uses: what it closes is to be closed in our way.
        self.cycle.transport = _CycleTransport(self)  # type: ignore[assignment]  # a stand-in, see above
        self._wants_keep_alive, self.cycle.keep_alive = self.cycle.keep_alive and self._refusal is None, False

    def on_body(self, body: bytes) -> None:
        self._frame_size = 0
        self._body_size += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._part = _Part.IDLE
        # Another head may begin in this piece.
        self._head_size_min, self._head_size_max = 0, self._piece_size
        super().on_message_complete()
        if not self.cycle.response_started:
            self.cycle.keep_alive = self._wants_keep_alive and not self._is_stopping

    def on_response_complete(self) -> None:
        self.server_state.total_requests += 1
        if self._is_lingering or self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
        else:
            self._start_idle()
        if self._holds_bodies:
            self._count_bodies()

    # -- time

    def _start_idle(self) -> None:
        self._idle_since = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self._idle_timeout)

    def _idle_timeout(self) -> None:
        """Close the connection if no request came for the time that it may be idle. One timer looks at the clock now
        and then: one for each request cost more."""
        self.timeout_keep_alive_task = None
        if self._idle_since is None:
            return
        left = self._idle_since + self.timeout_keep_alive - self.loop.time()
        if left > 0:
            self.timeout_keep_alive_task = self.loop.call_later(left, self._idle_timeout)
        else:
            self.timeout_keep_alive_handler()

    def _wait(self, part: _Part, seconds: float) -> None:
        self._stop_waiting()
        self._waits_for = part
        self._waits_since = self.loop.time()
        self._timer = self.loop.call_later(seconds, self._timed_out)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._waits_for = _Part.IDLE

    def _timed_out(self) -> None:
        self._timer = None
        if self._waits_for is not _Part.BODY:
            if self._refusal is not None:
                self._end(self._refusal)
                return
            detail = f"The head of the request was not whole within {self._limits.head_seconds:g} s."
            self._refuse(RequestError("head-too-slow", detail))
            return
        now = self.loop.time()
        if self.flow.read_paused or self.cycle.waiting_for_100_continue:
            # It is we who do not read; what the client could not send meanwhile is not held against it.
            self._body_due_at += now - self._waits_since
            self._wait(_Part.BODY, self._limits.body_seconds)
            return
        silent = self._body_came_at + self._limits.body_seconds - now
        slow = self._body_due_at + self._body_size / self._limits.body_pace - now
        if silent > 0 and slow > 0:
            self._wait(_Part.BODY, max(min(silent, slow), MIN_TIMER_SECONDS))
            return
        detail = f"Nothing of the body came for {self._limits.body_seconds:g} s. Send the request again."
        if silent > 0:
            detail = "The body came too slowly. Send the request again on a better line."
        self._refuse(RequestError("body-too-slow", detail))

    # -- the end

    def _refuse(self, error: RequestError) -> None:
        """End the connection; with an answer, where none is being given."""
        self._stop_waiting()
        self._release_bodies()
        self._ignores_input = True
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            if self._part is _Part.IDLE and not self._head_size_min:
                self._close()  # a connection that was opened and never used, or that the service ends as it stops
            else:
                self._end(error)
        elif self._part is not _Part.BODY:
            # What was asked before is still answered, and the last of these answers ends the connection.
            cycle.keep_alive = False
        elif cycle.response_started or self.pipeline:
            self._close()
        else:
            # The application, which waits for the body, is told that nobody is there; what it says goes nowhere.
            cycle.disconnected = True
            cycle.message_event.set()
            self._end(error)

    def _cut(self, cycle: RequestResponseCycle) -> None:
        """End the connection amid an answer, as its application wants it. What was written still goes out, but without
        the last chunk; to a client that takes nothing it does not go for ever."""
        if not cycle.response_complete and not cycle.disconnected:
            cycle.disconnected = True
            cycle.message_event.set()
            self._ignores_input = True
            self._stop_waiting()
            self.transport.close()
            self.loop.call_later(self._limits.linger_seconds, self.transport.abort)

    def end_after_answer(self) -> None:
        """Close the connection after its last answer; where its request's body is not whole, read and drop for a moment
        what still comes of it."""
        if self._part is _Part.BODY and not self.transport.is_closing():
            self._is_lingering = self._ignores_input = True
            self._stop_waiting()
            self.flow.resume_reading()
            self._linger()
        else:
            self._close()

    def _end(self, error: RequestError) -> None:
        self._ignores_input = True
        if self.transport.is_closing():
            return
        status, headers, body = problems.encode(error)
        lines = [STATUS_LINE[status]]
        named = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        # The head of the request may have come, or a part of it.
        id = (REQUEST_ID, request_id(() if self._part is _Part.IDLE else self.headers))
        for name, value in (*self.server_state.default_headers, *named, id):
            lines.append(b"%b: %b\r\n" % (name, value))
        lines.append(b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body))
        self.transport.write(b"".join(lines) + body)
        self._linger()

    def _linger(self) -> None:
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(self._limits.linger_seconds, self._close)

    def _close(self) -> None:
        """Close the connection; what was written still goes out, as long as the client takes it."""
        self.transport.close()
        if self._readers is not None and self.transport.get_write_buffer_size():
            self._readers.enter(self.transport)


class _CycleTransport:
    """Wraps the transport of a connection for one request."""

    __slots__ = ("_connection", "is_closing", "write")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.write = connection.transport.write
        self.is_closing = connection.transport.is_closing

    def close(self) -> None:
        self._connection.end_after_answer()


def _is_gone(cycle: RequestResponseCycle) -> bool:
    return cycle.disconnected
