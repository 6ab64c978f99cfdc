"""Where a flow's calls may go (flow-language.md section 7, egress guard). The dialling itself is left to ``fetcher``.

Two questions, because a name says nothing about the address behind it: ``check_target`` looks at what the flow wrote,
``check_address`` at each address that is about to be dialled, so that names that resolve to several or to changing
addresses and odd spellings of one (``0x7f.1``, ``2130706433``) gain nothing.
"""

from __future__ import annotations

import re
import socket
from collections.abc import Callable
from functools import lru_cache
from typing import Final

import msgspec
from yarl import URL

from dialoom.data.addresses import IPAddress, Reach, inmost, place_of, read_address
from dialoom.errors import RemoteError

SCHEMES: Final = {"http": 80, "https": 443}

METADATA_NAMES: Final = frozenset({"metadata.google.internal", "metadata.goog", "instance-data.ec2.internal"})
"""Their addresses are refused as well; the names wherever a name server may lead them."""

# What systems read as a number though it is no plain IPv4 address: ``127.1``, ``0x7f.1``, ``2130706433``, ``8.8.8.8.``
_ENDS_IN_A_NUMBER = re.compile(r"(?:^|\.)(?:[0-9]+|0[xX][0-9a-fA-F]*)\.?$")
_NAME = re.compile(r"[A-Za-z0-9._-]+")


def is_of_this_machine(address: IPAddress) -> bool:
    """Return whether the system lets a socket be bound to it. Sends nothing."""
    if address.is_loopback or address.is_unspecified:
        return True
    family = socket.AF_INET if address.version == 4 else socket.AF_INET6
    try:
        with socket.socket(family, socket.SOCK_DGRAM) as probe:
            probe.bind((str(address), 0))
    except OSError:
        return False
    return True


class Egress(msgspec.Struct, frozen=True):
    """The operator's choice. ``allowed_hosts``: ``host`` or ``host:port``. ``own_addresses``: what the service listens
    on (``0.0.0.0`` and ``::`` mean every address of this machine) and the host of its base address."""

    allow_private: bool = False
    allowed_hosts: frozenset[str] = frozenset()
    own_addresses: frozenset[tuple[str, int]] = frozenset()

    def check_target(self, url: URL) -> None:
        """Raises ``RemoteError`` when no address behind this URL could be right."""
        if url.scheme not in SCHEMES:
            raise RemoteError("egress", f'a flow calls http and https addresses only, not "{url.scheme or "none"}"')
        if "@" in url.raw_authority:
            raise RemoteError(
                "egress",
                "an address with user name or password in it is never called. Use authentication-method instead",
            )
        if not url.raw_host or not url.port:
            raise RemoteError("request", "the address names no host")
        if read_address(url.raw_host) is None:
            _check_name(url.raw_host)
        host = plain_host(url.raw_host)
        if host in METADATA_NAMES:
            raise RemoteError("egress", "the host is a metadata service, which a flow never reaches")
        if any(plain_host(own) == host and port == url.port for own, port in self.own_addresses):
            raise RemoteError("egress", "this is the service's own address, which a flow never calls")

    def may_be_private(self, url: URL, *, trusted: bool) -> bool:
        """Return whether a call may go to private addresses. ``trusted``: scheme, host and port stand literally in the
        flow."""
        return (trusted and self.allow_private) or self._is_listed(url)

    def check_address(
        self,
        text: str,
        port: int,
        *,
        private: bool,
        is_local: Callable[[IPAddress], bool] = is_of_this_machine,
    ) -> None:
        """Raises ``RemoteError`` unless this very address may be dialled."""
        address = read_address(text)
        if address is None:
            raise RemoteError("egress", "the host's address cannot be read")
        place = place_of(address)
        if place.reach is Reach.NEVER:
            raise RemoteError("egress", f"the host's address is {place.name}, which a flow never reaches")
        if self._is_own(inmost(address), port, is_local):
            raise RemoteError("egress", "this is the service's own address, which a flow never calls")
        if place.reach is Reach.PRIVATE and not private:
            raise RemoteError(
                "egress",
                f"the host's address is {place.name}. Such a host must stand literally in the flow while "
                f"egress_private is allow, or be listed in egress_allow",
            )

    def _is_listed(self, url: URL) -> bool:
        host = plain_host(url.raw_host or "")
        for entry in self.allowed_hosts:
            name, port = _host_and_port(entry)
            if plain_host(name) == host and port in (None, url.port):
                return True
        return False

    def _is_own(self, address: IPAddress, port: int, is_local: Callable[[IPAddress], bool]) -> bool:
        for name, own_port in self.own_addresses:
            if own_port != port:
                continue
            own = read_address(name)
            if own is None:
                if plain_host(name) == "localhost" and address.is_loopback:
                    return True
            elif own == address or (own.is_unspecified and is_local(address)):
                return True
        return False


def _check_name(host: str) -> None:
    if _ENDS_IN_A_NUMBER.search(host):
        raise RemoteError("egress", "the host is an odd spelling of an address. Write it with four plain numbers")
    if not _NAME.fullmatch(host):
        raise RemoteError("request", "the host's name has a character that no name has")


@lru_cache(1024)
def plain_host(host: str) -> str:
    """Return one spelling of a host for comparing: lower case, no brackets, no trailing dot, names in their ASCII
    form."""
    host = host.strip().lower().removeprefix("[").removesuffix("]").removesuffix(".")
    address = read_address(host)
    if address is not None:
        return str(inmost(address))
    try:
        return URL.build(scheme="http", host=host).raw_host or host
    except ValueError:
        return host


def _host_and_port(entry: str) -> tuple[str, int | None]:
    name, colon, port = entry.rpartition(":")
    if colon and port.isascii() and port.isdigit() and (":" not in name or name.endswith("]")):
        return name, int(port)
    return entry, None
