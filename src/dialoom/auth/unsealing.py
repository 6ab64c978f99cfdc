"""Opens a sealed value that comes in pieces, so that nobody has to hold all of it.

What a piece holds is read before it is known whether the value is right, which only its end tells. Whoever hands it on
opens the value twice: once to its end, to see that it is right, and once more to hand it on. Keys are the vault's.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers import AEADDecryptionContext, Cipher
from cryptography.hazmat.primitives.ciphers.algorithms import AES
from cryptography.hazmat.primitives.ciphers.modes import GCM

TAG_BYTES: Final = 16


class Unsealing:
    """Of one value. ``key_of`` gives the key that sealed it and raises ``VaultError`` for a head that it does not know;
    ``refusal`` makes the error of a value that is not right. A head is ``head_size`` bytes, then comes the nonce."""

    def __init__(
        self, key_of: Callable[[bytes], bytes], refusal: Callable[[], Exception], row: bytes, sizes: tuple[int, int]
    ) -> None:
        self._key_of = key_of
        self._refusal = refusal
        self._row = row
        self._head_size, self._nonce_size = sizes
        self._held = b""
        """What may be the head still, then what may be the tag."""
        self._cipher: AEADDecryptionContext | None = None

    def take(self, piece: bytes) -> bytes:
        """Return what comes out of it: the last 16 bytes of all that came are kept back, since they may be the tag."""
        held, self._held = self._held + piece, b""
        if self._cipher is None:
            begin = self._head_size + self._nonce_size
            if len(held) < begin:
                self._held = held
                return b""
            self._cipher = self._begun(held[: self._head_size], held[self._head_size : begin])
            held = held[begin:]
        end = max(len(held) - TAG_BYTES, 0)
        self._held = held[end:]
        return self._cipher.update(held[:end])

    def end(self) -> None:
        """End the value: all of it has come. Raises ``VaultError`` when it was changed, cut, or moved here from another
        row."""
        if self._cipher is None or len(self._held) != TAG_BYTES:
            raise self._refusal()
        try:
            self._cipher.finalize_with_tag(self._held)
        except InvalidTag as error:
            raise self._refusal() from error

    def _begun(self, head: bytes, nonce: bytes) -> AEADDecryptionContext:
        cipher = Cipher(AES(self._key_of(head)), GCM(nonce)).decryptor()
        cipher.authenticate_additional_data(head + self._row)
        return cipher
