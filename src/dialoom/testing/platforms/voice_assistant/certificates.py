"""A certificate authority of the stand-in's own, the chain that signs requests, and chains that no skill may trust.

What a skill has to check: developer.amazon.com/en-US/docs/alexa/custom-skills/host-a-custom-skill-as-a-web-service.html
"""

from __future__ import annotations

import base64
import datetime as dt
import functools
from typing import Literal

from cryptography import x509
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa
from cryptography.x509.oid import ExtendedKeyUsageOID, NameOID

HOST = "echo-api.amazon.com"
ChainName = Literal["right", "other-root", "other-host", "expired", "self-signed"]
CHAINS: tuple[ChainName, ...] = ("right", "other-root", "other-host", "expired", "self-signed")
_PATHS = {name: f"/echo.api/echo-api-cert-{name}.pem" for name in CHAINS}
_SignerKey = ec.EllipticCurvePrivateKey | rsa.RSAPrivateKey


class Certificates:
    """One root with an intermediate authority, and the leaves of each chain. All leaves share one key."""

    def __init__(self, now: dt.datetime) -> None:
        self._now = now
        self.key = _leaf_key()
        self._root_key, other_key = ec.generate_private_key(ec.SECP256R1()), ec.generate_private_key(ec.SECP256R1())
        middle_key = ec.generate_private_key(ec.SECP256R1())
        self.root = self._authority("Stand-in Root", self._root_key, None, self._root_key)
        other_root = self._authority("Other Root", other_key, None, other_key)
        middle = self._authority("Stand-in Authority", middle_key, self.root, self._root_key)
        other_middle = self._authority("Other Authority", middle_key, other_root, other_key)
        past = now - dt.timedelta(days=400)
        self._chains: dict[ChainName, list[x509.Certificate]] = {
            "right": [self._leaf(HOST, middle, middle_key), middle],
            "other-root": [self._leaf(HOST, other_middle, middle_key), other_middle],
            "other-host": [self._leaf("skill.example.com", middle, middle_key), middle],
            "expired": [self._leaf(HOST, middle, middle_key, past), middle],
            "self-signed": [self._leaf(HOST, None, self.key)],
        }

    def roots_pem(self) -> bytes:
        """Return the one root that the service has to trust, for its setting ``DIALOOM_VOICE_ASSISTANT_ROOTS``."""
        return self.root.public_bytes(serialization.Encoding.PEM)

    def address(self, chain: ChainName = "right") -> str:
        """Return the address of a chain as requests name it."""
        return f"https://s3.amazonaws.com{_PATHS[chain]}"

    def served(self, path: str) -> bytes | None:
        """Return the chain at a path; None where there is none."""
        for name, known in _PATHS.items():
            if path == known:
                return b"".join(one.public_bytes(serialization.Encoding.PEM) for one in self._chains[name])
        return None

    def signature(self, body: bytes) -> str:
        """Return ``Signature-256`` of a body: RSA with PKCS #1 v1.5 and SHA-256, in base64."""
        return base64.b64encode(self.key.sign(body, padding.PKCS1v15(), hashes.SHA256())).decode()

    def _authority(
        self,
        name: str,
        key: ec.EllipticCurvePrivateKey,
        issuer: x509.Certificate | None,
        signer: ec.EllipticCurvePrivateKey,
    ) -> x509.Certificate:
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, name)])
        usage = x509.KeyUsage(True, False, False, False, False, True, True, False, False)
        builder = (
            self._builder(subject, key, issuer, self._now)
            .add_extension(x509.BasicConstraints(ca=True, path_length=None), critical=True)
            .add_extension(usage, critical=True)
            .add_extension(x509.SubjectKeyIdentifier.from_public_key(key.public_key()), critical=False)
        )
        return builder.sign(signer, hashes.SHA256())

    def _leaf(
        self, host: str, issuer: x509.Certificate | None, signer: _SignerKey, since: dt.datetime | None = None
    ) -> x509.Certificate:
        subject = x509.Name([x509.NameAttribute(NameOID.COMMON_NAME, host)])
        usage = x509.KeyUsage(True, False, False, False, False, False, False, False, False)
        builder = (
            self._builder(subject, self.key, issuer, since or self._now)
            .add_extension(x509.SubjectAlternativeName([x509.DNSName(host)]), critical=False)
            .add_extension(x509.ExtendedKeyUsage([ExtendedKeyUsageOID.SERVER_AUTH]), critical=False)
            .add_extension(x509.BasicConstraints(ca=False, path_length=None), critical=True)
            .add_extension(usage, critical=True)
        )
        return builder.sign(signer, hashes.SHA256())

    @staticmethod
    def _builder(
        subject: x509.Name, key: _SignerKey, issuer: x509.Certificate | None, since: dt.datetime
    ) -> x509.CertificateBuilder:
        builder = (
            x509.CertificateBuilder()
            .subject_name(subject)
            .issuer_name(issuer.subject if issuer is not None else subject)
            .public_key(key.public_key())
            .serial_number(x509.random_serial_number())
            .not_valid_before(since - dt.timedelta(days=1))
            .not_valid_after(since + dt.timedelta(days=365))
        )
        if issuer is None:
            return builder
        known = issuer.extensions.get_extension_for_class(x509.SubjectKeyIdentifier).value
        return builder.add_extension(
            x509.AuthorityKeyIdentifier.from_issuer_subject_key_identifier(known), critical=False
        )


@functools.cache
def _leaf_key() -> rsa.RSAPrivateKey:
    """Return the key of the leaves: making one takes a tenth of a second, so a process makes it once."""
    return rsa.generate_private_key(65537, 2048)
