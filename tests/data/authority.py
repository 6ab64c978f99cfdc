"""A certificate authority of the tests' own, and a server that asks who calls it."""

from __future__ import annotations

import asyncio
import datetime
import ipaddress
import ssl
from contextlib import asynccontextmanager
from typing import TYPE_CHECKING, NamedTuple

from cryptography import x509
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, rsa
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
)
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

if TYPE_CHECKING:
    from collections.abc import AsyncIterator
    from pathlib import Path

Key = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


class Pair(NamedTuple):
    certificate: str
    key: str


def key_text(key: Key, password: str | None = None, form: PrivateFormat = PrivateFormat.PKCS8) -> str:
    lock = NoEncryption() if password is None else BestAvailableEncryption(password.encode())
    return key.private_bytes(Encoding.PEM, form, lock).decode()


class Authority:
    def __init__(self, name: str = "Test authority") -> None:
        self._key = ec.generate_private_key(ec.SECP256R1())
        self._name = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        self.certificate = self._signed(self._name, self._key, is_authority=True)

    def server(self, host: str = "127.0.0.1") -> Pair:
        return self.pair(host, alternative=x509.IPAddress(ipaddress.ip_address(host)))

    def pair(
        self, name: str, *, key: Key | None = None, alternative: x509.GeneralName | None = None, days: int = 30
    ) -> Pair:
        key = key or ec.generate_private_key(ec.SECP256R1())
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        return Pair(self._signed(subject, key, alternative=alternative, days=days), key_text(key))

    def _signed(
        self,
        subject: x509.Name,
        key: Key,
        *,
        is_authority: bool = False,
        alternative: x509.GeneralName | None = None,
        days: int = 30,
    ) -> str:
        now = datetime.datetime.now(datetime.UTC)
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(self._name)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(now - datetime.timedelta(days=60))
            .not_valid_after(now + datetime.timedelta(days=days))
            .add_extension(x509.BasicConstraints(is_authority, None), critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
            .add_extension(x509.AuthorityKeyIdentifier.from_issuer_public_key(self._key.public_key()), critical=False)
        )
        if is_authority:
            usage = x509.KeyUsage(
                digital_signature=True, key_cert_sign=True, crl_sign=True, content_commitment=False,
                key_encipherment=False, data_encipherment=False, key_agreement=False, encipher_only=False,
                decipher_only=False,
            )  # fmt: skip
            builder = builder.add_extension(usage, critical=True)
        else:
            usages = [ExtendedKeyUsageOID.SERVER_AUTH, ExtendedKeyUsageOID.CLIENT_AUTH]
            builder = builder.add_extension(x509.ExtendedKeyUsage(usages), critical=False)
        if alternative is not None:
            builder = builder.add_extension(x509.SubjectAlternativeName([alternative]), critical=False)
        return builder.sign(self._key, hashes.SHA256()).public_bytes(Encoding.PEM).decode()


class Door:
    """A TLS server on loopback; ``callers``: the common name that each connection presented, None for none."""

    def __init__(self, port: int, callers: list[str | None]) -> None:
        self.url = f"https://127.0.0.1:{port}"
        self.callers = callers


@asynccontextmanager
async def door(folder: Path, pair: Pair, callers_of: Authority | None) -> AsyncIterator[Door]:
    """``callers_of``: whose certificates a caller must show; None when none is asked for."""
    file = folder / "server.pem"
    file.write_text(pair.certificate + pair.key)
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(file)
    if callers_of is not None:
        context.verify_mode = ssl.CERT_REQUIRED
        context.load_verify_locations(cadata=callers_of.certificate)
    callers: list[str | None] = []
    connections: list[asyncio.StreamWriter] = []
    tasks: set[asyncio.Task[None]] = set()

    async def talk(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        connections.append(writer)
        shown = writer.get_extra_info("peercert") or {}
        names = [value for part in shown.get("subject", ()) for key, value in part if key == "commonName"]
        callers.append(names[0] if names else None)
        try:
            while True:
                await reader.readuntil(b"\r\n\r\n")
                writer.write(b"HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n[]")
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def connected(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        task = asyncio.ensure_future(talk(reader, writer))
        tasks.add(task)
        task.add_done_callback(tasks.discard)

    server = await asyncio.start_server(connected, "127.0.0.1", 0, ssl=context)
    try:
        yield Door(server.sockets[0].getsockname()[1], callers)
    finally:
        server.close()
        for task in list(tasks):
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        # TLS says goodbye and waits for an answer: longer than the loop may live.
        for writer in connections:
            writer.transport.abort()
        await asyncio.sleep(0)
