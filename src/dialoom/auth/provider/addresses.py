"""Which addresses a provider may name (login.md, What is checked). Where they lead is left to the egress guard."""

from __future__ import annotations

import re
from typing import NamedTuple

MAX_ADDRESS_CHARS = 2048

# The characters of RFC 3986, so that no two readers of it see two hosts; no user name and no fragment.
_read = re.compile(
    r"(?P<scheme>https?)://(?P<host>[a-z0-9][a-z0-9._-]*|\[[0-9a-f:.]+\])(?::(?P<port>[0-9]{1,5}))?"
    r"(?:/[\w.~:@!$&'()*+,;=%/-]*)?(?P<query>\?[\w.~:@!$&'()*+,;=%/?-]*)?",
    re.IGNORECASE | re.ASCII,
).fullmatch
_is_loopback = re.compile(r"localhost|127\.\d+\.\d+\.\d+|\[::1\]", re.ASCII).fullmatch


class Address(NamedTuple):
    scheme: str
    host: str
    port: int
    has_query: bool

    @property
    def is_plain_loopback(self) -> bool:
        return self.scheme == "http" and _is_loopback(self.host) is not None

    @property
    def place(self) -> tuple[str, str, int]:
        return self.scheme, self.host, self.port


def read_address(text: object) -> Address | None:
    """Return the parts of an address; None for whatever is no plain http(s) address."""
    found = _read(text) if isinstance(text, str) and len(text) <= MAX_ADDRESS_CHARS else None
    if found is None:
        return None
    scheme = found["scheme"].lower()
    port = int(found["port"] or {"https": 443, "http": 80}[scheme])
    if not 0 < port < 65_536:
        return None
    return Address(scheme, found["host"].lower(), port, found["query"] is not None)


def is_at_issuer(address: str, issuer: str) -> bool:
    """Return whether it has the very scheme, host and port of the issuer, which stands literally in the flow."""
    one, other = read_address(address), read_address(issuer)
    return one is not None and other is not None and one.place == other.place
