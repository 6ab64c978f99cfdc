"""What ends a turn before its steps are through. Raised inside the engine only; ``turn`` makes values of them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dialoom.engine.effects import Fetch


class Waiting(Exception):
    """The turn needs the answer to an outside call, and is run again from its start when it is there."""

    def __init__(self, fetch: Fetch) -> None:
        super().__init__(fetch.key)
        self.fetch = fetch


class Broken(Exception):
    """A step failed. ``reason`` is a sentence for the flow's author and holds no values of memory.

    ``is_endless``: a limit against flows that never end was hit; the flow is stopped (``stack.stop``), since the next
    message would only run into it again.
    """

    def __init__(self, step: str, reason: str, *, is_endless: bool = False) -> None:
        super().__init__(reason)
        self.step = step
        self.reason = reason
        self.is_endless = is_endless
