"""A confirmation that has no answer yet: asked with Yes and No."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine.options import asking
from dialoom.engine.running_turn import Outcome

if TYPE_CHECKING:
    from dialoom.engine.compiled import Confirmation, Place
    from dialoom.engine.running_turn import Open, RunningTurn


def run_confirmation(p: RunningTurn, conversation: Open, place: Place) -> Outcome:
    if p.is_passing_by:
        return Outcome.WAIT
    confirmation: Confirmation = place.step
    p.act(place.path)
    asking.put(p, conversation, place, p.render(confirmation.texts, place.path), None)
    return Outcome.WAIT
