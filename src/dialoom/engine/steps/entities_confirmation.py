"""An entities-confirmation: asks with Confirm and the values until its entity is true."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine import compiled
from dialoom.engine.options import asking
from dialoom.engine.running_turn import Outcome

if TYPE_CHECKING:
    from dialoom.engine.compiled import Place
    from dialoom.engine.running_turn import Open, RunningTurn
    from dialoom.engine.steps.parts import Parts
    from dialoom.flow.steps import EntitiesConfirmation


def compile_step(parts: Parts, step: EntitiesConfirmation) -> compiled.EntitiesConfirmation:
    entities = tuple(dict.fromkeys(step.entities))
    return compiled.EntitiesConfirmation(step.entity, entities, parts.texts(step.messages))


def run_step(p: RunningTurn, opened: Open, place: Place, step: compiled.EntitiesConfirmation) -> Outcome:
    if p.is_passing_by:
        return Outcome.WAIT
    p.act(place.path)
    asking.put(p, opened, place, p.render(step.texts, place.path), None)
    return Outcome.WAIT
