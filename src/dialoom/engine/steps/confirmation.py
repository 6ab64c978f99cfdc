"""A confirmation: asks with Yes and No until its entity is true or false."""

from __future__ import annotations

from typing import TYPE_CHECKING

from dialoom.engine import compiled
from dialoom.engine.options import asking
from dialoom.engine.running_turn import Outcome

if TYPE_CHECKING:
    from dialoom.engine.compiled import Place
    from dialoom.engine.running_turn import Open, RunningTurn
    from dialoom.engine.steps.parts import Parts
    from dialoom.flow.steps import Confirmation


def compile_step(parts: Parts, step: Confirmation) -> compiled.Confirmation:
    return compiled.Confirmation(step.entity, parts.texts(step.messages))


def run_step(p: RunningTurn, opened: Open, place: Place, step: compiled.Confirmation) -> Outcome:
    if p.is_passing_by:
        return Outcome.WAIT
    p.act(place.path)
    asking.put(p, opened, place, p.render(step.texts, place.path), None)
    return Outcome.WAIT
