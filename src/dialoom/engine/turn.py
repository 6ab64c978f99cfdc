"""One turn: ``turn(flow, state, event)``, the one entry of the engine. What it wants done it gives back as effects.

A turn that needs an outside call (or the login renewed, which is one that the service makes) gives back the state
unchanged but for ``pending``, and the call; with its result the event runs again from the start. So nothing half-done
is ever kept, and the results are all that a rerun needs.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import msgspec

from dialoom.engine import dispatch
from dialoom.engine.effects import Effect, Fetch, Refresh
from dialoom.engine.events import Event, Fetched
from dialoom.engine.interrupts import Interrupted, WaitingForCall
from dialoom.engine.running_turn import RunningTurn
from dialoom.engine.state import Pending, State

if TYPE_CHECKING:
    from dialoom.engine.compiled import Flow


class Turn(msgspec.Struct, frozen=True):
    state: State
    effects: tuple[Effect, ...]

    @property
    def pending(self) -> Fetch | Refresh | None:
        """What the turn waits for; None when it is done."""
        last = self.effects[-1] if self.effects else None
        return last if isinstance(last, Fetch | Refresh) else None


def turn(flow: Flow, state: State, event: Event | Fetched) -> Turn:
    """Run one event. Raises nothing but ``Interrupted``, and that only where it was raised into it; what an author's
    flow does wrong becomes ``Failed`` and a text for the user."""
    results: dict[str, Fetched] = {}
    if isinstance(event, Fetched):
        pending = state.pending
        if pending is None:
            return Turn(state, ())
        results = {**pending.results, event.key: event}
        event = pending.event
    if state.pending is not None:
        state = msgspec.structs.replace(state, pending=None)
    p = RunningTurn(flow, state, event, results)
    try:
        dispatch.conduct(p)
    except WaitingForCall as waiting:
        waits = msgspec.structs.replace(state, pending=Pending(event, results))
        return Turn(waits, (waiting.wanted,))
    except Interrupted as interrupted:
        interrupted.step = p.visited
        raise
    return Turn(p.next_state(), p.all_effects())


def stop(flow: Flow, state: State, event: Event, step: str, reason: str) -> Turn:
    """What becomes of an event whose turn was interrupted at ``step``: nothing that the turn did is kept, and the flow
    is stopped as one that does not come to an end. ``state``: the one before the event."""
    p = RunningTurn(flow, state, event, {})
    dispatch.stop(p, step, reason)
    return Turn(p.next_state(), p.all_effects())
