"""Limits of one connection, and how many there may be."""

from __future__ import annotations

import msgspec


class Limits(msgspec.Struct, frozen=True, kw_only=True):
    """Holds the limits of one connection; ``connections``: of all of them."""

    head_size: int = 64 * 1024
    head_seconds: float = 10.0
    """From a head's first byte, and from the beginning of a connection, until the head is whole."""
    body_seconds: float = 10.0
    """Without a byte of a body that is not whole. uvicorn waits without end: 900 strangers who each sent a byte of a
    session's opening held 900 connections until the service ended, and its stop took 17 s in place of 0.4
    (``test_without_the_limits_a_body_that_never_comes_holds_its_connection_for_ever``)."""
    body_grace: float = 60.0
    """In which a body must be whole, besides ..."""
    body_pace: float = 40_000.0
    """... a second for each so many bytes that came: a drip ends after a minute, a file of 10 MiB has over five."""
    pipelined: int = 32
    """Requests that wait for the answer of the one before them. uvicorn keeps all that come in one piece: 4,700 of one
    connection took 15 MB, 32 take 0.1 MB."""
    connections: int = 10_000
    min_connections_per_address: int = 32
    """Connections that one address may have open at least, however few all may have; else a quarter of all."""
    unfinished_bytes: int | None = 64 * 1024 * 1024
    """Bytes that all bodies may hold until they are whole."""
    linger_seconds: float = 1.0
    """Seconds for which what a client still sends after its last answer is read and dropped, so that it gets to see
    that answer: a socket that is closed with unread bytes takes what it has sent with it. A proxy would take the loss
    for a fault of the service, and send nobody here for a while."""
    reserve_seconds: float = 2.0
    """Seconds in which a request must begin on a connection that is one too many, to be told so or to be a health
    check."""
    stop_seconds: float = 1.0
    """Seconds in which a request may still come on an idle connection when the service stops."""

    @property
    def connections_per_address(self) -> int:
        """Return how many connections one address may have: thousands of people behind one office's, and no single
        address takes them all. Without this limit one address kept 67 of 68 requests of others out
        (``test_protocol``)."""
        return max(self.connections // 4, self.min_connections_per_address)


LIMITS = Limits()
