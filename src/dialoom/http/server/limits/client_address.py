"""Finds the address that a request comes from. ``X-Forwarded-For`` counts only where a trusted proxy wrote it.

The scheme and name under which people reach the service are never read from a request: they are ``base_url``'s.
"""

from __future__ import annotations

import ipaddress
import logging
from collections.abc import Iterable
from functools import lru_cache
from typing import TYPE_CHECKING

from dialoom.service.observe.logs import ThrottledLog

if TYPE_CHECKING:
    from dialoom.http.server.exchange import Scope

    Address = ipaddress.IPv4Address | ipaddress.IPv6Address
    Network = ipaddress.IPv4Network | ipaddress.IPv6Network

log = logging.getLogger(__name__)

UNKNOWN = "unknown"
LOG_EVERY_SECONDS = 60.0
"""Seconds between two lines of the log that say the same."""
MAX_HOPS = 32
"""Entries of ``X-Forwarded-For`` that are looked at, from the right."""
FORWARDING = frozenset(
    {b"forwarded", b"via", b"x-forwarded-for", b"x-forwarded-host", b"x-forwarded-proto", b"x-real-ip"}
)
"""Headers that say that a request came through a proxy."""


def is_forwarded(scope: Scope) -> bool:
    return any(name in FORWARDING for name, _ in scope["headers"])


def is_from_loopback(scope: Scope) -> bool:
    """Return whether the connection comes from this machine."""
    peer = scope.get("client")
    return peer is not None and _is_loopback(str(peer[0]))


def is_for_this_machine(scope: Scope) -> bool:
    """Tell whether ``Host`` names this machine as loopback. Of a page whose own name was made to lead here (DNS
    rebinding) the browser sends that name."""
    host = next((value for name, value in scope["headers"] if name == b"host"), b"").decode("latin-1").lower()
    name = host.rpartition("]")[0].removeprefix("[") if host.startswith("[") else host.partition(":")[0]
    return name.rstrip(".") == "localhost" or _is_loopback(name)


def is_from_this_machine(scope: Scope) -> bool:
    """Tell whether a program of this machine made the call by a loopback name, without a proxy between."""
    return is_from_loopback(scope) and not is_forwarded(scope) and is_for_this_machine(scope)


def networks(text: str) -> tuple[Network, ...]:
    """Read a comma-separated list of networks. Raise ``ValueError`` naming the entry that is none."""
    return tuple(ipaddress.ip_network(part.strip()) for part in text.split(",") if part.strip())


class ClientAddresses:
    """Tells clients by their address, with the operator's list of proxies."""

    def __init__(self, trusted: Iterable[Network] = ()) -> None:
        self._trusted = tuple(trusted)
        self._is_trusted = lru_cache(4096)(self._stands_in_list)
        self._speaks_for_many = lru_cache(4096)(lambda host: self._stands_in_list(host) or _is_loopback(host))

    def address(self, scope: Scope) -> str:
        """Return the client's address: IPv4 as it is, IPv6 as its /64, since one household or server has that many."""
        host = self._host(scope)
        if host is None:
            return UNKNOWN
        return _shortened(host) if ":" in host else host

    def single_client(self, scope: Scope) -> str | None:
        """Return the address of a request's client as that of one; None where it may speak for many (``single``)."""
        host = self._host(scope)
        return None if host is None else self.single(host)

    def _host(self, scope: Scope) -> str | None:
        peer = scope.get("client")
        if peer is None:
            return None
        host = str(peer[0])
        return self._before(host, scope) if self._trusted and self._is_trusted(host) else host

    def single(self, host: str) -> str | None:
        """Return the address of a connection as that of one client; None where it may speak for many: a trusted proxy,
        or something on this machine, which is a proxy more often than not."""
        if self._speaks_for_many(host):
            return None
        return _shortened(host) if ":" in host else host

    def _before(self, host: str, scope: Scope) -> str:
        """Return the right-most hop that is no trusted proxy; what stands left of it, anybody may have written."""
        lines = [value for name, value in scope["headers"] if name == b"x-forwarded-for"]
        for hop in reversed(b",".join(lines).decode("latin-1").split(",")[-MAX_HOPS:]):
            text = _without_port(hop.strip())
            if _read(text) is None:
                break
            host = text
            if not self._is_trusted(text):
                break
        return host

    def _stands_in_list(self, host: str) -> bool:
        address = _read(host)
        return address is not None and any(address in network for network in self._trusted)


@lru_cache(4096)
def _shortened(host: str) -> str:
    address = _read(host)
    if isinstance(address, ipaddress.IPv6Address):
        return str(ipaddress.ip_network((address, 64), strict=False))
    return str(address or UNKNOWN)


def _read(text: str) -> Address | None:
    try:
        address = ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None
    mapped = address.ipv4_mapped if isinstance(address, ipaddress.IPv6Address) else None
    return mapped or address


def _is_loopback(host: str) -> bool:
    address = _read(host)
    return address is not None and address.is_loopback


def _without_port(hop: str) -> str:
    """Return a hop without the port that some proxies add: ``192.0.2.1:4711``, ``[2001:db8::1]:4711``."""
    if hop.startswith("["):
        return hop[1:].partition("]")[0]
    return hop.partition(":")[0] if hop.count(":") == 1 else hop


class AddressCounts(dict[str, int]):
    """Maps an address to a number above zero, such as that of its connections; no other address takes memory."""

    def add(self, address: str, number: int = 1) -> int:
        """Add to the number of an address, or take from it; return what it is then."""
        left = self.get(address, 0) + number
        if left:
            self[address] = left
        else:
            del self[address]
        return left


class ConnectionsPerAddress:
    """Counts the open connections of each address. A proxy speaks for many, and so does whatever reaches the service
    over loopback: their connections are not counted."""

    def __init__(self, clients: ClientAddresses) -> None:
        self._clients = clients
        self._open = AddressCounts()
        self._log = ThrottledLog(log, LOG_EVERY_SECONDS)

    def enter(self, host: str | None) -> int:
        """Count a connection that was opened; return how many its address has, 0 where they are not counted."""
        name = None if host is None else self._clients.single(host)
        return 0 if name is None else self._open.add(name)

    def leave(self, host: str | None) -> None:
        """Take a connection that was closed out of the count."""
        name = None if host is None else self._clients.single(host)
        if name is not None:
            self._open.add(name, -1)

    def log_refusal(self, limit: int, now: float) -> None:
        """Log that a connection was refused. Not whose: an address may be a person's."""
        self._log.warn(
            f"one address has {limit} connections open and gets no more. If that is your proxy, name its network in "
            f"DIALOOM_TRUSTED_PROXIES",
            now,
        )
