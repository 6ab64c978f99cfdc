"""An entities-confirmation that has no yes yet: asked with Confirm and the values."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine import options
from dialoom.engine.outcome import Outcome

if TYPE_CHECKING:
    from dialoom.engine.progress import Open, Progress
    from dialoom.engine.script import EntitiesConfirmation, Place


def run_entities_confirmation(p: Progress, conversation: Open, place: Place) -> Outcome:
    if p.is_passing_by:
        return Outcome.WAIT
    step: EntitiesConfirmation = place.step
    p.act(place.path)
    options.put(p, conversation, place, p.render(step.texts, place.path), None)
    return Outcome.WAIT
