"""Tokens that a provider gave and that never came into a chat's order, taken back there (RFC 7009) beside all else: no
browser waits for it, and nobody hears of it.

Tried for about a minute, by this process alone: who drops a token that nothing else holds loses nothing by its living
on for its hour. What a turn leaves to be taken back goes through ``revocation`` and the outbox.
"""

from __future__ import annotations

import asyncio
import logging
from typing import TYPE_CHECKING, Final

import msgspec

from dialoom.service.delivery import Verdict, judge
from dialoom.service.login.failure import ProviderFailed

if TYPE_CHECKING:
    from collections.abc import Awaitable, Callable, Sequence

    from dialoom.engine.effects import Request
    from dialoom.service.clock import Clock
    from dialoom.service.login.calls import Calls

    Ask = Callable[[str], Awaitable[Request]]

log = logging.getLogger(__name__)

WHAT: Final = "The revocation"
AGAIN: Final = (5.0, 60.0)
"""Seconds before the second and the third try."""
MOST: Final = 64
"""Logins at once. A provider whose every login is refused and that hangs besides must not pile them up here."""


class TakingBack:
    """For one event loop."""

    def __init__(self, calls: Calls, clock: Clock) -> None:
        self._calls = calls
        self._clock = clock
        self._tasks: set[asyncio.Task[None]] = set()
        self._is_closed = False

    def begin(self, tokens: Sequence[str], ask: Ask) -> None:
        """``ask`` makes the call for one of them; raises ``ProviderFailed``."""
        if self._is_closed:
            return
        if len(self._tasks) >= MOST:
            log.warning("tokens of a login that was refused are not taken back: %s others are in hand", MOST)
            return
        task = asyncio.create_task(self._take_back(tokens, ask))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    async def close(self) -> None:
        """End what is in hand."""
        self._is_closed = True
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _take_back(self, tokens: Sequence[str], ask: Ask) -> None:
        for token in tokens:
            verdict = await self._attempt(token, ask)
            for pause in AGAIN:
                if verdict.what != "again":
                    break
                await self._clock.sleep(pause)
                verdict = await self._attempt(token, ask)
            if verdict.what != "done":
                log.info("a token of a login that was refused is not taken back: %s", verdict.reason)

    async def _attempt(self, token: str, ask: Ask) -> Verdict:
        try:
            request = await ask(token)
            answer = await self._calls.call(WHAT, msgspec.structs.replace(request, ignores_body=True))
        except ProviderFailed as failure:
            return Verdict("again", str(failure))
        return judge(request.url, answer, self._clock.now())
