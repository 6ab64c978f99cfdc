"""Checks that Amazon made a request and meant this skill.

The checks: developer.amazon.com/en-US/docs/alexa/custom-skills/host-a-custom-skill-as-a-web-service.html,
"Manually verify that a request was sent by Alexa".
"""

from __future__ import annotations

import asyncio
import base64
import binascii
import posixpath
from datetime import UTC, datetime
from importlib import import_module
from typing import TYPE_CHECKING, Final
from urllib.parse import unquote, urlsplit

from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives.asymmetric.padding import PKCS1v15
from cryptography.hazmat.primitives.hashes import SHA256

from dialoom.channels._contract.channel import forged
from dialoom.engine.effects import Request
from dialoom.errors import RemoteError
from dialoom.service.outbox.bot_channel import answer_of
from dialoom.service.outbox.delivery import RETRIED_FAILURES

if TYPE_CHECKING:
    from dialoom.channels._contract.channel import ForgedCall, InboundCall
    from dialoom.channels.alexa.certificates import Signer
    from dialoom.service.outbox.bot_channel import BotChannel

UNPROVEN: Final = "bad-skill-request"
"""The code of the refusal of a request that Amazon did not make for this skill; Alexa wants the status 400."""
CERTIFICATE_HOST: Final = "s3.amazonaws.com"
CERTIFICATE_FOLDER: Final = "/echo.api/"
HTTPS_PORT: Final = 443
MAX_CHAIN_BYTES: Final = 65_536
MAX_URL_CHARS: Final = 1000
MAX_AGE_SECONDS: Final = 150
"""Seconds that the timestamp of a request may differ from the service's clock."""


def unproven(detail: str) -> ForgedCall:
    """Return the refusal of a request that Amazon did not make for this skill."""
    return forged(detail, UNPROVEN)


async def check_signature(call: InboundCall, bot_channel: BotChannel) -> None:
    """Check the signature over the body and the certificates behind it. Raises ``RequestError`` 400."""
    path = certificate_path(call.header("signaturecertchainurl") or "")
    try:
        signature = base64.b64decode(call.header("signature-256") or "", validate=True)
    except (binascii.Error, ValueError):
        raise unproven("The header Signature-256 is no base64.") from None
    if not signature:
        raise unproven("The header Signature-256 is missing.")

    async def ask() -> Signer:
        call.check_rate()
        return await _fetched(path, bot_channel)

    # The cache is that of all bots and channels, since a chain proves the same to each. Forged addresses take entries
    # of it too, as many as ``check_rate`` lets an address have fetched. What they push out was not used for longest,
    # which is never a chain in use, and is only asked for again.
    try:
        signer = await bot_channel.cached((bot_channel.channel.type, "certificate", path), ask)
    except RemoteError as error:
        if error.kind in RETRIED_FAILURES:
            raise
        raise unproven(f"The certificates of the request cannot be used: {error}.") from None
    if not signer.begins <= _time(bot_channel) <= signer.ends:
        raise unproven("The certificate of the request is not valid at this time.")
    try:
        signer.key.verify(signature, call.raw, PKCS1v15(), SHA256())
    except InvalidSignature:
        raise unproven("The header Signature-256 is not the signature of this body.") from None


def check_timestamp(timestamp: datetime, bot_channel: BotChannel) -> None:
    """Check that a request was made just now. Raises ``RequestError`` 400."""
    if timestamp.tzinfo is None or abs((_time(bot_channel) - timestamp).total_seconds()) > MAX_AGE_SECONDS:
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


async def _fetched(path: str, bot_channel: BotChannel) -> Signer:
    """Fetch a chain and verify it. Raises ``RemoteError``."""
    url = bot_channel.settings.voice_assistant_certificate_url.rstrip("/") + path
    answer = answer_of(
        "Amazon's certificates", await bot_channel.fetch(Request(method="GET", url=url, trusted_host=True))
    )
    if len(answer.body) > MAX_CHAIN_BYTES:
        raise RemoteError("too-large", f"a chain of certificates has more than {MAX_CHAIN_BYTES} bytes")
    # Some milliseconds of arithmetic, and modules and files the first time.
    certificates = await asyncio.to_thread(import_module, "dialoom.channels.alexa.certificates")
    roots = bot_channel.settings.voice_assistant_roots
    signer: Signer = await asyncio.to_thread(certificates.verified_signer, answer.body, roots, _time(bot_channel))
    return signer


def _time(bot_channel: BotChannel) -> datetime:
    return datetime.fromtimestamp(bot_channel.now / 1000, UTC)
