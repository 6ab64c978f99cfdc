"""Notes events that this process can neither read nor run: what was accepted stays in its inbox, and is tried again
ever more rarely. An operator reads of each in the log when it begins, and then seldom.

Who tries it again, and what becomes of the events behind it, is for ``leases.py`` and ``peers.py``.
"""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Collection

import msgspec

from dialoom.errors import DialoomError, RequestError
from dialoom.service.clock import Clock
from dialoom.storage.store import ChatKey

log = logging.getLogger(__name__)

MIN_REST_MS = 10_000
"""Milliseconds for which an event is left to the other processes, which may be able to run it; doubled each time."""
MAX_REST_MS = 300_000
LOG_EVERY_MS = 1_800_000
"""Milliseconds after which it is said again that an event is still there."""
_UNNUMBERED = 0
"""In the place of an inbox number: a timer, or a message that is refused. Others come again by themselves."""


class _Rest(msgspec.Struct):
    """Holds the pause of one failing event before its next try."""

    since: int
    told_at: int
    is_said: bool = True
    """The log says of each such event that it waits."""
    until: int = 0
    tries: int = 0
    is_elsewhere: bool = False
    """Another process has the chat, and may have run the event: it is not counted until this one has the chat again."""


class FailingEvents:
    def __init__(self, clock: Clock) -> None:
        self._clock = clock
        self._rests: dict[ChatKey, dict[int, _Rest]] = {}

    def note(self, key: ChatKey, number: int | None, error: Exception) -> None:
        """Note that an event failed, for the first time or again."""
        now = self._clock.now()
        rests = self._rests.setdefault(key, {})
        rest = rests.get(number or _UNNUMBERED)
        if rest is None:
            # That a bot is not served is said once for all its events, by who cannot serve it.
            is_said = not (isinstance(error, RequestError) and error.code == "unknown-bot")
            rest = rests[number or _UNNUMBERED] = _Rest(now, now, is_said)
            if is_said:
                log.error(
                    "an event of bot %s cannot be run here; once accepted it is kept and tried again, ever more rarely:"
                    " %s",
                    key.bot,
                    _reason(error),
                    exc_info=None if isinstance(error, DialoomError) else error,
                )
        elif rest.is_said and not rest.told_at <= now < rest.told_at + LOG_EVERY_MS:
            rest.told_at = now
            minutes = max(0, now - rest.since) // 60_000
            log.error("an event of bot %s cannot be run here since %d minutes: %s", key.bot, minutes, _reason(error))
        rest.is_elsewhere = False
        rest.until = now + min(MIN_REST_MS << min(rest.tries, 10), MAX_REST_MS)
        rest.tries += 1

    def is_resting(self, key: ChatKey, numbers: Collection[int] | None = None) -> bool:
        """Return whether one of these events (None: any of the chat) is not to be tried yet."""
        return any(
            number != _UNNUMBERED and (numbers is None or number in numbers) and self._is_soon(rest)
            for number, rest in self._rests.get(key, {}).items()
        )

    def _is_soon(self, rest: _Rest) -> bool:
        # One that would rest longer than any began to before the clock jumped back.
        now = self._clock.now()
        return now < rest.until <= now + MAX_REST_MS

    def due(self) -> list[ChatKey]:
        """Return the chats with events whose time to be tried again has come."""
        now = self._clock.now()
        for key in [*self._rests]:
            # Of a timer, and of an event that another process may have run, nothing else tells the end.
            self._keep(
                key,
                lambda number, rest: (
                    0 <= now - rest.told_at < LOG_EVERY_MS or (number != _UNNUMBERED and not rest.is_elsewhere)
                ),
            )
        return [key for key in self._rests if self.counted(key) and not self.is_resting(key)]

    def passed(self, key: ChatKey, number: int | None) -> None:
        """Note that an event had its turn, so that the chat can be run here."""
        if key in self._rests:
            self._keep(key, lambda other, _: other not in {_UNNUMBERED, number})

    def still(self, key: ChatKey, numbers: Collection[int]) -> None:
        """Keep these events, which wait in the chat's inbox; the others had their turn in another process."""
        if key in self._rests:
            for rest in self._rests[key].values():
                rest.is_elsewhere = False
            self._keep(key, lambda number, _: number == _UNNUMBERED or number in numbers)

    def run_by_peer(self, key: ChatKey) -> None:
        """Note that another process has the chat: it may run the events, or fail as this one did. How often they were
        tried is kept, lest the failure be logged again; should the other process end, the chat rests no longer than a
        first failure would have it."""
        latest = self._clock.now() + MIN_REST_MS
        for number, rest in self._rests.get(key, {}).items():
            if number != _UNNUMBERED:
                rest.is_elsewhere, rest.until = True, min(rest.until, latest)

    def forget(self, key: ChatKey) -> None:
        """Forget the events of a chat that was erased."""
        self._rests.pop(key, None)

    def _keep(self, key: ChatKey, is_left: Callable[[int, _Rest], bool]) -> None:
        rests = self._rests[key]
        left = {number: rest for number, rest in rests.items() if is_left(number, rest)}
        # Whether an event that another process has still waits is not known here.
        if any(rest.is_said and number not in left and not rest.is_elsewhere for number, rest in rests.items()):
            log.info("an event of bot %s that could not be run here waits no more", key.bot)
        self._rests[key] = left
        if not left:
            del self._rests[key]

    def counted(self, key: ChatKey) -> int:
        """Return the number of the chat's events that are known to wait; a timer waits nowhere."""
        rests = self._rests.get(key, {})
        return sum(number != _UNNUMBERED and not rest.is_elsewhere for number, rest in rests.items())

    def counts(self) -> dict[str, int]:
        """Return the number of failing events by bot."""
        counts: Counter[str] = Counter()
        for key in self._rests:
            counts[key.bot] += self.counted(key)
        return +counts


def _reason(error: Exception) -> str:
    """Return the reason for the log: errors of this package hold no text of a user, others may."""
    return str(error) if isinstance(error, DialoomError) else type(error).__name__
