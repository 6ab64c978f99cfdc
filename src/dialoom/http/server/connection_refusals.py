"""Says why a connection refuses a request: what its callbacks raise through the parser, and what the client is told."""

from __future__ import annotations

import httptools

from dialoom.errors import RequestError
from dialoom.http.server.limits.connection_limits import Limits


class HeadTooLarge(Exception):
    """Raised through the parser: the head of a request is too large."""


class NotOneHost(Exception):
    """Raised through the parser: a request has no header Host, or two (RFC 9112 section 3.2)."""


class TooManyWaiting(Exception):
    """Raised through the parser: more pipelined requests than are kept."""


class NoRoom(Exception):
    """Raised through the parser: no health check, on a connection beyond those that there may be."""


def as_request_error(error: httptools.HttpParserError, limits: Limits) -> RequestError:
    """Return the refusal for what the parser met, or one of our callbacks raised through it."""
    cause = error.__context__ if error.__cause__ is None else error.__cause__
    if isinstance(cause, HeadTooLarge):
        return head_too_large(limits)
    if isinstance(cause, TooManyWaiting):
        detail = f"More than {limits.pipelined} requests wait on this connection. Wait for answers."
        return RequestError("too-many-waiting", detail, headers={"Retry-After": "1"})
    if isinstance(cause, NotOneHost):
        return RequestError("bad-request", "A request has the header Host, and has it once. Send it so.")
    return RequestError("bad-request", "What came is not HTTP/1.1.")


def too_many(what: str) -> RequestError:
    return RequestError("too-many-connections", f"{what} Try again in some seconds.", headers={"Retry-After": "5"})


def head_too_large(limits: Limits) -> RequestError:
    detail = f"The head of a request has at most {limits.head_size} bytes, address and headers together."
    return RequestError("head-too-large", detail)


def body_too_large(limits: Limits) -> RequestError:
    detail = f"What comes of a body between its chunks has at most {limits.head_size} bytes."
    return RequestError("too-large", detail)
