"""The one place that asks the JOSE library: imports a public key, and checks a signature with it.

It loads the library, so that the others import it when they first need it. Which keys and algorithms may serve is
left to ``keys`` and ``id_token``.
"""

from __future__ import annotations

from typing import Any

from cryptography.exceptions import UnsupportedAlgorithm
from joserfc import jws
from joserfc.errors import BadSignatureError, JoseError
from joserfc.jwk import ECKey, OKPKey, RSAKey

_TYPES: dict[str, type[RSAKey | ECKey | OKPKey]] = {"RSA": RSAKey, "EC": ECKey, "OKP": OKPKey}


class Malformed(Exception):
    """No signed token of the standard's form."""


class _Registry(jws.JWSRegistry):
    # The library's limit of 512 refuses headers with thumbprints of certificates and long names of keys.
    max_header_length = 8 * 1024
    max_payload_length = 64 * 1024
    max_signature_length = 2 * 1024

    def get_alg(self, name: str) -> Any:
        # The library's own warns of EdDSA, which RFC 9864 renamed and providers go on using. Which names are allowed
        # was looked at before.
        return self.algorithms[name]


def import_key(jwk: dict[str, Any]) -> Any:
    """Return the public key of a JWK; None for what is no key after all, such as a point beside its curve."""
    try:
        return _TYPES[jwk["kty"]].import_key(jwk)
    except (JoseError, ValueError, TypeError, OverflowError, UnsupportedAlgorithm):
        return None


def has_signed(key: Any, text: str, algorithm: str) -> bool:
    """Raises ``Malformed``, also for base64url that is not the only one of its bytes."""
    registry = _Registry(algorithms=[algorithm], strict_check_header=False)
    try:
        jws.deserialize_compact(text, key, [algorithm], registry)
    except BadSignatureError:
        return False
    except (JoseError, ValueError) as error:
        raise Malformed from error
    return True
