"""One connection: uvicorn's HTTP/1.1 protocol with the limits that it lacks. What a request means is not known here.

uvicorn on httptools bounds neither the size of a request's head nor the time that head or body may take, and llhttp
keeps a header line in its own memory until the line is whole.
"""

from __future__ import annotations

from enum import Enum
from functools import partial
from typing import TYPE_CHECKING, Any

import httptools
import msgspec
from uvicorn.protocols.http.flow_control import HIGH_WATER_LIMIT
from uvicorn.protocols.http.httptools_impl import HEADER_RE, HEADER_VALUE_RE, STATUS_LINE, HttpToolsProtocol

from dialoom.errors import RequestError
from dialoom.http import problems
from dialoom.http.exchange import CUT, WHOLE

if TYPE_CHECKING:
    import asyncio

    from uvicorn._types import ASGI3Application
    from uvicorn.config import Config
    from uvicorn.protocols.http.httptools_impl import RequestResponseCycle
    from uvicorn.server import ServerState

    from dialoom.http.crowd import Crowd
    from dialoom.http.exchange import Headers
    from dialoom.http.slow_readers import SlowReaders


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Of one connection; ``connections`` of all of them."""

    head_size: int = 64 * 1024
    head_seconds: float = 10.0
    """From a head's first byte, and from the beginning of a connection, until the head is whole."""
    body_seconds: float = 10.0
    """Without a byte of a body that is not whole."""
    body_grace: float = 60.0
    """In which a body must be whole, besides ..."""
    body_pace: float = 40_000.0
    """... a second for each so many bytes that came: a drip ends after a minute, a file of 10 MiB has over five."""
    discarded: int = 1024 * 1024
    """Bytes of a body that come in after its request was answered."""
    pipelined: int = 32
    """Requests that wait for the answer of the one before them."""
    connections: int = 10_000
    least_share: int = 32
    """Connections that one address may have open at least, however few all may have; else a quarter of all."""
    linger: float = 1.0
    """Seconds for which what a client still sends after its last answer is read and dropped, so that it gets to see
    that answer: a socket that is closed with unread bytes takes what it has sent with it. A proxy would take the loss
    for a fault of the service, and send nobody here for a while."""
    farewell: float = 1.0
    """Seconds in which a request may still come on an idle connection when the service stops."""

    @property
    def of_one(self) -> int:
        """Connections of one address: thousands of people behind one office's, and no single one shuts the door."""
        return max(self.connections // 4, self.least_share)


LIMITS = Limits()
TICK = 0.1
"""Seconds between two looks at a body at least: one that comes just in time must not keep us busy."""


class _Part(Enum):
    IDLE = 0
    """Between two requests; line ends before a head belong to it."""
    HEAD = 1
    BODY = 2


class _HeadTooLarge(Exception):
    """Raised through the parser."""


class _TooManyWaiting(Exception):
    """Raised through the parser: more pipelined requests than are kept."""


class Connection(HttpToolsProtocol):
    # uvicorn's part has a dictionary; with these names in it, it would be of the next larger kind.
    __slots__ = (
        "_beside",
        "_crowd",
        "_dropped",
        "_heard",
        "_is_deaf",
        "_is_last",
        "_is_leaving",
        "_late_at",
        "_least",
        "_limits",
        "_most",
        "_part",
        "_piece",
        "_readers",
        "_rests_since",
        "_running",
        "_taken",
        "_timer",
        "_waits_for",
        "_waits_since",
    )

    def __init__(
        self,
        config: Config,
        server_state: ServerState,
        app_state: dict[str, Any],
        _loop: asyncio.AbstractEventLoop | None = None,
        limits: Limits = LIMITS,
        crowd: Crowd | None = None,
        readers: SlowReaders | None = None,
    ) -> None:
        """``crowd``: who else is there; without it addresses are not told apart. ``readers``: tells which client is too
        slow; without it none is."""
        super().__init__(config, server_state, app_state, _loop)
        self._limits = limits
        self._crowd = crowd
        self._readers = readers
        self._part = _Part.IDLE
        self._least = 0
        """Bytes that the open head has at least ..."""
        self._most = 0
        """... and at most: those of the whole piece in which it began, where that was amid a piece."""
        self._piece = 0
        self._beside = 0
        """Bytes of a body's frame (lengths of chunks, trailers) since the last of its content."""
        self._dropped = 0
        self._heard = 0.0
        self._late_at = 0.0
        """When the open body must be whole, but for the bytes in ``_taken`` ..."""
        self._taken = 0
        """... each of which wins it a little time."""
        self._timer: asyncio.TimerHandle | None = None
        self._waits_for = _Part.IDLE
        self._waits_since = 0.0
        self._rests_since: float | None = None
        """The end of the last answer, until something comes again."""
        self._is_deaf = False
        """Nothing more is read of what comes."""
        self._is_leaving = False
        """The last answer is given, and what still comes runs out."""
        self._is_last = False
        """The service stops: the next answer ends the connection."""
        self._running: RequestResponseCycle | None = None
        """The request that is being answered; uvicorn itself knows the one that came last."""

    # -- the connection

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]  # as uvicorn has it
        super().connection_made(transport)
        mine = self._crowd.enter(self._host) if self._crowd is not None else 0
        if self._crowd is not None and mine > self._limits.of_one:
            self._crowd.tell(self._limits.of_one, self.loop.time())
        if mine > 2 * self._limits.of_one:
            # Those that were refused and are not closed yet count as well: words would only make them more.
            self._is_deaf = True
            self.transport.abort()
        elif mine > self._limits.of_one:
            self._end(_too_many("Too many connections from this address are open."))
        elif len(self.connections) > self._limits.connections:
            self._end(_too_many("Too many connections are open."))
        else:
            self._wait(_Part.HEAD, self._limits.head_seconds)

    def connection_lost(self, exc: Exception | None) -> None:
        self._stop_waiting()
        self._unset_keepalive_if_required()
        self._is_deaf = True
        if self._crowd is not None:
            self._crowd.leave(self._host)
        if self._readers is not None:
            self._readers.leave(self.transport)
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
        """The service stops. A request that is on its way is still read and answered; uvicorn would close on it."""
        self._is_last = True
        if self.cycle is not None and not self.cycle.response_complete:
            self.cycle.keep_alive = False
        elif self._part is not _Part.BODY:
            self._unset_keepalive_if_required()
            self._wait(_Part.HEAD, self._limits.farewell)

    # -- what goes out

    def _answer(self, cycle: RequestResponseCycle, status: int, headers: Headers, more: bytes, body: bytes) -> bool:
        """An answer in one piece, for a part of what uvicorn takes for its parts. ``more``: headers as they go out.
        False, and nothing is sent, for one that is to wait, to end the connection, or to fail as uvicorn has it."""
        if cycle.response_started or cycle.disconnected or not cycle.keep_alive or self.flow.write_paused:
            return False
        if len(body) > HIGH_WATER_LIMIT:
            return False  # not to be copied
        names, values = b"".join([name for name, _ in headers]), b"".join([value for _, value in headers])
        if HEADER_RE.search(names) or HEADER_VALUE_RE.search(values) or b"connection" in names:
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
        if self._readers is not None and not self.transport.is_closing():
            self._readers.leave(self.transport)

    def timeout_keep_alive_handler(self) -> None:
        self._close()

    # -- what comes in

    def data_received(self, data: bytes) -> None:
        if self._is_deaf:
            return
        self._rests_since = None
        self._piece = size = len(data)
        if self._part is _Part.BODY:
            self._heard = self.loop.time()
            self._beside += size
        else:
            self._least += size
            self._most += size
        try:
            self.parser.feed_data(data)
        except httptools.HttpParserUpgrade:
            self._stay()
        except httptools.HttpParserError as error:
            self._refuse(_meant(error, self._limits))
        else:
            self._look()

    def _look(self) -> None:
        """After a piece: is what is open within its limits, and since when is it open?"""
        if self._part is _Part.BODY:
            if self._beside > self._limits.head_size or self._dropped > self._limits.discarded:
                self._refuse(_body_too_large(self._limits))
            elif self._waits_for is not _Part.BODY:
                self._heard = self.loop.time()
                self._late_at = self._heard + self._limits.body_grace
                self._wait(_Part.BODY, self._limits.body_seconds)
        elif not self._least and self._part is _Part.IDLE:
            self._stop_waiting()
        elif self._least > self._limits.head_size:
            self._refuse(_head_too_large(self._limits))
        elif self._waits_for is not _Part.HEAD:
            self._wait(_Part.HEAD, self._limits.head_seconds)

    def _stay(self) -> None:
        """A wish for another protocol: it is passed over, the request answered, and nothing after it read."""
        if self._part is _Part.BODY:
            self._refuse(RequestError(400, "bad-request", "A request that wants another protocol has no body here."))
            return
        self._stop_waiting()
        self._is_deaf = True
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
        if self._most > self._limits.head_size:
            size = len(self.url) + sum(len(name) + len(value) + 4 for name, value in self.headers)
            if size > self._limits.head_size:
                raise _HeadTooLarge
        if len(self.pipeline) >= self._limits.pipelined:
            raise _TooManyWaiting
        self._part = _Part.BODY
        self._least = self._most = self._beside = self._dropped = self._taken = 0
        if self._timer is not None:
            self._stop_waiting()
        super().on_headers_complete()
        own: Any = {CUT: partial(self._cut, self.cycle), WHOLE: partial(self._answer, self.cycle)}
        self.scope["extensions"] = own
        # A stand-in with the three methods that a cycle uses: what it closes is to be closed in our way.
        self.cycle.transport = _Leaving(self)  # type: ignore[assignment]  # a stand-in, see above
        if self._is_last:
            self.cycle.keep_alive = False

    def on_body(self, body: bytes) -> None:
        self._beside = 0
        self._taken += len(body)
        if self.cycle.response_complete:
            self._dropped += len(body)
        super().on_body(body)

    def on_message_complete(self) -> None:
        self._part = _Part.IDLE
        # Another head may begin in this piece.
        self._least, self._most = 0, self._piece
        super().on_message_complete()

    def on_response_complete(self) -> None:
        self.server_state.total_requests += 1
        if self._is_leaving or self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._start_asgi_task(*self.pipeline.pop())
            return
        self._rests_since = self.loop.time()
        if self.timeout_keep_alive_task is None:
            self.timeout_keep_alive_task = self.loop.call_later(self.timeout_keep_alive, self._rested)

    # -- time

    def _rested(self) -> None:
        """The end of a rest between two requests, if it is still the same one: a timer for each cost more than a look
        at the clock now and then."""
        self.timeout_keep_alive_task = None
        if self._rests_since is None:
            return
        left = self._rests_since + self.timeout_keep_alive - self.loop.time()
        if left > 0:
            self.timeout_keep_alive_task = self.loop.call_later(left, self._rested)
        else:
            self.timeout_keep_alive_handler()

    def _wait(self, part: _Part, seconds: float) -> None:
        self._stop_waiting()
        self._waits_for = part
        self._waits_since = self.loop.time()
        self._timer = self.loop.call_later(seconds, self._late)

    def _stop_waiting(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        self._waits_for = _Part.IDLE

    def _late(self) -> None:
        self._timer = None
        if self._waits_for is not _Part.BODY:
            detail = f"The head of the request was not whole within {self._limits.head_seconds:g} s."
            self._refuse(RequestError(408, "head-too-slow", detail))
            return
        now = self.loop.time()
        if self.flow.read_paused or self.cycle.waiting_for_100_continue:
            # It is we who do not read; what the client could not send meanwhile is not held against it.
            self._late_at += now - self._waits_since
            self._wait(_Part.BODY, self._limits.body_seconds)
            return
        silent = self._heard + self._limits.body_seconds - now
        slow = self._late_at + self._taken / self._limits.body_pace - now
        if silent > 0 and slow > 0:
            self._wait(_Part.BODY, max(min(silent, slow), TICK))
            return
        detail = f"Nothing of the body came for {self._limits.body_seconds:g} s. Send the request again."
        if silent > 0:
            detail = "The body came too slowly. Send the request again on a better line."
        self._refuse(RequestError(408, "body-too-slow", detail))

    # -- the end

    def _refuse(self, error: RequestError) -> None:
        """End the connection; with an answer, where none is being given."""
        self._stop_waiting()
        self._is_deaf = True
        cycle = self.cycle
        if cycle is None or cycle.response_complete:
            if self._part is _Part.IDLE and not self._least:
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
            self._is_deaf = True
            self._stop_waiting()
            self.transport.close()
            self.loop.call_later(self._limits.linger, self.transport.abort)

    def leave(self) -> None:
        """After the last answer. It came before its request's body did: the rest is let run out for a moment."""
        if self._part is _Part.BODY and not self.transport.is_closing():
            self._is_leaving = self._is_deaf = True
            self._stop_waiting()
            self.flow.resume_reading()
            self._linger()
        else:
            self._close()

    def _end(self, error: RequestError) -> None:
        self._is_deaf = True
        if self.transport.is_closing():
            return
        status, headers, body = problems.encode(error)
        lines = [STATUS_LINE[status]]
        named = [(name.encode("latin-1"), value.encode("latin-1")) for name, value in headers.items()]
        for name, value in (*self.server_state.default_headers, *named):
            lines.append(b"%b: %b\r\n" % (name, value))
        lines.append(b"content-length: %d\r\nconnection: close\r\n\r\n" % len(body))
        self.transport.write(b"".join(lines) + body)
        self._linger()

    def _linger(self) -> None:
        if self.transport.can_write_eof():
            self.transport.write_eof()
        self.loop.call_later(self._limits.linger, self._close)

    def _close(self) -> None:
        """What was written still goes out, as long as the client takes it."""
        self.transport.close()
        if self._readers is not None and self.transport.get_write_buffer_size():
            self._readers.enter(self.transport)


class _Leaving:
    """The transport of a connection as one request sees it."""

    __slots__ = ("_connection", "is_closing", "write")

    def __init__(self, connection: Connection) -> None:
        self._connection = connection
        self.write = connection.transport.write
        self.is_closing = connection.transport.is_closing

    def close(self) -> None:
        self._connection.leave()


def _meant(error: httptools.HttpParserError, limits: Limits) -> RequestError:
    """What the parser stumbled over, or what one of our own functions told it."""
    cause = error.__context__ if error.__cause__ is None else error.__cause__
    if isinstance(cause, _HeadTooLarge):
        return _head_too_large(limits)
    if isinstance(cause, _TooManyWaiting):
        detail = f"More than {limits.pipelined} requests wait on this connection. Wait for answers."
        return RequestError(429, "too-many-waiting", detail, headers={"Retry-After": "1"})
    return RequestError(400, "bad-request", "What came is not HTTP/1.1.")


def _too_many(what: str) -> RequestError:
    return RequestError(503, "too-many-connections", f"{what} Try again in some seconds.", headers={"Retry-After": "5"})


def _head_too_large(limits: Limits) -> RequestError:
    detail = f"The head of a request has at most {limits.head_size} bytes, address and headers together."
    return RequestError(431, "head-too-large", detail)


def _body_too_large(limits: Limits) -> RequestError:
    detail = (
        f"What comes of a body after its answer ({limits.discarded} bytes) or between its chunks ({limits.head_size} "
        f"bytes) is bounded."
    )
    return RequestError(413, "too-large", detail)
