"""What a turn leaves to be taken back at the provider (RFC 7009), where it offers that: the tokens of a user who was
logged out, and those of a login that did not land.

When that is posted, and again, is left to ``outbox``; what is posted to ``providers``. Tokens that never came into a
chat's order are taken back by ``revoke_unused``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from dialoom.errors import SettingError, VaultError
from dialoom.service.login.login_values import Grant
from dialoom.service.login.login_versions import version_of
from dialoom.service.outbox.delivery import Draft, named

if TYPE_CHECKING:
    from collections.abc import Sequence

    from dialoom.engine.effects import Request
    from dialoom.service.bots.bots import Bots, Deployed
    from dialoom.service.outbox.delivery import TurnDone
    from dialoom.storage.store import Outgoing

KIND: Final = "revocation"


class Revoker(Protocol):
    """The provider's side of a revocation."""

    async def revocation(self, deployed: Deployed, grant: Grant, token: str) -> Request:
        """Raises ``RemoteError``."""


class _Given(msgspec.Struct, frozen=True):
    """What is kept until it is taken back."""

    grant: Grant
    token: str


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Given)


class Revocations:
    def __init__(self, bots: Bots, revoker: Revoker) -> None:
        self._bots = bots
        self._revoker = revoker

    async def drafts(self, done: TurnDone) -> Sequence[Draft]:
        return [
            Draft(f"{KIND} {named(login.grant.revocation_endpoint)}", _encoder.encode(_Given(login.grant, token)))
            for login in done.taken_back
            if login.grant.revocation_endpoint is not None
            for token in login.tokens
        ]

    def address(self, serving: Deployed, delivery: Outgoing) -> str:
        """Scheme and host alone: the rest is sealed."""
        return delivery.receiver.removeprefix(f"{KIND} ")

    async def request(self, serving: Deployed, delivery: Outgoing, body: bytes) -> Request:
        """In the name of the version that the login came by: a secret of another one must never go there."""
        try:
            given = _decoder.decode(body)
        except msgspec.DecodeError as error:
            raise VaultError(
                "Another release wrote this delivery, and this one cannot read it. Resend it there."
            ) from error
        deployed = await version_of(self._bots, delivery.key.bot, given.grant.version)
        if deployed is None:
            raise SettingError(
                f"Version {given.grant.version[:12]}, by whose provider block the login came, is gone or cannot be "
                f"used any more, and no other may take it back. Drop this."
            )
        request = await self._revoker.revocation(deployed, given.grant, given.token)
        return msgspec.structs.replace(request, ignores_body=True)
