"""Sets and reads the cookies of the service's own pages."""

from __future__ import annotations

from typing import Literal
from urllib.parse import urlsplit

from dialoom.http.server.exchange import Exchange


class PageCookie:
    """Sets and reads one cookie of a service under ``base_url``. ``path``: below which the browser sends it."""

    def __init__(self, word: str, base_url: str, path: str, same_site: Literal["Lax", "Strict"]) -> None:
        address = urlsplit(base_url.lower())
        is_secure = address.scheme == "https"
        # With the port: cookies ignore ports, and two services on one host would take each other's.
        self.name = f"{word}_{address.port or (443 if is_secure else 80)}"
        self._path, self._rest = path, f"HttpOnly; SameSite={same_site}"
        if is_secure:
            # No other host of the same domain can set one of this name (RFC 6265bis section 4.1.3.2): else an attacker
            # could put his own browser's secret into a victim's.
            self.name = f"__Host-{self.name}"
            self._path, self._rest = "/", f"{self._rest}; Secure"

    def read(self, exchange: Exchange) -> str | None:
        """Return the value that a request brings; None without one (RFC 6265 section 5.4)."""
        for pair in (exchange.header(b"cookie") or "").split(";"):
            key, _, value = pair.strip().partition("=")
            if key == self.name:
                return value
        return None

    def set(self, exchange: Exchange, value: str, seconds: int) -> None:
        """Have the answer set it for so long; 0 deletes it."""
        exchange.extra["set-cookie"] = f"{self.name}={value}; Path={self._path}; Max-Age={seconds}; {self._rest}"
