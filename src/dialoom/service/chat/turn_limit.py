"""Interrupts an ``engine.turn`` that takes too much processor time, so that no message holds the event loop for long.

The engine counts its steps, and its readers are linear in the text; this catches what such counts miss. An interval
timer of the process is armed before the engine is called and disarmed behind it. Its signal handler, which Python runs
in the main thread between two instructions (and within ``re``, which looks for signals), raises ``Interrupted`` into
the engine. Code in C that does not look for signals goes on until it returns.

The call itself, and what becomes of an interrupted turn, is in ``turns.turn``.
"""

from __future__ import annotations

import _weakrefset
import gc
import logging
import signal
import threading
import traceback
import weakref
from pathlib import Path
from time import thread_time
from types import FrameType, TracebackType
from typing import Any, Final

import dialoom
from dialoom.engine.running_turn import Interrupted

log = logging.getLogger(__name__)

MAX_TURN_SECONDS: Final = 0.3
"""Processor time of the thread for one call of the engine; the turns of people take a thousandth of it."""
REPEAT_SECONDS: Final = 0.05
"""Until ``Interrupted`` is raised once more, where Python swallowed it: what is raised while a generator that nobody
holds any more is closed is only printed."""
_CALLBACK_FILES: Final = {weakref.__file__, _weakrefset.__file__}
"""Hold the callbacks that Python runs when an object ends, and of which it only prints what they raise."""
_PACKAGE: Final = Path(dialoom.__file__).parent.parent


class TurnTooLongError(Exception):
    """Says where a call of the engine was interrupted. ``step``: the step that ran, "" before the first; ``code``: the
    innermost line of this package that ran."""

    def __init__(self, step: str, code: str) -> None:
        super().__init__(f"{step or 'before the first step'}, in {code}")
        self.step = step
        self.code = code


class _ProcessTimer:
    """Shares the timer for processor time (``ITIMER_PROF``) and the handler of its signal: a process has one of each,
    which its services share. The engine never runs within itself, so that one deadline is all there is to keep."""

    def __init__(self) -> None:
        self.deadline: float | None = None
        """In the thread's processor time, of the call of the engine that is running; None: none is."""
        self._users = 0
        self._previous: Any = signal.SIG_DFL
        self._collecting_since: float | None = None
        """The thread's processor time at which the garbage collection that runs began; None: none runs."""

    def take(self) -> str:
        """Install the handler for one more service. Return why it cannot be installed, or ""."""
        if not hasattr(signal, "setitimer"):
            return "this system has no interval timers"
        if threading.current_thread() is not threading.main_thread():
            return "the service does not run in the main thread, where Python handles signals"
        if self._users == 0:
            previous = signal.getsignal(signal.SIGPROF)
            if previous not in (signal.SIG_DFL, signal.SIG_IGN):
                return "something else in this process handles SIGPROF"
            self._previous = signal.signal(signal.SIGPROF, self._on_signal)
            # Other threads go on with the system call that the signal came into.
            signal.siginterrupt(signal.SIGPROF, False)
            gc.callbacks.append(self._on_collection)
        self._users += 1
        return ""

    def let_go(self) -> None:
        """Restore the former handler after the last service."""
        self._users -= 1
        if self._users == 0:
            # Where nothing handles it, the signal of a timer that still runs would end the process.
            signal.setitimer(signal.ITIMER_PROF, 0)
            signal.signal(signal.SIGPROF, self._previous)
            gc.callbacks.remove(self._on_collection)

    def _on_collection(self, phase: str, _info: dict[str, int]) -> None:
        """Leave a garbage collection out of the limit: it walks the objects of the whole process, not of the turn."""
        if phase == "start":
            self._collecting_since = thread_time()
        elif self._collecting_since is not None:
            if self.deadline is not None:
                self.deadline += thread_time() - self._collecting_since
            self._collecting_since = None

    def _on_signal(self, _signal: int, frame: FrameType | None) -> None:
        """Interrupt the turn, or go on. The timer counts the processor time of all threads, the limit that of the
        engine's: where others used some, it is armed again for what is left. A signal that comes when no engine is
        running changes nothing."""
        if self.deadline is None:
            return
        left = self.deadline - thread_time()
        signal.setitimer(signal.ITIMER_PROF, left if left > 0 else REPEAT_SECONDS)
        if left > 0 or self._collecting_since is not None:
            return
        while frame is not None:
            if frame.f_code.co_filename in _CALLBACK_FILES:
                return  # the timer comes again
            frame = frame.f_back
        raise Interrupted


_timer = _ProcessTimer()


class TurnLimit:
    """Limits the processor time of the turns of one service; off until it is started."""

    def __init__(self, seconds: float = MAX_TURN_SECONDS) -> None:
        self.seconds = seconds
        self._is_on = False

    def start(self) -> None:
        """Switch the limit on; called from the thread that runs the event loop."""
        if self._is_on:
            return
        problem = _timer.take()
        self._is_on = not problem
        if problem:
            log.warning("turns that take too long are not interrupted: %s", problem)

    def stop(self) -> None:
        if self._is_on:
            self._is_on = False
            _timer.let_go()

    def begin(self) -> None:
        """Arm the timer; called right before the engine, where ``Interrupted`` is caught."""
        if self._is_on:
            _timer.deadline = thread_time() + self.seconds
            signal.setitimer(signal.ITIMER_PROF, self.seconds)

    def end(self) -> None:
        """Disarm the timer. ``Interrupted`` may still be raised here, before the deadline is forgotten."""
        if self._is_on:
            _timer.deadline = None
            signal.setitimer(signal.ITIMER_PROF, 0)


def too_long(interrupted: Interrupted) -> TurnTooLongError:
    """Return where a call of the engine was interrupted."""
    return TurnTooLongError(interrupted.step, _innermost(interrupted.__traceback__))


def _innermost(trace: TracebackType | None) -> str:
    """Return the innermost line of this package in a trace, without any values."""
    places = [
        f"{Path(frame.f_code.co_filename).relative_to(_PACKAGE)}:{line}"
        for frame, line in traceback.walk_tb(trace)
        if Path(frame.f_code.co_filename).is_relative_to(_PACKAGE / "dialoom") and frame.f_code.co_filename != __file__
    ]
    return places[-1] if places else "code outside of dialoom"
