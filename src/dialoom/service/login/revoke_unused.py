"""Tokens that a provider gave and that never came into a chat's order, taken back there (RFC 7009) beside all else: no
browser waits for it, and nobody hears of it.

Tried three times in about a minute, by this process alone: who drops a token that nothing else holds loses nothing by
its living on for its hour. What a turn leaves to be taken back goes through ``revoke`` and the outbox.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import msgspec

from dialoom.service.login.provider_failure import ProviderFailed
from dialoom.service.outbox.delivery import Verdict, answered, judge

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from dialoom.engine.effects import Request
    from dialoom.service.clock import Clock
    from dialoom.service.login.provider_calls import Calls
    from dialoom.service.observe.instruments import Counts

    Ask = Callable[[str], Awaitable[Request]]

log = logging.getLogger(__name__)

WHAT: Final = "The revocation"
AGAIN: Final = (5.0, 25.0)
"""Seconds before the second and the third try, each of which takes 10 s at most; with the metadata read anew, 20."""
MAX_AT_ONCE: Final = 32
"""Logins of one bot at once. A provider whose every login fails and that hangs besides must not pile them up here, nor
take the room of other bots."""


class RevokeUnused:
    """For one event loop. ``counted``: tokens, by bot and outcome."""

    def __init__(self, calls: Calls, clock: Clock, counted: Counts) -> None:
        self._calls = calls
        self._clock = clock
        self._counted = counted
        self._tasks: dict[asyncio.Task[None], str] = {}
        """Each with its bot."""
        self._is_closed = False

    def begin(self, bot: str, tokens: Sequence[str], ask: Ask) -> None:
        """``ask`` makes the call for one of them; raises ``ProviderFailed``."""
        if self._is_closed:
            return
        if list(self._tasks.values()).count(bot) >= MAX_AT_ONCE:
            log.warning(
                "the tokens of a login of bot %s are not taken back: %s logins of it are in hand", bot, MAX_AT_ONCE
            )
            for _ in tokens:
                self._counted.add(bot, "dropped")
            return
        task = asyncio.create_task(self._take_all_back(bot, tokens, ask))
        self._tasks[task] = bot
        task.add_done_callback(self._tasks.pop)

    async def close(self) -> None:
        """End what is in hand."""
        self._is_closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _take_all_back(self, bot: str, tokens: Sequence[str], ask: Ask) -> None:
        await asyncio.gather(*(self._take_back(bot, token, ask) for token in tokens))

    async def _take_back(self, bot: str, token: str, ask: Ask) -> None:
        verdict = await self._attempt(token, ask)
        for pause in AGAIN:
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
        # Of what is to be mended and sent again, as the outbox would tell it, nothing holds here.
        return judge(request.url, answer, self._clock.now())._replace(reason=answered(request.url, answer))
