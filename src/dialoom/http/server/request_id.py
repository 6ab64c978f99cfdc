"""Gives every request an id, which its answer and its log lines bear: the one that the client sent in ``Request-Id``,
or a new one where there is none, or one that would be no word."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable

REQUEST_ID = b"request-id"
MAX_REQUEST_ID_CHARS = 128
_SANE = re.compile(rb"[A-Za-z0-9._~:/+=@-]{1,%d}" % MAX_REQUEST_ID_CHARS)
"""Ids as proxies, tracing and UUIDs have them. Nothing that could end a line of the log or stand for another field."""


def request_id(headers: Iterable[tuple[bytes, bytes]]) -> bytes:
    """Return the id of a request with these headers, whose names are in lower case."""
    given = [value for name, value in headers if name == REQUEST_ID]
    if len(given) == 1 and _SANE.fullmatch(given[0]):
        return given[0]
    return os.urandom(8).hex().encode()
