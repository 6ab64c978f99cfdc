"""Client certificates (mutual TLS): from PEM texts to what a connection presents itself with. Which call presents which
one is left to ``service.bots.outbound_calls``.

What reads certificates is loaded with the first one.
"""

from __future__ import annotations

import hashlib
import os
import secrets
import ssl
import tempfile
from collections import OrderedDict
from typing import TYPE_CHECKING, Final

import msgspec

from dialoom.errors import RemoteError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.types import PrivateKeyTypes

MAX_IDENTITIES: Final = 64
"""Contexts kept; making one reads the machine's list of authorities and takes 20 ms and more."""


class Identity(msgspec.Struct, frozen=True):
    """A certificate with the chain behind it, and its private key, both PEM."""

    certificate: str
    key: str

    def __repr__(self) -> str:
        return "Identity(***)"


class Identities:
    """Contexts by the content of their credential, so that connections are shared and a new certificate counts at once.

    ``authorities``: PEM of certificates that are trusted besides those of the machine.
    """

    def __init__(self, authorities: str | None = None, most: int = MAX_IDENTITIES) -> None:
        self._authorities = authorities
        self._most = most
        self._contexts: OrderedDict[bytes, ssl.SSLContext] = OrderedDict()

    def known(self, identity: Identity | None) -> ssl.SSLContext | bool | None:
        """Return what a connection is opened with, where that is there already; None where ``context`` has to make
        it."""
        if identity is None and self._authorities is None:
            return True
        return self._contexts.get(_name(identity))

    def context(self, identity: Identity | None) -> ssl.SSLContext:
        """Reads files: not for the event loop. Raises ``RemoteError``; its message holds nothing of either text."""
        context = ssl.create_default_context()
        context.set_alpn_protocols(["http/1.1"])
        if self._authorities is not None:
            context.load_verify_locations(cadata=self._authorities)
        if identity is not None:
            _present(context, identity)
        # Two calls at once may make it twice; the first one in stays, so that their connections are shared.
        context = self._contexts.setdefault(_name(identity), context)
        if len(self._contexts) > self._most:
            self._contexts.popitem(last=False)
        return context


def _name(identity: Identity | None) -> bytes:
    parts = ("", "") if identity is None else (identity.certificate, identity.key)
    return hashlib.sha256("\0".join(parts).encode("utf-8", "surrogatepass")).digest()


def _present(context: ssl.SSLContext, identity: Identity) -> None:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import (
        BestAvailableEncryption,
        Encoding,
        PrivateFormat,
        PublicFormat,
    )
    from cryptography.x509 import load_pem_x509_certificates

    certificate, key = _pem(identity.certificate), _key(_pem(identity.key))
    try:
        first = load_pem_x509_certificates(certificate)[0]
        own, certified = (
            one.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo) for one in (key, first)
        )
    except (ValueError, IndexError, UnsupportedAlgorithm) as error:
        raise _refused("the certificate cannot be read. Give it as PEM, its chain behind it") from error
    if own != certified:
        raise _refused("the key is not the one of the certificate")
    # OpenSSL takes them from a file only. What lies there for a moment is encrypted with a password of one use.
    password = secrets.token_bytes(32).hex().encode()
    locked = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, BestAvailableEncryption(password))
    handle, path = tempfile.mkstemp(prefix="dialoom-")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(certificate + b"\n" + locked)
        context.load_cert_chain(path, password=password)
    except ssl.SSLError as error:
        raise _refused(f"TLS does not take it ({error.reason})") from error
    except OSError as error:
        raise _refused("no temporary file can be written to read it from") from error
    finally:
        os.unlink(path)


def _pem(text: str) -> bytes:
    """Return the bytes of a PEM text. Variables of an environment often hold line breaks as the two characters of their
    escape."""
    text = text.strip()
    if "\n" not in text:
        text = text.replace("\\n", "\n")
    return text.encode("utf-8", "replace")


def _key(pem: bytes) -> PrivateKeyTypes:
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        return load_pem_private_key(pem, None)
    except TypeError as error:
        raise _refused("the key is locked with a password. Give it without one") from error
    except (ValueError, UnsupportedAlgorithm) as error:
        raise _refused("the key cannot be read. Give it as PEM") from error


def _refused(reason: str) -> RemoteError:
    return RemoteError("credential", f"a client certificate cannot be used: {reason}")
