"""An entities-confirmation that has no yes yet: asked with Confirm and the values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine.options import asking
from dialoom.engine.running_turn import Outcome

if TYPE_CHECKING:
    from dialoom.engine.compiled import EntitiesConfirmation, Place
    from dialoom.engine.running_turn import Open, RunningTurn


def run_entities_confirmation(p: RunningTurn, conversation: Open, place: Place) -> Outcome:
    if p.is_passing_by:
        return Outcome.WAIT
    step: EntitiesConfirmation = place.step
    p.act(place.path)
    asking.put(p, conversation, place, p.render(step.texts, place.path), None)
    return Outcome.WAIT
