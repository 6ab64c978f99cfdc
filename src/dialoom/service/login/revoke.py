"""Revokes tokens at their provider (RFC 7009), where it offers that.

``Revocations`` posts through the outbox what a turn leaves: the tokens of a user who was logged out, and those of a
login that the turn could not store. ``RevokeUnused`` revokes tokens of a login that never became an event of a chat,
at most three times in about a minute and in this process alone: a token that nothing else holds expires by itself.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable, Sequence
from typing import TYPE_CHECKING, Final, Protocol

import msgspec

from dialoom.engine.effects import Request
from dialoom.errors import SettingError
from dialoom.service.bots.bots import Bots, Deployed
from dialoom.service.chat.login_values import Grant
from dialoom.service.clock import Clock
from dialoom.service.login.binding_rules import version_of
from dialoom.service.login.provider_calls import Calls, ProviderFailed
from dialoom.service.observe.instruments import Counts
from dialoom.service.outbox.delivery import Draft, Receiver, TurnDone, Verdict, answered, decoded, judge, named
from dialoom.service.tasks import cancel_all
from dialoom.storage.store import Outgoing

if TYPE_CHECKING:
    Ask = Callable[[str], Awaitable[Request]]

KIND: Final = "revocation"


class Revoker(Protocol):
    """Makes the request of a revocation."""

    async def revocation(self, deployed: Deployed, grant: Grant, token: str) -> Request:
        """Return the request. Raises ``RemoteError``."""


class _Given(msgspec.Struct, frozen=True):
    """Stores a token in the outbox until it is revoked."""

    grant: Grant
    token: str


_encoder = msgspec.json.Encoder()
_decoder = msgspec.json.Decoder(_Given)


class Revocations(Receiver):
    def __init__(self, bots: Bots, revoker: Revoker) -> None:
        self._bots = bots
        self._revoker = revoker

    async def drafts(self, done: TurnDone) -> Sequence[Draft]:
        return [
            Draft(f"{KIND} {named(login.grant.revocation_endpoint)}", _encoder.encode(_Given(login.grant, token)))
            for login in done.revoked
            if login.grant.revocation_endpoint is not None
            for token in login.tokens
        ]

    def address(self, serving: Deployed, delivery: Outgoing) -> str:
        """Return scheme and host alone: the rest is sealed."""
        return delivery.receiver.removeprefix(f"{KIND} ")

    async def request(self, serving: Deployed, delivery: Outgoing, body: bytes) -> Request:
        """Return the request with the secret of the version that the login came by; no other may go there."""
        given = decoded(_decoder, body)
        deployed = await version_of(self._bots, delivery.key.bot, given.grant.version)
        if deployed is None:
            raise SettingError(
                f"Version {given.grant.version[:12]}, by whose provider block the login came, is gone or cannot be "
                f"used any more, and no other may take it back. Drop this."
            )
        request = await self._revoker.revocation(deployed, given.grant, given.token)
        return msgspec.structs.replace(request, ignores_body=True)


log = logging.getLogger(__name__)

WHAT: Final = "The revocation"
RETRY_SECONDS: Final = (5.0, 25.0)
"""Seconds before the second and the third try, each of which takes 10 s at most; with the metadata read again, 20."""
MAX_LOGINS_AT_ONCE: Final = 32
"""Logins of one bot at once. A provider whose every login fails and that hangs besides must not pile them up here, nor
take the room of other bots."""


class RevokeUnused:
    """Revokes tokens in the background of one event loop. ``counted``: tokens, by bot and outcome."""

    def __init__(self, calls: Calls, clock: Clock, counted: Counts) -> None:
        self._calls = calls
        self._clock = clock
        self._counted = counted
        self._tasks: dict[asyncio.Task[None], str] = {}
        """Each with its bot."""
        self._is_closed = False

    def begin(self, bot: str, tokens: Sequence[str], ask: Ask) -> None:
        """Begin to revoke tokens. ``ask`` makes the request for one of them; raises ``ProviderFailed``."""
        if self._is_closed:
            return
        if list(self._tasks.values()).count(bot) >= MAX_LOGINS_AT_ONCE:
            log.warning(
                "the tokens of a login of bot %s are not taken back: %s logins of it are in hand",
                bot,
                MAX_LOGINS_AT_ONCE,
            )
            for _ in tokens:
                self._counted.add(bot, "dropped")
            return
        task = asyncio.create_task(self._revoke_all(bot, tokens, ask))
        self._tasks[task] = bot
        task.add_done_callback(self._tasks.pop)

    async def close(self) -> None:
        """Cancel the revocations that run."""
        self._is_closed = True
        await cancel_all(self._tasks)

    async def _revoke_all(self, bot: str, tokens: Sequence[str], ask: Ask) -> None:
        await asyncio.gather(*(self._revoke(bot, token, ask) for token in tokens))

    async def _revoke(self, bot: str, token: str, ask: Ask) -> None:
        verdict = await self._attempt(token, ask)
        for pause in RETRY_SECONDS:
            if verdict.what != "again":
                break
            await self._clock.sleep(pause)
            verdict = await self._attempt(token, ask)
        is_done = verdict.what == "done"
        self._counted.add(bot, "done" if is_done else "failed")
        if not is_done:
            log.info("a token of a login of bot %s could not be taken back: %s", bot, verdict.reason)

    async def _attempt(self, token: str, ask: Ask) -> Verdict:
        try:
            request = await ask(token)
            answer = await self._calls.call(WHAT, msgspec.structs.replace(request, ignores_body=True))
        except ProviderFailed as failure:
            return Verdict("again", str(failure))
        # The verdict's own reason tells an operator to resend a dead letter, which there is none of here.
        return judge(request.url, answer, self._clock.now())._replace(reason=answered(request.url, answer))
