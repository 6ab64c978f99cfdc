"""Checks that Amazon made a request and meant this skill.

The checks: developer.amazon.com/en-US/docs/alexa/custom-skills/host-a-custom-skill-as-a-web-service.html,
"Manually verify that a request was sent by Alexa".
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import posixpath
import ssl
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import TYPE_CHECKING, Final, NamedTuple
from urllib.parse import unquote, urlsplit

from cryptography import x509
from cryptography.exceptions import InvalidSignature, UnsupportedAlgorithm
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.asymmetric.rsa import RSAPublicKey
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.x509.verification import PolicyBuilder, Store, VerificationError

from dialoom.channels._contract.channel import forged
from dialoom.engine.effects import Request
from dialoom.errors import RemoteError, SettingError
from dialoom.service.outbox.bot_channel import answer_of

if TYPE_CHECKING:
    from dialoom.channels._contract.channel import ForgedCall, InboundCall
    from dialoom.service.outbox.bot_channel import BotChannel

UNPROVEN: Final = "bad-skill-request"
"""The code of the refusal of a request that Amazon did not make for this skill; Alexa wants the status 400."""
SIGNER: Final = "echo-api.amazon.com"
CERTIFICATE_HOST: Final = "s3.amazonaws.com"
CERTIFICATE_FOLDER: Final = "/echo.api/"
HTTPS_PORT: Final = 443
MAX_CHAIN_BYTES: Final = 65_536
MAX_CERTIFICATES: Final = 10
MAX_URL_CHARS: Final = 1000
MAX_AGE_SECONDS: Final = 150
"""Seconds that the timestamp of a request may differ from the service's clock."""


class Signer(NamedTuple):
    """Holds the key of a chain that was verified, and until when it counts."""

    key: RSAPublicKey
    begins: datetime
    ends: datetime


def unproven(detail: str) -> ForgedCall:
    """Return the refusal of a request that Amazon did not make for this skill."""
    return forged(detail, UNPROVEN)


async def check_signature(call: InboundCall, place: BotChannel) -> None:
    """Check the signature over the body and the certificates behind it. Raises ``RequestError`` 400."""
    path = certificate_path(call.header("signaturecertchainurl") or "")
    try:
        signature = base64.b64decode(call.header("signature-256") or "", validate=True)
    except (binascii.Error, ValueError):
        raise unproven("The header Signature-256 is no base64.") from None
    if not signature:
        raise unproven("The header Signature-256 is missing.")

    async def ask() -> Signer:
        return await _fetched(path, place)

    try:
        signer = await place.cached((place.channel.type, "certificate", path), ask)
    except RemoteError as error:
        raise unproven(f"The certificates of the request cannot be used: {error}.") from None
    if not signer.begins <= _time(place) <= signer.ends:
        raise unproven("The certificate of the request is not valid at this time.")
    try:
        signer.key.verify(signature, call.raw, PKCS1v15(), SHA256())
    except InvalidSignature:
        raise unproven("The header Signature-256 is not the signature of this body.") from None


def check_timestamp(timestamp: datetime, place: BotChannel) -> None:
    """Check that a request was made just now. Raises ``RequestError`` 400."""
    if timestamp.tzinfo is None or abs((_time(place) - timestamp).total_seconds()) > MAX_AGE_SECONDS:
        raise unproven(f"The timestamp of the request is more than {MAX_AGE_SECONDS} s away, or has no zone.")


def certificate_path(url: str) -> str:
    """Return the path of a certificate chain at the host where Amazon keeps them. Raises ``RequestError`` 400 for any
    other address."""
    try:
        parts = urlsplit(url)
        port = parts.port
    except ValueError:
        raise unproven("The header SignatureCertChainUrl is no address.") from None
    path = _normalised(parts.path)
    is_right = (
        len(url) <= MAX_URL_CHARS
        and url.isascii()
        and url.isprintable()
        and parts.scheme.lower() == "https"
        and (parts.hostname or "").lower() == CERTIFICATE_HOST
        and "@" not in parts.netloc
        and port in (None, HTTPS_PORT)
        and path.startswith(CERTIFICATE_FOLDER)
        and not parts.query
        and not parts.fragment
    )
    if not is_right:
        raise unproven(
            f"The header SignatureCertChainUrl is missing, or is no address below "
            f"https://{CERTIFICATE_HOST}{CERTIFICATE_FOLDER}."
        )
    return path


def _normalised(path: str) -> str:
    """Return a path without ``..`` and doubled slashes; empty for one that hides such in escapes."""
    if "\\" in path or unquote(path) != path:
        return ""
    return posixpath.normpath("/" + path.lstrip("/"))


async def _fetched(path: str, place: BotChannel) -> Signer:
    """Fetch a chain and verify it. Raises ``RemoteError``."""
    url = place.settings.voice_assistant_certificate_url.rstrip("/") + path
    answer = answer_of("Amazon's certificates", await place.fetch(Request(method="GET", url=url, trusted_host=True)))
    if len(answer.body) > MAX_CHAIN_BYTES:
        raise RemoteError("too-large", f"a chain of certificates has more than {MAX_CHAIN_BYTES} bytes")
    # Some milliseconds of arithmetic, and files the first time.
    return await asyncio.to_thread(_verified, answer.body, place.settings.voice_assistant_roots, _time(place))


def _verified(pem: bytes, roots: str | None, time: datetime) -> Signer:
    """Return the key of a chain whose first certificate is the signer's. Raises ``RemoteError``."""
    try:
        chain = x509.load_pem_x509_certificates(pem)
        if len(chain) > MAX_CERTIFICATES:
            raise RemoteError("certificate", f"the chain has more than {MAX_CERTIFICATES} certificates")
        verifier = PolicyBuilder().store(_roots(roots)).time(time).build_server_verifier(x509.DNSName(SIGNER))
        leaf = chain[0]
        verified = verifier.verify(leaf, chain[1:])
        key = leaf.public_key()
    except (ValueError, VerificationError, UnsupportedAlgorithm) as error:
        raise RemoteError("certificate", f"the chain is not that of {SIGNER} below a trusted root: {error}") from None
    if not isinstance(key, RSAPublicKey):
        raise RemoteError("certificate", "the key of the chain is no RSA key")
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


def _time(place: BotChannel) -> datetime:
    return datetime.fromtimestamp(place.now / 1000, UTC)
