"""What the Graph API's refusals mean. It refuses with status 400 whatever is wrong, and says by a code what it is.

Codes: developers.facebook.com/documentation/business-messaging/messenger-platform/error-codes and
developers.facebook.com/docs/graph-api/guides/error-handling.
"""

from __future__ import annotations

import re
from typing import Final

import msgspec

from dialoom.service.outbox.bot_channel import read_refusal
from dialoom.service.outbox.delivery import Verdict

RETRIED: Final = frozenset({1, 2, 4, 17, 32, 341, 613, 1200})
"""Unknown and passing failures, and too many calls: of the app, of a user, of the page, of this kind."""
MISSING_RIGHT: Final = (1, 99)
"""Code 1 with this subcode is a right that the app does not have."""
OUTSIDE_WINDOW: Final = frozenset({(10, 2018278), (10, 2018065)})
GONE: Final = frozenset({(200, 1545041), (551, 1545041), (100, 2018001)})
"""The user has blocked the page, is not there any more, or never was."""
NOT_AVAILABLE: Final = 551
BAD_TOKEN: Final = 190
WINDOW_HOURS: Final = 24
MAX_TOLD_CHARS: Final = 300
_TOKEN_LIKE: Final = re.compile(r"[\w|-]{40,}")


class Refusal(msgspec.Struct, frozen=True):
    code: int = 0
    error_subcode: int = 0
    message: str = ""
    is_transient: bool = False

    @property
    def words(self) -> str:
        """Return the platform's words. It repeats tokens that it cannot read."""
        return f"Messenger: {_TOKEN_LIKE.sub('***', self.message)[:MAX_TOLD_CHARS]}"


class _Answer(msgspec.Struct, frozen=True):
    error: Refusal = Refusal()


def refusal_of(body: bytes) -> Refusal:
    """Return what a body says of a refusal; nothing for one that is no answer of the Graph API."""
    return read_refusal(body, _Answer).error


def verdict_of(refusal: Refusal, by_status: Verdict) -> Verdict:
    """Return what a refusal of a message means. ``by_status``: what its status alone says."""
    kind = (refusal.code, refusal.error_subcode)
    if kind in GONE or refusal.code == NOT_AVAILABLE:
        return Verdict("gone", refusal.words)
    if kind in OUTSIDE_WINDOW:
        reason = (
            f"Messenger takes messages for {WINDOW_HOURS} hours after the user's last one, and this one came later. "
            f"Resend it once the user has written again, or drop it. {refusal.words}"
        )
        return Verdict("never", reason)
    if refusal.code == BAD_TOKEN:
        return Verdict(
            "never", f"The page-token is not good any more: write a new one, then resend it. {refusal.words}"
        )
    if (refusal.code in RETRIED and kind != MISSING_RIGHT) or refusal.is_transient:
        return Verdict("again", f"{by_status.reason} {refusal.words}", by_status.pause)
    return Verdict(by_status.what, f"{by_status.reason} {refusal.words}", by_status.pause)
