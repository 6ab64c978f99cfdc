"""Refuses calls to channels that lack something on this machine, and logs for the operator what it is."""

from __future__ import annotations

import asyncio
import logging

from dialoom.errors import RequestError
from dialoom.http.problems import not_found
from dialoom.service.observe.logs import ThrottledLog

log = logging.getLogger(__name__)


class ClosedChannels:
    def __init__(self) -> None:
        self._log = ThrottledLog(log)

    def refused(self, bot: str, channel: str, reason: str) -> RequestError:
        """Log why a call is not taken, and return the refusal, which does not say it: the caller is anybody."""
        self.tell(bot, channel, reason)
        return not_found(
            f'Channel "{channel}" of bot "{bot}" takes no calls before its operator has set what it needs. Nothing of '
            f"the call was taken."
        )

    def tell(self, bot: str, channel: str, reason: str) -> None:
        """Log why a call is not taken."""
        line = f"a call to channel {channel} of bot {bot} is not taken: {reason}"
        self._log.warn(line, asyncio.get_running_loop().time(), bot, channel)
