"""The headers of an outgoing call: the flow's own, the secrets put in, and those that the connection needs."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Final

from multidict import CIMultiDict

from dialoom.engine.effects import Request
from dialoom.errors import RemoteError

OURS: Final = frozenset(
    {
        "accept-encoding",
        "connection",
        "content-length",
        "expect",
        "host",
        "http2-settings",
        "keep-alive",
        "proxy-authorization",
        "proxy-connection",
        "te",
        "trailer",
        "transfer-encoding",
        "upgrade",
    }
)
"""Belong to the connection, or to what can be decompressed: a flow's own are left out (the docs say so)."""

ENCODINGS: Final = "gzip, deflate"

_TOKEN = re.compile(r"[!#$%&'*+\-.^_`|~0-9A-Za-z]+")
_SURROGATE = re.compile(r"[\ud800-\udfff]")
_CONTROL = re.compile(r"[\x00-\x08\x0a-\x1f\x7f]")


def outgoing_headers(request: Request, secrets: Mapping[str, str]) -> CIMultiDict[str]:
    """Raises ``RemoteError``; its message names headers, never their values."""
    headers: CIMultiDict[str] = CIMultiDict()
    for name, value in request.headers:
        _add(headers, name, value)
    for name, variable in request.secret_headers:
        if variable not in secrets:
            raise RemoteError("credential", f'the secret "{variable}" of the header {name} is not there')
        _add(headers, name, secrets[variable])
    if request.idempotency_key is not None and "Idempotency-Key" not in headers:
        _add(headers, "Idempotency-Key", request.idempotency_key)
    headers["Accept-Encoding"] = ENCODINGS
    headers.setdefault("Accept", "application/json, */*;q=0.5")
    headers.setdefault("User-Agent", "dialoom")
    return headers


def _add(headers: CIMultiDict[str], name: str, value: str) -> None:
    if not _TOKEN.fullmatch(name):
        raise RemoteError("request", f"{name!r} is no name of a header")
    if _CONTROL.search(value):
        raise RemoteError("request", f"the value of the header {name} has a line break or another control character")
    if not value.isascii() and _SURROGATE.search(value):
        raise RemoteError("request", f"the value of the header {name} has a character that is half of a pair")
    if name.lower() not in OURS:
        headers.add(name, value)
