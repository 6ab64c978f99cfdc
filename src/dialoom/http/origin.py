"""Which pages may call the chat endpoints: the service's own origin and the channel's ``allowed-origins``."""

from __future__ import annotations

from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from dialoom.errors import RequestError

if TYPE_CHECKING:
    from dialoom.flow.model import Channel

LOOPBACK = ("127.0.0.1", "localhost", "[::1]")


class Origins:
    """``base_url`` as set, or as made from host and port (then any spelling of loopback is the same service)."""

    def __init__(self, base_url: str, *, is_derived: bool) -> None:
        parts = urlsplit(base_url)
        self.own = f"{parts.scheme}://{parts.netloc}".lower()
        same = {self.own}
        if is_derived and parts.port is not None:
            same |= {f"{parts.scheme}://{host}:{parts.port}" for host in LOOPBACK}
        self._same = frozenset(same)

    def is_own(self, origin: str | None) -> bool:
        return origin is not None and origin.lower() in self._same

    def check(self, origin: str | None, channel: Channel) -> dict[str, str]:
        """CORS headers for the answer. Raises ``RequestError`` 403 for a page of another origin."""
        if origin is None or self.is_own(origin):
            return {}
        if origin.lower() not in {allowed.lower().rstrip("/") for allowed in channel.allowed_origins or ()}:
            raise RequestError(
                403,
                "origin",
                f"Pages of {origin[:200]} may not use this channel. Its owner can list them under allowed-origins.",
            )
        return {"access-control-allow-origin": origin, "vary": "origin"}


def preflight(cors: dict[str, str]) -> dict[str, str]:
    """Headers of the answer to an OPTIONS request (Fetch standard, CORS protocol)."""
    return cors | {
        "access-control-allow-methods": "GET, POST",
        "access-control-allow-headers": "authorization, content-type, last-event-id",
        "access-control-max-age": "600",
    }
