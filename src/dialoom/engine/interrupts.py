"""What ends a turn before its steps are through. ``turn`` makes values of those that the engine itself raises."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from dialoom.engine.effects import Fetch, Refresh


class WaitingForCall(Exception):
    """The turn needs what comes of an effect, and is run again from its start when that is there."""

    def __init__(self, wanted: Fetch | Refresh) -> None:
        super().__init__(wanted.key)
        self.wanted = wanted


class FlowBroken(Exception):
    """A step failed. ``reason`` is a sentence for the flow's author and holds no values of memory.

    ``is_endless``: a limit against flows that never end was hit; the flow is stopped (``stack.stop``), since the next
    message would only run into it again.
    """

    def __init__(self, step: str, reason: str, *, is_endless: bool = False) -> None:
        super().__init__(reason)
        self.step = step
        self.reason = reason
        self.is_endless = is_endless


class Interrupted(BaseException):
    """Raised into a running turn from outside, by a signal handler (``service.chat.turn_limit``), at any place in the
    code.

    No ``Exception``, so that nothing on the way takes it for a failure of its own. ``turn`` notes in it which step the
    walk had come to ("" before the first) and lets it through; ``stop`` gives what becomes of the event.
    """

    step = ""
