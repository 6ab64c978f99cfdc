"""That a login did not come about at the provider, and why. What an answer of the provider has to fit stands in
``auth.provider``, one row a check; here are the reasons that its calls have of their own.
"""

from __future__ import annotations

from typing import Final

from dialoom.data.failures import KINDS
from dialoom.errors import RemoteError

CALLS: Final = {
    "provider-timeout": "The provider gave no whole answer within 10 s, or all calls of one login took more than 12 s.",
    "provider-refused": "No connection: the provider refused it or cannot be reached.",
    "provider-name": "The name of the provider's host cannot be resolved.",
    "provider-tls": "No trusted connection: the provider's certificate or its TLS is not accepted.",
    "provider-broken": "The connection broke, or what came is not HTTP, is cut short, or is compressed in a way not "
    "asked for.",
    "provider-too-large": "An answer is larger than 1 MiB after decompression.",
    "provider-egress": "An address of the provider may not be reached: it is inside the operator's network and not the "
    "issuer's own host and port, or one that no flow ever reaches.",
    "provider-request": "A call cannot be sent: its address or something in it is not allowed.",
    "provider-secret": "A secret of the provider block is not there.",
    "provider-no-refresh": "The provider gave no refresh token with the login.",
    "provider-no-revocation": "The provider takes no tokens back.",
    "provider-changed": "The version of the bot that the login began with has no such provider block.",
}
"""Code -> what it means. The docs print this table."""


class ProviderFailed(RemoteError):
    """``code`` is a stable word, of ``CALLS`` or of a check; ``what`` went wrong, and a sentence about it. The message
    is for the operator: log and record may hold it, no page that the user's browser sees. It has no secrets, and of the
    provider's own words nothing but hosts and registered errors."""

    def __init__(self, code: str, what: str, sentence: str) -> None:
        super().__init__(code, f"{what} ({code}): {sentence}")
        self._what = what
        self._sentence = sentence

    def again(self) -> ProviderFailed:
        """Another one of the same words: one that is raised twice carries the stack of both."""
        return ProviderFailed(self.code, self._what, self._sentence)

    @property
    def code(self) -> str:
        return self.kind

    @property
    def is_timeout(self) -> bool:
        return self.kind == "provider-timeout"


def code_of(kind: str) -> str:
    """The code for why a call has no answer (``NoResponse.kind``)."""
    code = f"provider-{kind}"
    return code if kind in KINDS and code in CALLS else "provider-broken"
