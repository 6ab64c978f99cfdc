"""Examines other machines: whether their names resolve, whether a flow may go there, whether they take a connection."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, Final
from urllib.parse import urlsplit

from yarl import URL

from dialoom.data.addresses import read_address
from dialoom.data.egress import Egress
from dialoom.errors import RemoteError
from dialoom.service.doctor.finding import CONNECT_SECONDS, Finding, aside

CERTIFICATE_WARNING_DAYS: Final = 14
"""Days before its end from which a certificate is worth a word; issuers renew theirs 30 days before."""
_DAY: Final = 86_400.0


async def addresses_of(host: str, port: int) -> list[str]:
    """Resolve a host name. Raises ``RemoteError`` where it has no address."""
    ask = partial(socket.getaddrinfo, host.strip("[]"), port, type=socket.SOCK_STREAM)
    try:
        async with asyncio.timeout(CONNECT_SECONDS):
            answers = await aside(ask)
    except TimeoutError as error:
        raise RemoteError("name", f"the name server did not answer for {host}. See /etc/resolv.conf") from error
    except (OSError, UnicodeError) as error:
        raise RemoteError("name", f"there is no address for the name {host}. See how it is written, and DNS") from error
    return list(dict.fromkeys(str(address[0]) for *_, address in answers))


async def connect(host: str, addresses: Sequence[str], port: int, tls: ssl.SSLContext | None) -> dict[str, Any] | None:
    """Connect; return the certificate, where there is one. Raises ``RemoteError`` of the last address."""
    reason = RemoteError("refused", "there is no address to connect with")
    for address in addresses:
        try:
            async with asyncio.timeout(CONNECT_SECONDS / max(1, min(len(addresses), 3))):
                _, writer = await asyncio.open_connection(
                    address, port, ssl=tls, server_hostname=host if tls is not None else None
                )
        except TimeoutError:
            reason = RemoteError("timeout", f"no connection to port {port} within {CONNECT_SECONDS:g} s")
        except ssl.SSLCertVerificationError as error:
            reason = RemoteError("tls", f"its certificate is not valid: {error.verify_message}")
        except ssl.SSLError as error:
            reason = RemoteError("tls", f"it speaks no TLS that we take ({error.reason})")
        except OSError as error:
            reason = RemoteError("refused", f"port {port} takes no connection ({error.strerror or 'it was cut'})")
        else:
            session = writer.get_extra_info("ssl_object")
            certificate = None if session is None else dict(session.getpeercert() or {})
            # Nothing was said, so there is nothing to end politely; a far end could keep us waiting there.
            writer.transport.abort()
            return certificate
    raise reason


async def receiver_line(
    what: str, url: str, egress: Egress, tls: Callable[[], ssl.SSLContext] | None = None
) -> Finding:
    """Report whether an address of ``bot.json`` may be called and accepts a connection. Nothing is sent to it."""
    shown = what
    try:
        target = URL(url)
        shown = f"{what} ({target.origin()})"
        egress.check_target(target)
        host, port = target.host or "", target.port or 443
        addresses = await addresses_of(host, port)
        is_private = egress.may_be_private(target, trusted=True)
        for address in addresses:
            egress.check_address(address, port, private=is_private)
        context = await aside(tls or ssl.create_default_context) if target.scheme == "https" else None
        await connect(host, addresses, port, context)
    except ValueError:
        return Finding("fail", "receivers", f"{what}: its address cannot be read. Mend bot.json.")
    except RemoteError as error:
        return Finding("fail", "receivers", f"{shown}: {error}.")
    return Finding("ok", "receivers", f"{shown} takes a connection.")


async def base_line(
    url: str, now: Callable[[], float] = time.time, tls: Callable[[], ssl.SSLContext] | None = None
) -> Finding:
    """Report whether the service's public address can be reached from here. A proxy may keep its own machines out."""
    parts = urlsplit(url)
    host, port = parts.hostname or "", parts.port or (443 if parts.scheme == "https" else 80)
    try:
        addresses = await addresses_of(host, port)
        context = await aside(tls or ssl.create_default_context) if parts.scheme == "https" else None
        certificate = await connect(host, addresses, port, context)
    except RemoteError as error:
        level = "fail" if error.kind in {"name", "tls"} else "warn"
        hint = "" if error.kind in {"name", "tls"} else " Does the service run, and its proxy?"
        return Finding("fail" if level == "fail" else "warn", "base address", f"{url}: {error}.{hint}")
    if certificate is None:
        return Finding("ok", "base address", f"{url} takes a connection.")
    days = (ssl.cert_time_to_seconds(str(certificate["notAfter"])) - now()) / _DAY
    text = f"{url} takes a connection; its certificate is good for {days:.0f} days."
    if days < CERTIFICATE_WARNING_DAYS:
        return Finding("warn", "base address", f"{text} Renew it.")
    return Finding("ok", "base address", text)


async def name_lines(hosts: Sequence[str]) -> list[Finding]:
    """Report whether host names in flows resolve to an address."""
    names = [host for host in dict.fromkeys(hosts) if read_address(host) is None]
    found = await asyncio.gather(*(addresses_of(host, 443) for host in names), return_exceptions=True)
    lines = [Finding("fail", "names", f"A data source: {one}.") for one in found if isinstance(one, RemoteError)]
    return lines or (
        [Finding("ok", "names", f"All {len(names)} hosts of data sources have an address.")] if names else []
    )
