"""Seals what must not lie in clear, hashes tokens and signs what browsers bring back, all with the operator's keys.

It knows no table and no file (``keys.py`` reads those). From each key others are derived, so that none serves two ends:
one seals (AES-256-GCM), two seal alike, one hashes tokens, one signs (HMAC-SHA256). What comes first in the list seals,
hashes and signs; all open, find and verify. Rotation: put a new key in front and keep the old ones behind it until
everything was sealed again (``service.records.key_rotation``).
"""

from __future__ import annotations

import base64
import binascii
import hashlib
import hmac
import itertools
import os
from collections.abc import Iterable

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM

from dialoom.auth.keys import KEY_BYTES
from dialoom.auth.secret import Secret
from dialoom.auth.unsealing import TAG_BYTES, Unsealing
from dialoom.errors import SettingError, VaultError

FORMAT = b"\x01"
"""First byte of a sealed value: format 1, that is id of the key, nonce, ciphertext and tag."""
ALIKE = b"\x02"
"""First byte of a value that was sealed alike: the same parts, with keys of their own."""
ID_BYTES = 4
NONCE_BYTES = 12
_HEAD = len(FORMAT) + ID_BYTES
_BODY = _HEAD + NONCE_BYTES
MAC_BYTES = 32


class _Key:
    """What is derived from one key. The cipher object is kept: making one costs more than sealing with it."""

    __slots__ = ("alike", "alike_head", "cipher", "hashing", "head", "id", "naming", "sealing", "signing")

    def __init__(self, key: bytes) -> None:
        self.id = _derive(key, "id")[:ID_BYTES]
        self.sealing = _derive(key, "seal")
        self.cipher = AESGCM(self.sealing)
        self.hashing = _derive(key, "hash tokens")
        self.signing = _derive(key, "sign")
        self.head = FORMAT + self.id
        self.alike = AESGCM(_derive(key, "seal alike"))
        self.naming = _derive(key, "nonce of alike")
        self.alike_head = ALIKE + self.id


class _Nonces:
    """96-bit nonces that never repeat: 64 random bits of this process, then a counter (NIST SP 800-38D section 8.2.1).

    Wholly random ones would allow 2^32 values a key, which a thousand turns a second use up in fifty days. A forked
    process would count on from the same number, so it draws its own random bits.
    """

    def __init__(self) -> None:
        self._start()
        # Asking for the process id at every nonce instead costs 3 % of a turn.
        os.register_at_fork(after_in_child=self._start)

    def _start(self) -> None:
        # One value, so that no thread takes the prefix of one start and the number of another.
        self._source = (os.urandom(8), itertools.count())

    def next(self) -> bytes:
        prefix, count = self._source
        number = next(count)
        if number >> 32:
            self._start()
            return self.next()
        return prefix + number.to_bytes(4, "big")


