"""Decides which pages may call the chat endpoints: those of the service's own origin and the channel's
``allowed-origins``."""

from __future__ import annotations

from urllib.parse import urlsplit

from dialoom.errors import RequestError
from dialoom.flow.channels import Channel

LOOPBACK = ("127.0.0.1", "localhost", "::1")
EXPOSED = "retry-after, request-id, ratelimit-limit, ratelimit-remaining, ratelimit-reset, idempotent-replayed"
"""Headers of answers that pages of other origins may read."""
DEFAULT_PORTS = {"http": 80, "https": 443}


def _parts(address: str) -> tuple[str, str, int]:
    """Return scheme, host and port; browsers leave the scheme's own port out of an origin (RFC 6454 section 4)."""
    try:
        parts = urlsplit(address)
        return parts.scheme.lower(), parts.hostname or "", parts.port or DEFAULT_PORTS.get(parts.scheme.lower(), 0)
    except ValueError:
        return "", "", 0


def _text(scheme: str, host: str, port: int) -> str:
    """Return an origin as browsers write it."""
    name = f"[{host}]" if ":" in host else host
    return f"{scheme}://{name}" if port == DEFAULT_PORTS.get(scheme) else f"{scheme}://{name}:{port}"


class Origins:
    """Knows the service's own origin. ``is_derived``: ``base_url`` was made from host and port; then any spelling of
    loopback is the same service."""

    def __init__(self, base_url: str, *, is_derived: bool) -> None:
        scheme, host, port = self._own = _parts(base_url)
        same = {self._own}
        if is_derived and host in LOOPBACK:
            same |= {(scheme, name, port) for name in LOOPBACK}
        self._same = frozenset(same)

    def is_own(self, origin: str | None) -> bool:
        return origin is not None and _parts(origin) in self._same

    def allowed(self, channel: Channel) -> list[str]:
        """Return the origins of pages that may have a chat of this channel, as browsers write them; our own first."""
        return [*dict.fromkeys(_text(*parts) for parts in (self._own, *map(_parts, channel.allowed_origins or ())))]

    def check(self, origin: str | None, channel: Channel) -> dict[str, str]:
        """Return the CORS headers of the answer. Raise ``RequestError`` 403 for a page of another origin."""
        if origin is None or self.is_own(origin):
            return {}
        if _parts(origin) not in {_parts(allowed) for allowed in channel.allowed_origins or ()}:
            raise RequestError(
                "origin",
                f"Pages of {origin[:200]} may not use this channel. Its owner can list them under allowed-origins.",
            )
        return {
            "access-control-allow-origin": origin,
            # Without this line a browser keeps the headers from the page, which would try again too soon.
            "access-control-expose-headers": EXPOSED,
            "vary": "origin",
        }


def preflight(cors: dict[str, str], *more: str) -> dict[str, str]:
    """Return the headers of the answer to an OPTIONS request (Fetch standard, CORS protocol). ``more``: further headers
    that a client may send."""
    return cors | {
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers": ", ".join(
            ("authorization", "content-type", "last-event-id", "request-id", *more)
        ),
        "access-control-max-age": "600",
    }
