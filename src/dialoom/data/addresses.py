"""What kind of place an IP address is: one table. Whether a flow may go there is left to ``egress``.

Sources: the IANA registries of special-purpose IPv4 and IPv6 addresses, and the cloud providers' own pages for the
addresses of their metadata services.
"""

from __future__ import annotations

import ipaddress
from enum import Enum
from functools import lru_cache
from typing import Final, NamedTuple

IPAddress = ipaddress.IPv4Address | ipaddress.IPv6Address


class Reach(Enum):
    PUBLIC = "public"
    PRIVATE = "private"
    """An address inside the operator's own network or machine."""
    NEVER = "never"


class Place(NamedTuple):
    """A row of the table. The most specific row wins."""

    network: str
    reach: Reach
    name: str
    """Continues the sentence "the host's address is ..."."""


class Carrier(NamedTuple):
    """IPv6 addresses that lead to an IPv4 address, which stands in them ``shift`` bits from the right."""

    network: str
    shift: int


PLACES: Final = (
    Place("0.0.0.0/0", Reach.PUBLIC, "public"),
    Place("0.0.0.0/8", Reach.NEVER, "unspecified"),
    Place("10.0.0.0/8", Reach.PRIVATE, "private"),
    Place("100.64.0.0/10", Reach.PRIVATE, "in a provider's shared range"),
    Place("100.100.100.200/32", Reach.NEVER, "a metadata service"),
    Place("127.0.0.0/8", Reach.PRIVATE, "loopback"),
    Place("168.63.129.16/32", Reach.NEVER, "a metadata service"),
    Place("169.254.0.0/16", Reach.NEVER, "link-local or a metadata service"),
    Place("172.16.0.0/12", Reach.PRIVATE, "private"),
    Place("192.0.0.0/24", Reach.NEVER, "reserved or a metadata service"),
    Place("192.0.2.0/24", Reach.NEVER, "reserved for documentation"),
    Place("192.88.99.0/24", Reach.NEVER, "a transition relay"),
    Place("192.168.0.0/16", Reach.PRIVATE, "private"),
    Place("198.18.0.0/15", Reach.PRIVATE, "in the benchmarking range"),
    Place("198.51.100.0/24", Reach.NEVER, "reserved for documentation"),
    Place("203.0.113.0/24", Reach.NEVER, "reserved for documentation"),
    Place("224.0.0.0/4", Reach.NEVER, "multicast"),
    Place("240.0.0.0/4", Reach.NEVER, "reserved"),
    Place("::/0", Reach.NEVER, "reserved"),
    Place("::1/128", Reach.PRIVATE, "loopback"),
    Place("2000::/3", Reach.PUBLIC, "public"),
    # Teredo, ORCHID, benchmarking and anycast of the IETF: none of them is where a service stands.
    Place("2001::/23", Reach.NEVER, "reserved for protocols"),
    Place("2001:db8::/32", Reach.NEVER, "reserved for documentation"),
    Place("3fff::/20", Reach.NEVER, "reserved for documentation"),
    Place("fc00::/7", Reach.PRIVATE, "private"),
    Place("fd00:ec2::/32", Reach.NEVER, "a metadata service"),
    Place("fd20:ce::254/128", Reach.NEVER, "a metadata service"),
    Place("fe80::/10", Reach.NEVER, "link-local"),
    Place("ff00::/8", Reach.NEVER, "multicast"),
)

CARRIERS: Final = (
    Carrier("::ffff:0:0/96", 0),  # IPv4-mapped
    Carrier("::ffff:0:0:0/96", 0),  # IPv4-translated
    Carrier("64:ff9b::/96", 0),  # NAT64, RFC 6052
    Carrier("2002::/16", 80),  # 6to4
)


@lru_cache(1024)  # asked of every call; 8 µs without
def read_address(text: str) -> IPAddress | None:
    """Return the address that a socket would be given, without its zone; None for a name."""
    try:
        return ipaddress.ip_address(text.partition("%")[0])
    except ValueError:
        return None


def inmost(address: IPAddress) -> IPAddress:
    """Return the IPv4 address that an IPv6 address leads to, or the address itself."""
    if address.version == 4:
        return address
    for network, shift in _CARRIERS:
        if address in network:
            return ipaddress.IPv4Address((int(address) >> shift) & 0xFFFFFFFF)
    return address


def place_of(address: IPAddress) -> Place:
    address = inmost(address)
    return next(place for network, place in _PLACES if address.version == network.version and address in network)


_PLACES = sorted(
    ((ipaddress.ip_network(place.network), place) for place in PLACES), key=lambda row: row[0].prefixlen, reverse=True
)
_CARRIERS = tuple((ipaddress.IPv6Network(carrier.network), carrier.shift) for carrier in CARRIERS)
