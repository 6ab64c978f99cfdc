"""Certificate chains of Alexa's signatures. Loaded with the first request, since X.509 takes some megabytes."""

from __future__ import annotations

import ssl
from datetime import datetime
from functools import lru_cache
from pathlib import Path
from typing import Final, NamedTuple

from cryptography import x509
from cryptography.exceptions import UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from dialoom.errors import RemoteError, SettingError

MAX_CERTIFICATES: Final = 10
SIGNER: Final = "echo-api.amazon.com"


class Signer(NamedTuple):
    """Holds the key of a chain that was verified, and until when it counts."""

    key: RSAPublicKey
    begins: datetime
    ends: datetime


def verified_signer(pem: bytes, roots: str | None, time: datetime) -> Signer:
    """Return the key of a chain whose first certificate is the signer's. Raises ``RemoteError``."""
    try:
        chain = x509.load_pem_x509_certificates(pem)
        if len(chain) > MAX_CERTIFICATES:
            raise RemoteError("request", f"the chain has more than {MAX_CERTIFICATES} certificates")
        verifier = PolicyBuilder().store(_roots(roots)).time(time).build_server_verifier(x509.DNSName(SIGNER))
        leaf = chain[0]
        verified = verifier.verify(leaf, chain[1:])
        key = leaf.public_key()
    except (ValueError, VerificationError, UnsupportedAlgorithm) as error:
        raise RemoteError("request", f"the chain is not that of {SIGNER} below a trusted root: {error}") from None
    if not isinstance(key, RSAPublicKey):
        raise RemoteError("request", "the key of the chain is no RSA key")
    begins = max(one.not_valid_before_utc for one in verified)
    return Signer(key, begins, min(one.not_valid_after_utc for one in verified))


@lru_cache(4)
def _roots(file: str | None) -> Store:
    """Return the trusted roots: of a PEM file, or the system's. Raises ``SettingError``."""
    if file is not None:
        try:
            return Store(x509.load_pem_x509_certificates(Path(file).read_bytes()))
        except (OSError, ValueError) as error:
            raise SettingError(f"voice_assistant_roots = {file} cannot be read as PEM certificates: {error}") from error
    found = [*_readable(ssl.create_default_context().get_ca_certs(binary_form=True))]
    if not found:
        raise SettingError(
            "This system has no file of trusted root certificates. Name one with DIALOOM_VOICE_ASSISTANT_ROOTS."
        )
    return Store(found)


def _readable(certificates: list[bytes]) -> list[x509.Certificate]:
    """Return the certificates that can be read: a system's store may hold very old ones."""
    found = []
    for one in certificates:
        try:
            found.append(x509.load_der_x509_certificate(one))
        except ValueError:
            continue
    return found