class Vault:
    def __init__(self, keys: tuple[_Key, ...]) -> None:
        self._keys = keys
        self._newest = keys[0]
        self._by_id = {key.id: key for key in keys}
        self._nonces = _Nonces()

    def __repr__(self) -> str:
        return "Vault(***)"

    @classmethod
    def from_keys(cls, keys: Iterable[Secret[bytes] | bytes]) -> Vault:
        """Return a vault whose first key seals, hashes and signs; all keys open, find and verify."""
        plain = [key.reveal() if isinstance(key, Secret) else key for key in keys]
        if not plain or any(len(key) != KEY_BYTES for key in plain):
            raise SettingError(f"The vault needs at least one key, each of {KEY_BYTES} bytes.")
        return cls(tuple(_Key(key) for key in plain))

    def seal(self, plain: bytes, row: str) -> bytes:
        """Seal a value. ``row`` names the place where the value will lie; it opens nowhere else."""
        key = self._newest
        nonce = self._nonces.next()
        return b"".join((key.head, nonce, key.cipher.encrypt(nonce, plain, key.head + row.encode("utf-8"))))

    def seal_alike(self, plain: bytes, row: str) -> bytes:
        """Seal as ``seal`` does, but so that a value looks the same each time: who sees two of them learns whether they
        are one. For what stands in an address that has to stay the same; nothing in a table is sealed so.

        The nonce is made from the value (as in RFC 8452, here by HMAC-SHA256), so that two values share one only if 96
        bits of it fall together; a key of its own keeps these nonces apart from those that are counted.
        """
        key, name = self._newest, row.encode("utf-8")
        nonce = hmac.digest(key.naming, len(name).to_bytes(4, "big") + name + plain, "sha256")[:NONCE_BYTES]
        return b"".join((key.alike_head, nonce, key.alike.encrypt(nonce, plain, key.alike_head + name)))

    def open(self, sealed: bytes, row: str) -> bytes:
        """Raises ``VaultError`` when a key is missing, or the value was changed or belongs to another row."""
        if len(sealed) < _BODY + TAG_BYTES or sealed[:1] not in {FORMAT, ALIKE}:
            raise _unknown()
        head = sealed[:_HEAD]
        key = self._key_of(head)
        cipher = key.cipher if head[:1] == FORMAT else key.alike
        try:
            return cipher.decrypt(sealed[_HEAD:_BODY], sealed[_BODY:], head + row.encode("utf-8"))
        except InvalidTag as error:
            raise _changed() from error

    def opening(self, row: str) -> Unsealing:
        """Return what opens a value that ``seal`` made, piece by piece."""
        return Unsealing(self._sealing, _changed, row.encode("utf-8"), (_HEAD, NONCE_BYTES))

    def _sealing(self, head: bytes) -> bytes:
        if head[:1] != FORMAT:
            raise _unknown()
        return self._key_of(head).sealing

    @property
    def names(self) -> tuple[str, ...]:
        """Return the names of the keys, in their order. A name tells nothing of its key."""
        return tuple(key.id.hex() for key in self._keys)

    @property
    def mark(self) -> bytes:
        """Return what every value begins with that the newest key has sealed: there a rotation has nothing to do."""
        return self._newest.head

    def hash_token(self, token: str) -> bytes:
        """Return the keyed hash under which a token is kept from now on."""
        return _hash(self._newest, token)

    def token_hashes(self, token: str) -> tuple[bytes, ...]:
        """Return all hashes under which a token may be kept, the newest key's first: until a rotation, those of older
        keys."""
        return tuple(_hash(key, token) for key in self._keys)

    def sign(self, payload: bytes, purpose: str) -> str:
        """Return ``<payload>.<key id and HMAC>``, both base64url. The payload can be read by whoever holds it."""
        return f"{_encode(payload)}.{self.signature(payload, purpose)}"

    def verify(self, text: str, purpose: str) -> bytes:
        """Return the payload of what was signed for this purpose. Raises ``VaultError``."""
        payload, mac = _parts(text)
        key = self._by_id.get(mac[:ID_BYTES])
        if key is None or not hmac.compare_digest(mac[ID_BYTES:], _mac(key, payload, purpose)):
            raise VaultError("This was not signed here for this purpose. Ask for a new one.")
        return payload

    def is_signed_by_newest(self, text: str) -> bool:
        """Return whether a verified text outlives the older keys."""
        _, mac = _parts(text)
        return mac[:ID_BYTES] == self._newest.id

    def signature(self, payload: bytes, purpose: str) -> str:
        """Return the signature alone (key id and HMAC, base64url), for a payload that stands elsewhere, as in an
        address."""
        key = self._newest
        return _encode(key.id + _mac(key, payload, purpose))

    def has_signed(self, signature: str, payload: bytes, purpose: str) -> bool:
        try:
            return self.verify(f"{_encode(payload)}.{signature}", purpose) == payload
        except VaultError:
            return False

    def _key_of(self, head: bytes) -> _Key:
        """Return the key that sealed what begins like this. Raises ``VaultError`` where it is missing."""
        id = head[len(FORMAT) :]
        if id in self._by_id:
            return self._by_id[id]
        known = ", ".join(self.names)
        raise VaultError(
            f"A value was sealed with key {id.hex()}, and the vault has only {known}. Put that key back behind the "
            f"others (DIALOOM_KEYS, or the key file beside the data); it must stay until `dialoom keys rotate` has "
            f"sealed everything again. If it is lost for good, so is what it sealed: begin with a new data folder or "
            f"database, and publish the bots again."
        )


def _unknown() -> VaultError:
    return VaultError("This is no sealed value, or a newer release sealed it. Start that release, or restore it.")


def _changed() -> VaultError:
    return VaultError(
        "A sealed value does not open: it was changed, or moved here from another row. Restore it from a backup."
    )


def _derive(key: bytes, end: str) -> bytes:
    """Derive a key by HKDF-Expand for one block (RFC 5869 section 2.3); the keys are uniform, so that Extract has
    nothing to do."""
    return hmac.digest(key, b"dialoom " + end.encode() + b"\x01", hashlib.sha256)


def _hash(key: _Key, token: str) -> bytes:
    return hmac.digest(key.hashing, token.encode("utf-8", "surrogatepass"), "sha256")


def _mac(key: _Key, payload: bytes, purpose: str) -> bytes:
    name = purpose.encode("utf-8")
    return hmac.digest(key.signing, len(name).to_bytes(4, "big") + name + payload, "sha256")


def _encode(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).rstrip(b"=").decode("ascii")


def _parts(text: str) -> tuple[bytes, bytes]:
    """Return payload and MAC. One payload has one text: what does not encode back to itself is refused."""
    left, point, right = text.partition(".")
    try:
        payload, mac = _decode(left), _decode(right)
    except (binascii.Error, ValueError):
        payload = mac = b""
    if not point or len(mac) != ID_BYTES + MAC_BYTES or f"{_encode(payload)}.{_encode(mac)}" != text:
        raise VaultError("This is no signed value of ours. Ask for a new one.")
    return payload, mac


def _decode(text: str) -> bytes:
    return base64.urlsafe_b64decode(text.encode("ascii") + b"=" * (-len(text) % 4))
