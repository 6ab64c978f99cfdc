"""Says that a loop, or many waits of one kind, cannot go on without the store: once, and once when it is back."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dialoom.errors import StoreError


class StoreOutage:
    """``what`` waits, as the beginning of a sentence: "timers", "chats"."""

    def __init__(self, log: logging.Logger, what: str) -> None:
        self._log = log
        self._what = what
        self._is_away = False

    def note(self, error: StoreError) -> None:
        """It did not answer."""
        if not self._is_away:
            self._log.warning("%s wait for the store: %s", self._what, error)
        self._is_away = True

    def is_over(self) -> None:
        """It answered."""
        if self._is_away:
            self._log.info("%s do not wait for the store any more", self._what)
        self._is_away = False
