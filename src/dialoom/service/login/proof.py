"""Proves that a browser on a login's start page is the chat's own: by what its chat page signs, or its user confirms.

The start page shows a challenge to the window that opened it. A chat page has it signed with its session, and only
where that session's user is the one whose link it is: a link that was sent on to somebody else stays without a proof.
All three texts name the browser by the hash of its cookie, so that none is of use in another one, and the user not at
all.
"""

from __future__ import annotations

import hmac
from typing import Final

import msgspec

from dialoom.errors import RequestError
from dialoom.service.access.tokens import Tokens
from dialoom.service.chat.login_values import LINK_LIFETIME_MS
from dialoom.service.chat.signed_links import SignedLinks
from dialoom.service.clock import Clock
from dialoom.storage.store import ChatKey

CHALLENGE_MS: Final = 2 * 60 * 1000
"""Milliseconds; the chat page answers within moments."""
_CHALLENGE, _PROOF, _QUESTION = "login-challenge", "login-proof", "login-question"


class _Bond(msgspec.Struct, frozen=True):
    """Holds a login link in one browser. ``state``: the sealed text of the link, which does not say whose it is."""

    state: str
    browser: bytes
    expires: int


class Proofs:
    def __init__(self, tokens: Tokens, addresses: SignedLinks, clock: Clock) -> None:
        self._tokens = tokens
        self._addresses = addresses
        self._clock = clock

    # -- between the start page and the chat page that opened it

    def challenge(self, state: str, browser: bytes) -> str:
        """Return the challenge that the start page shows. ``browser``: SHA-256 of the secret in its cookie."""
        return self._sign(_CHALLENGE, state, browser, CHALLENGE_MS)

    def prove(self, challenge: str, key: ChatKey) -> str:
        """Return the proof for the session of this user. Raises ``RequestError`` 403 for a challenge that was not made
        here, or in another user's name, without saying which."""
        bond = self._live(_CHALLENGE, challenge)
        whose = None if bond is None else self._addresses.read_state(bond.state)
        if bond is None or whose is None or whose[0] != key:
            detail = (
                "This challenge was not made here for this chat, or its two minutes are over. Open the login again."
            )
            raise RequestError("login-challenge", detail, pointer="/challenge")
        return self._tokens.sign(bond, _PROOF)

    def is_proven(self, proof: str, state: str, browser: bytes) -> bool:
        return self._holds(_PROOF, proof, state, browser)

    # -- between the page that asks "Is this your chat?" and its answer

    def question(self, state: str, browser: bytes) -> str:
        """Return the value that the page's form carries, so that no other page can answer for the user."""
        return self._sign(_QUESTION, state, browser, LINK_LIFETIME_MS)

    def is_answered(self, question: str, state: str, browser: bytes) -> bool:
        return self._holds(_QUESTION, question, state, browser)

    # -- signed texts

    def _sign(self, purpose: str, state: str, browser: bytes, lives: int) -> str:
        return self._tokens.sign(_Bond(state, browser, self._clock.now() + lives), purpose)

    def _live(self, purpose: str, text: str) -> _Bond | None:
        bond = self._tokens.verify(text, purpose, _Bond)
        return bond if bond is not None and bond.expires > self._clock.now() else None

    def _holds(self, purpose: str, text: str, state: str, browser: bytes) -> bool:
        bond = self._live(purpose, text)
        return bond is not None and bond.state == state and hmac.compare_digest(bond.browser, browser)
